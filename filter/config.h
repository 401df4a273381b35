// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned.conf: what the administrator of a machine decides. TOML;
// halftoned.conf(5) describes it for people. A key that is not known, or a
// value that cannot be right, is an error with its line: a misspelt key must
// not quietly do nothing.

#ifndef HALFTONED_FILTER_CONFIG_H_
#define HALFTONED_FILTER_CONFIG_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

// How tones come out; what is absent is decided elsewhere.
struct ToneConfig {
  std::optional<int> levels;              // 2, 4, 8 or 16
  std::optional<double> gamma;            // 0.1 … 10
  std::optional<std::string> tone_curve;  // a file
};

struct Config {
  std::optional<std::string> engine;
  std::optional<int> threads;  // 1 … 256; 0: one for each processor
  ToneConfig tone;
  std::map<std::string, ToneConfig, std::less<>> queues;  // by name
};

// Reads the text of a halftoned.conf. An error begins with the line.
Result<Config> ParseConfig(std::string_view text);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_CONFIG_H_

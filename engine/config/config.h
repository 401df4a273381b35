// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned.conf: what the administrator of a machine decides. TOML;
// halftoned.conf(5) describes it for people. A key that is not known, or a
// value that cannot be right, is an error with its line: a misspelt key must
// not quietly do nothing.

#ifndef HALFTONED_CONFIG_CONFIG_H_
#define HALFTONED_CONFIG_CONFIG_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "config/name_less.h"

namespace halftoned {

// What the file says, and where, for those who find out later that it cannot
// be.
template <typename Value>
struct Setting {
  Setting(Value said, std::string said_where = "")  // NOLINT: implicit
      : value(std::move(said)), where(std::move(said_where)) {}

  Value value;
  std::string where;  // "FILE, line N"
};

// How tones come out; what is absent is decided elsewhere.
struct ToneConfig {
  std::optional<Setting<int>> levels;              // 2, 4, 8 or 16
  std::optional<Setting<double>> gamma;            // 0.1 … 10
  std::optional<Setting<std::string>> tone_curve;  // a file's whole path
};

struct Config {
  std::optional<Setting<std::string>> engine;
  std::optional<Setting<int>> threads;  // 1 … 256; 0: one for each processor
  ToneConfig tone;
  std::map<std::string, ToneConfig, NameLess> queues;
};

// Reads the text of a halftoned.conf. Errors begin with the path and the line;
// files that it names lie beside it, unless their paths are absolute.
Result<Config> ParseConfig(std::string_view text, const std::string& path);

}  // namespace halftoned

#endif  // HALFTONED_CONFIG_CONFIG_H_

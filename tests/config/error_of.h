// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <string_view>

#include "config/config.h"

namespace halftoned {

// What is wrong with the text of a halftoned.conf; empty if nothing is.
inline std::string ErrorOf(std::string_view text) {
  const Result<Config> config = ParseConfig(text, "c");
  return config.ok() ? "" : config.error().message;
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that a kill or a full disk leaves unchanged.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

// Extension of a file that replaces another one once it is written.
inline constexpr std::string_view kNext = ".next";

// The contents of a regular file of any size. Does not wait for pipes.
Result<std::string> ReadWhole(const std::string& path);

// Replaces the file. Only one call per path at a time.
Result<void> WriteWhole(const std::string& path, std::string_view text);

}  // namespace halftoned

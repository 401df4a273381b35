// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small text files, read whole.

#pragma once

#include <string>

#include "base/result.h"

namespace halftoned {

// The text of the file at `path`; refuses more than 1 MiB. Errors name the
// path.
Result<std::string> ReadTextFile(const std::string& path);

}  // namespace halftoned

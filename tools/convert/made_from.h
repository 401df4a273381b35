// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an output is made from: the bytes of its input, and all settings that
// decide its own. Two outputs of one program that are made from the same are
// the same.

#ifndef HALFTONED_TOOLS_CONVERT_MADE_FROM_H_
#define HALFTONED_TOOLS_CONVERT_MADE_FROM_H_

#include <string>

#include "convert/convert.h"
#include "print/file/input_file.h"

namespace halftoned {

// A line of ASCII for people and comparisons; reads all of `input`, which is to
// be a regular file.
Result<std::string> MadeFrom(const ConvertJob& job,
                             const ConvertSettings& settings,
                             const InputFile& input);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_CONVERT_MADE_FROM_H_

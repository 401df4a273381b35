// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a list of jobs from the command line: inputs, their outputs and
// formats. Does not read images.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "command/arguments.h"
#include "convert/convert.h"

namespace halftoned {

// All errors are errors of the command line. No two jobs have the same output,
// and no output is one of the inputs.
Result<std::vector<ConvertJob>> JobsOf(const ConvertOptions& options);

// The output folder, if it does not exist yet and its name ends with a slash;
// otherwise empty.
std::string FolderToMake(const ConvertOptions& options);

}  // namespace halftoned

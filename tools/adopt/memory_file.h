// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file in memory, for what libcups reads and writes through descriptors.

#ifndef HALFTONED_TOOLS_ADOPT_MEMORY_FILE_H_
#define HALFTONED_TOOLS_ADOPT_MEMORY_FILE_H_

#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// Holds `text`, and stands at its beginning.
Result<Descriptor> MemoryFile(std::string_view text);

// All of it; refuses more than 16 MiB.
Result<std::string> TextOf(const Descriptor& file);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_MEMORY_FILE_H_

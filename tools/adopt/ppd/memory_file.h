// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files in memory, for functions of libcups that need a descriptor.

#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// A file that holds `text`, positioned at its start.
Result<Descriptor> MemoryFile(std::string_view text);

// The whole contents; an error if they exceed 16 MiB.
Result<std::string> TextOf(const Descriptor& file);

}  // namespace halftoned

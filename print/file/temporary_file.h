// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unnamed files, for data that does not fit into memory. They vanish when they
// are closed, however the process ends.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/file/input_file.h"

namespace halftoned {

// `start` and ten random letters.
std::string RandomName(const char* start);

// Creates a file in the folder that TMPDIR names, or in /tmp.
Result<Descriptor> MakeTemporaryFile();

// Copies the unread rest of `file` to a temporary file.
Result<Descriptor> CopyToTemporaryFile(InputFile& file);

// Fills `room` from `offset` on; kBadInput if the file ends first.
Result<void> ReadAt(int fd, int64_t offset, std::span<std::byte> room);

Result<void> WriteAt(int fd, int64_t offset, std::span<const std::byte> bytes);

}  // namespace halftoned

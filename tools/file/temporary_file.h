// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files without a name, for what does not fit into memory. They vanish when
// they are closed, however the process ends.

#ifndef HALFTONED_TOOLS_FILE_TEMPORARY_FILE_H_
#define HALFTONED_TOOLS_FILE_TEMPORARY_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/descriptor.h"
#include "base/result.h"
#include "file/input_file.h"

namespace halftoned {

// In the folder that TMPDIR names, or /tmp.
Result<Descriptor> MakeTemporaryFile();

// A temporary copy of what is left to read of `file`.
Result<Descriptor> CopyToTemporaryFile(InputFile& file);

// Fills all of `room` from `offset` on; kBadInput where the file ends before.
Result<void> ReadAt(int fd, int64_t offset, std::span<std::byte> room);

Result<void> WriteAt(int fd, int64_t offset, std::span<const std::byte> bytes);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_FILE_TEMPORARY_FILE_H_

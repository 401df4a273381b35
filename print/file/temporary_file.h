// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unnamed files, for data that does not fit into memory. They vanish when they
// are closed, however the process ends.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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

// Grants disk space for an empty file, which counts as used until the pointer
// is gone; an error if it is too much. Can wait for space that others use.
using TakeDisk =
    std::function<Result<std::shared_ptr<void>>(int file, int64_t bytes)>;

// A temporary file, closed before its space is given back.
struct GrantedFile {
  std::shared_ptr<void> space;
  Descriptor file;

  int get() const { return file.get(); }
};

// bytes: the size that the file will have. take_disk: empty if disk space is
// not shared.
Result<GrantedFile> MakeGrantedFile(int64_t bytes, const TakeDisk& take_disk);

// Copies the unread rest of `file` to a temporary file.
Result<Descriptor> CopyToTemporaryFile(InputFile& file);

// Fills `room` from `offset` on; kBadInput if the file ends first.
Result<void> ReadAt(int fd, int64_t offset, std::span<std::byte> room);

Result<void> WriteAt(int fd, int64_t offset, std::span<const std::byte> bytes);

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output file that appears whole or not at all: it is written under another
// name beside its target, and Commit renames it. Anything but a regular file (a
// pipe, standard output, a device) cannot be replaced like this, and is written
// directly. The folder is the one that the path led to when the file was
// created, and only the file that was there at that time is replaced.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "print/file/output_place.h"
#include "print/file/pending_files.h"

namespace halftoned {

// page-003.png for page.png: the name of the file of page 3.
std::string NumberedName(std::string name, int64_t number);

class OutputFile {
 public:
  // "-" is standard output. `pending` outlives the file. Symbolic links are
  // followed (output_place.h); the file at their end is replaced. It keeps its
  // permissions, and its owner and group as far as the system permits. Files of
  // other users in world-writable folders are refused, and so are all existing
  // regular files if `pending` must not replace them.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path,
                                                    PendingFiles& pending);

  // Without Commit, leaves no file behind.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Whether it can be written in any order, through fd().
  bool is_seekable() const { return !temporary_.empty(); }
  int fd() const { return fd_.get(); }

  Result<void> Write(std::span<const std::byte> bytes);

  // Writes the whole contents of the file `fd`.
  Result<void> WriteCopyOf(int fd);

  // Adds this number to the target's name before the extension, as in
  // page-003.png; the folder stays. Precondition: is_seekable().
  Result<void> Number(int64_t number);

  // Syncs the file to disk, and renames it to its target.
  Result<void> Commit();

 private:
  OutputFile(PendingFiles& pending, Descriptor fd)
      : pending_(pending), fd_(std::move(fd)) {}

  static Result<std::unique_ptr<OutputFile>> CreateBeside(
      OutputPlace place, mode_t mode, PendingFiles& pending);
  static Result<std::unique_ptr<OutputFile>> OpenInPlace(
      const OutputPlace& place, PendingFiles& pending);
  Result<void> CheckIsOurs() const;

  PendingFiles& pending_;
  Descriptor fd_;
  OutputPlace place_;
  std::string name_;       // of the target, without a number
  std::string temporary_;  // beside it; empty: the target is written directly
};

}  // namespace halftoned

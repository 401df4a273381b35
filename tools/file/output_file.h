// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file to write that appears whole or not at all: it grows under another
// name beside its target, and Commit puts it in place. What is no regular file
// (a pipe, standard output, a device) cannot be replaced so, and is written
// as it comes.

#ifndef HALFTONED_TOOLS_FILE_OUTPUT_FILE_H_
#define HALFTONED_TOOLS_FILE_OUTPUT_FILE_H_

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "file/pending_files.h"

namespace halftoned {

class OutputFile {
 public:
  // "-" is standard output. `pending` outlives the file. A link is followed;
  // the file that it leads to is replaced. Its permissions stay, and so do its
  // owner and group as far as the system lets us give files away.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path,
                                                    PendingFiles& pending);
  // The file that `path` leads to in the end, through links, whether it is
  // there or not.
  static Result<std::string> TargetOf(std::string path);

  // Without Commit nothing is left behind.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Whether it may be written in any order, through fd().
  bool is_seekable() const { return !temporary_.empty(); }
  int fd() const { return fd_.get(); }

  Result<void> Write(std::span<const std::byte> bytes);

  // Everything is written: makes it last, and puts it in place.
  Result<void> Commit();

 private:
  OutputFile(PendingFiles& pending, Descriptor fd)
      : pending_(pending), fd_(std::move(fd)) {}

  static Result<std::unique_ptr<OutputFile>> CreateBeside(
      const std::string& target, mode_t mode, PendingFiles& pending);

  PendingFiles& pending_;
  Descriptor fd_;
  std::string temporary_;  // empty: writes go to the target itself
  std::string target_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_FILE_OUTPUT_FILE_H_

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private directory for the temporary files of other programs. The destructor
// removes it with all its files. A process that was killed cannot remove its
// directory, so the next process that creates one does it. Each directory
// contains a mark, and a lock on the mark means that the owner is alive. A
// process that is killed before it has put the mark there leaves an empty
// directory.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

class TemporaryFolder {
 public:
  // In `parent`, with a name that begins with `prefix`. Removes the directories
  // there whose owners were killed.
  static Result<TemporaryFolder> Make(const std::string& parent,
                                      std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // empty: moved from
  Descriptor mark_;   // locked
};

}  // namespace halftoned

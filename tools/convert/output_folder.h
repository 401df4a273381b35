// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder for a command's outputs.

#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// Creates the folder, and removes it at the end if it is still empty.
class OutputFolder {
 public:
  // is_shared: other programs put files into the folder, too, so it is never
  // removed.
  OutputFolder(std::string path, bool is_shared)
      : path_(std::move(path)), is_shared_(is_shared) {}
  ~OutputFolder() {
    if (!path_.empty() && !is_shared_) ::rmdir(path_.c_str());
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  Result<void> Make() {
    if (path_.empty() || ::mkdir(path_.c_str(), 0777) == 0) return {};
    if (is_shared_ && errno == EEXIST) return {};
    const Error error =
        ErrnoError(ErrorCode::kIo, path_ + ": cannot create the directory");
    path_.clear();
    return error;
  }

 private:
  std::string path_;  // empty: no folder to create
  const bool is_shared_;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of the outputs of a command.

#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// Makes the missing folder, and removes it again if it is still empty at the
// end.
class OutputFolder {
 public:
  // is_shared: other programs put files into it, too; then it is not removed.
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
  std::string path_;  // empty: nothing to make
  const bool is_shared_;
};

}  // namespace halftoned

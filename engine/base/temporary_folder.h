// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of one's own for the temporary files of other programs, of which
// nothing is left in the end, whatever they leave there. Who is killed cannot
// remove a folder: who makes the next one does. A lock shows whose maker lives.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

class TemporaryFolder {
 public:
  // In `parent`, with a name that begins with `prefix`. Removes those there
  // whose makers were killed.
  static Result<TemporaryFolder> Make(const std::string& parent,
                                      std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, Descriptor locked)
      : path_(std::move(path)), locked_(std::move(locked)) {}

  std::string path_;  // empty: moved from
  Descriptor locked_;
};

}  // namespace halftoned

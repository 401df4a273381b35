// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of a job's own for temporary files, of which nothing is left when
// the job ends, whatever its renderers leave there.

#ifndef HALFTONED_FILTER_PDF_TEMPORARY_FOLDER_H_
#define HALFTONED_FILTER_PDF_TEMPORARY_FOLDER_H_

#include <string>

#include "base/result.h"

namespace halftoned {

class TemporaryFolder {
 public:
  // In `parent`.
  static Result<TemporaryFolder> Make(const std::string& parent);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // empty: moved from
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_TEMPORARY_FOLDER_H_

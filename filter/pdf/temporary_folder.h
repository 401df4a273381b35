// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of a job's own for temporary files, of which nothing is left when
// the job ends, whatever its renderers leave there. A filter that is killed
// cannot remove its folder: a later job does. A lock shows whose job lives.

#ifndef HALFTONED_FILTER_PDF_TEMPORARY_FOLDER_H_
#define HALFTONED_FILTER_PDF_TEMPORARY_FOLDER_H_

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

class TemporaryFolder {
 public:
  // In `parent`. Removes those of killed filters there.
  static Result<TemporaryFolder> Make(const std::string& parent);
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

#endif  // HALFTONED_FILTER_PDF_TEMPORARY_FOLDER_H_

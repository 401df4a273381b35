// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list that --manifest writes: a line of JSON for each output that is in
// place. Used by several threads.

#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/result.h"
#include "convert/convert.h"
#include "print/file/output_file.h"
#include "print/file/pending_files.h"

namespace halftoned {

class Manifest {
 public:
  // Errors of all functions begin with the path. `pending` outlives it.
  static Result<Manifest> Create(const std::string& path,
                                 PendingFiles& pending);

  Result<void> Add(const ConvertJob& job, const Report& report);
  // Puts the list in place.
  Result<void> Commit();

 private:
  Manifest(std::string path, std::unique_ptr<OutputFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace halftoned

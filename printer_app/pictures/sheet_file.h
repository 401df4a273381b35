// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page of 8-bit gray in a temporary file, to be read any number of times.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/result.h"
#include "print/file/temporary_file.h"
#include "print/image/image.h"

namespace halftoned {

class SheetFile {
 public:
  // An empty one.
  static Result<SheetFile> Make(int64_t width, int64_t rows,
                                const TakeDisk& take_disk);

  // Reads a page of this size to its end.
  Result<void> Fill(PageReader& page);

  // The page from its first row on. The file outlives it.
  std::unique_ptr<PageReader> Read() const;

 private:
  SheetFile(const Page& page, int64_t rows, GrantedFile file)
      : page_(page), rows_(rows), file_(std::move(file)) {}

  Page page_;
  int64_t rows_;
  GrantedFile file_;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file with PDF documents. CUPS writes those of a job, such as its banner and
// its files, one after the other into one file; readers of PDF would find only
// the last.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapping.h"
#include "base/result.h"

class QPDF;

namespace halftoned {

// The documents that a file consists of; the whole file if it is one document.
// A document in a stream of another is none of them. Pure.
std::vector<std::string_view> DocumentsIn(std::string_view file);

class PdfFile {
 public:
  PdfFile();
  ~PdfFile();

  // Repairs damage if libqpdf can, which reports errors by exceptions.
  Result<void> Read(const std::string& path);

  // Has the pages of all documents.
  QPDF& pages() { return *documents_.front(); }

 private:
  Mapping file_;
  std::vector<std::unique_ptr<QPDF>> documents_;
};

}  // namespace halftoned

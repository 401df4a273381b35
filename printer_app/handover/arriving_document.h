// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a document from the spool, also one that is still arriving
// (spooled_document.h). It knows no PAPPL.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

class ArrivingDocument {
 public:
  static Result<ArrivingDocument> Open(const std::string& job_file);

  // The number of bytes read; 0: the document is whole, and all of it has been
  // read. Nothing: more may arrive. An error if its writer has given up.
  Result<std::optional<size_t>> Read(std::span<std::byte> room);

 private:
  ArrivingDocument(std::string whole, Descriptor file)
      : whole_(std::move(whole)), file_(std::move(file)) {}
  bool IsWhole() const;
  bool HasWriter() const;

  std::string whole_;  // the path of the document once it is whole
  Descriptor file_;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's document whose job can begin before all of it has come, if it is
// raster: each page reaches PAPPL's side once it is whole and checked.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/front/pappl/raster_pages.h"

namespace halftoned {

// A client's document on its way into the spool directory, where PAPPL's side
// finds it by a reference (handover/spooled_document.h).
class ClientDocument {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{4} << 30;

  static Result<ClientDocument> Begin(const std::string& spool);
  ClientDocument(ClientDocument&& other) noexcept;
  ClientDocument& operator=(ClientDocument&&) = delete;
  // Removes it, unless a job has it.
  ~ClientDocument();

  Result<void> Append(std::string_view bytes);
  bool empty() const { return size_ == 0; }
  // owner: as ReferenceTo has it.
  std::string Reference(std::string_view owner) const;
  // From here on, PAPPL's side reads the document while it arrives: what has
  // been appended, and more with each Release().
  Result<void> BeginPages();
  Result<void> Release();
  // All of it has come. Bytes that were not released are dropped.
  Result<void> Finish();
  // A job has it. While this object exists, PAPPL's side does not go on with
  // the job.
  void Keep() { path_.clear(); }

 private:
  ClientDocument(std::string number, std::string path, Descriptor file)
      : number_(std::move(number)),
        path_(std::move(path)),
        file_(std::move(file)) {}

  const std::string number_;
  std::string path_;  // empty: it stays
  Descriptor file_;
  Descriptor held_;  // a file without a name: bytes that are not released yet
  uint64_t held_bytes_ = 0;
  uint64_t size_ = 0;
};

// Moves so many bytes from the start of a file. The disk holds only a piece of
// them twice, if its file system supports holes.
Result<void> MoveBytes(int from, int to, uint64_t bytes);

class PagedDocument {
 public:
  // is_raster: as the client says.
  static Result<PagedDocument> Begin(const std::string& spool, bool is_raster);

  // True once, with the first page: the job may begin. An error if printers do
  // not accept a later page.
  Result<bool> Append(std::string_view bytes);
  // All of it has come. An error if it ends within a page, and its job has
  // begun.
  Result<void> Finish();

  bool has_begun() const { return has_begun_; }
  bool empty() const { return document_.empty(); }
  std::string Reference(std::string_view owner) const {
    return document_.Reference(owner);
  }
  void Keep() { document_.Keep(); }

 private:
  PagedDocument(ClientDocument document, bool is_raster)
      : document_(std::move(document)), is_raster_(is_raster) {}

  ClientDocument document_;
  RasterPages pages_;
  bool is_raster_;
  bool has_begun_ = false;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's document whose job can begin before all of it has come, if it is
// raster: each page reaches PAPPL's side once it is whole and checked.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "printer_app/front/pappl/document.h"
#include "printer_app/front/pappl/raster_pages.h"

namespace halftoned {

class PagedDocument {
 public:
  // is_raster: as the client says.
  static Result<PagedDocument> Begin(const std::string& spool, bool is_raster);

  // True once, with the first page: the job may begin. An error if a later page
  // is no page that printers accept.
  Result<bool> Append(std::string_view bytes);
  // All of it has come. An error if it ends within a page, and its job has
  // begun.
  Result<void> Finish();

  bool has_begun() const { return has_begun_; }
  bool empty() const { return document_.empty(); }
  std::string Reference() const { return document_.Reference(); }
  void Keep() { document_.Keep(); }

 private:
  PagedDocument(ClientDocument document, bool is_raster)
      : document_(std::move(document)), is_raster_(is_raster) {}
  Error WrongPage() const;

  ClientDocument document_;
  RasterPages pages_;
  bool is_raster_;
  bool has_begun_ = false;
};

}  // namespace halftoned

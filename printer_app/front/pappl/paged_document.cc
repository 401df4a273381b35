// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/paged_document.h"

#include <cstddef>
#include <cstdint>

namespace halftoned {

Result<PagedDocument> PagedDocument::Begin(const std::string& spool,
                                           bool is_raster) {
  HALFTONED_TRY_ASSIGN(ClientDocument document, ClientDocument::Begin(spool));
  return PagedDocument(std::move(document), is_raster);
}

Error PagedDocument::WrongPage() const {
  return BadInput("page " + std::to_string(pages_.pages() + 1) +
                  " is damaged, incomplete or not 8-bit gray");
}

Result<bool> PagedDocument::Append(std::string_view bytes) {
  if (!is_raster_) {
    HALFTONED_TRY(document_.Append(bytes));
    return false;
  }
  const uint64_t before = pages_.complete();
  is_raster_ = pages_.Take(bytes);
  // Raster of other kinds is a document like any other.
  if (!is_raster_ && has_begun_) return WrongPage();
  const size_t rest = static_cast<size_t>(pages_.unfinished());
  if (pages_.complete() == before || !is_raster_) {
    HALFTONED_TRY(document_.Append(bytes));
    return false;
  }
  const size_t whole = bytes.size() - rest;
  HALFTONED_TRY(document_.Append(bytes.substr(0, whole)));
  const bool is_first = !has_begun_;
  has_begun_ = true;
  HALFTONED_TRY(is_first ? document_.BeginPages() : document_.Release());
  HALFTONED_TRY(document_.Append(bytes.substr(whole)));
  return is_first;
}

Result<void> PagedDocument::Finish() {
  if (has_begun_ && pages_.is_within_page()) return WrongPage();
  return document_.Finish();
}

}  // namespace halftoned

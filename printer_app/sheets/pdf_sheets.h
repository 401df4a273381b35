// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A PDF document as printable sheets: the pages of a range, each placed on a
// sheet of exactly the paper's size. So any renderer can render any sheet,
// without knowing about scaling.

#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "printer_app/sheets/pdf_file.h"
#include "printer_app/sheets/sheet_order.h"

namespace halftoned {

class PdfSheets {
 public:
  // Repairs damage if libqpdf can.
  static Result<std::unique_ptr<PdfSheets>> Open(const std::string& path);

  unsigned pages() const { return pages_; }

  // Writes a document. Must be the last call.
  Result<void> Write(const SheetOrder& order, const std::string& path);

 private:
  PdfSheets() = default;

  PdfFile file_;
  unsigned pages_ = 0;
};

}  // namespace halftoned

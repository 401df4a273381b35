// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/page_printer.h"

namespace halftoned {

Result<void> PagePrinter::BeginPage(const PageHeader& header) {
  ++pages_;
  row_bytes_ = header.cupsBytesPerLine;
  rows_ = header.cupsHeight;
  written_ = 0;
  progress_ = 0;
  if (is_last_) messages_.Page(pages_, header.NumCopies);
  return output_.BeginPage(header);
}

Result<void> PagePrinter::WriteRows(std::span<const std::byte> rows) {
  HALFTONED_TRY(output_.WriteRows(rows));
  Report(static_cast<int64_t>(rows.size() / row_bytes_));
  return {};
}

Result<void> PagePrinter::WriteEncoded(std::span<const std::byte> bytes,
                                       int64_t rows) {
  HALFTONED_TRY(output_.WriteEncoded(bytes));
  Report(rows);
  return {};
}

void PagePrinter::Report(int64_t rows) {
  written_ += rows;
  const auto percent = static_cast<int>(100 * written_ / rows_);
  // More frequent reports would only cost cupsd time. A page of one band ends
  // before a report could be read.
  constexpr int kStep = 5;
  if (percent < progress_ + kStep || percent == 100) return;
  progress_ = percent;
  messages_.Progress(percent);
}

}  // namespace halftoned

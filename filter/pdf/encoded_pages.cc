// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/encoded_pages.h"

#include <utility>

namespace halftoned {

EncodedPages::EncodedPages(RasterFormat format, PageQueue& queue)
    : queue_(queue), encoder_(format, [this](std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return Result<void>();
      }) {}

Result<void> EncodedPages::BeginPage(const PageHeader& header) {
  HALFTONED_TRY(encoder_.BeginPage(header));
  bytes_.clear();
  row_bytes_ = header.cupsBytesPerLine;
  return queue_.BeginPage(header);
}

Result<void> EncodedPages::WriteRows(std::span<const std::byte> rows) {
  HALFTONED_TRY(encoder_.WriteRows(rows));
  const auto count = static_cast<int64_t>(rows.size() / row_bytes_);
  return queue_.PutRows({std::exchange(bytes_, {}), count});
}

}  // namespace halftoned

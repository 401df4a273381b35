// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes a renderer's pages on its own thread, and puts them into its queue:
// the thread that writes all pages would encode PWG raster no faster than a
// driver. Headers are left to that thread, which knows what precedes the first.

#ifndef HALFTONED_FILTER_PDF_ENCODED_PAGES_H_
#define HALFTONED_FILTER_PDF_ENCODED_PAGES_H_

#include <vector>

#include "print/page/page_output.h"
#include "print/raster/raster_encoder.h"
#include "print/render/page_queue.h"

namespace halftoned {

class EncodedPages : public PageOutput {
 public:
  // `queue` outlives it.
  EncodedPages(RasterFormat format, PageQueue& queue);

  Result<void> BeginPage(const PageHeader& header) override;
  Result<void> WriteRows(std::span<const std::byte> rows) override;

 private:
  PageQueue& queue_;
  std::vector<std::byte> bytes_;  // since the last call
  RasterEncoder encoder_;
  size_t row_bytes_ = 1;  // before they are encoded
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_PDF_ENCODED_PAGES_H_

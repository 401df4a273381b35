// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/page_loop.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace halftoned {
namespace {

bool IsMinus(unsigned transform) { return static_cast<int>(transform) < 0; }

bool IsMirrored(const cups_page_header2_t& header) {
  return IsMinus(header.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform]);
}

bool IsFlipped(const cups_page_header2_t& header) {
  return IsMinus(header.cupsInteger[CUPS_RASTER_PWG_FeedTransform]);
}

void Mirror(std::span<uint8_t> row, size_t samples) {
  std::ranges::reverse(row);
  if (samples == 1) return;
  for (size_t at = 0; at < row.size(); at += samples) {
    std::ranges::reverse(row.subspan(at, samples));
  }
}

}  // namespace

Result<void> PageLoop::Run(const Open& open) {
  const unsigned copies = form_.is_collated ? form_.copies : 1;
  for (unsigned copy = 0; copy < copies; ++copy) {
    HALFTONED_TRY_ASSIGN(const auto pages, open());
    HALFTONED_TRY(SendCopy(*pages));
  }
  return sink_.EndJob();
}

Result<void> PageLoop::SendCopy(SamplePages& pages) {
  const bool is_two_sided = form_.front.Duplex;
  for (unsigned number = 1;; ++number) {
    const bool is_back = is_two_sided && number % 2 == 0;
    HALFTONED_TRY_ASSIGN(const auto header,
                         pages.Next(is_back ? form_.back : form_.front));
    if (!header) {
      // The next copy begins on a sheet of its own.
      const bool needs_back = is_back && form_.copies > 1;
      return needs_back ? SendPage(nullptr, form_.back) : Result<void>();
    }
    HALFTONED_TRY(SendPage(&pages, *header));
  }
}

Result<void> PageLoop::SendPage(SamplePages* pages,
                                const cups_page_header2_t& header) {
  HALFTONED_TRY(sink_.BeginPage(header));
  HALFTONED_TRY(SendRows(pages, header));
  HALFTONED_TRY(sink_.EndPage());
  log_.Attribute("job-impressions-completed", ++done_);
  if (!form_.front.Duplex || done_ % 2 == 0) {
    log_.Attribute("job-media-sheets-completed", ++sheets_);
  }
  return {};
}

Result<void> PageLoop::FillRow(SamplePages* pages, std::span<uint8_t> row) {
  if (pages) return pages->Read(row);
  const bool is_cmyk = form_.type->samples == 4;
  std::ranges::fill(row, uint8_t{is_cmyk ? uint8_t{0} : uint8_t{255}});
  return {};
}

// A back side that is flipped is kept in memory as a whole.
Result<void> PageLoop::SendRows(SamplePages* pages,
                                const cups_page_header2_t& header) {
  const size_t samples = form_.type->samples;
  const size_t size = header.cupsWidth * samples;
  const bool is_flipped = IsFlipped(header);
  const bool is_mirrored = IsMirrored(header);
  std::vector<uint8_t> room(size * (is_flipped ? header.cupsHeight : 1));
  const auto row_at = [&](size_t row) {
    return std::span(room).subspan(is_flipped ? row * size : 0, size);
  };
  for (unsigned row = 0; row < header.cupsHeight; ++row) {
    HALFTONED_TRY(FillRow(pages, row_at(row)));
    if (is_mirrored) Mirror(row_at(row), samples);
    if (!is_flipped) HALFTONED_TRY(sink_.Write(row_at(row)));
  }
  for (unsigned row = header.cupsHeight; is_flipped && row > 0; --row) {
    HALFTONED_TRY(sink_.Write(row_at(row - 1)));
  }
  return {};
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/preview_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "convert/stages.h"
#include "preview/reading_view.h"
#include "print/file/input_file.h"
#include "print/image/open_image.h"
#include "print/image/scale/scaled_page.h"
#include "print/render/document.h"

namespace halftoned {
namespace {

// The dots of A4 at 1200 dpi, and the screen pixels of A2.
constexpr int64_t kMostDots = 150'000'000;
constexpr int64_t kMostPixelsOfView = 10'000'000;

// A sheet, in inches, that holds A4 and Letter, with tolerance for a scanner's
// rounding.
constexpr double kShortOfSheet = 8.6;
constexpr double kLongOfSheet = 11.8;

int64_t MostRows(const PreviewOrder& order, int32_t width) {
  const auto across = ReadingView::PixelsOf(static_cast<size_t>(width),
                                            order.dots_per_inch_across);
  const double rows = static_cast<double>(kMostPixelsOfView) / across *
                      order.dots_per_inch_down / ReadingView::kPixelsOfInch;
  return std::max<int64_t>(
      std::min(kMostDots / width, static_cast<int64_t>(rows)), 1);
}

Result<PreviewPage> Keep(PageReader& reader, const PreviewOrder& order) {
  const PageInfo& info = reader.info();
  const int64_t rows = std::min(info.rows, MostRows(order, info.page.width()));
  PreviewPage page{info.page, static_cast<int32_t>(rows), info.rows, {}, ""};
  const size_t bytes_per_row = page.page.gray_bytes_per_row();
  page.gray.resize(static_cast<size_t>(rows) * bytes_per_row);
  int32_t done = 0;
  while (done < page.rows) {
    HALFTONED_TRY_ASSIGN(
        const Filled filled,
        reader.Read(
            {page.gray.data() + static_cast<size_t>(done) * bytes_per_row,
             bytes_per_row, page.rows - done}));
    done += filled.rows;
  }
  return page;
}

// The size that the picture states, but at most a sheet, since printers fit
// larger pictures. If it states no size, each pixel is a dot.
Result<PreviewPage> KeepPicture(std::unique_ptr<PageReader> reader,
                                const PreviewOrder& order, Pool& pool) {
  const PageInfo& info = reader->info();
  const std::optional<Resolution> own = info.metadata.resolution;
  if (!own || !own->has_unit) return Keep(*reader, order);
  const double width = info.page.width() / own->x;
  const double height = static_cast<double>(info.rows) / own->y;
  const auto [shorter, longer] = std::minmax(width, height);
  const double fit =
      std::min({1.0, kShortOfSheet / shorter, kLongOfSheet / longer});
  const auto dots = [&](double inches, double dots_per_inch) {
    return std::max<int64_t>(1, std::llround(inches * fit * dots_per_inch));
  };
  HALFTONED_TRY_ASSIGN(
      reader, Scale(std::move(reader), dots(width, order.dots_per_inch_across),
                    dots(height, order.dots_per_inch_down), pool));
  HALFTONED_TRY_ASSIGN(PreviewPage page, Keep(*reader, order));
  if (fit < 1)
    page.note = "is larger than a sheet of paper, and is fitted into one";
  return page;
}

Result<std::unique_ptr<ImageReader>> OpenPicture(InputFile& file) {
  auto image = OpenImage(file);
  if (!image.ok() && image.error().message == kUnknownFormat) {
    return BadInput("is not PDF, PostScript, TIFF, PNG, JPEG or PNM");
  }
  return image;
}

Error HasNoPage(int number) {
  return BadInput("has no page " + std::to_string(number));
}

Result<PreviewPage> ReadDocument(InputFile& file, const PreviewOrder& order,
                                 PendingFiles& pending) {
  const Resolution dpi{order.dots_per_inch_across, order.dots_per_inch_down};
  HALFTONED_TRY_ASSIGN(
      const auto image,
      OpenDocument(file, {dpi, order.page, order.page, {}}, pending));
  HALFTONED_TRY_ASSIGN(const auto reader, image->Next());
  if (!reader) return HasNoPage(order.page);
  HALFTONED_TRY_ASSIGN(PreviewPage page, Keep(*reader, order));
  // Reads to the end, which shows whether the page was drawn completely.
  if (page.rows == page.all_rows) HALFTONED_TRY(image->Next());
  return page;
}

Result<PreviewPage> ReadPicture(InputFile& file, const PreviewOrder& order,
                                Pool& pool) {
  HALFTONED_TRY_ASSIGN(const auto image, OpenPicture(file));
  for (int number = 1;; ++number) {
    HALFTONED_TRY_ASSIGN(auto reader, image->Next());
    if (!reader) return HasNoPage(order.page);
    if (number == order.page) {
      return KeepPicture(std::move(reader), order, pool);
    }
  }
}

Result<PreviewPage> ReadPage(const PreviewOrder& order, Pool& pool,
                             PendingFiles& pending) {
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(order.file));
  HALFTONED_TRY_ASSIGN(const bool is_document, IsDocument(file));
  return is_document ? ReadDocument(file, order, pending)
                     : ReadPicture(file, order, pool);
}

}  // namespace

Result<PreviewPage> ReadPreviewPage(const PreviewOrder& order, Pool& pool,
                                    PendingFiles& pending) {
  Stage stage{order.file == "-" ? "standard input" : order.file};
  return stage.Do([&] { return ReadPage(order, pool, pending); });
}

Result<Filled> PreviewSource::Read(GrayRoom room) {
  const int32_t rows = std::min(room.rows, page_.rows - next_);
  for (int32_t i = 0; i < rows; ++i) {
    std::memcpy(room.row(i), page_.row(next_++),
                page_.page.gray_bytes_per_row());
  }
  return Filled{rows, next_ == page_.rows};
}

}  // namespace halftoned

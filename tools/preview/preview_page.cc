// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/preview_page.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "file/input_file.h"
#include "halftone/look/reading_view.h"
#include "image/jpeg_reader.h"
#include "image/open_image.h"
#include "image/pnm_reader.h"
#include "preview/ghostscript_page.h"
#include "stages.h"

namespace halftoned {
namespace {

// A4 in 1200 dots an inch, and the pixels of a screen that A2 takes.
constexpr int64_t kMostDots = 150'000'000;
constexpr int64_t kMostPixelsOfView = 10'000'000;

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

Error HasNoPage(int number) {
  return BadInput("has no page " + std::to_string(number));
}

Result<PreviewPage> Render(const PreviewOrder& order) {
  if (order.file == "-") {
    return BadInput("PDF and PostScript are read from files alone");
  }
  HALFTONED_TRY_ASSIGN(GhostscriptPage ghostscript,
                       GhostscriptPage::Start({order.file, order.page,
                                               order.dots_per_inch_across,
                                               order.dots_per_inch_down}));
  HALFTONED_TRY_ASSIGN(InputFile pixels,
                       InputFile::FromDescriptor(ghostscript.TakePixels()));
  HALFTONED_TRY_ASSIGN(const auto beginning, pixels.Peek(2));
  if (beginning.empty()) {
    const std::string said = ghostscript.Finish();
    if (said.empty() || said.starts_with("Requested FirstPage")) {
      return HasNoPage(order.page);
    }
    return BadInput("cannot be rendered; Ghostscript says: " + said);
  }
  const auto image = OpenPnm(pixels);
  HALFTONED_TRY_ASSIGN(const auto reader, image->Next());
  if (!reader) return HasNoPage(order.page);
  HALFTONED_TRY_ASSIGN(PreviewPage page, Keep(*reader, order));
  // What is left of a page that is cut must not be waited for.
  if (page.rows == page.all_rows) {
    const std::string said = ghostscript.Finish();
    if (!said.empty()) page.note = "Ghostscript says: " + said;
  }
  return page;
}

Result<std::unique_ptr<ImageReader>> OpenPicture(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (is_jpeg) return OpenJpeg(file);
  auto image = OpenImage(file);
  if (!image.ok() && image.error().message == kUnknownFormat) {
    return BadInput("is not PDF, PostScript, TIFF, PNG, JPEG or PNM");
  }
  return image;
}

Result<PreviewPage> ReadImage(InputFile& file, const PreviewOrder& order) {
  HALFTONED_TRY_ASSIGN(const auto image, OpenPicture(file));
  for (int number = 1;; ++number) {
    HALFTONED_TRY_ASSIGN(const auto reader, image->Next());
    if (!reader) return HasNoPage(order.page);
    if (number == order.page) return Keep(*reader, order);
  }
}

}  // namespace

Result<PreviewPage> ReadPreviewPage(const PreviewOrder& order) {
  Stage stage{order.file == "-" ? "standard input" : order.file};
  return stage.Do([&]() -> Result<PreviewPage> {
    HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(order.file));
    HALFTONED_TRY_ASSIGN(const auto beginning, file.Peek(8));
    return IsForGhostscript(beginning) ? Render(order) : ReadImage(file, order);
  });
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

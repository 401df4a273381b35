// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF and BigTIFF images of every kind that libtiff decodes and gray_row.h
// supports. Thumbnails and masks are skipped.

#include <cmath>
#include <utility>

#include "print/file/temporary_file.h"
#include "print/image/formats.h"
#include "print/image/gray_row.h"
#include "print/image/orientation.h"
#include "print/image/tiff/tiff_directory.h"
#include "print/image/tiff/tiff_file.h"
#include "print/image/tiff/tiff_layout.h"
#include "print/image/tiff/tiff_rows.h"

namespace halftoned {
namespace {

// Limited because twelve bytes of a file suffice for another page.
constexpr int kMaxDirectories = 65536;

// Limit for the pixels of all pages per byte of the file, in addition to the
// free pixels: even blank pages have fewer.
constexpr double kMaxPixelsPerByte = 0x1p16;

// Includes the parts of tiles outside the page.
double PixelsToDecode(const TiffLayout& layout) {
  double columns = layout.width;
  double rows = double(layout.rows);
  if (layout.tile_width > 0) {
    columns = std::ceil(columns / layout.tile_width) * layout.tile_width;
    rows = std::ceil(rows / layout.rows_per_strip) * layout.rows_per_strip;
  }
  return columns * rows * layout.format.planes();
}

class TiffPage : public PageReader {
 public:
  TiffPage(PageInfo info, TiffLayout layout, GrayRow gray_row)
      : PageReader(std::move(info)),
        layout_(std::move(layout)),
        gray_row_(std::move(gray_row)) {}

  // Call once, before any read.
  Result<void> Open(TiffFile& file) {
    file.ForgetWarnings();  // about the directory
    HALFTONED_TRY_ASSIGN(
        rows_, OpenTiffRows(file, layout_, gray_row_.bytes_per_row()));
    const PixelFormat& format = layout_.format;
    may_read_straight_ =
        format.colors == Colors::kGray && format.samples_per_pixel == 1 &&
        !format.is_float &&
        (format.bits_per_sample == 8 || format.bits_per_sample == 16);
    return {};
  }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    if (may_read_straight_) {
      HALFTONED_TRY_ASSIGN(const bool done, rows_->ReadStraight(room));
      if (done) {
        for (int32_t i = 0; i < room.rows && !gray_row_.is_identity(); ++i) {
          const std::byte* row = room.row(i);
          gray_row_.Make({&row, 1}, room.row(i));
        }
        return {};
      }
    }
    for (int32_t i = 0; i < room.rows; ++i) {
      HALFTONED_TRY_ASSIGN(const TiffPlanes planes, rows_->Next());
      gray_row_.Make(planes, room.row(i));
    }
    return {};
  }

 private:
  const TiffLayout layout_;
  GrayRow gray_row_;
  std::unique_ptr<TiffRows> rows_;
  bool may_read_straight_ = false;
};

class TiffImage : public ImageReader {
 public:
  TiffImage(Descriptor copy, std::unique_ptr<TiffFile> file,
            const ImageTrust& trust)
      : copy_(std::move(copy)), file_(std::move(file)), trust_(trust) {}

  Result<std::unique_ptr<PageReader>> Next() override;

 private:
  Result<bool> Advance();
  Result<void> CountPixels(const TiffLayout& layout);
  Result<std::unique_ptr<PageReader>> OpenPage();

  Descriptor copy_;  // of the input, if it is a pipe
  std::unique_ptr<TiffFile> file_;
  const ImageTrust trust_;
  double pixels_ = 0;  // to decode, of all pages so far
  int directories_ = 0;
  int pages_ = 0;
};

// Goes to the next directory; false if there is none.
Result<bool> TiffImage::Advance() {
  TIFF* tiff = file_->get();
  if (directories_++ == 0) return true;
  if (TIFFLastDirectory(tiff)) return false;
  if (directories_ > kMaxDirectories) {
    return BadInput("has more than " + std::to_string(kMaxDirectories) +
                    " pages");
  }
  if (!file_->ReadDirectory()) {
    return file_->TakeError("the next page cannot be located");
  }
  return true;
}

Result<std::unique_ptr<PageReader>> TiffImage::Next() {
  for (;;) {
    HALFTONED_TRY_ASSIGN(const bool is_there, Advance());
    if (!is_there) break;
    uint32_t kind = 0;
    TIFFGetFieldDefaulted(file_->get(), TIFFTAG_SUBFILETYPE, &kind);
    if (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) continue;
    ++pages_;
    return OpenPage();
  }
  if (pages_ == 0) return BadInput("contains only thumbnails or masks");
  return std::unique_ptr<PageReader>();
}

// Some codecs make a page of any size from a few bytes; so the number of pixels
// is limited too, which bounds the time.
Result<void> TiffImage::CountPixels(const TiffLayout& layout) {
  pixels_ += PixelsToDecode(layout);
  if (pixels_ <=
      double(trust_.free_pixels) + kMaxPixelsPerByte * double(file_->size())) {
    return {};
  }
  return trust_.TooManyPixels();
}

Result<std::unique_ptr<PageReader>> TiffImage::OpenPage() {
  HALFTONED_TRY(CheckTiffDirectory(*file_));
  HALFTONED_TRY_ASSIGN(TiffLayout layout, ReadTiffLayout(*file_));
  HALFTONED_TRY(CountPixels(layout));
  GrayRow gray_row(layout.format, layout.width);
  HALFTONED_TRY_ASSIGN(
      const Page page,
      Page::Make(layout.width, static_cast<int>(gray_row.depth())));
  const Orientation orientation = layout.orientation;
  auto stored =
      std::make_unique<TiffPage>(PageInfo{page, layout.rows, layout.metadata},
                                 std::move(layout), std::move(gray_row));
  HALFTONED_TRY(stored->Open(*file_));
  return Orient(std::move(stored), orientation);
}

}  // namespace

Result<std::unique_ptr<ImageReader>> OpenTiff(InputFile& file,
                                              const ImageTrust& trust) {
  Descriptor copy;
  int fd = file.fd();
  if (!file.is_seekable()) {
    HALFTONED_TRY_ASSIGN(copy, CopyToTemporaryFile(file));
    fd = copy.get();
  }
  HALFTONED_TRY_ASSIGN(auto tiff,
                       TiffFile::OpenToRead(fd, file.shared_reads()));
  return std::unique_ptr<ImageReader>(
      std::make_unique<TiffImage>(std::move(copy), std::move(tiff), trust));
}

}  // namespace halftoned

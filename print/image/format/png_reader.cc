// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG images of every kind. An interlaced image is assembled in a temporary
// file, so that memory stays bounded.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "print/file/temporary_file.h"
#include "print/image/format/png_guard.h"
#include "print/image/formats.h"
#include "print/image/pixel_row.h"

namespace halftoned {
namespace {

// Limits for the size of texts and profiles, and for the number of texts.
// Larger and further ones are skipped.
constexpr png_alloc_size_t kMaxChunkBytes = 256 << 10;
constexpr int kMaxTexts = 64;

// The largest allocation of libpng. Rows of the widest image need less; but
// libpng 1.6 trusts the length of a text, despite its limits.
constexpr png_alloc_size_t kMaxBytesAtOnce = 64 << 20;

// In addition to the free pixels. Only blank paper needs more: Deflate
// compresses it 1032 times, and a byte of it can have 8 pixels.
constexpr int64_t kMaxPixelBytesPerByte = 256;

// Metadata that libpng would keep whole, whatever its length; each name ends
// with a zero.
constexpr png_byte kLongMetadata[] = "tEXt\0zTXt\0iTXt\0eXIf\0sPLT";

png_voidp Allocate(png_structp, png_alloc_size_t bytes) {
  return bytes <= kMaxBytesAtOnce ? std::malloc(bytes) : nullptr;
}
void Free(png_structp, png_voidp memory) { std::free(memory); }

class PngFile {
 public:
  explicit PngFile(InputFile& file) : file_(file) {
    png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &trouble_,
                                    PngTrouble::OnError, PngTrouble::OnWarning,
                                    nullptr, Allocate, Free);
    if (png_) info_ = png_create_info_struct(png_);
  }
  ~PngFile() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngFile(const PngFile&) = delete;
  PngFile& operator=(const PngFile&) = delete;

  // Reads up to the pixels, and makes libpng convert them to bytes or words of
  // gray or RGB, with alpha if there is any.
  Result<void> ReadHeader(const ImageTrust& trust);

  // The next row; for an interlaced image, the pixels that this pass adds to
  // it.
  Result<void> ReadRow(std::span<std::byte> row) {
    HALFTONED_TRY(file_.CheckCanceled());
    return Guard([&] {
      png_read_row(png_, reinterpret_cast<png_bytep>(row.data()), nullptr);
    });
  }
  Result<void> ReadEnd() {
    return Guard([&] { png_read_end(png_, nullptr); });
  }

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }
  int passes() const { return passes_; }
  size_t row_bytes() const { return png_get_rowbytes(png_, info_); }
  int64_t bytes_read() const { return bytes_read_; }

 private:
  template <typename Work>
  Result<void> Guard(Work work) {
    if (GuardPng(png_, work)) return {};
    return trouble_.Take();
  }

  static void Read(png_structp png, png_bytep room, size_t bytes) {
    auto* self = static_cast<PngFile*>(png_get_io_ptr(png));
    if (!self->Fill(room, bytes)) png_error(png, "cannot read");
  }
  // Not part of Read, which jumps and so must have no objects with destructors.
  bool Fill(png_bytep room, size_t bytes) {
    const auto read = file_.Read({reinterpret_cast<std::byte*>(room), bytes});
    if (!read.ok()) trouble_.Set(read.error());
    bytes_read_ += static_cast<int64_t>(bytes);
    return read.ok();
  }

  // Not part of its caller, for the same reason.
  bool IsTooWide() {
    const auto checked = CheckWidth(png_get_image_width(png_, info_));
    if (!checked.ok()) trouble_.Set(checked.error());
    return !checked.ok();
  }

  InputFile& file_;
  PngTrouble trouble_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
  int64_t bytes_read_ = 0;
};

Result<void> PngFile::ReadHeader(const ImageTrust& trust) {
  if (!info_) return Bug("cannot initialize libpng");
  return Guard([&] {
    png_set_read_fn(png_, this, Read);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png_, kMaxChunkBytes);
    png_set_chunk_cache_max(png_, kMaxTexts);
    if (trust.take_memory) {
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, kLongMetadata,
                                  sizeof(kLongMetadata) / 5);
    }
    png_read_info(png_, info_);
    if (IsTooWide()) png_error(png_, "too wide");
    png_set_expand(png_);
    if constexpr (std::endian::native == std::endian::little) {
      png_set_swap(png_);
    }
    passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  });
}

PixelFormat FormatOf(const PngFile& file) {
  const int color_type = png_get_color_type(file.png(), file.info());
  PixelFormat format;
  format.samples_per_pixel = png_get_channels(file.png(), file.info());
  format.bits_per_sample = png_get_bit_depth(file.png(), file.info());
  format.max_value = (1u << format.bits_per_sample) - 1;
  if (color_type & PNG_COLOR_MASK_COLOR) format.colors = Colors::kRgb;
  if (color_type & PNG_COLOR_MASK_ALPHA) {
    format.alpha = Alpha::kStraight;
    format.alpha_sample = format.samples_per_pixel - 1;
  }
  return format;
}

void ReadTexts(const PngFile& file, Metadata& metadata) {
  png_textp texts = nullptr;
  const int count =
      static_cast<int>(png_get_text(file.png(), file.info(), &texts, nullptr));
  for (int i = 0; i < count; ++i) {
    const png_text& text = texts[i];
    const std::string key = text.key;
    const std::string_view bytes = text.text ? text.text : "";
    const std::string value = text.compression < PNG_ITXT_COMPRESSION_NONE
                                  ? Utf8FromLatin1(bytes)
                                  : Utf8FromAny(bytes);
    if (key == "Title") metadata.title = value;
    if (key == "Description") metadata.description = value;
    if (key == "Author") metadata.author = value;
    if (key == "Copyright") metadata.copyright = value;
  }
}

Metadata ReadMetadata(const PngFile& file) {
  Metadata metadata;
  ReadTexts(file, metadata);
  png_uint_32 x = 0;
  png_uint_32 y = 0;
  int unit = PNG_RESOLUTION_UNKNOWN;
  if (png_get_pHYs(file.png(), file.info(), &x, &y, &unit)) {
    const bool has_unit = unit == PNG_RESOLUTION_METER;
    const double per_inch = has_unit ? 0.0254 : 1;
    metadata.resolution = Plausible({x * per_inch, y * per_inch, has_unit});
  }
  png_timep time = nullptr;
  if (png_get_tIME(file.png(), file.info(), &time) & PNG_INFO_tIME) {
    char text[32];
    std::snprintf(text, sizeof(text), "%04u:%02u:%02u %02u:%02u:%02u",
                  time->year % 10000u, time->month % 100u, time->day % 100u,
                  time->hour % 100u, time->minute % 100u, time->second % 100u);
    metadata.date = text;
  }
  return metadata;
}

// An error if a file of this size is not trusted to have this many pixels.
Result<void> CheckPixels(int64_t pixel_bytes, int64_t file_bytes,
                         const ImageTrust& trust) {
  if (pixel_bytes <= trust.free_pixels ||
      (pixel_bytes - trust.free_pixels) / kMaxPixelBytesPerByte < file_bytes) {
    return {};
  }
  return trust.TooManyPixels();
}

class PngPage : public PageReader {
 public:
  PngPage(PngFile& file, PageInfo info, PixelRow pixel_row,
          const ImageTrust& trust)
      : PageReader(std::move(info)),
        file_(file),
        trust_(trust),
        pixel_row_(std::move(pixel_row)),
        row_(pixel_row_.bytes_per_row()) {}

  // Makes the file of an interlaced image. Call it first.
  Result<void> Open() {
    if (!is_interlaced()) return {};
    const auto row_bytes = static_cast<int64_t>(row_.size());
    HALFTONED_TRY_ASSIGN(
        spool_, MakeGrantedFile(info().rows * row_bytes, trust_.take_disk));
    return {};
  }

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    if (is_interlaced() && !std::exchange(is_spooled_, true)) {
      HALFTONED_TRY(Interlace());
    }
    for (int32_t i = 0; i < room.rows; ++i) {
      HALFTONED_TRY(is_interlaced() ? ReadAt(spool_.get(), Offset(), row_)
                                    : ReadRow());
      pixel_row_.Make(row_.data(), room.row(i));
      ++next_row_;
    }
    if (next_row_ < this->info().rows || is_interlaced()) return {};
    return file_.ReadEnd();
  }

 private:
  bool is_interlaced() const { return file_.passes() > 1; }
  int64_t Offset() const {
    return next_row_ * static_cast<int64_t>(row_.size());
  }

  // The length of a pipe is unknown: the bytes that have been read count.
  Result<void> ReadRow() {
    HALFTONED_TRY(file_.ReadRow(row_));
    return CheckPixels(Offset(), file_.bytes_read(), trust_);
  }

  // Each pass adds its pixels to the rows of earlier passes.
  Result<void> Interlace() {
    for (int pass = 0; pass < file_.passes(); ++pass) {
      for (next_row_ = 0; next_row_ < this->info().rows; ++next_row_) {
        if (pass > 0) HALFTONED_TRY(ReadAt(spool_.get(), Offset(), row_));
        HALFTONED_TRY(ReadRow());
        if (auto put = WriteAt(spool_.get(), Offset(), row_); !put.ok()) {
          return IoError(
              "cannot make a temporary copy of the interlaced image: " +
              put.error().message);
        }
      }
    }
    next_row_ = 0;
    return file_.ReadEnd();
  }

  PngFile& file_;
  const ImageTrust trust_;
  PixelRow pixel_row_;
  std::vector<std::byte> row_;
  int64_t next_row_ = 0;
  GrantedFile spool_;  // for an interlaced image
  bool is_spooled_ = false;
};

class PngImage : public ImageReader {
 public:
  PngImage(InputFile& file, const ImageTrust& trust, Pixels pixels)
      : input_(file), file_(file), trust_(trust), pixels_(pixels) {}

  Result<void> Open() { return file_.ReadHeader(trust_); }

  Result<std::unique_ptr<PageReader>> Next() override {
    if (std::exchange(is_given_, true)) return std::unique_ptr<PageReader>();
    const int64_t width = png_get_image_width(file_.png(), file_.info());
    const int64_t rows = png_get_image_height(file_.png(), file_.info());
    const PixelFormat format = FormatOf(file_);
    HALFTONED_TRY(CheckWidth(width));
    PixelRow pixel_row(format, static_cast<int32_t>(width), pixels_);
    HALFTONED_TRY_ASSIGN(
        const Page page,
        Page::Make(width, static_cast<int>(pixel_row.depth())));
    if (pixel_row.bytes_per_row() != file_.row_bytes()) {
      return Bug("libpng returns rows of an unexpected size");
    }
    if (input_.is_seekable()) {
      const auto row_bytes = static_cast<int64_t>(file_.row_bytes());
      HALFTONED_TRY(CheckPixels(rows * row_bytes, input_.size(), trust_));
    }
    auto reader = std::make_unique<PngPage>(
        file_, PageInfo{page, rows, ReadMetadata(file_), pixels_},
        std::move(pixel_row), trust_);
    HALFTONED_TRY(reader->Open());
    return std::unique_ptr<PageReader>(std::move(reader));
  }

 private:
  const InputFile& input_;
  PngFile file_;
  const ImageTrust trust_;
  const Pixels pixels_;
  bool is_given_ = false;
};

}  // namespace

Result<std::unique_ptr<ImageReader>> OpenPng(InputFile& file,
                                             const ImageTrust& trust,
                                             Pixels pixels) {
  auto image = std::make_unique<PngImage>(file, trust, pixels);
  HALFTONED_TRY(image->Open());
  return std::unique_ptr<ImageReader>(std::move(image));
}

}  // namespace halftoned

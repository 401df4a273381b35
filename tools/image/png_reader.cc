// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/png_reader.h"

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
#include "file/temporary_file.h"
#include "image/gray_row.h"
#include "image/png_guard.h"

namespace halftoned {
namespace {

// What a text or a profile may grow to, and how many texts are kept; they are
// of little use to us. What is beyond is left out.
constexpr png_alloc_size_t kMaxChunkBytes = 256 << 10;
constexpr int kMaxTexts = 64;

// The most that libpng may ask for at once. Some rows of the widest image take
// less; but libpng 1.6 believes the length of a text, whatever its limits.
constexpr png_alloc_size_t kMaxBytesAtOnce = 64 << 20;

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

  // Reads up to the pixels, and has libpng give them as whole bytes or words
  // of gray or RGB, with alpha where there is some.
  Result<void> ReadHeader();

  // The next row; of an interlaced image, what the current pass adds to it.
  Result<void> ReadRow(std::span<std::byte> row) {
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
  // Apart from Read, so that nothing is left to destroy when it jumps.
  bool Fill(png_bytep room, size_t bytes) {
    const auto read = file_.Read({reinterpret_cast<std::byte*>(room), bytes});
    if (!read.ok()) trouble_.Set(read.error());
    return read.ok();
  }

  InputFile& file_;
  PngTrouble trouble_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
};

Result<void> PngFile::ReadHeader() {
  if (!info_) return Bug("libpng does not start");
  return Guard([this] {
    png_set_read_fn(png_, this, Read);
    png_set_user_limits(png_, Page::kMaxWidth, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png_, kMaxChunkBytes);
    png_set_chunk_cache_max(png_, kMaxTexts);
    png_read_info(png_, info_);
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

class PngPage : public PageReader {
 public:
  PngPage(PngFile& file, PageInfo info, GrayRow gray_row)
      : PageReader(std::move(info)),
        file_(file),
        gray_row_(std::move(gray_row)),
        row_(gray_row_.bytes_per_row()) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    if (file_.passes() > 1 && !spool_.open()) HALFTONED_TRY(Interlace());
    for (int32_t i = 0; i < room.rows; ++i) {
      HALFTONED_TRY(spool_.open() ? ReadAt(spool_.get(), Offset(), row_)
                                  : file_.ReadRow(row_));
      const std::byte* row = row_.data();
      gray_row_.Make({&row, 1}, room.row(i));
      ++next_row_;
    }
    if (next_row_ < this->info().rows || spool_.open()) return {};
    return file_.ReadEnd();
  }

 private:
  int64_t Offset() const {
    return next_row_ * static_cast<int64_t>(row_.size());
  }

  // Each pass adds its pixels to the rows that the passes before have left.
  Result<void> Interlace() {
    HALFTONED_TRY_ASSIGN(spool_, MakeTemporaryFile());
    for (int pass = 0; pass < file_.passes(); ++pass) {
      for (next_row_ = 0; next_row_ < this->info().rows; ++next_row_) {
        if (pass > 0) HALFTONED_TRY(ReadAt(spool_.get(), Offset(), row_));
        HALFTONED_TRY(file_.ReadRow(row_));
        if (auto put = WriteAt(spool_.get(), Offset(), row_); !put.ok()) {
          return IoError("no room for the interlaced image: " +
                         put.error().message);
        }
      }
    }
    next_row_ = 0;
    return file_.ReadEnd();
  }

  PngFile& file_;
  GrayRow gray_row_;
  std::vector<std::byte> row_;
  int64_t next_row_ = 0;
  Descriptor spool_;  // of an interlaced image
};

class PngImage : public ImageReader {
 public:
  explicit PngImage(InputFile& file) : file_(file) {}

  Result<void> Open() { return file_.ReadHeader(); }

  Result<std::unique_ptr<PageReader>> Next() override {
    if (std::exchange(is_given_, true)) return std::unique_ptr<PageReader>();
    const int64_t width = png_get_image_width(file_.png(), file_.info());
    const int64_t rows = png_get_image_height(file_.png(), file_.info());
    const PixelFormat format = FormatOf(file_);
    HALFTONED_TRY_ASSIGN(const Page page,
                         Page::Make(width, format.bits_per_sample));
    GrayRow gray_row(format, page.width());
    if (gray_row.bytes_per_row() != file_.row_bytes()) {
      return Bug("libpng gives rows of an unexpected size");
    }
    return std::unique_ptr<PageReader>(std::make_unique<PngPage>(
        file_, PageInfo{page, rows, ReadMetadata(file_)}, std::move(gray_row)));
  }

 private:
  PngFile file_;
  bool is_given_ = false;
};

}  // namespace

Result<std::unique_ptr<ImageReader>> OpenPng(InputFile& file) {
  auto image = std::make_unique<PngImage>(file);
  HALFTONED_TRY(image->Open());
  return std::unique_ptr<ImageReader>(std::move(image));
}

}  // namespace halftoned

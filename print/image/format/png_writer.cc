// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG images of packed samples, gray or indices of a palette; one page per
// file.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "print/image/format/png_guard.h"
#include "print/image/formats.h"
#include "print/image/software.h"

namespace halftoned {
namespace {

// Higher levels gain little on halftones: on an A4 page of photographs (text)
// at 600 dpi, level 9 saved 5 % (11 %) over level 1 and took 5 (20) times as
// long.
constexpr int kDeflateLevel = 1;

class PngWriter : public ImageWriter {
 public:
  PngWriter(OutputFile& file, const OutputOptions& options)
      : file_(file),
        software_(SoftwareText(options)),
        level_(options.compression == Compression::kNone ? 0 : kDeflateLevel) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &trouble_,
                                   PngTrouble::OnError, PngTrouble::OnWarning);
    if (png_) info_ = png_create_info_struct(png_);
  }
  ~PngWriter() override { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  Result<void> Begin(const BitPage& page) override;
  Result<void> Write(const BitBand& bits) override;
  Result<void> Finish() override {
    return Guard([this] { png_write_end(png_, info_); });
  }

 private:
  template <typename Work>
  Result<void> Guard(Work work) {
    if (GuardPng(png_, work)) return {};
    return trouble_.Take();
  }

  void AddText(const char* key, const std::string& text);
  void SetResolution(const Resolution& resolution);
  void SetMetadata(const Metadata& metadata);
  void SetPalette(const std::vector<std::array<uint8_t, 3>>& palette);

  static void WriteBytes(png_structp png, png_bytep bytes, size_t count) {
    auto* self = static_cast<PngWriter*>(png_get_io_ptr(png));
    if (!self->Put(bytes, count)) png_error(png, "cannot write");
  }
  static void FlushNothing(png_structp) {}
  // Not part of WriteBytes, which jumps and so must have no objects with
  // destructors.
  bool Put(png_bytep bytes, size_t count) {
    const auto put =
        file_.Write({reinterpret_cast<const std::byte*>(bytes), count});
    if (!put.ok()) trouble_.Set(put.error());
    return put.ok();
  }

  OutputFile& file_;
  const std::string software_;
  const int level_;
  PngTrouble trouble_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<png_text> texts_;
};

void PngWriter::AddText(const char* key, const std::string& text) {
  if (text.empty()) return;
  const bool is_ascii = std::ranges::all_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  png_text entry{};
  entry.compression =
      is_ascii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
  entry.key = const_cast<char*>(key);            // NOLINT: libpng only reads it
  entry.text = const_cast<char*>(text.c_str());  // NOLINT
  texts_.push_back(entry);
}

// Without a unit only the ratio matters.
void PngWriter::SetResolution(const Resolution& resolution) {
  const auto is_whole = [](double number) {
    return std::trunc(number) == number;
  };
  const double scale = resolution.has_unit ? 1 / 0.0254
                       : is_whole(resolution.x) && is_whole(resolution.y)
                           ? 1
                           : 1000;
  png_set_pHYs(
      png_, info_, static_cast<png_uint_32>(std::lround(resolution.x * scale)),
      static_cast<png_uint_32>(std::lround(resolution.y * scale)),
      resolution.has_unit ? PNG_RESOLUTION_METER : PNG_RESOLUTION_UNKNOWN);
}

// Call within a guard.
void PngWriter::SetMetadata(const Metadata& metadata) {
  if (metadata.resolution) SetResolution(*metadata.resolution);
  unsigned year, month, day, hour, minute, second;
  if (std::sscanf(metadata.date.c_str(), "%4u:%2u:%2u %2u:%2u:%2u", &year,
                  &month, &day, &hour, &minute, &second) == 6 &&
      month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 &&
      minute < 60 && second <= 60) {
    png_time time{};
    time.year = static_cast<png_uint_16>(year);
    time.month = static_cast<png_byte>(month);
    time.day = static_cast<png_byte>(day);
    time.hour = static_cast<png_byte>(hour);
    time.minute = static_cast<png_byte>(minute);
    time.second = static_cast<png_byte>(second);
    png_set_tIME(png_, info_, &time);
  }
  png_set_text(png_, info_, texts_.data(), static_cast<int>(texts_.size()));
}

// Call within a guard.
void PngWriter::SetPalette(const std::vector<std::array<uint8_t, 3>>& palette) {
  png_color colors[PNG_MAX_PALETTE_LENGTH];
  int count = 0;
  for (const auto& [red, green, blue] : palette) {
    colors[count++] = {red, green, blue};
  }
  png_set_PLTE(png_, info_, colors, count);
}

Result<void> PngWriter::Begin(const BitPage& page) {
  if (!info_) return Bug("cannot initialize libpng");
  if (page.rows > PNG_UINT_31_MAX) {
    return BadInput("a PNG image has at most 2147483647 rows");
  }
  AddText("Title", page.metadata.title);
  AddText("Description", page.metadata.description);
  AddText("Author", page.metadata.author);
  AddText("Copyright", page.metadata.copyright);
  AddText("Software", software_);
  return Guard([this, &page] {
    png_set_user_limits(png_, Page::kMaxWidth, PNG_UINT_31_MAX);
    png_set_write_fn(png_, this, WriteBytes, FlushNothing);
    png_set_IHDR(
        png_, info_, static_cast<png_uint_32>(page.width),
        static_cast<png_uint_32>(page.rows), page.bits_per_sample,
        page.palette.empty() ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_PALETTE,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    if (!page.palette.empty()) SetPalette(page.palette);
    // Filters predict samples from their neighbors, which fails for packed
    // bits.
    png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png_, level_);
    SetMetadata(page.metadata);
    png_write_info(png_, info_);
  });
}

Result<void> PngWriter::Write(const BitBand& bits) {
  return Guard([this, &bits] {
    for (int32_t i = 0; i < bits.rows; ++i) {
      png_write_row(png_, reinterpret_cast<png_const_bytep>(bits.row(i)));
    }
  });
}

}  // namespace

std::unique_ptr<ImageWriter> MakePngWriter(OutputFile& file,
                                           const OutputOptions& options) {
  return std::make_unique<PngWriter>(file, options);
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/tiff/tiff_directory.h"

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "print/image/tiff/tiff_file.h"

namespace halftoned {
namespace {

// As libtiff names them.
constexpr std::string_view kPixelTags[] = {
    "SubfileType",       "ImageWidth",          "ImageLength",
    "BitsPerSample",     "Compression",         "PhotometricInterpretation",
    "FillOrder",         "Orientation",         "SamplesPerPixel",
    "RowsPerStrip",      "PlanarConfiguration", "Group3Options",
    "Group4Options",     "Predictor",           "ColorMap",
    "TileWidth",         "TileLength",          "InkSet",
    "ExtraSamples",      "SampleFormat",        "JPEGTables",
    "YCbCrCoefficients", "YCbCrSubsampling",    "ReferenceBlackWhite",
};

// A number of the file's byte order.
uint64_t NumberIn(std::span<const std::byte> bytes, bool is_big_endian) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t at = is_big_endian ? i : bytes.size() - 1 - i;
    number = number << 8 | std::to_integer<uint64_t>(bytes[at]);
  }
  return number;
}

// Bytes of an integer of a tag; 0 for other types.
size_t BytesOf(uint64_t type) {
  switch (type) {
    case TIFF_BYTE:
    case TIFF_SBYTE:
      return 1;
    case TIFF_SHORT:
    case TIFF_SSHORT:
      return 2;
    case TIFF_LONG:
    case TIFF_SLONG:
      return 4;
    default:
      return 0;
  }
}

// The directory's entries as they stand in the file.
class Entries {
 public:
  static Result<Entries> Read(TiffFile& file);

  // The value of a tag that has one integer.
  std::optional<uint64_t> Value(uint16_t tag) const;

 private:
  bool is_big_endian_ = false;
  size_t entry_bytes_ = 0;
  std::vector<std::byte> bytes_;
};

Result<Entries> Entries::Read(TiffFile& file) {
  Entries entries;
  entries.is_big_endian_ = TIFFIsBigEndian(file.get()) != 0;
  std::array<std::byte, 4> start;
  HALFTONED_TRY(file.ReadPart(0, start));
  constexpr uint64_t kBigTiff = 43;
  const bool is_big_tiff =
      NumberIn(std::span(start).subspan(2), entries.is_big_endian_) == kBigTiff;
  std::array<std::byte, 8> count;
  const size_t count_bytes = is_big_tiff ? 8 : 2;
  const auto at = static_cast<int64_t>(TIFFCurrentDirOffset(file.get()));
  HALFTONED_TRY(file.ReadPart(at, std::span(count).first(count_bytes)));
  entries.entry_bytes_ = is_big_tiff ? 20 : 12;
  // libtiff reads no more entries either.
  const uint64_t number = std::min<uint64_t>(
      NumberIn(std::span(count).first(count_bytes), entries.is_big_endian_),
      65535);
  entries.bytes_.resize(number * entries.entry_bytes_);
  HALFTONED_TRY(
      file.ReadPart(at + static_cast<int64_t>(count_bytes), entries.bytes_));
  return entries;
}

std::optional<uint64_t> Entries::Value(uint16_t tag) const {
  for (size_t at = 0; at < bytes_.size(); at += entry_bytes_) {
    const auto entry = std::span(bytes_).subspan(at, entry_bytes_);
    const auto number = [&](size_t offset, size_t size) {
      return NumberIn(entry.subspan(offset, size), is_big_endian_);
    };
    // If there are several, libtiff takes the first.
    if (number(0, 2) != tag) continue;
    return number(entry_bytes_ == 20 ? 12 : 8, BytesOf(number(2, 2)));
  }
  return std::nullopt;
}

}  // namespace

bool IsAboutPixels(std::string_view sentence) {
  return std::ranges::any_of(kPixelTags, [&](std::string_view tag) {
    const std::string name(tag);
    return sentence.find('"' + name + '"') != sentence.npos ||
           sentence.starts_with("Ignoring " + name + ' ');
  });
}

Result<void> CheckTiffDirectory(TiffFile& file) {
  if (!file.directory_complaint().empty()) {
    return BadInput(file.directory_complaint());
  }
  uint16_t* colors[3];
  if (TIFFGetField(file.get(), TIFFTAG_COLORMAP, &colors[0], &colors[1],
                   &colors[2])) {
    return {};
  }
  // libtiff turns a palette image without a palette into gray or RGB.
  HALFTONED_TRY_ASSIGN(const Entries entries, Entries::Read(file));
  if (entries.Value(TIFFTAG_PHOTOMETRIC) == uint64_t{PHOTOMETRIC_PALETTE}) {
    return BadInput("its palette is missing");
  }
  return {};
}

}  // namespace halftoned

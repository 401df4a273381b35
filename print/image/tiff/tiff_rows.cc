// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages that libtiff decodes. Its warnings are errors here: pixels that it had
// to make up must not become a page.

#include "print/image/tiff/tiff_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace halftoned {
namespace {

// Uninitialized memory: untouched pages cost nothing, so a small file that
// declares huge tiles does no harm.
using Memory = std::unique_ptr<std::byte[]>;
Result<Memory> Reserve(size_t bytes) {
  Memory memory(new (std::nothrow) std::byte[bytes]);
  if (!memory) return IoError("not enough memory");
  return memory;
}

Error TooLarge(const std::string& what) {
  return BadInput(what + " would take more than " +
                  std::to_string(TiffFile::kMaxBytesAtOnce >> 20) +
                  " MiB of memory");
}

// a · b; an error if that exceeds kMaxBytesAtOnce.
Result<size_t> Product(uint64_t a, uint64_t b, const std::string& what) {
  uint64_t product;
  if (__builtin_mul_overflow(a, b, &product) ||
      product > TiffFile::kMaxBytesAtOnce) {
    return TooLarge(what);
  }
  return static_cast<size_t>(product);
}

// Checks that a call has decoded something, and without a warning.
Result<void> CheckDecoded(TiffFile& file, bool succeeded,
                          const std::string& what) {
  if (!succeeded) return file.TakeError(what + " cannot be read");
  if (file.has_warning()) return file.WarningAsError();
  return {};
}

// Checks that the file contains this strip or tile: libtiff would return black
// for a missing one.
Result<void> CheckStored(TiffFile& file, uint32_t number,
                         const std::string& what) {
  uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(file.get(), TIFFTAG_COMPRESSION, &compression);
  // The data may be one stream to which no strip points.
  if (compression == COMPRESSION_OJPEG) return {};
  int failed = 0;
  const uint64_t offset =
      TIFFGetStrileOffsetWithErr(file.get(), number, &failed);
  if (failed) return file.TakeError(what + " cannot be located");
  if (offset == 0) return BadInput(what + " is missing");
  return {};
}

Result<void> CheckStripStored(TiffFile& file, uint32_t row, int plane) {
  const uint32_t strip =
      TIFFComputeStrip(file.get(), row, static_cast<uint16_t>(plane));
  return CheckStored(file, strip, "strip " + std::to_string(strip));
}

Result<void> CheckTileStored(TiffFile& file, uint32_t column, uint32_t row,
                             int plane) {
  const uint32_t tile =
      TIFFComputeTile(file.get(), column, row, 0, static_cast<uint16_t>(plane));
  return CheckStored(file, tile, "tile " + std::to_string(tile));
}

// The planes in the file, before any conversion by libtiff.
int StoredPlanes(TiffFile& file) {
  uint16_t planar = PLANARCONFIG_CONTIG;
  uint16_t samples = 1;
  TIFFGetFieldDefaulted(file.get(), TIFFTAG_PLANARCONFIG, &planar);
  TIFFGetFieldDefaulted(file.get(), TIFFTAG_SAMPLESPERPIXEL, &samples);
  return planar == PLANARCONFIG_SEPARATE ? samples : 1;
}

class ScanlineRows : public TiffRows {
 public:
  ScanlineRows(TiffFile& file, const TiffLayout& layout, size_t row_bytes)
      : file_(file), layout_(layout), row_bytes_(row_bytes) {}

  Result<void> Open() {
    HALFTONED_TRY_ASSIGN(row_, Reserve(row_bytes_));
    return {};
  }

  Result<TiffPlanes> Next() override {
    if (next_row_ % layout_.rows_per_strip == 0) {
      HALFTONED_TRY(CheckStripStored(file_, next_row_, 0));
    }
    const int status = TIFFReadScanline(file_.get(), row_.get(), next_row_);
    HALFTONED_TRY(
        CheckDecoded(file_, status == 1, "row " + std::to_string(next_row_)));
    ++next_row_;
    return TiffPlanes{row_.get()};
  }

 private:
  TiffFile& file_;
  const TiffLayout& layout_;
  const size_t row_bytes_;
  uint32_t next_row_ = 0;
  Memory row_;
};

// Common to strips of planes, tiles and RGBA: decodes several rows of each
// plane at a time, and returns them one by one.
class BlockRows : public TiffRows {
 public:
  Result<TiffPlanes> Next() override {
    if (next_row_ % layout_.rows_per_strip == 0) {
      const int64_t left = layout_.rows - next_row_;
      HALFTONED_TRY(Decode(static_cast<uint32_t>(next_row_),
                           static_cast<uint32_t>(std::min<int64_t>(
                               layout_.rows_per_strip, left))));
    }
    TiffPlanes planes{};
    for (size_t i = 0; i < planes.size(); ++i) {
      if (!blocks_[i]) continue;
      planes[i] = blocks_[i].get() + RowOffset(next_row_);
    }
    ++next_row_;
    return planes;
  }

 protected:
  BlockRows(TiffFile& file, const TiffLayout& layout, size_t pitch)
      : file_(file), layout_(layout), pitch_(pitch) {}

  // Decodes `rows` rows of all used planes, from `first_row` on.
  virtual Result<void> Decode(uint32_t first_row, uint32_t rows) = 0;

  Result<void> ReserveBlocks(const std::string& what) {
    const uint64_t rows =
        std::min<uint64_t>(layout_.rows_per_strip, uint64_t(layout_.rows));
    uint64_t planes = 0;
    for (int plane = 0; plane < layout_.format.planes(); ++plane) {
      planes += IsPlaneUsed(plane);
    }
    HALFTONED_TRY_ASSIGN(const size_t bytes, Product(rows, pitch_, what));
    HALFTONED_TRY(Product(bytes, planes, what));
    for (int plane = 0; plane < layout_.format.planes(); ++plane) {
      if (!IsPlaneUsed(plane)) continue;
      HALFTONED_TRY_ASSIGN(blocks_[size_t(plane)], Reserve(bytes));
    }
    return {};
  }

  bool IsPlaneUsed(int plane) const {
    return !layout_.format.planar || IsSampleUsed(layout_.format, plane);
  }
  std::byte* block(int plane) { return blocks_[size_t(plane)].get(); }

  TiffFile& file_;
  const TiffLayout& layout_;
  const size_t pitch_;  // bytes in a row of a block

 private:
  size_t RowOffset(int64_t row) const {
    return static_cast<size_t>(row % layout_.rows_per_strip) * pitch_;
  }

  int64_t next_row_ = 0;
  std::array<Memory, 16> blocks_;
};

class StripRows : public BlockRows {
 public:
  StripRows(TiffFile& file, const TiffLayout& layout, size_t row_bytes)
      : BlockRows(file, layout, row_bytes) {}

  Result<void> Open() { return ReserveBlocks("a strip of each plane"); }

 protected:
  Result<void> Decode(uint32_t first_row, uint32_t rows) override {
    const auto bytes = static_cast<tmsize_t>(rows * pitch_);
    for (int plane = 0; plane < layout_.format.planes(); ++plane) {
      if (!IsPlaneUsed(plane)) continue;
      const uint32_t strip = TIFFComputeStrip(file_.get(), first_row,
                                              static_cast<uint16_t>(plane));
      HALFTONED_TRY(CheckStripStored(file_, first_row, plane));
      const tmsize_t got =
          TIFFReadEncodedStrip(file_.get(), strip, block(plane), bytes);
      HALFTONED_TRY(
          CheckDecoded(file_, got == bytes, "strip " + std::to_string(strip)));
    }
    return {};
  }
};

class TileRows : public BlockRows {
 public:
  TileRows(TiffFile& file, const TiffLayout& layout, size_t tile_row_bytes,
           size_t tiles_across)
      : BlockRows(file, layout, tile_row_bytes * tiles_across),
        tile_row_bytes_(tile_row_bytes),
        tiles_across_(tiles_across) {}

  Result<void> Open() {
    HALFTONED_TRY_ASSIGN(tile_bytes_, Product(layout_.rows_per_strip,
                                              tile_row_bytes_, "a tile"));
    HALFTONED_TRY(ReserveBlocks("a row of tiles"));
    HALFTONED_TRY_ASSIGN(tile_, Reserve(tile_bytes_));
    return {};
  }

 protected:
  Result<void> Decode(uint32_t first_row, uint32_t rows) override {
    for (int plane = 0; plane < layout_.format.planes(); ++plane) {
      if (!IsPlaneUsed(plane)) continue;
      for (size_t i = 0; i < tiles_across_; ++i) {
        const auto column = static_cast<uint32_t>(i) * layout_.tile_width;
        const uint32_t tile = TIFFComputeTile(file_.get(), column, first_row, 0,
                                              static_cast<uint16_t>(plane));
        HALFTONED_TRY(CheckTileStored(file_, column, first_row, plane));
        const auto bytes = static_cast<tmsize_t>(tile_bytes_);
        const tmsize_t got =
            TIFFReadEncodedTile(file_.get(), tile, tile_.get(), bytes);
        HALFTONED_TRY(
            CheckDecoded(file_, got == bytes, "tile " + std::to_string(tile)));
        PlaceTile(block(plane) + i * tile_row_bytes_, rows);
      }
    }
    return {};
  }

 private:
  void PlaceTile(std::byte* at, uint32_t rows) const {
    for (uint32_t row = 0; row < rows; ++row) {
      std::memcpy(at + row * pitch_, tile_.get() + row * tile_row_bytes_,
                  tile_row_bytes_);
    }
  }

  const size_t tile_row_bytes_;
  const size_t tiles_across_;
  size_t tile_bytes_ = 0;
  Memory tile_;
};

// Colors that only libtiff can convert, as RGBA. It returns the rows of a
// strip or tile bottom up.
class RgbaRows : public BlockRows {
 public:
  RgbaRows(TiffFile& file, const TiffLayout& layout)
      : BlockRows(file, layout, size_t(layout.width) * 4),
        is_tiled_(layout.storage == TiffStorage::kRgbaTiles),
        piece_width_(is_tiled_ ? layout.tile_width : uint32_t(layout.width)) {
    TIFFSetField(file.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  }

  Result<void> Open() {
    HALFTONED_TRY_ASSIGN(const size_t piece_row,
                         Product(piece_width_, 4, "a tile"));
    HALFTONED_TRY_ASSIGN(
        const size_t bytes,
        Product(layout_.rows_per_strip, piece_row, "a strip or tile"));
    HALFTONED_TRY(ReserveBlocks("a row of tiles"));
    HALFTONED_TRY_ASSIGN(piece_, Reserve(bytes));
    return {};
  }

 protected:
  Result<void> Decode(uint32_t first_row, uint32_t rows) override {
    const auto width = static_cast<uint32_t>(layout_.width);
    for (uint32_t column = 0; column < width; column += piece_width_) {
      HALFTONED_TRY(CheckPieceStored(column, first_row));
      auto* raster = reinterpret_cast<uint32_t*>(piece_.get());
      const int status =
          is_tiled_
              ? TIFFReadRGBATileExt(file_.get(), column, first_row, raster, 1)
              : TIFFReadRGBAStripExt(file_.get(), first_row, raster, 1);
      HALFTONED_TRY(
          CheckDecoded(file_, status == 1, "row " + std::to_string(first_row)));
      PlacePiece(column, rows, std::min(piece_width_, width - column));
      if (width - column <= piece_width_) break;
    }
    return {};
  }

 private:
  Result<void> CheckPieceStored(uint32_t column, uint32_t row) {
    for (int plane = 0; plane < StoredPlanes(file_); ++plane) {
      HALFTONED_TRY(is_tiled_ ? CheckTileStored(file_, column, row, plane)
                              : CheckStripStored(file_, row, plane));
    }
    return {};
  }

  void PlacePiece(uint32_t column, uint32_t rows, uint32_t columns) {
    const uint32_t piece_rows = is_tiled_ ? layout_.rows_per_strip : rows;
    for (uint32_t row = 0; row < rows; ++row) {
      std::byte* to = block(0) + row * pitch_ + size_t{column} * 4;
      std::memcpy(to,
                  piece_.get() +
                      size_t{piece_rows - 1 - row} * size_t{piece_width_} * 4,
                  size_t{columns} * 4);
      if constexpr (std::endian::native == std::endian::big) {
        TIFFSwabArrayOfLong(reinterpret_cast<uint32_t*>(to), columns);
      }
    }
  }

  const bool is_tiled_;
  const uint32_t piece_width_;
  Memory piece_;
};

Result<std::unique_ptr<TiffRows>> OpenTileRows(TiffFile& file,
                                               const TiffLayout& layout) {
  const PixelFormat& format = layout.format;
  const uint64_t row_bits =
      uint64_t{layout.tile_width} * uint64_t(format.bits_per_sample) *
      uint64_t(format.planar ? 1 : format.samples_per_pixel);
  const uint64_t across =
      (uint64_t(layout.width) + layout.tile_width - 1) / layout.tile_width;
  if (row_bits % 8 != 0 || TIFFTileRowSize64(file.get()) != row_bits / 8) {
    return BadInput("its tiles have an unexpected size");
  }
  HALFTONED_TRY(Product(row_bits / 8, across, "a row of tiles"));
  auto rows = std::make_unique<TileRows>(file, layout, row_bits / 8, across);
  HALFTONED_TRY(rows->Open());
  return std::unique_ptr<TiffRows>(std::move(rows));
}

template <typename Rows>
Result<std::unique_ptr<TiffRows>> Opened(std::unique_ptr<Rows> rows) {
  HALFTONED_TRY(rows->Open());
  return std::unique_ptr<TiffRows>(std::move(rows));
}

}  // namespace

bool IsSampleUsed(const PixelFormat& format, int sample) {
  return sample < ColorSamples(format.colors) ||
         (format.alpha != Alpha::kNone && sample == format.alpha_sample);
}

Result<std::unique_ptr<TiffRows>> OpenTiffRows(TiffFile& file,
                                               const TiffLayout& layout,
                                               size_t row_bytes) {
  switch (layout.storage) {
    case TiffStorage::kRawStrips:
      return OpenRawTiffRows(file, layout, row_bytes);
    case TiffStorage::kTiles:
      return OpenTileRows(file, layout);
    case TiffStorage::kRgbaStrips:
    case TiffStorage::kRgbaTiles:
      return Opened(std::make_unique<RgbaRows>(file, layout));
    case TiffStorage::kScanlines:
    case TiffStorage::kStrips:
      break;
  }
  if (TIFFScanlineSize64(file.get()) != row_bytes) {
    return BadInput("its rows have an unexpected size");
  }
  if (layout.storage == TiffStorage::kStrips) {
    return Opened(std::make_unique<StripRows>(file, layout, row_bytes));
  }
  return Opened(std::make_unique<ScanlineRows>(file, layout, row_bytes));
}

}  // namespace halftoned

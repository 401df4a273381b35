// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "images.h"

#include <gtest/gtest.h>
#include <png.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "print/file/temporary_file.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

// Packs samples of any format, in the order in which they are given.
class Packer {
 public:
  Packer(int bits, bool is_float) : bits_(bits), is_float_(is_float) {}

  void Add(double value) {
    if (is_float_ && bits_ == 32) return AddBytes(static_cast<float>(value));
    if (is_float_ && bits_ == 64) return AddBytes(value);
    if (bits_ == 16) return AddBytes(static_cast<uint16_t>(value));
    if (bits_ == 32) return AddBytes(static_cast<uint32_t>(value));
    for (int bit = bits_ - 1; bit >= 0; --bit) {
      if (used_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() |= static_cast<uint8_t>(
          (static_cast<unsigned>(value) >> bit & 1) << (7 - used_ % 8));
      ++used_;
    }
  }

  std::vector<uint8_t> Take() {
    used_ = 0;
    return std::exchange(bytes_, {});
  }

 private:
  template <typename Value>
  void AddBytes(Value value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof(value));
    std::memcpy(&bytes_[at], &value, sizeof(value));
  }

  const int bits_;
  const bool is_float_;
  std::vector<uint8_t> bytes_;
  size_t used_ = 0;
};

void SetFields(TIFF* tiff, const TiffSpec& spec) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, spec.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, spec.rows);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, spec.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, spec.samples);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, spec.sample_format);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, spec.photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, spec.planar);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, spec.compression);
  TIFFSetField(tiff, TIFFTAG_FILLORDER, spec.fill_order);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, spec.orientation);
  if (spec.tile) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, spec.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, spec.tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, spec.rows_per_strip);
  }
  if (!spec.extra_samples.empty()) {
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES,
                 static_cast<int>(spec.extra_samples.size()),
                 spec.extra_samples.data());
  }
  if (spec.photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
  }
  if (spec.photometric == PHOTOMETRIC_PALETTE) {
    std::vector<uint16_t> colors[3];
    for (int color = 0; color < 3; ++color) {
      for (int i = 0; i < 1 << spec.bits; ++i) {
        colors[color].push_back(PaletteEntry(i, color));
      }
    }
    TIFFSetField(tiff, TIFFTAG_COLORMAP, colors[0].data(), colors[1].data(),
                 colors[2].data());
  }
}

// Rows or tiles: `columns` × `rows` pixels from (x, y) on. Beyond the page
// samples are 0.
std::vector<uint8_t> Block(const TiffSpec& spec, const SampleAt& at, int x0,
                           int y0, int columns, int rows, int plane) {
  const bool separate = spec.planar == PLANARCONFIG_SEPARATE;
  Packer packer(spec.bits, spec.sample_format == SAMPLEFORMAT_IEEEFP);
  std::vector<uint8_t> block;
  for (int y = y0; y < y0 + rows; ++y) {
    for (int x = x0; x < x0 + columns; ++x) {
      const bool inside = x < int(spec.width) && y < int(spec.rows);
      for (int s = separate ? plane : 0;
           s < (separate ? plane + 1 : spec.samples); ++s) {
        packer.Add(inside ? at(x, y, s) : 0);
      }
    }
    const std::vector<uint8_t> row = packer.Take();
    block.insert(block.end(), row.begin(), row.end());
  }
  return block;
}

void WritePixels(TIFF* tiff, const TiffSpec& spec, const SampleAt& at) {
  const int planes = spec.planar == PLANARCONFIG_SEPARATE ? spec.samples : 1;
  const int height = int(spec.tile ? spec.tile : spec.rows_per_strip);
  const int width = int(spec.tile ? spec.tile : spec.width);
  for (int plane = 0; plane < planes; ++plane) {
    for (int y = 0; y < int(spec.rows); y += height) {
      for (int x = 0; x < int(spec.width); x += width) {
        const int rows =
            spec.tile ? height : std::min(height, int(spec.rows) - y);
        auto block = Block(spec, at, x, y, width, rows, plane);
        const auto bytes = static_cast<tmsize_t>(block.size());
        const auto sample = static_cast<uint16_t>(plane);
        if (spec.tile) {
          ASSERT_EQ(bytes, TIFFWriteEncodedTile(
                               tiff,
                               TIFFComputeTile(tiff, uint32_t(x), uint32_t(y),
                                               0, sample),
                               block.data(), bytes));
        } else {
          ASSERT_EQ(bytes,
                    TIFFWriteEncodedStrip(
                        tiff, TIFFComputeStrip(tiff, uint32_t(y), sample),
                        block.data(), bytes));
        }
      }
    }
  }
}

}  // namespace

Descriptor MemoryFile(const std::string& bytes) {
  Descriptor fd(::memfd_create("image", MFD_CLOEXEC));
  EXPECT_TRUE(WriteAt(fd.get(), 0, std::as_bytes(std::span(bytes))).ok());
  return fd;
}

std::string ContentsOf(int fd) {
  struct stat status;
  EXPECT_EQ(0, ::fstat(fd, &status));
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  EXPECT_TRUE(ReadAt(fd, 0, std::as_writable_bytes(std::span(bytes))).ok());
  return bytes;
}

Result<std::vector<Gray>> ReadPages(const std::string& bytes,
                                    int32_t rows_at_once) {
  HALFTONED_TRY_ASSIGN(InputFile file,
                       InputFile::FromDescriptor(MemoryFile(bytes)));
  HALFTONED_TRY_ASSIGN(const auto image, OpenImage(file));
  std::vector<Gray> pages;
  for (;;) {
    HALFTONED_TRY_ASSIGN(const auto page, image->Next());
    if (!page) return pages;
    const PageInfo& info = page->info();
    Gray gray{info.page.width(),
              info.rows,
              int(info.page.depth()),
              {},
              info.metadata};
    const size_t pitch =
        info.page.gray_bytes_per_row() + (rows_at_once % 2 != 0 ? 6 : 0);
    std::vector<uint16_t> room(size_t(rows_at_once) * pitch / 2 + 1);
    auto* room_bytes = reinterpret_cast<std::byte*>(room.data());
    // An even pitch, for the samples' alignment.
    const GrayRoom rows{room_bytes, pitch / 2 * 2, rows_at_once};
    for (bool last = false; !last;) {
      HALFTONED_TRY_ASSIGN(const Filled filled, page->Read(rows));
      last = filled.last;
      for (int32_t i = 0; i < filled.rows; ++i) {
        for (int32_t x = 0; x < gray.width; ++x) {
          uint16_t sample = 0;
          const size_t size = gray.depth == 8 ? 1 : 2;
          std::memcpy(&sample, rows.row(i) + size_t(x) * size, size);
          gray.samples.push_back(sample);
        }
      }
    }
    pages.push_back(std::move(gray));
  }
}

Gray ReadGray(const std::string& bytes, int32_t rows_at_once) {
  auto pages = ReadPages(bytes, rows_at_once);
  if (!pages.ok()) {
    ADD_FAILURE() << pages.error().message;
    return {};
  }
  EXPECT_EQ(pages->size(), 1u);
  return std::move(pages->front());
}

double Noise(int x, int y, int s) {
  uint32_t hash = uint32_t(x) * 2654435761u ^ uint32_t(y) * 2246822519u ^
                  uint32_t(s) * 3266489917u;
  hash ^= hash >> 15;
  hash *= 2246822519u;
  hash ^= hash >> 13;
  return double(hash) / 4294967296.0;
}

uint16_t PaletteEntry(int index, int color) {
  return static_cast<uint16_t>(Noise(index, color, 99) * 65536);
}

std::string MakeTiff(const TiffSpec& spec, const SampleAt& at) {
  const Descriptor fd = MemoryFile("");
  // libtiff closes what it is given.
  TIFF* tiff = TIFFFdOpen(::dup(fd.get()), "memory", spec.mode);
  for (int page = 0; page < spec.pages; ++page) {
    if (page > 0) TIFFWriteDirectory(tiff);
    SetFields(tiff, spec);
    WritePixels(tiff, spec, at);
  }
  TIFFClose(tiff);
  return ContentsOf(fd.get());
}

namespace {

void Put(std::string& to, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i);
}

}  // namespace

Directory& Directory::Add(uint16_t tag, uint16_t type, uint32_t count,
                          uint32_t value) {
  Put(entries_, tag, 2);
  Put(entries_, type, 2);
  Put(entries_, count, 4);
  Put(entries_, value, 4);
  ++count_;
  return *this;
}

std::string Directory::File(const std::string& data, uint32_t next) const {
  std::string file("II*\0\10\0\0\0", 8);
  Put(file, count_, 2);
  file += entries_;
  Put(file, next, 4);
  return file + data;
}

std::string MakePng(const PngSpec& spec, const SampleAt& at) {
  std::string bytes;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &bytes,
      [](png_structp p, png_bytep data, size_t count) {
        static_cast<std::string*>(png_get_io_ptr(p))
            ->append(reinterpret_cast<char*>(data), count);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, spec.width, spec.rows, spec.bits, spec.color_type,
               spec.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (spec.color_type == PNG_COLOR_TYPE_PALETTE) {
    std::vector<png_color> palette(size_t{1} << spec.bits);
    for (size_t i = 0; i < palette.size(); ++i) {
      palette[i] = {uint8_t(PaletteEntry(int(i), 0) >> 8),
                    uint8_t(PaletteEntry(int(i), 1) >> 8),
                    uint8_t(PaletteEntry(int(i), 2) >> 8)};
    }
    png_set_PLTE(png, info, palette.data(), int(palette.size()));
  }
  png_write_info(png, info);
  if (spec.bits == 16) png_set_swap(png);
  const int samples = png_get_channels(png, info);
  Packer packer(spec.bits, false);
  std::vector<std::vector<uint8_t>> rows;
  std::vector<png_bytep> row_pointers;
  for (int y = 0; y < int(spec.rows); ++y) {
    for (int x = 0; x < int(spec.width); ++x) {
      for (int s = 0; s < samples; ++s) packer.Add(at(x, y, s));
    }
    rows.push_back(packer.Take());
  }
  for (auto& row : rows) row_pointers.push_back(row.data());
  png_write_image(png, row_pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

SampleAt NoiseBelow(double limit) {
  return
      [=](int x, int y, int s) { return std::floor(Noise(x, y, s) * limit); };
}

bool IsRead(const std::string& bytes, const std::string& what) {
  const auto pages = ReadPages(bytes, 64);
  if (pages.ok()) return true;
  const std::string& message = pages.error().message;
  EXPECT_FALSE(message.empty()) << what;
  EXPECT_EQ(message.find_first_of("\n\r"), message.npos) << what << message;
  EXPECT_NE(pages.error().code, ErrorCode::kBug) << what << ": " << message;
  return false;
}

void ExpectGray(const std::string& tiff, const TiffSpec& spec, int depth,
                const GrayAt& expected, const std::string& what) {
  const Gray gray = ReadGray(tiff);
  ASSERT_EQ(gray.samples.size(), spec.width * spec.rows) << what;
  EXPECT_EQ(gray.depth, depth) << what;
  for (int y = 0; y < int(spec.rows); ++y) {
    for (int x = 0; x < int(spec.width); ++x) {
      ASSERT_EQ(gray.samples[size_t(y) * spec.width + size_t(x)],
                expected(x, y))
          << what << " at column " << x << ", row " << y;
    }
  }
}

}  // namespace halftoned

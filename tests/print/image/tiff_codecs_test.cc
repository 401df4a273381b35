// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF files of every codec, those that libtiff only reads included.

#include <gtest/gtest.h>
#include <tiffio.h>
#include <unistd.h>

#include <string>

#include "images.h"

namespace halftoned {
namespace {

TEST(TiffReader, ReadsFaxes) {
  TiffSpec spec;
  spec.bits = 1;
  spec.photometric = PHOTOMETRIC_MINISWHITE;
  const auto at = NoiseBelow(2);
  for (const uint16_t fill_order : {FILLORDER_MSB2LSB, FILLORDER_LSB2MSB}) {
    spec.fill_order = fill_order;
    for (const uint16_t compression :
         {COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3,
          COMPRESSION_CCITTFAX4}) {
      spec.compression = compression;
      ExpectGray(
          MakeTiff(spec, at), spec, 8,
          [&](int x, int y) { return at(x, y, 0) == 1 ? 0u : 255u; },
          "compression " + std::to_string(compression));
    }
  }
}

// Its encoder takes one strip only.
TEST(TiffReader, ReadsJbig) {
  if (!TIFFIsCODECConfigured(COMPRESSION_JBIG)) GTEST_SKIP();
  TiffSpec spec;
  spec.bits = 1;
  spec.photometric = PHOTOMETRIC_MINISWHITE;
  spec.compression = COMPRESSION_JBIG;
  spec.rows_per_strip = spec.rows;
  const auto at = NoiseBelow(2);
  ExpectGray(
      MakeTiff(spec, at), spec, 8,
      [&](int x, int y) { return at(x, y, 0) == 1 ? 0u : 255u; }, "JBIG");
}

// A page of 8-bit gray in one strip that libtiff cannot write.
std::string OldPage(const TiffSpec& spec, const std::string& strip) {
  Directory directory;
  directory.Long(TIFFTAG_IMAGEWIDTH, spec.width)
      .Long(TIFFTAG_IMAGELENGTH, spec.rows)
      .Short(TIFFTAG_BITSPERSAMPLE, spec.bits)
      .Short(TIFFTAG_COMPRESSION, spec.compression)
      .Short(TIFFTAG_PHOTOMETRIC, spec.photometric);
  const uint32_t at = directory.data_offset(4);
  return directory.Long(TIFFTAG_STRIPOFFSETS, at)
      .Short(TIFFTAG_SAMPLESPERPIXEL, spec.samples)
      .Long(TIFFTAG_ROWSPERSTRIP, spec.rows)
      .Long(TIFFTAG_STRIPBYTECOUNTS, uint32_t(strip.size()))
      .File(strip);
}

// Its codes begin with the lowest bits. Cleared often enough, they have nine.
TEST(TiffReader, ReadsOldLzw) {
  TiffSpec spec;
  spec.compression = COMPRESSION_LZW;
  const auto at = NoiseBelow(256);
  std::string strip;
  uint32_t window = 0;
  int in_window = 0;
  const auto put = [&](uint32_t code) {
    window |= code << in_window;
    for (in_window += 9; in_window >= 8; in_window -= 8, window >>= 8) {
      strip += static_cast<char>(window);
    }
  };
  for (uint32_t i = 0; i < spec.width * spec.rows; ++i) {
    if (i % 200 == 0) put(256);
    put(uint32_t(at(int(i % spec.width), int(i / spec.width), 0)));
  }
  put(257);
  put(0);
  ExpectGray(
      OldPage(spec, strip), spec, 8,
      [&](int x, int y) { return uint32_t(at(x, y, 0)); }, "old LZW");
}

// NeXT's two bits per sample and ThunderScan's four, without compression.
TEST(TiffReader, ReadsNextAndThunderScan) {
  for (const uint16_t compression :
       {COMPRESSION_NEXT, COMPRESSION_THUNDERSCAN}) {
    const bool is_next = compression == COMPRESSION_NEXT;
    TiffSpec spec;
    spec.width = 36;
    spec.compression = compression;
    spec.bits = is_next ? 2 : 4;
    const auto at = NoiseBelow(1 << spec.bits);
    std::string strip;
    for (int y = 0; y < int(spec.rows); ++y) {
      if (is_next) strip += '\0';  // a row as it is
      for (int x = 0; x < int(spec.width); x += is_next ? 4 : 1) {
        int byte = is_next ? 0 : 3;  // of 4 bits: one sample as it is
        for (int i = 0; i < (is_next ? 4 : 1); ++i) {
          byte = byte << spec.bits | int(at(x + i, y, 0));
        }
        strip += static_cast<char>(is_next ? byte : byte | 0xc0);
      }
    }
    ExpectGray(
        OldPage(spec, strip), spec, 8,
        [&](int x, int y) {
          return uint32_t(at(x, y, 0)) * (is_next ? 85 : 17);
        },
        "compression " + std::to_string(compression));
  }
}

// A whole JPEG stream, from a TIFF file that keeps its tables apart.
std::string JpegOf(const std::string& tiff_bytes) {
  const Descriptor file = MemoryFile(tiff_bytes);
  TIFF* tiff = TIFFFdOpen(::dup(file.get()), "memory", "r");
  uint32_t size = 0;
  void* tables = nullptr;
  TIFFGetField(tiff, TIFFTAG_JPEGTABLES, &size, &tables);
  std::string jpeg(static_cast<const char*>(tables), size - 2);
  std::string strip(size_t(TIFFRawStripSize(tiff, 0)), '\0');
  TIFFReadRawStrip(tiff, 0, strip.data(), tmsize_t(strip.size()));
  TIFFClose(tiff);
  return jpeg + strip.substr(2);
}

TEST(TiffReader, ReadsOldJpeg) {
  const auto at = [](int x, int y, int s) {
    return s == 0 ? 40.0 + 4 * x + y : 128.0;
  };
  for (const bool is_color : {false, true}) {
    TiffSpec spec;
    spec.rows_per_strip = 32;
    spec.samples = is_color ? 3 : 1;
    spec.photometric = is_color ? PHOTOMETRIC_YCBCR : PHOTOMETRIC_MINISBLACK;
    spec.compression = COMPRESSION_JPEG;
    const std::string jpeg = JpegOf(MakeTiff(spec, at));
    Directory directory;
    directory.Long(TIFFTAG_IMAGEWIDTH, spec.width)
        .Long(TIFFTAG_IMAGELENGTH, spec.rows)
        .Short(TIFFTAG_BITSPERSAMPLE, 8)
        .Short(TIFFTAG_COMPRESSION, COMPRESSION_OJPEG)
        .Short(TIFFTAG_PHOTOMETRIC, spec.photometric);
    const uint32_t jpeg_at = directory.data_offset(is_color ? 8 : 7);
    directory.Long(TIFFTAG_STRIPOFFSETS, jpeg_at)
        .Short(TIFFTAG_SAMPLESPERPIXEL, spec.samples)
        .Long(TIFFTAG_ROWSPERSTRIP, spec.rows)
        .Long(TIFFTAG_STRIPBYTECOUNTS, uint32_t(jpeg.size()))
        .Short(TIFFTAG_JPEGPROC, JPEGPROC_BASELINE)
        .Long(TIFFTAG_JPEGIFOFFSET, jpeg_at)
        .Long(TIFFTAG_JPEGIFBYTECOUNT, uint32_t(jpeg.size()));
    if (is_color) directory.Add(TIFFTAG_YCBCRSUBSAMPLING, 3, 2, 1 | 1 << 16);
    const Gray gray = ReadGray(directory.File(jpeg));
    ASSERT_EQ(gray.samples.size(), spec.width * spec.rows) << is_color;
    for (int y = 0; y < int(spec.rows); ++y) {
      for (int x = 0; x < int(spec.width); ++x) {
        ASSERT_NEAR(gray.samples[size_t(y) * spec.width + size_t(x)],
                    at(x, y, 0), 24)
            << "color " << is_color << ", column " << x << ", row " << y;
      }
    }
    // A missing end is not made up.
    const auto cut = ReadPages(directory.File(jpeg.substr(0, jpeg.size() / 2)));
    EXPECT_FALSE(cut.ok()) << "color " << is_color;
  }
}

// All other lossless codecs of this libtiff.
TEST(TiffReader, ReadsNewCodecs) {
  for (const uint16_t compression : {COMPRESSION_DEFLATE, COMPRESSION_LZMA,
                                     COMPRESSION_ZSTD, COMPRESSION_LERC}) {
    if (!TIFFIsCODECConfigured(compression)) continue;
    TiffSpec spec;
    spec.compression = compression;
    const auto at = NoiseBelow(256);
    ExpectGray(
        MakeTiff(spec, at), spec, 8,
        [&](int x, int y) { return uint32_t(at(x, y, 0)); },
        "compression " + std::to_string(compression));
  }
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF files of every layout, written by libtiff, are read as the gray that the
// documented luminance gives.

#include "print/image/tiff/tiff_reader.h"

#include <gtest/gtest.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "images.h"

namespace halftoned {
namespace {

using GrayAt = std::function<uint32_t(int x, int y)>;

SampleAt NoiseBelow(double limit) {
  return
      [=](int x, int y, int s) { return std::floor(Noise(x, y, s) * limit); };
}

// A second implementation of the luminance.
uint32_t Light(double red, double green, double blue) {
  return static_cast<uint32_t>(
      std::floor((13933 * red + 46871 * green + 4732 * blue + 32768) / 65536));
}

uint32_t Rounded(double a, double b, double full) {
  return static_cast<uint32_t>(std::floor(a * b / full + 0.5));
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

// The same pixels in every storage that libtiff writes.
void ExpectGrayInEveryStorage(TiffSpec spec, const SampleAt& at, int depth,
                              const GrayAt& expected) {
  for (const uint16_t compression :
       {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
        COMPRESSION_PACKBITS}) {
    for (const uint16_t planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
      for (const uint32_t tile : {0u, 16u, 48u}) {
        for (const char* mode : {"wl", "wb", "w8"}) {
          spec.compression = compression;
          spec.planar = planar;
          spec.tile = tile;
          spec.mode = mode;
          ExpectGray(MakeTiff(spec, at), spec, depth, expected,
                     "compression " + std::to_string(compression) +
                         ", planar " + std::to_string(planar) + ", tile " +
                         std::to_string(tile) + ", mode " + mode);
        }
      }
    }
  }
}

TEST(TiffReader, ReadsGrayOfEveryDepth) {
  for (const uint16_t bits : {1, 2, 4, 8, 12, 16, 32}) {
    TiffSpec spec;
    spec.bits = bits;
    const double full = std::pow(2, bits) - 1;
    const int depth = bits <= 8 ? 8 : 16;
    const auto at = NoiseBelow(full + 1);
    const double scale = depth == 8 ? 255 : 65535;
    for (const bool high_is_dark : {false, true}) {
      spec.photometric =
          high_is_dark ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
      ExpectGrayInEveryStorage(spec, at, depth, [&](int x, int y) {
        const uint32_t light = Rounded(at(x, y, 0), scale, full);
        return high_is_dark ? uint32_t(scale) - light : light;
      });
    }
  }
}

TEST(TiffReader, ReadsFloatingPointAndClipsIt) {
  TiffSpec spec;
  spec.sample_format = SAMPLEFORMAT_IEEEFP;
  const auto at = [](int x, int y, int) {
    if (x == 3) return std::nan("");
    if (x == 4) return HUGE_VAL;
    return std::floor(1024 * Noise(x, y, 0)) / 512 - 0.5;
  };
  for (const uint16_t bits : {32, 64}) {
    spec.bits = bits;
    ExpectGrayInEveryStorage(spec, at, 16, [&](int x, int y) {
      if (x == 3) return 0u;
      return Rounded(std::clamp(at(x, y, 0), 0.0, 1.0), 65535, 1);
    });
  }
}

TEST(TiffReader, ReadsColorsByTheirLuminance) {
  for (const uint16_t bits : {8, 16}) {
    TiffSpec spec;
    spec.bits = bits;
    spec.photometric = PHOTOMETRIC_RGB;
    spec.samples = 3;
    const double full = bits == 8 ? 255 : 65535;
    const auto at = NoiseBelow(full + 1);
    ExpectGrayInEveryStorage(spec, at, bits, [&](int x, int y) {
      return Light(at(x, y, 0), at(x, y, 1), at(x, y, 2));
    });
    spec.photometric = PHOTOMETRIC_SEPARATED;
    spec.samples = 4;
    ExpectGrayInEveryStorage(spec, at, bits, [&](int x, int y) {
      const uint32_t light =
          Light(full - at(x, y, 0), full - at(x, y, 1), full - at(x, y, 2));
      return Rounded(light, full - at(x, y, 3), full);
    });
  }
}

TEST(TiffReader, LaysAlphaOverWhite) {
  TiffSpec spec;
  spec.photometric = PHOTOMETRIC_RGB;
  spec.samples = 5;
  const auto at = NoiseBelow(256);
  spec.extra_samples = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNASSALPHA};
  ExpectGrayInEveryStorage(spec, at, 8, [&](int x, int y) {
    const uint32_t light = Light(at(x, y, 0), at(x, y, 1), at(x, y, 2));
    return Rounded(light, at(x, y, 4), 255) + uint32_t(255 - at(x, y, 4));
  });
  spec.extra_samples = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_ASSOCALPHA};
  ExpectGrayInEveryStorage(spec, at, 8, [&](int x, int y) {
    const uint32_t light = Light(at(x, y, 0), at(x, y, 1), at(x, y, 2));
    return std::min(255u, light + uint32_t(255 - at(x, y, 4)));
  });
  spec.extra_samples = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_UNSPECIFIED};
  ExpectGrayInEveryStorage(spec, at, 8, [&](int x, int y) {
    return Light(at(x, y, 0), at(x, y, 1), at(x, y, 2));
  });
}

TEST(TiffReader, LooksPalettesUp) {
  for (const uint16_t bits : {1, 2, 4, 8}) {
    TiffSpec spec;
    spec.bits = bits;
    spec.photometric = PHOTOMETRIC_PALETTE;
    const auto at = NoiseBelow(1 << bits);
    ExpectGrayInEveryStorage(spec, at, 8, [&](int x, int y) {
      const int i = int(at(x, y, 0));
      return Light(PaletteEntry(i, 0) >> 8, PaletteEntry(i, 1) >> 8,
                   PaletteEntry(i, 2) >> 8);
    });
  }
}

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

// NeXT's two bits a sample and ThunderScan's four, without compression.
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

// The position of the first stored row and column, in TIFF's terms.
TEST(TiffReader, TurnsEveryOrientationUpright) {
  const int w = 37;
  const int h = 29;
  const std::function<std::pair<int, int>(int, int)> stored[] = {
      [](int x, int y) { return std::pair(x, y); },
      [](int x, int y) { return std::pair(w - 1 - x, y); },
      [](int x, int y) { return std::pair(w - 1 - x, h - 1 - y); },
      [](int x, int y) { return std::pair(x, h - 1 - y); },
      [](int x, int y) { return std::pair(y, x); },
      [](int x, int y) { return std::pair(y, h - 1 - x); },
      [](int x, int y) { return std::pair(w - 1 - y, h - 1 - x); },
      [](int x, int y) { return std::pair(w - 1 - y, x); },
  };
  for (const uint16_t bits : {8, 16}) {
    const auto at = NoiseBelow(bits == 8 ? 256 : 65536);
    for (int orientation = 1; orientation <= 8; ++orientation) {
      TiffSpec spec;
      spec.bits = bits;
      spec.orientation = static_cast<uint16_t>(orientation);
      const std::string tiff = MakeTiff(spec, at);
      TiffSpec visible = spec;
      if (orientation > 4) std::swap(visible.width, visible.rows);
      ExpectGray(
          tiff, visible, bits,
          [&](int x, int y) {
            const auto [column, row] = stored[orientation - 1](x, y);
            return uint32_t(at(column, row, 0));
          },
          "orientation " + std::to_string(orientation));
    }
  }
}

// Without chroma the luminance of YCbCr is Y.
TEST(TiffReader, ReadsYCbCrThroughLibtiff) {
  const auto at = [](int x, int y, int s) {
    return s == 0 ? 40.0 + 4 * x + y : 128.0;
  };
  for (const uint16_t compression :
       {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_JPEG}) {
    for (const uint32_t tile : {0u, 32u}) {
      TiffSpec spec;
      spec.rows_per_strip = 16;
      spec.samples = 3;
      spec.photometric = PHOTOMETRIC_YCBCR;
      spec.compression = compression;
      spec.tile = tile;
      const Gray gray = ReadGray(MakeTiff(spec, at));
      ASSERT_EQ(gray.samples.size(), spec.width * spec.rows);
      for (int y = 0; y < int(spec.rows); ++y) {
        for (int x = 0; x < int(spec.width); ++x) {
          // JPEG loses something at the edges that tiles pad.
          ASSERT_NEAR(gray.samples[size_t(y) * spec.width + size_t(x)],
                      at(x, y, 0), compression == COMPRESSION_JPEG ? 24 : 1)
              << "compression " << compression << ", tile " << tile
              << ", column " << x << ", row " << y;
        }
      }
    }
  }
}

TEST(TiffReader, GivesPagesInOrder) {
  TiffSpec spec;
  spec.pages = 5;
  const auto pages = ReadPages(MakeTiff(spec, NoiseBelow(256)));
  ASSERT_TRUE(pages.ok());
  EXPECT_EQ(pages->size(), 5u);
}

TEST(TiffReader, SaysWhatIsWrong) {
  const auto error = [](const std::string& tiff) {
    const auto pages = ReadPages(tiff);
    return pages.ok() ? "" : pages.error().message;
  };
  TiffSpec wide;
  wide.width = 300000;
  wide.rows = 1;
  EXPECT_EQ(error(MakeTiff(wide, NoiseBelow(256))),
            "the width is larger than 262144");
  TiffSpec mono;
  mono.photometric = PHOTOMETRIC_RGB;
  EXPECT_EQ(error(MakeTiff(mono, NoiseBelow(256))),
            "RGB needs 3 samples a pixel, not 1");
  const std::string sound = MakeTiff(TiffSpec(), NoiseBelow(256));
  EXPECT_EQ(error(sound.substr(0, 100)), "ends too early");
  EXPECT_EQ(error(Directory()
                      .Long(TIFFTAG_IMAGELENGTH, 4)
                      .Short(TIFFTAG_BITSPERSAMPLE, 8)
                      .Short(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK)
                      .Long(TIFFTAG_STRIPOFFSETS, 8)
                      .Long(TIFFTAG_STRIPBYTECOUNTS, 16)
                      .File()),
            "has no columns");
}

}  // namespace
}  // namespace halftoned

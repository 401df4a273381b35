// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF files of every layout, written by libtiff, are read as the gray that the
// documented luminance gives.

#include <gtest/gtest.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "images.h"

namespace halftoned {
namespace {

// A second implementation of the luminance.
uint32_t Light(double red, double green, double blue) {
  return static_cast<uint32_t>(
      std::floor((13933 * red + 46871 * green + 4732 * blue + 32768) / 65536));
}

uint32_t Rounded(double a, double b, double full) {
  return static_cast<uint32_t>(std::floor(a * b / full + 0.5));
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

TEST(TiffReader, ExplainsErrors) {
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
            "RGB needs 3 samples per pixel, not 1");
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Malicious TIFF files: directories, tags and strips that lie.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <png.h>
#include <tiffio.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "images.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

// A directory of 8-bit gray in one strip; the strip's offset follows in
// `Strip`.
Directory GrayDirectory(uint32_t width, uint32_t rows) {
  Directory directory;
  directory.Long(TIFFTAG_IMAGEWIDTH, width)
      .Long(TIFFTAG_IMAGELENGTH, rows)
      .Short(TIFFTAG_BITSPERSAMPLE, 8)
      .Short(TIFFTAG_COMPRESSION, 1)
      .Short(TIFFTAG_PHOTOMETRIC, 1);
  return directory;
}

struct Lie {
  std::string name;
  std::string file;
};

std::vector<Lie> TiffLies() {
  std::vector<Lie> lies;
  const auto add = [&](const char* name, const Directory& directory,
                       uint32_t next = 0) {
    lies.push_back({name, directory.File("0123456789abcdef", next)});
  };
  const auto strip = [](Directory directory, uint32_t offset, uint32_t bytes,
                        uint32_t rows_per_strip = 4) {
    directory.Long(TIFFTAG_STRIPOFFSETS, offset)
        .Short(TIFFTAG_SAMPLESPERPIXEL, 1)
        .Long(TIFFTAG_ROWSPERSTRIP, rows_per_strip)
        .Long(TIFFTAG_STRIPBYTECOUNTS, bytes);
    return directory;
  };
  add("zero width", strip(GrayDirectory(0, 4), 122, 16));
  add("zero rows", strip(GrayDirectory(4, 0), 122, 16));
  add("huge width", strip(GrayDirectory(0xffffffff, 4), 122, 16));
  add("huge rows", strip(GrayDirectory(4, 0xffffffff), 122, 16));
  add("huge both", strip(GrayDirectory(0x40000, 0xffffffff), 122, 16));
  add("strip beyond the end", strip(GrayDirectory(4, 4), 5000, 16));
  add("strip across the end", strip(GrayDirectory(4, 4), 125, 16));
  // libtiff would correct the length of a single strip.
  const auto two_strips = [](uint32_t first_bytes, uint32_t second_bytes) {
    return GrayDirectory(4, 4)
        .Add(TIFFTAG_STRIPOFFSETS, 3, 2, 110 | 118 << 16)
        .Long(TIFFTAG_ROWSPERSTRIP, 2)
        .Add(TIFFTAG_STRIPBYTECOUNTS, 3, 2, first_bytes | second_bytes << 16);
  };
  add("short strip", two_strips(8, 7));
  add("empty strip", two_strips(0, 8));
  add("too few strips", strip(GrayDirectory(4, 4), 122, 16, 1));
  add("no strips", GrayDirectory(4, 4));
  add("million of strips",
      GrayDirectory(4, 4)
          .Add(TIFFTAG_STRIPOFFSETS, 4, 100000000, 122)
          .Long(TIFFTAG_ROWSPERSTRIP, 1)
          .Add(TIFFTAG_STRIPBYTECOUNTS, 4, 100000000, 122));
  const auto packed = [] {
    return Directory()
        .Long(TIFFTAG_IMAGEWIDTH, 4)
        .Long(TIFFTAG_IMAGELENGTH, 4)
        .Short(TIFFTAG_BITSPERSAMPLE, 8)
        .Short(TIFFTAG_COMPRESSION, COMPRESSION_PACKBITS)
        .Short(TIFFTAG_PHOTOMETRIC, 1);
  };
  add("missing strip", strip(packed(), 0, 0));
  add("missing tile", packed()
                          .Long(TIFFTAG_TILEWIDTH, 16)
                          .Long(TIFFTAG_TILELENGTH, 16)
                          .Long(TIFFTAG_TILEOFFSETS, 0)
                          .Long(TIFFTAG_TILEBYTECOUNTS, 0));
  add("tiles without a size", GrayDirectory(4, 4)
                                  .Long(TIFFTAG_TILEWIDTH, 0)
                                  .Long(TIFFTAG_TILELENGTH, 0)
                                  .Long(TIFFTAG_TILEOFFSETS, 122)
                                  .Long(TIFFTAG_TILEBYTECOUNTS, 16));
  add("tiles of terabytes", GrayDirectory(0x40000, 4)
                                .Long(TIFFTAG_TILEWIDTH, 0x7fffff00)
                                .Long(TIFFTAG_TILELENGTH, 0x7fffff00)
                                .Long(TIFFTAG_TILEOFFSETS, 122)
                                .Long(TIFFTAG_TILEBYTECOUNTS, 16));
  add("tiles where strips are", strip(GrayDirectory(4, 4), 122, 16)
                                    .Long(TIFFTAG_TILEWIDTH, 16)
                                    .Long(TIFFTAG_TILELENGTH, 16));
  Directory deep;
  deep.Long(TIFFTAG_IMAGEWIDTH, 4)
      .Long(TIFFTAG_IMAGELENGTH, 4)
      .Short(TIFFTAG_BITSPERSAMPLE, 24)
      .Short(TIFFTAG_COMPRESSION, 1)
      .Short(TIFFTAG_PHOTOMETRIC, 1)
      .Long(TIFFTAG_STRIPOFFSETS, 122);
  add("24 bits per sample", deep);
  add("unknown codec", Directory()
                           .Long(TIFFTAG_IMAGEWIDTH, 4)
                           .Long(TIFFTAG_IMAGELENGTH, 4)
                           .Short(TIFFTAG_BITSPERSAMPLE, 8)
                           .Short(TIFFTAG_COMPRESSION, 4711)
                           .Short(TIFFTAG_PHOTOMETRIC, 1)
                           .Long(TIFFTAG_STRIPOFFSETS, 122)
                           .Long(TIFFTAG_STRIPBYTECOUNTS, 16));
  add("no directory", Directory());
  return lies;
}

TEST(HostileTiff, FalseDirectoriesAreErrors) {
  for (const Lie& lie : TiffLies()) {
    EXPECT_FALSE(IsRead(lie.file, lie.name)) << lie.name;
  }
}

TEST(HostileTiff, TheErrorNamesADirectoryWithoutEntries) {
  const std::string header("II*\0\x08\0\0\0", 8);
  for (const size_t zeros : {2, 6}) {
    const auto pages = ReadPages(header + std::string(zeros, '\0'));
    ASSERT_FALSE(pages.ok());
    EXPECT_EQ(pages.error().message, "has an empty directory");
  }
}

// A palette image of 4 × 4 pixels, whose tags `add` completes.
std::string PaletteTiff(const std::function<void(Directory&)>& add,
                        uint16_t photometric) {
  Directory directory;
  directory.Long(TIFFTAG_IMAGEWIDTH, 4)
      .Long(TIFFTAG_IMAGELENGTH, 4)
      .Short(TIFFTAG_BITSPERSAMPLE, 8)
      .Short(TIFFTAG_COMPRESSION, 1)
      .Short(TIFFTAG_PHOTOMETRIC, photometric)
      .Long(TIFFTAG_STRIPOFFSETS, 16)
      .Short(TIFFTAG_SAMPLESPERPIXEL, 1)
      .Long(TIFFTAG_ROWSPERSTRIP, 4)
      .Long(TIFFTAG_STRIPBYTECOUNTS, 16);
  add(directory);
  return directory.File();
}

// libtiff leaves it out and goes on with a default.
TEST(HostileTiff, ATagThatAffectsPixelsMustBeValid) {
  const auto error = [](const std::function<void(Directory&)>& add,
                        uint16_t photometric = PHOTOMETRIC_MINISBLACK) {
    const auto pages = ReadPages(PaletteTiff(add, photometric));
    return pages.ok() ? "" : pages.error().message;
  };
  const auto none = [](Directory&) {};
  EXPECT_EQ(error(none), "");
  EXPECT_EQ(error(none, PHOTOMETRIC_PALETTE), "its palette is missing");
  EXPECT_EQ(error(
                [](Directory& directory) {
                  directory.Add(TIFFTAG_COLORMAP, 3, 768, 5000);
                },
                PHOTOMETRIC_PALETTE),
            "IO error during reading of \"ColorMap\"; tag ignored");
  EXPECT_EQ(error(
                [](Directory& directory) {
                  directory.Add(TIFFTAG_COLORMAP, 3, 48, 8);
                },
                PHOTOMETRIC_PALETTE),
            "Incorrect count for \"ColorMap\"; tag ignored");
  EXPECT_EQ(error([](Directory& directory) {
              directory.Short(TIFFTAG_ORIENTATION, 9);
            }),
            "TIFF: Bad value 9 for \"Orientation\" tag");
  EXPECT_EQ(error([](Directory& directory) {
              directory.Add(TIFFTAG_FILLORDER, 11, 1, 2);
            }),
            "Incompatible type for \"FillOrder\"; tag ignored");
  // Whatever else is wrong, and comes first.
  EXPECT_EQ(error(
                [](Directory& directory) {
                  directory.Short(TIFFTAG_RESOLUTIONUNIT, 77)
                      .Add(TIFFTAG_DATETIME, 2, 20, 5000)
                      .Add(TIFFTAG_COLORMAP, 3, 768, 5000)
                      .Short(50000, 1);
                },
                PHOTOMETRIC_PALETTE),
            "IO error during reading of \"ColorMap\"; tag ignored");
}

TEST(HostileTiff, OtherTagsCanBeInvalid) {
  EXPECT_TRUE(IsRead(PaletteTiff(
                         [](Directory& directory) {
                           directory.Short(TIFFTAG_RESOLUTIONUNIT, 77)
                               .Add(TIFFTAG_DATETIME, 2, 20, 5000)
                               .Add(TIFFTAG_ARTIST, 11, 1, 0)
                               .Short(50000, 1);
                         },
                         PHOTOMETRIC_MINISBLACK),
                     "tags about other things"));
}

// In either byte order, and in BigTIFF.
TEST(HostileTiff, APaletteMustExist) {
  for (const char* mode : {"wl", "wb", "w8", "w8b"}) {
    TiffSpec spec;
    spec.photometric = PHOTOMETRIC_PALETTE;
    spec.mode = mode;
    std::string tiff = MakeTiff(spec, NoiseBelow(256));
    EXPECT_TRUE(IsRead(tiff, mode)) << mode;
    // The palette's tag becomes one that nobody knows.
    const bool is_big_endian =
        std::string(mode).find('b') == 2 || std::string(mode) == "wb";
    const std::string tag = is_big_endian ? "\x01\x40" : "\x40\x01";
    const std::string type =
        is_big_endian ? std::string("\0\3", 2) : std::string("\3\0", 2);
    const size_t at = tiff.rfind(tag + type);
    ASSERT_NE(at, tiff.npos);
    tiff.replace(at, 2, "\xc3\xc3");
    EXPECT_FALSE(IsRead(tiff, mode)) << mode;
  }
}

TEST(HostileTiff, ALoopOfDirectoriesEnds) {
  Directory directory = GrayDirectory(4, 4);
  directory.Long(TIFFTAG_STRIPOFFSETS, directory.data_offset(3))
      .Long(TIFFTAG_ROWSPERSTRIP, 4)
      .Long(TIFFTAG_STRIPBYTECOUNTS, 16);
  ASSERT_TRUE(IsRead(directory.File("0123456789abcdef"), "no loop"));
  EXPECT_FALSE(IsRead(directory.File("0123456789abcdef", 8), "a loop"));
}

TEST(HostileTiff, ThousandsOfDirectoriesAreRead) {
  TiffSpec spec;
  spec.width = spec.rows = 1;
  spec.pages = 3000;
  EXPECT_TRUE(IsRead(MakeTiff(spec, NoiseBelow(256)), "pages"));
}

TEST(HostileTiff, ThousandsOfTagsAreHarmless) {
  Directory directory = GrayDirectory(4, 4);
  directory.Long(TIFFTAG_STRIPOFFSETS, 20)
      .Long(TIFFTAG_ROWSPERSTRIP, 4)
      .Long(TIFFTAG_STRIPBYTECOUNTS, 16);
  for (int tag = 0; tag < 4000; ++tag) {
    directory.Long(static_cast<uint16_t>(50000 + tag), 1);
  }
  EXPECT_TRUE(IsRead(directory.File("0123456789abcdef"), "tags"));
}

// 1000 strips, all of them the same bytes.
std::string SharingStrips(uint16_t compression, uint32_t width,
                          uint32_t rows_per_strip, const std::string& strip) {
  constexpr uint32_t kStrips = 1000;
  Directory directory;
  directory.Long(TIFFTAG_IMAGEWIDTH, width)
      .Long(TIFFTAG_IMAGELENGTH, kStrips * rows_per_strip)
      .Short(TIFFTAG_BITSPERSAMPLE, 8)
      .Short(TIFFTAG_COMPRESSION, compression)
      .Short(TIFFTAG_PHOTOMETRIC, 1);
  const uint32_t tables = directory.data_offset(3);
  directory.Add(TIFFTAG_STRIPOFFSETS, 4, kStrips, tables)
      .Long(TIFFTAG_ROWSPERSTRIP, rows_per_strip)
      .Add(TIFFTAG_STRIPBYTECOUNTS, 4, kStrips, tables + 4 * kStrips);
  std::string data;
  const auto put = [&](uint32_t value) {
    for (uint32_t i = 0; i < kStrips; ++i) {
      data.append(reinterpret_cast<const char*>(&value), 4);
    }
  };
  put(tables + 8 * kStrips);
  put(uint32_t(strip.size()));
  return directory.File(data + strip);
}

TEST(HostileTiff, BytesCanBeSharedWithinALimit) {
  const auto packed = [](size_t rows) {
    std::string strip;
    for (size_t i = 0; i < 16 * rows; ++i) strip += "\x81z";  // 128 times
    return strip;
  };
  EXPECT_TRUE(
      IsRead(SharingStrips(COMPRESSION_NONE, 64, 1, std::string(64, 'a')),
             "little is shared"));
  EXPECT_TRUE(IsRead(SharingStrips(COMPRESSION_PACKBITS, 2048, 1, packed(1)),
                     "little is shared, packed"));
  EXPECT_FALSE(
      IsRead(SharingStrips(COMPRESSION_NONE, 2048, 1, std::string(2048, 'a')),
             "all is shared"));
  EXPECT_FALSE(IsRead(SharingStrips(COMPRESSION_PACKBITS, 2048, 64, packed(64)),
                      "all is shared, packed"));
}

// Each of its rows is one bit.
TEST(HostileTiff, ABlankPageCanBeLargeWithinALimit) {
  const auto blank = [](uint32_t rows, size_t bytes) {
    return Directory()
        .Long(TIFFTAG_IMAGEWIDTH, Page::kMaxWidth)
        .Long(TIFFTAG_IMAGELENGTH, rows)
        .Short(TIFFTAG_BITSPERSAMPLE, 1)
        .Short(TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX4)
        .Short(TIFFTAG_PHOTOMETRIC, 0)
        .Long(TIFFTAG_STRIPOFFSETS, Directory().data_offset(8))
        .Long(TIFFTAG_ROWSPERSTRIP, rows)
        .Long(TIFFTAG_STRIPBYTECOUNTS, uint32_t(bytes))
        .File(std::string(bytes, '\xff'));
  };
  EXPECT_TRUE(IsRead(blank(64, 16), "a blank page"));
  const auto endless = ReadPages(blank(8 * 65536, 65536));
  ASSERT_FALSE(endless.ok());
  EXPECT_NE(endless.error().message.find("too many pixels"), std::string::npos);
}

TEST(HostileTiff, AnImplausibleResolutionIsIgnored) {
  for (const uint32_t numerator : {0u, 1u, 0xffffffffu}) {
    Directory directory = GrayDirectory(4, 4);
    directory.Long(TIFFTAG_STRIPOFFSETS, 8)
        .Long(TIFFTAG_ROWSPERSTRIP, 4)
        .Long(TIFFTAG_STRIPBYTECOUNTS, 16);
    const uint32_t at = directory.data_offset(2);
    directory.Add(TIFFTAG_XRESOLUTION, 5, 1, at)
        .Add(TIFFTAG_YRESOLUTION, 5, 1, at);
    std::string rational(8, '\0');
    std::memcpy(rational.data(), &numerator, 4);
    const Gray gray = ReadGray(directory.File(rational));
    EXPECT_EQ(gray.metadata.resolution, std::nullopt) << numerator;
  }
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/formats.h"

// jpeglib.h needs the first.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "halftone/look/gray/luminance.h"
#include "images.h"
#include "print/image/exif.h"

namespace halftoned {
namespace {

constexpr int kWidth = 45;
constexpr int kRows = 31;

struct JpegSpec {
  int samples = 1;
  J_COLOR_SPACE space = JCS_GRAYSCALE;
  bool is_progressive = false;
};

// A smooth picture, of which JPEG loses little.
uint8_t TestSampleAt(int x, int y, int s) {
  return static_cast<uint8_t>(20 + 4 * x + (s == 1 ? 0 : y) + 5 * s);
}

std::string MakeJpeg(const JpegSpec& spec) {
  jpeg_compress_struct jpeg;
  jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT: libjpeg's type
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = kWidth;
  jpeg.image_height = kRows;
  jpeg.input_components = spec.samples;
  jpeg.in_color_space = spec.space;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 98, TRUE);
  if (spec.is_progressive) jpeg_simple_progression(&jpeg);
  jpeg.density_unit = 1;
  jpeg.X_density = 150;
  jpeg.Y_density = 300;
  jpeg_start_compress(&jpeg, TRUE);
  std::vector<uint8_t> row;
  for (int y = 0; y < kRows; ++y) {
    row.clear();
    for (int i = 0; i < kWidth * spec.samples; ++i) {
      row.push_back(TestSampleAt(i / spec.samples, y, i % spec.samples));
    }
    JSAMPROW pointer = row.data();
    jpeg_write_scanlines(&jpeg, &pointer, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  std::string made(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return made;
}

struct Read {
  PageInfo info;
  std::vector<uint8_t> gray;
};

Result<Read> ReadJpeg(const std::string& bytes) {
  HALFTONED_TRY_ASSIGN(InputFile file,
                       InputFile::FromDescriptor(MemoryFile(bytes)));
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (!is_jpeg) return BadInput("is no JPEG");
  HALFTONED_TRY_ASSIGN(const auto image, OpenJpeg(file));
  HALFTONED_TRY_ASSIGN(const auto page, image->Next());
  Read read{page->info(), {}};
  const auto width = static_cast<size_t>(read.info.page.width());
  if (read.info.rows > 4096) return BadInput("is too large for this test");
  read.gray.resize(width * static_cast<size_t>(read.info.rows));
  for (int64_t y = 0; y < read.info.rows; ++y) {
    auto* row = reinterpret_cast<std::byte*>(&read.gray[size_t(y) * width]);
    HALFTONED_TRY(page->Read({row, width, 1}));
  }
  HALFTONED_TRY_ASSIGN(const auto next, image->Next());
  if (next) return Bug("a second page");
  return read;
}

TEST(JpegReader, ReadsGrayAndColors) {
  for (const JpegSpec& spec :
       {JpegSpec{}, JpegSpec{1, JCS_GRAYSCALE, true},
        JpegSpec{3, JCS_RGB, false}, JpegSpec{3, JCS_RGB, true}}) {
    const auto read = ReadJpeg(MakeJpeg(spec));
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_EQ(read->info.page.width(), kWidth);
    ASSERT_EQ(read->info.rows, kRows);
    EXPECT_EQ(read->info.metadata.resolution, (Resolution{150, 300}));
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const int expected =
            spec.samples == 1
                ? TestSampleAt(x, y, 0)
                : int(Luma(TestSampleAt(x, y, 0), TestSampleAt(x, y, 1),
                           TestSampleAt(x, y, 2)));
        ASSERT_NEAR(read->gray[size_t(y * kWidth + x)], expected, 6);
      }
    }
  }
}

// As Adobe's programs write it: how much light the inks leave.
TEST(JpegReader, ReadsInks) {
  const auto read = ReadJpeg(MakeJpeg({4, JCS_CMYK}));
  ASSERT_TRUE(read.ok()) << read.error().message;
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const auto ink = [=](int s) {
        return uint32_t{255} - TestSampleAt(x, y, s);
      };
      ASSERT_NEAR(read->gray[size_t(y * kWidth + x)],
                  int(LumaOfInks(ink(0), ink(1), ink(2), ink(3), 255)), 6);
    }
  }
}

// An Exif marker with this orientation.
std::string ExifOf(char orientation, bool is_little) {
  using namespace std::string_literals;
  std::string marker = "Exif\0\0"s;
  marker += is_little ? "II*\0\x08\0\0\0\x02\0"s : "MM\0*\0\0\0\x08\0\x02"s;
  const auto add = [&](const char* little, const char* big) {
    marker.append(is_little ? little : big, 12);
  };
  add("\x00\x01\x03\0\x01\0\0\0\x05\0\0\0",
      "\x01\x00\0\x03\0\0\0\x01\0\x05\0\0");
  add("\x12\x01\x03\0\x01\0\0\0\x00\0\0\0",
      "\x01\x12\0\x03\0\0\0\x01\0\x00\0\0");
  marker[marker.size() - (is_little ? 4 : 3)] = orientation;
  return marker;
}

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(JpegReader, AppliesTheCamerasOrientation) {
  const std::string plain = MakeJpeg({});
  const auto upright = ReadJpeg(plain);
  ASSERT_TRUE(upright.ok());
  const std::string exif = ExifOf(6, true);
  const size_t bytes = exif.size() + 2;
  std::string turned = plain.substr(0, 2) + "\xFF\xE1";
  turned += {static_cast<char>(bytes >> 8), static_cast<char>(bytes)};
  turned += exif + plain.substr(2);
  const auto read = ReadJpeg(turned);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->info.page.width(), kRows);
  ASSERT_EQ(read->info.rows, kWidth);
  for (int y = 0; y < kWidth; ++y) {
    for (int x = 0; x < kRows; ++x) {
      ASSERT_EQ(read->gray[size_t(y * kRows + x)],
                upright->gray[size_t((kRows - 1 - x) * kWidth + y)]);
    }
  }
}

TEST(Exif, HasAnOrientationInEitherByteOrder) {
  for (const bool is_little : {false, true}) {
    for (char orientation = 1; orientation <= 8; ++orientation) {
      EXPECT_EQ(OrientationInExif(BytesOf(ExifOf(orientation, is_little))),
                orientation);
    }
    for (const char orientation : {0, 9, 127}) {
      EXPECT_EQ(OrientationInExif(BytesOf(ExifOf(orientation, is_little))), 1);
    }
  }
}

TEST(Exif, IsNotReadBeyondItsEnd) {
  std::mt19937 random(1);
  for (const bool is_little : {false, true}) {
    const std::string whole = ExifOf(8, is_little);
    for (size_t size = 0; size < whole.size() - 4; ++size) {
      EXPECT_EQ(OrientationInExif(BytesOf(whole).first(size)), 1) << size;
    }
    for (int i = 0; i < 10000; ++i) {
      std::string changed = whole;
      for (int k = 0; k < 3; ++k) {
        changed[6 + random() % (changed.size() - 6)] =
            static_cast<char>(random());
      }
      const int orientation = OrientationInExif(BytesOf(changed));
      EXPECT_TRUE(orientation >= 1 && orientation <= 8);
    }
  }
}

TEST(JpegReader, RefusesTruncatedFiles) {
  for (const bool is_progressive : {false, true}) {
    const std::string whole = MakeJpeg({3, JCS_RGB, is_progressive});
    for (size_t size = 0; size < whole.size() - 40; size += 7) {
      const auto read = ReadJpeg(whole.substr(0, size));
      ASSERT_FALSE(read.ok()) << size << " of " << whole.size();
      EXPECT_FALSE(read.error().message.empty());
    }
  }
}

TEST(JpegReader, SurvivesDamagedFiles) {
  std::mt19937 random(1);
  const std::string whole = MakeJpeg({3, JCS_RGB, true});
  for (int i = 0; i < 500; ++i) {
    std::string changed = whole;
    for (int k = 0; k < 3; ++k) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    const auto read = ReadJpeg(changed);
    if (read.ok()) continue;
    EXPECT_FALSE(read.error().message.empty());
  }
}

// The whole file is in memory when it is canceled. A progressive one is decoded
// before its first row.
TEST(JpegReader, EndsOnceItIsCanceled) {
  const JpegSpec specs[] = {{}, {1, JCS_GRAYSCALE, true}};
  for (const JpegSpec& spec : specs) {
    int looks = 0;
    const auto read = [&](int last_look) -> Result<void> {
      looks = 0;
      HALFTONED_TRY_ASSIGN(InputFile file, InputFile::FromDescriptor(
                                               MemoryFile(MakeJpeg(spec))));
      file.EndWhen([&looks, last_look] { return ++looks > last_look; });
      HALFTONED_TRY_ASSIGN(const auto image, OpenJpeg(file));
      HALFTONED_TRY_ASSIGN(const auto page, image->Next());
      std::vector<std::byte> room(size_t{kWidth} * kRows);
      HALFTONED_TRY(page->Read({room.data(), size_t{kWidth}, kRows}));
      return {};
    };
    ASSERT_TRUE(read(INT_MAX).ok());
    const int all = looks;
    EXPECT_GT(all, 4);
    for (int last = 1; last < all; ++last) {
      const auto canceled = read(last);
      ASSERT_FALSE(canceled.ok());
      EXPECT_EQ(canceled.error().message, "the job was canceled");
      EXPECT_EQ(looks, last + 1);
    }
  }
}

}  // namespace
}  // namespace halftoned

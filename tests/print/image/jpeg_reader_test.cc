// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/formats.h"

// jpeglib.h needs the first.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <gtest/gtest.h>
#include <malloc.h>

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halftone/look/gray/luminance.h"
#include "images.h"
#include "print/image/exif.h"
#include "print/image/orientation.h"

extern "C" __attribute__((weak)) size_t
__sanitizer_get_current_allocated_bytes();

namespace halftoned {
namespace {

constexpr int kWidth = 45;
constexpr int kRows = 31;

struct JpegSpec {
  int samples = 1;
  J_COLOR_SPACE space = JCS_GRAYSCALE;
  bool is_progressive = false;
  bool has_scan_each = false;  // of three samples
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
  const jpeg_scan_info scans[] = {
      {1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
  if (spec.has_scan_each) {
    jpeg.scan_info = scans;
    jpeg.num_scans = 3;
  }
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

Result<Read> ReadJpeg(const std::string& bytes, const ImageTrust& trust = {}) {
  HALFTONED_TRY_ASSIGN(InputFile file,
                       InputFile::FromDescriptor(MemoryFile(bytes)));
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (!is_jpeg) return BadInput("is no JPEG");
  HALFTONED_TRY_ASSIGN(const auto image, OpenJpeg(file, trust));
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

// A marker of this number, with this content.
std::string MarkerOf(char number, const std::string& content) {
  const size_t bytes = content.size() + 2;
  return std::string{'\xFF', number, static_cast<char>(bytes >> 8),
                     static_cast<char>(bytes)} +
         content;
}

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(JpegReader, AppliesTheCamerasOrientation) {
  const std::string plain = MakeJpeg({});
  const auto upright = ReadJpeg(plain);
  ASSERT_TRUE(upright.ok());
  const std::string turned =
      plain.substr(0, 2) + MarkerOf('\xE1', ExifOf(6, true)) + plain.substr(2);
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

// The bytes that are allocated, also by AddressSanitizer's malloc.
size_t MemoryInUse() {
  if (__sanitizer_get_current_allocated_bytes) {
    return __sanitizer_get_current_allocated_bytes();
  }
  const auto memory = ::mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

// A file can have any number of them, of 64 KiB each.
TEST(JpegReader, KeepsOneMarkerInMemory) {
  const std::string plain = MakeJpeg({});
  std::string bytes = plain.substr(0, 2);
  for (int i = 0; i < 300; ++i) {
    bytes += MarkerOf('\xE1', std::string(65'000, 'x'));
  }
  auto file = InputFile::FromDescriptor(MemoryFile(bytes + plain.substr(2)));
  ASSERT_TRUE(file.ok());
  const size_t before = MemoryInUse();
  const auto image = OpenJpeg(*file, {});
  ASSERT_TRUE(image.ok());
  EXPECT_LT(MemoryInUse(), before + (4 << 20));
}

TEST(JpegReader, AsksForTheMemoryOfSeveralScans) {
  int64_t asked = 0;
  std::weak_ptr<void> used;
  ImageTrust trust;
  trust.take_memory = [&](int64_t bytes) -> Result<std::shared_ptr<void>> {
    asked += bytes;
    auto memory = std::make_shared<int>();
    used = memory;
    return std::shared_ptr<void>(memory);
  };
  ASSERT_TRUE(ReadJpeg(MakeJpeg({3, JCS_RGB, false}), trust).ok());
  EXPECT_EQ(asked, 0);
  // 128 bytes for each block: 6 × 4 of luma, and 3 × 2 of each of two colors.
  for (const bool is_progressive : {true, false}) {
    asked = 0;
    auto file = InputFile::FromDescriptor(
        MemoryFile(MakeJpeg({3, JCS_RGB, is_progressive, !is_progressive})));
    ASSERT_TRUE(file.ok());
    auto image = OpenJpeg(*file, trust);
    ASSERT_TRUE(image.ok());
    EXPECT_GE(asked, 128 * (6 * 4 + 2 * 3 * 2));
    EXPECT_LT(asked, 2 * 128 * (6 * 4 + 2 * 3 * 2));
    EXPECT_FALSE(used.expired());
    image->reset();
    EXPECT_TRUE(used.expired());
  }
  trust.take_memory = [](int64_t) { return BadInput("is too large"); };
  const auto refused = ReadJpeg(MakeJpeg({1, JCS_GRAYSCALE, true}), trust);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "is too large");
}

// As for a server that has decoded it, and frees its memory.
TEST(JpegReader, IsNotNeededOnceItsPageIsInAFile) {
  for (const char orientation : {1, 6}) {
    const std::string plain = MakeJpeg({1, JCS_GRAYSCALE, true});
    const std::string bytes = plain.substr(0, 2) +
                              MarkerOf('\xE1', ExifOf(orientation, true)) +
                              plain.substr(2);
    const auto expected = ReadJpeg(bytes);
    ASSERT_TRUE(expected.ok());
    auto file = InputFile::FromDescriptor(MemoryFile(bytes));
    ASSERT_TRUE(file.ok());
    int64_t asked = 0;
    const auto take_disk = [&](int,
                               int64_t size) -> Result<std::shared_ptr<void>> {
      asked += size;
      return std::shared_ptr<void>();
    };
    auto image = OpenJpeg(*file, {.take_disk = take_disk});
    ASSERT_TRUE(image.ok());
    auto page = image.value()->Next();
    ASSERT_TRUE(page.ok());
    const auto copy = CopyToFile(std::move(*page), take_disk);
    ASSERT_TRUE(copy.ok());
    // Not copied again if it was rotated.
    EXPECT_EQ(asked, int64_t(expected->gray.size()));
    image->reset();
    std::vector<uint8_t> gray(expected->gray.size());
    const PageInfo& info = (*copy)->info();
    EXPECT_EQ(info.metadata.resolution, expected->info.metadata.resolution);
    ASSERT_TRUE((*copy)
                    ->Read({reinterpret_cast<std::byte*>(gray.data()),
                            info.bytes_per_row(), int32_t(info.rows)})
                    .ok());
    EXPECT_EQ(gray, expected->gray);
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
      HALFTONED_TRY_ASSIGN(const auto image, OpenJpeg(file, {}));
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

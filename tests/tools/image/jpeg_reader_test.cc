// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/jpeg_reader.h"

// jpeglib.h needs the first.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "halftone/look/luminance.h"
#include "images.h"

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
uint8_t SampleAt(int x, int y, int s) {
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
      row.push_back(SampleAt(i / spec.samples, y, i % spec.samples));
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

TEST(JpegReader, ReadsGrayAndColours) {
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
            spec.samples == 1 ? SampleAt(x, y, 0)
                              : int(Luma(SampleAt(x, y, 0), SampleAt(x, y, 1),
                                         SampleAt(x, y, 2)));
        ASSERT_NEAR(read->gray[size_t(y * kWidth + x)], expected, 6);
      }
    }
  }
}

TEST(JpegReader, RefusesCmyk) {
  const auto read = ReadJpeg(MakeJpeg({4, JCS_CMYK}));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kBadInput);
}

TEST(JpegReader, RefusesWhatIsCut) {
  for (const bool is_progressive : {false, true}) {
    const std::string whole = MakeJpeg({3, JCS_RGB, is_progressive});
    for (size_t size = 0; size < whole.size() - 40; size += 7) {
      const auto read = ReadJpeg(whole.substr(0, size));
      ASSERT_FALSE(read.ok()) << size << " of " << whole.size();
      EXPECT_FALSE(read.error().message.empty());
    }
  }
}

TEST(JpegReader, SurvivesWhatIsChanged) {
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

}  // namespace
}  // namespace halftoned

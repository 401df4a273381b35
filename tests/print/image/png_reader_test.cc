// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "halftone/look/gray/luminance.h"
#include "images.h"
#include "print/image/formats.h"

namespace halftoned {
namespace {

// Four bytes, the highest first.
std::string BigEndian(uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) {
    bytes += static_cast<char>(number >> shift & 0xff);
  }
  return bytes;
}

// libpng's name of each kind, and the light of its samples.
uint32_t LightOf(const PngSpec& spec, const SampleAt& at, int x, int y) {
  const double full = spec.bits == 16 ? 65535 : 255;
  const auto sample = [&](int s) { return uint32_t(at(x, y, s)); };
  const auto over_white = [&](uint32_t light, uint32_t alpha) {
    return uint32_t(light * double(alpha) / full + 0.5) + uint32_t(full) -
           alpha;
  };
  switch (spec.color_type) {
    case PNG_COLOR_TYPE_GRAY:
      return spec.bits < 8 ? sample(0) * (255 / ((1u << spec.bits) - 1))
                           : sample(0);
    case PNG_COLOR_TYPE_PALETTE: {
      const int i = int(sample(0));
      return Luma(PaletteEntry(i, 0) >> 8, PaletteEntry(i, 1) >> 8,
                  PaletteEntry(i, 2) >> 8);
    }
    case PNG_COLOR_TYPE_RGB:
      return Luma(sample(0), sample(1), sample(2));
    case PNG_COLOR_TYPE_GRAY_ALPHA:
      return over_white(sample(0), sample(1));
    default:
      return over_white(Luma(sample(0), sample(1), sample(2)), sample(3));
  }
}

void ExpectLight(const PngSpec& spec) {
  const auto at = [&](int x, int y, int s) {
    return std::floor(Noise(x, y, s) * std::pow(2, spec.bits));
  };
  const std::string what = "color type " + std::to_string(spec.color_type) +
                           ", bits " + std::to_string(spec.bits) +
                           (spec.interlaced ? ", interlaced" : "");
  const Gray gray = ReadGray(MakePng(spec, at));
  ASSERT_EQ(gray.samples.size(), spec.width * spec.rows) << what;
  EXPECT_EQ(gray.depth, spec.bits == 16 ? 16 : 8) << what;
  for (int y = 0; y < int(spec.rows); ++y) {
    for (int x = 0; x < int(spec.width); ++x) {
      ASSERT_EQ(gray.samples[size_t(y) * spec.width + size_t(x)],
                LightOf(spec, at, x, y))
          << what << " at column " << x << ", row " << y;
    }
  }
}

TEST(PngReader, ReadsEveryKind) {
  struct Kind {
    int color_type;
    std::vector<int> bits;
  };
  const Kind kinds[] = {
      {PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16}},
      {PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8}},
      {PNG_COLOR_TYPE_RGB, {8, 16}},
      {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16}},
      {PNG_COLOR_TYPE_RGB_ALPHA, {8, 16}},
  };
  for (const Kind& kind : kinds) {
    for (const int bits : kind.bits) {
      for (const bool interlaced : {false, true}) {
        ExpectLight({37, 29, bits, kind.color_type, interlaced});
        ExpectLight({1, 1, bits, kind.color_type, interlaced});
      }
    }
  }
}

TEST(PngReader, ExplainsErrors) {
  const auto black = [](int, int, int) { return 0; };
  const auto wide = ReadPages(MakePng({262145, 1, 1, 0, false}, black));
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().message, "the width is larger than 262144");

  std::string claims_a_row_more = MakePng({8, 8, 8, 0, false}, black);
  std::string header = claims_a_row_more.substr(12, 17);  // from IHDR on
  header[11] = 9;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(header.data()),
                         static_cast<uInt>(header.size()));
  header += BigEndian(static_cast<uint32_t>(sum));
  claims_a_row_more.replace(12, header.size(), header);
  const auto cut = ReadPages(claims_a_row_more);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().message, "its pixels end too early");
}

// Texts can have any length.
TEST(PngReader, SkipsTextsWhereMemoryIsShared) {
  std::string bytes = MakePng({8, 8, 8, 0, false}, NoiseBelow(256));
  std::string text = "tEXtTitle";
  text += std::string(1, '\0') + "name";
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(text.data()),
                         static_cast<uInt>(text.size()));
  constexpr size_t kEndOfHeader = 33;
  bytes.insert(kEndOfHeader, BigEndian(static_cast<uint32_t>(text.size() - 4)) +
                                 text + BigEndian(static_cast<uint32_t>(sum)));
  const auto title = [&](const ImageTrust& trust) -> Result<std::string> {
    HALFTONED_TRY_ASSIGN(InputFile file,
                         InputFile::FromDescriptor(MemoryFile(bytes)));
    HALFTONED_TRY_ASSIGN(const auto image, OpenPng(file, trust));
    HALFTONED_TRY_ASSIGN(const auto page, image->Next());
    std::vector<std::byte> room(8 * 8);
    HALFTONED_TRY(page->Read({room.data(), 8, 8}));
    return page->info().metadata.title;
  };
  const auto own = title({});
  ASSERT_TRUE(own.ok()) << own.error().message;
  EXPECT_EQ(*own, "name");
  ImageTrust trust;
  trust.take_memory = [](int64_t) { return Bug("takes much memory"); };
  const auto shared = title(trust);
  ASSERT_TRUE(shared.ok()) << shared.error().message;
  EXPECT_EQ(*shared, "");
}

TEST(PngReader, AsksForTheDiskSpaceOfAnInterlacedImage) {
  int64_t asked = 0;
  std::weak_ptr<void> used;
  ImageTrust trust;
  trust.take_disk = [&](int, int64_t bytes) -> Result<std::shared_ptr<void>> {
    asked += bytes;
    auto space = std::make_shared<int>();
    used = space;
    return std::shared_ptr<void>(space);
  };
  for (const bool interlaced : {false, true}) {
    auto file = InputFile::FromDescriptor(MemoryFile(
        MakePng({9, 8, 8, PNG_COLOR_TYPE_RGB, interlaced}, NoiseBelow(256))));
    ASSERT_TRUE(file.ok());
    auto image = OpenPng(*file, trust);
    ASSERT_TRUE(image.ok());
    auto page = (*image)->Next();
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(asked, interlaced ? 9 * 8 * 3 : 0);
    EXPECT_EQ(used.expired(), !interlaced);
    page->reset();
    EXPECT_TRUE(used.expired());
  }
}

// An interlaced image is read as a whole before its first row.
TEST(PngReader, EndsWithinAPassOnceItIsCanceled) {
  for (const bool interlaced : {false, true}) {
    const auto blank = [](int, int, int) { return 0; };
    auto file = InputFile::FromDescriptor(MemoryFile(
        MakePng({64, 512, 8, PNG_COLOR_TYPE_GRAY, interlaced}, blank)));
    ASSERT_TRUE(file.ok());
    int looks = 0, last_look = INT_MAX;
    file->EndWhen([&] { return ++looks > last_look; });
    const auto image = OpenPng(*file, {});
    ASSERT_TRUE(image.ok());
    const auto page = (*image)->Next();
    ASSERT_TRUE(page.ok());
    last_look = looks + 5;
    std::vector<std::byte> room(64 * 512);
    const auto read = (*page)->Read({room.data(), 64, 512});
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message, "the job was canceled");
    EXPECT_EQ(looks, last_look + 1);
  }
}

}  // namespace
}  // namespace halftoned

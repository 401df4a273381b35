// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --dpi, --size and --pages mean.

#include "convert/picture_size.h"

#include <gtest/gtest.h>

#include <string>

#include "convert/page_ranges.h"

namespace halftoned {
namespace {

PageInfo Picture(int width, int64_t rows,
                 std::optional<Resolution> resolution = {}) {
  PageInfo info{*Page::Make(width, 8), rows, {}};
  info.metadata.resolution = resolution;
  return info;
}

PictureSize Made(const PageInfo& page, const char* dpi, const char* size,
                 Scaling scaling = Scaling::kStretch) {
  std::optional<Resolution> resolution;
  if (*dpi) resolution = ParseResolution(dpi);
  std::optional<SizeWish> wish;
  if (*size) wish = ParseSize(size);
  const auto made = SizeOf(page, resolution, wish, scaling);
  EXPECT_TRUE(made.ok()) << made.error().message;
  return made.ok() ? *made : PictureSize{};
}

void Expect(const PictureSize& made, int64_t width, int64_t rows) {
  EXPECT_EQ(made.output, (PixelSize{width, rows}));
  EXPECT_EQ(made.picture, made.output);
}

TEST(PictureSize, FollowsFromTheResolutions) {
  const auto made = Made(Picture(600, 300, Resolution{300, 150}), "600", "");
  Expect(made, 1200, 1200);
  EXPECT_EQ(made.resolution, (Resolution{600, 600}));
  Expect(Made(Picture(600, 300, Resolution{300, 150}), "600x300", ""), 1200,
         600);
  Expect(Made(Picture(3, 3, Resolution{600, 600}), "10", ""), 1, 1);
}

TEST(PictureSize, FollowsFromLengths) {
  const PageInfo square = Picture(600, 300);
  Expect(Made(square, "254", "100x20mm"), 1000, 200);
  Expect(Made(square, "254", "100mmx20mm"), 1000, 200);
  Expect(Made(square, "254", "10cm"), 1000, 500);
  Expect(Made(square, "254", "10cmx"), 1000, 500);
  Expect(Made(square, "254", "x50MM"), 1000, 500);
  Expect(Made(square, "600x300", "2in"), 1200, 300);
  EXPECT_EQ(Made(square, "600x300", "2in").resolution, (Resolution{600, 300}));
  // A picture of which a pixel is twice as high as it is wide.
  Expect(Made(Picture(600, 300, Resolution{2, 1, false}), "300", "2in"), 600,
         600);
}

TEST(PictureSize, FollowsFromPixels) {
  const PageInfo known = Picture(600, 300, Resolution{300, 300});
  const auto made = Made(known, "", "1200px");
  Expect(made, 1200, 600);
  // It stays as large as it was.
  EXPECT_EQ(made.resolution, (Resolution{600, 600}));
  Expect(Made(known, "600x300", "x100px"), 400, 100);
  EXPECT_EQ(Made(known, "203", "10x10px").resolution, (Resolution{203, 203}));
  EXPECT_EQ(Made(Picture(6, 3), "", "12px").resolution, std::nullopt);
}

TEST(PictureSize, KeepsItsShapeIfItIsCroppedOrGetsMargins) {
  const auto expect = [](const PictureSize& made, PixelSize output,
                         PixelSize picture) {
    EXPECT_EQ(made.output, output);
    EXPECT_EQ(made.picture, picture);
  };
  const PageInfo page = Picture(600, 300, Resolution{300, 300});
  const auto filled = Made(page, "", "800x480px", Scaling::kFill);
  expect(filled, {800, 480}, {960, 480});
  EXPECT_EQ(filled.resolution, (Resolution{480, 480}));
  expect(Made(page, "", "800x480px", Scaling::kFit), {800, 480}, {800, 400});
  expect(Made(page, "", "80x400px", Scaling::kFill), {80, 400}, {800, 400});
  expect(Made(page, "", "600x300px", Scaling::kFit), {600, 300}, {600, 300});
  // Pixels of the device are half as high as they are wide.
  expect(Made(page, "100x200", "4x1in", Scaling::kFill), {400, 200},
         {400, 400});
  expect(Made(page, "100x200", "4x1in", Scaling::kFit), {400, 200}, {200, 200});
  // Hardly anything remains.
  expect(Made(Picture(10, 9000), "", "5x5px", Scaling::kFit), {5, 5}, {1, 5});
}

TEST(PictureSize, IsRefusedIfUnknownOrTooLarge) {
  const auto error = [](const PageInfo& page, const char* dpi,
                        std::optional<SizeWish> size) {
    const auto made = SizeOf(page, ParseResolution(dpi), size);
    return made.ok() ? std::string() : made.error().message;
  };
  EXPECT_NE(error(Picture(6, 3), "300", {}).find("--size 100mm"),
            std::string::npos);
  EXPECT_NE(error(Picture(6, 3, Resolution{2, 1, false}), "300", {})
                .find("--size 100mm"),
            std::string::npos);
  for (const char* size : {"9999999mm", "x9999999mm", "1e5in", "262145px"}) {
    if (!ParseSize(size)) continue;
    EXPECT_NE(error(Picture(6, 3), "10000", ParseSize(size)).find("wide"),
              std::string::npos)
        << size;
  }
  EXPECT_NE(
      error(Picture(1, 1), "10000", ParseSize("1x99999999in")).find("high"),
      std::string::npos);
}

TEST(PictureSize, IsNotParsedFromOtherText) {
  for (const char* text :
       {"",           "x",        "mm",     "100",         "100x",   "x100",
        "100x50",     "0mm",      "-1mm",   "1e3mm",       "nanmm",  "infmm",
        "100mmx50px", "100mmx50", "100 mm", "100mmx50mmx", "100mmy", "1mm2",
        "100pt",      "xx5mm"}) {
    EXPECT_FALSE(ParseSize(text)) << text;
  }
  for (const char* text : {"", "x", "600x", "x600", "9", "10001", "600dpi",
                           "600x300x2", "-600", "nan", "1e3"}) {
    EXPECT_FALSE(ParseResolution(text)) << text;
  }
}

TEST(PageRanges, ContainTheirPages) {
  const auto pages = PageRanges::Parse("2-3,5,8-");
  ASSERT_TRUE(pages);
  std::string has;
  for (int page = 1; page <= 10; ++page) has += pages->Has(page) ? '+' : '-';
  EXPECT_EQ(has, "-++-+--+++");
  EXPECT_EQ(pages->first(), 2);
  EXPECT_EQ(pages->last(), PageRanges::kEnd);
  EXPECT_TRUE(PageRanges().Has(7));
  // The first that is missing if there are no pages from this one on.
  EXPECT_EQ(pages->NextNeeded(1), 2);
  EXPECT_EQ(pages->NextNeeded(3), 3);
  EXPECT_EQ(pages->NextNeeded(4), 5);
  EXPECT_EQ(pages->NextNeeded(6), 8);
  EXPECT_EQ(pages->NextNeeded(9), 0);
  EXPECT_EQ(PageRanges().NextNeeded(1), 0);
}

TEST(PageRanges, AreNotParsedFromOtherText) {
  for (const char* text :
       {"", "0", "-", "-3", "3-2", "1,1", "2,1", "1-3,3", "1-,5", "1,", ",1",
        "1 2", "a", "1-3-5", "99999999999", "2147483647"}) {
    EXPECT_FALSE(PageRanges::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace halftoned

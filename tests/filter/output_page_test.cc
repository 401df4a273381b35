// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/output_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/filter/sample_header.h"

namespace halftoned {
namespace {

OutputPage Pwg(const PageHeader& header, BackSide back_side = BackSide::kNormal,
               bool on_back = false) {
  const auto page = PwgPage(header, *FormOf(header), back_side, on_back);
  EXPECT_TRUE(page.ok()) << page.error().message;
  return *page;
}

bool IsRefused(const PageHeader& header) {
  return !PwgPage(header, *FormOf(header), BackSide::kNormal, false).ok();
}

TEST(CupsPage, ChangesOnlyWhatSamplesAre) {
  PageHeader header = SampleHeader();
  // Every other byte of the header is somebody's.
  auto* bytes = reinterpret_cast<unsigned char*>(&header);
  for (size_t i = 0; i < offsetof(PageHeader, cupsWidth); ++i) bytes[i] = 0x5a;
  for (size_t i = offsetof(PageHeader, cupsBorderlessScalingFactor);
       i < sizeof(header); ++i) {
    bytes[i] = 0x5a;
  }
  const RasterForm form{*Page::Make(4958, 8), 7017, Colours::kLight, 4958};
  OutputPage page = CupsPage(header, form, Levels::Of(4));
  EXPECT_EQ(page.header.cupsBitsPerColor, 2u);
  EXPECT_EQ(page.header.cupsBitsPerPixel, 2u);
  EXPECT_EQ(page.header.cupsBytesPerLine, 1240u);
  EXPECT_EQ(page.header.cupsColorSpace, CUPS_CSPACE_K);
  page.header.cupsBitsPerColor = header.cupsBitsPerColor;
  page.header.cupsBitsPerPixel = header.cupsBitsPerPixel;
  page.header.cupsBytesPerLine = header.cupsBytesPerLine;
  page.header.cupsColorSpace = header.cupsColorSpace;
  EXPECT_EQ(std::memcmp(&page.header, &header, sizeof(header)), 0);
  EXPECT_FALSE(page.placement.moves_columns());
}

TEST(PwgPage, IsTheWholeSheet) {
  const OutputPage page = Pwg(SampleHeader());
  EXPECT_EQ(page.header.cupsWidth, 4960u);
  EXPECT_EQ(page.header.cupsHeight, 7015u);
  EXPECT_EQ(page.header.cupsBytesPerLine, 620u);
  EXPECT_STREQ(page.header.cupsPageSizeName, "iso_a4_210x297mm");
  EXPECT_EQ(page.placement.left, 0);
  EXPECT_EQ(page.placement.top, 0);
  EXPECT_EQ(page.placement.width_out, 4960);
  EXPECT_EQ(page.placement.rows_out, 7015);
}

TEST(PwgPage, MarginsComeFromTheImagingBox) {
  PageHeader header = SampleHeader(4758, 6817);
  const float box[4] = {12, 12, 583, 830};
  std::memcpy(header.cupsImagingBBox, box, sizeof(box));
  const OutputPage page = Pwg(header);
  EXPECT_EQ(page.placement.left, 100);
  EXPECT_EQ(page.placement.top, 100);
  EXPECT_EQ(page.header.cupsInteger[CUPS_RASTER_PWG_ImageBoxLeft], 100u);
  EXPECT_EQ(page.header.cupsInteger[CUPS_RASTER_PWG_ImageBoxRight], 4858u);
  EXPECT_EQ(page.header.cupsInteger[CUPS_RASTER_PWG_ImageBoxBottom], 6917u);
}

// Where the renderer mirrors the back, the edges to pad and cut are mirrored.
TEST(PwgPage, TheBackIsPaddedWhereItWasMirrored) {
  struct Case {
    BackSide side;
    bool tumble;
    bool mirrors_columns;
    bool mirrors_rows;
  };
  for (const Case& c : {Case{BackSide::kNormal, false, false, false},
                        Case{BackSide::kNormal, true, false, false},
                        Case{BackSide::kRotated, false, true, true},
                        Case{BackSide::kRotated, true, false, false},
                        Case{BackSide::kFlipped, false, false, true},
                        Case{BackSide::kFlipped, true, true, false},
                        Case{BackSide::kManualTumble, false, false, false},
                        Case{BackSide::kManualTumble, true, true, true}}) {
    PageHeader header = SampleHeader();
    header.Duplex = CUPS_TRUE;
    header.Tumble = c.tumble ? CUPS_TRUE : CUPS_FALSE;
    const OutputPage front = Pwg(header, c.side, false);
    EXPECT_EQ(front.placement.left, 0);
    EXPECT_EQ(front.placement.top, 0);
    const OutputPage back = Pwg(header, c.side, true);
    EXPECT_EQ(back.placement.left, c.mirrors_columns ? 2 : 0);
    EXPECT_EQ(back.placement.top, c.mirrors_rows ? -2 : 0);
    EXPECT_EQ(back.header.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform],
              c.mirrors_columns ? ~0u : 1u);
    EXPECT_EQ(back.header.cupsInteger[CUPS_RASTER_PWG_FeedTransform],
              c.mirrors_rows ? ~0u : 1u);
    EXPECT_TRUE(back.header.Duplex);
    EXPECT_EQ(back.header.Tumble, header.Tumble);
  }
}

TEST(PwgPage, ImpossiblePaperIsRefused) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  PageHeader header = SampleHeader();
  header.cupsPageSize[0] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(IsRefused(header));
  header.cupsPageSize[0] = 1e30f;
  EXPECT_TRUE(IsRefused(header));
  header.cupsPageSize[0] = 0.01f;
  EXPECT_TRUE(IsRefused(header));
  header.cupsPageSize[0] = nan;  // no exact size: the rounded one counts
  EXPECT_FALSE(IsRefused(header));
  header.PageSize[0] = ~0u;
  EXPECT_TRUE(IsRefused(header));
  header = SampleHeader();
  header.cupsImagingBBox[0] = -10;
  header.cupsImagingBBox[2] = -1;
  header.cupsImagingBBox[3] = 10;
  EXPECT_TRUE(IsRefused(header));
  header.cupsImagingBBox[2] = nan;
  EXPECT_TRUE(IsRefused(header));
}

TEST(PwgPage, AnImagingBoxALittleOffThePaperIsCut) {
  PageHeader header = SampleHeader();
  const float box[4] = {-0.01f, -0.01f, 597, 844};
  std::memcpy(header.cupsImagingBBox, box, sizeof(box));
  const OutputPage page = Pwg(header);
  EXPECT_EQ(page.placement.left, 0);
  EXPECT_EQ(page.placement.top, 0);
}

}  // namespace
}  // namespace halftoned

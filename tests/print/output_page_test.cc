// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/output_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sample_header.h"

namespace halftoned {
namespace {

OutputPage Pwg(const PageHeader& header, BackSide back_side = BackSide::kNormal,
               bool on_back = false) {
  const auto page = PwgPage(header, *FormOf(header), back_side, on_back);
  EXPECT_TRUE(page.ok()) << page.error().message;
  return *page;
}

bool IsRefused(const PageHeader& header) {
  const auto form = FormOf(header);
  return !form.ok() || !PwgPage(header, *form, BackSide::kNormal, false).ok();
}

TEST(CupsPage, ChangesOnlyTheSampleFormat) {
  PageHeader header = SampleHeader();
  // Every other byte of the header must stay.
  auto* bytes = reinterpret_cast<unsigned char*>(&header);
  for (size_t i = 0; i < offsetof(PageHeader, cupsWidth); ++i) bytes[i] = 0x5a;
  for (size_t i = offsetof(PageHeader, cupsBorderlessScalingFactor);
       i < sizeof(header); ++i) {
    bytes[i] = 0x5a;
  }
  const RasterForm form{*Page::Make(4958, 8), 7017, Colours::kLight, 4958};
  OutputPage page = CupsPage(header, form, Levels::ForCount(4));
  EXPECT_EQ(page.header.cupsBitsPerColor, 2u);
  EXPECT_EQ(page.header.cupsBitsPerPixel, 2u);
  EXPECT_EQ(page.header.cupsBytesPerLine, 1240u);
  EXPECT_EQ(page.header.cupsColorSpace, CUPS_CSPACE_K);
  page.header.cupsBitsPerColor = header.cupsBitsPerColor;
  page.header.cupsBitsPerPixel = header.cupsBitsPerPixel;
  page.header.cupsBytesPerLine = header.cupsBytesPerLine;
  page.header.cupsColorSpace = header.cupsColorSpace;
  EXPECT_EQ(std::memcmp(&page.header, &header, sizeof(header)), 0);
  EXPECT_EQ(page.placement.left, 0);
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

TEST(PwgPage, ADriversNumberIsNoPageCount) {
  PageHeader header = SampleHeader();
  header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount] = 7;
  EXPECT_EQ(Pwg(header).header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount], 0u);
  std::strcpy(header.MediaClass, "PwgRaster");  // here it is one
  EXPECT_EQ(Pwg(header).header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount], 7u);
}

// Where the renderer mirrors the back, the edges to pad and cut are mirrored.

struct Mirror {
  BackSide side;
  bool tumble;
  bool columns;
  bool rows;
};

constexpr Mirror kMirrors[] = {{BackSide::kNormal, false, false, false},
                               {BackSide::kNormal, true, false, false},
                               {BackSide::kRotated, false, true, true},
                               {BackSide::kRotated, true, false, false},
                               {BackSide::kFlipped, false, false, true},
                               {BackSide::kFlipped, true, true, false},
                               {BackSide::kManualTumble, false, false, false},
                               {BackSide::kManualTumble, true, true, true}};

// A page on paper of some size, with margins of its own on every side, in
// points; and what PWG raster has as this paper, in dots.
struct Sheet {
  float width, height;
  float left, bottom, right, top;  // the imaging box
  unsigned dpi_x, dpi_y;
  unsigned columns, rows;  // of the raster
  int64_t columns_out, rows_out;
  int64_t left_out, top_out;  // of the front
};

constexpr Sheet kSheets[] = {
    // A4, no margins: two columns too few, two rows too many.
    {595, 842, 0, 0, 0, 0, 600, 600, 4958, 7017, 4960, 7015, 0, 0},
    // A4 with four different margins.
    {595, 842, 12, 24, 571, 830, 600, 600, 4658, 6717, 4960, 7015, 100, 100},
    {595, 842, 36, 6, 589, 734, 300, 300, 2304, 3033, 2480, 3507, 150, 450},
    // Letter, anisotropic.
    {612, 792, 18, 36, 603, 756, 1200, 600, 9750, 6000, 10200, 6600, 300, 300},
    // A6, a raster larger than the paper.
    {298, 420, 0, 0, 298, 420, 300, 300, 1250, 1760, 1240, 1748, 0, 0},
};

PageHeader HeaderOf(const Sheet& sheet) {
  PageHeader header = SampleHeader(sheet.columns, sheet.rows);
  header.HWResolution[0] = sheet.dpi_x;
  header.HWResolution[1] = sheet.dpi_y;
  header.cupsPageSize[0] = sheet.width;
  header.cupsPageSize[1] = sheet.height;
  const float box[4] = {sheet.left, sheet.bottom, sheet.right, sheet.top};
  std::memcpy(header.cupsImagingBBox, box, sizeof(box));
  header.Duplex = CUPS_TRUE;
  return header;
}

TEST(PwgPage, TheFrontIsPaddedAndCutAtTheRightAndTheBottom) {
  for (const Sheet& sheet : kSheets) {
    const PageHeader header = HeaderOf(sheet);
    for (const Mirror& mirror : kMirrors) {
      const Placement front = Pwg(header, mirror.side, false).placement;
      EXPECT_EQ(front.width_out, sheet.columns_out);
      EXPECT_EQ(front.rows_out, sheet.rows_out);
      EXPECT_EQ(front.left, sheet.left_out);
      EXPECT_EQ(front.top, sheet.top_out);
    }
  }
}

TEST(PwgPage, TheBackIsPaddedAndCutWhereItWasMirrored) {
  for (const Sheet& sheet : kSheets) {
    PageHeader header = HeaderOf(sheet);
    for (const Mirror& mirror : kMirrors) {
      header.Tumble = mirror.tumble ? CUPS_TRUE : CUPS_FALSE;
      const OutputPage back = Pwg(header, mirror.side, true);
      // The left margin of a front is the right margin of a mirrored back.
      EXPECT_EQ(back.placement.left,
                mirror.columns
                    ? sheet.columns_out - sheet.columns - sheet.left_out
                    : sheet.left_out);
      EXPECT_EQ(back.placement.top,
                mirror.rows ? sheet.rows_out - sheet.rows - sheet.top_out
                            : sheet.top_out);
      EXPECT_EQ(back.header.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform],
                mirror.columns ? ~0u : 1u);
      EXPECT_EQ(back.header.cupsInteger[CUPS_RASTER_PWG_FeedTransform],
                mirror.rows ? ~0u : 1u);
      EXPECT_TRUE(back.header.Duplex);
      EXPECT_EQ(back.header.Tumble, header.Tumble);
    }
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
  header.cupsPageSize[0] = nan;
  EXPECT_TRUE(IsRefused(header));
  header.cupsPageSize[0] = 0;  // no exact size: the rounded one counts
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

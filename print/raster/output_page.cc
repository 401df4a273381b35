// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/output_page.h"

#include <cups/pwg.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace halftoned {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kHundredthsOfMmPerInch = 2540;

struct Size {
  double width;
  double height;
};

// The paper in points: the first that the header has of the exact size, the
// rounded size and the size of the raster.
Size PaperOf(const PageHeader& header) {
  if (header.cupsPageSize[0] > 0 && header.cupsPageSize[1] > 0) {
    return {header.cupsPageSize[0], header.cupsPageSize[1]};
  }
  if (header.PageSize[0] > 0 && header.PageSize[1] > 0) {
    return {double(header.PageSize[0]), double(header.PageSize[1])};
  }
  return {header.cupsWidth * kPointsPerInch / header.HWResolution[0],
          header.cupsHeight * kPointsPerInch / header.HWResolution[1]};
}

// The length in 1/100 mm, if its dots fit an int, in which libcups counts them.
Result<int> Hundredths(double points, unsigned dots_per_inch) {
  const double length =
      std::round(points / kPointsPerInch * kHundredthsOfMmPerInch);
  if (!(length >= 1 &&
        length * dots_per_inch <= std::numeric_limits<int>::max())) {
    return BadInput("the paper is too large or too small for PWG raster");
  }
  return static_cast<int>(length);
}

const char* PwgNameOf(BackSide back_side) {
  switch (back_side) {
    case BackSide::kFlipped:
      return "flipped";
    case BackSide::kRotated:
      return "rotated";
    case BackSide::kManualTumble:
      return "manual-tumble";
    case BackSide::kNormal:
      break;
  }
  return "normal";
}

const char* SidesOf(const PageHeader& header) {
  if (NumberIn(header.Duplex) == 0) return "one-sided";
  return NumberIn(header.Tumble) != 0 ? "two-sided-short-edge"
                                      : "two-sided-long-edge";
}

// The distance of the raster's first column and row from the paper's edges, in
// dots, on a front side.
struct Offset {
  int64_t left;
  int64_t top;
};

Result<Offset> OffsetOf(const PageHeader& header, const Size& paper) {
  const float* box = header.cupsImagingBBox;  // left, bottom, right, top
  const bool has_box = box[2] > box[0] && box[3] > box[1];
  if (!has_box) return Offset{0, 0};
  const bool on_paper =
      box[0] < paper.width && box[1] < paper.height && box[2] > 0 && box[3] > 0;
  if (!on_paper) return BadInput("the imaging box is not on the paper");
  // Renderers round, so an edge may lie slightly off the paper.
  const double left =
      std::max(double(box[0]), 0.0) * double(header.HWResolution[0]);
  const double top =
      std::max(paper.height - box[3], 0.0) * double(header.HWResolution[1]);
  return Offset{std::llround(left / kPointsPerInch),
                std::llround(top / kPointsPerInch)};
}

// libcups computes the image box of PWG raster from the imaging box in points
// and truncates; half a dot more keeps the dots exact.
void SetImageBox(PageHeader& header, const Placement& page) {
  const int64_t edges[4] = {
      std::clamp<int64_t>(page.left, 0, page.width_out),
      std::clamp<int64_t>(page.top, 0, page.rows_out),
      std::clamp<int64_t>(page.left + page.width_in, 0, page.width_out),
      std::clamp<int64_t>(page.top + page.rows_in, 0, page.rows_out)};
  for (size_t i = 0; i < 4; ++i) {
    header.cupsInteger[CUPS_RASTER_PWG_ImageBoxLeft + i] =
        static_cast<unsigned>(edges[i]);
    header.cupsImagingBBox[i] =
        static_cast<float>((static_cast<double>(edges[i]) + 0.5) *
                           kPointsPerInch / header.HWResolution[i % 2]);
  }
}

void SetSamples(PageHeader& header, unsigned bits_per_sample) {
  header.cupsBitsPerColor = bits_per_sample;
  header.cupsBitsPerPixel = bits_per_sample;
  header.cupsBytesPerLine = static_cast<unsigned>(
      (uint64_t{header.cupsWidth} * bits_per_sample + 7) / 8);
  header.cupsColorSpace = CUPS_CSPACE_K;
  header.cupsNumColors = 1;
}

// The header of `page` with the sheet and the transforms of `sheet`.
PageHeader OnSheet(const PageHeader& page, const PageHeader& sheet) {
  PageHeader header = page;
  std::copy(std::begin(sheet.cupsPageSizeName),
            std::end(sheet.cupsPageSizeName), header.cupsPageSizeName);
  for (int i : {0, 1}) {
    header.PageSize[i] = sheet.PageSize[i];
    header.cupsPageSize[i] = sheet.cupsPageSize[i];
  }
  for (int i : {0, 1, 2, 3}) {
    header.ImagingBoundingBox[i] = sheet.ImagingBoundingBox[i];
  }
  header.cupsWidth = sheet.cupsWidth;
  header.cupsHeight = sheet.cupsHeight;
  header.cupsColorOrder = sheet.cupsColorOrder;
  for (int i :
       {CUPS_RASTER_PWG_CrossFeedTransform, CUPS_RASTER_PWG_FeedTransform}) {
    header.cupsInteger[i] = sheet.cupsInteger[i];
  }
  // In CUPS raster this number belongs to the driver and does not count pages.
  if (std::strcmp(page.MediaClass, "PwgRaster") != 0) {
    header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount] = 0;
  }
  return header;
}

// The header of the empty sheet on which the page lies.
Result<PageHeader> SheetFor(const PageHeader& page, const Size& paper,
                            BackSide back_side, bool on_back) {
  HALFTONED_TRY_ASSIGN(const int width,
                       Hundredths(paper.width, page.HWResolution[0]));
  HALFTONED_TRY_ASSIGN(const int length,
                       Hundredths(paper.height, page.HWResolution[1]));
  pwg_media_t* media = pwgMediaForSize(width, length);
  PageHeader sheet;
  if (!media ||
      !cupsRasterInitPWGHeader(
          &sheet, media, "black_1", static_cast<int>(page.HWResolution[0]),
          static_cast<int>(page.HWResolution[1]), SidesOf(page),
          on_back ? PwgNameOf(back_side) : nullptr) ||
      sheet.cupsWidth < 1 || sheet.cupsHeight < 1) {
    return BadInput("PWG raster does not support this paper size");
  }
  return sheet;
}

}  // namespace

OutputPage CupsPage(const PageHeader& header, const RasterForm& form,
                    const Levels& levels) {
  OutputPage page{header, Placement::Whole(form.page.width(), form.rows,
                                           levels.bits_per_sample)};
  SetSamples(page.header, static_cast<unsigned>(levels.bits_per_sample));
  return page;
}

Result<OutputPage> PwgPage(const PageHeader& header, const RasterForm& form,
                           BackSide back_side, bool on_back) {
  const Size paper = PaperOf(header);
  HALFTONED_TRY_ASSIGN(const PageHeader sheet,
                       SheetFor(header, paper, back_side, on_back));
  HALFTONED_TRY_ASSIGN(const Offset offset, OffsetOf(header, paper));

  OutputPage page{OnSheet(header, sheet), {}};
  SetSamples(page.header, 1);
  page.placement = {.bits_per_sample = 1,
                    .width_in = form.page.width(),
                    .rows_in = form.rows,
                    .width_out = sheet.cupsWidth,
                    .rows_out = sheet.cupsHeight,
                    .left = offset.left,
                    .top = offset.top};
  Placement& placed = page.placement;
  if (sheet.cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform] != 1) {
    placed.left = placed.width_out - placed.width_in - offset.left;
  }
  if (sheet.cupsInteger[CUPS_RASTER_PWG_FeedTransform] != 1) {
    placed.top = placed.rows_out - placed.rows_in - offset.top;
  }
  SetImageBox(page.header, placed);
  return page;
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/raster/raster_form.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "sample_header.h"

namespace halftoned {
namespace {

std::string ErrorWith(const std::function<void(PageHeader&)>& change) {
  PageHeader header = SampleHeader();
  change(header);
  const auto form = FormOf(header);
  return form.ok() ? "" : form.error().message;
}

TEST(RasterForm, AcceptsTheRasterOfRenderers) {
  EXPECT_EQ(ErrorWith([](PageHeader&) {}), "");
  const auto in_space = [](cups_cspace_t space, unsigned colours,
                           unsigned bits) {
    return ErrorWith([=](PageHeader& header) {
      header.cupsColorSpace = space;
      header.cupsNumColors = colours;
      header.cupsBitsPerColor = bits;
      header.cupsBitsPerPixel = bits * colours;
      header.cupsBytesPerLine = header.cupsWidth * bits * colours / 8;
    });
  };
  for (unsigned bits : {8u, 16u}) {
    EXPECT_EQ(in_space(CUPS_CSPACE_W, 1, bits), "");
    EXPECT_EQ(in_space(CUPS_CSPACE_K, 1, bits), "");
    EXPECT_EQ(in_space(CUPS_CSPACE_SRGB, 3, bits), "");
    EXPECT_EQ(in_space(CUPS_CSPACE_CMYK, 4, bits), "");
  }
  EXPECT_NE(in_space(CUPS_CSPACE_RGBW, 4, 8), "");
  EXPECT_NE(in_space(CUPS_CSPACE_RGB, 4, 8), "");
}

TEST(RasterForm, OneColorCanHaveAnyOrder) {
  for (cups_order_t order :
       {CUPS_ORDER_CHUNKED, CUPS_ORDER_BANDED, CUPS_ORDER_PLANAR}) {
    EXPECT_EQ(
        ErrorWith([=](PageHeader& header) { header.cupsColorOrder = order; }),
        "");
  }
}

TEST(RasterForm, SizesThatWrapIn32BitsAreCaught) {
  // 2³² + 4958 columns would have the bytes of 4958.
  const auto error = [](unsigned width, unsigned bytes_per_line) {
    return ErrorWith([=](PageHeader& header) {
      header.cupsWidth = width;
      header.cupsBytesPerLine = bytes_per_line;
    });
  };
  EXPECT_NE(error(0xffffffff, 0xffffffff), "");
  EXPECT_NE(error(0x80000000, 0), "");
  EXPECT_NE(error(1u << 18 | 1, 1u << 18 | 1), "");
  EXPECT_EQ(error(1u << 18, 1u << 18), "");
}

TEST(RasterForm, SizesAreFinite) {
  for (const float number : {std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity()}) {
    for (const int i : {0, 1}) {
      EXPECT_EQ(ErrorWith([=](PageHeader& h) { h.cupsPageSize[i] = number; }),
                "the page size is not finite");
    }
    for (const int i : {0, 1, 2, 3}) {
      EXPECT_EQ(
          ErrorWith([=](PageHeader& h) { h.cupsImagingBBox[i] = number; }),
          "the imaging box is not finite");
    }
    EXPECT_EQ(ErrorWith([=](PageHeader& h) {
                h.cupsBorderlessScalingFactor = number;
              }),
              "the scaling factor is not finite");
  }
}

TEST(RasterForm, CopiesAreLimitedAsInCups) {
  const auto error = [](unsigned copies) {
    return ErrorWith([=](PageHeader& header) { header.NumCopies = copies; });
  };
  EXPECT_EQ(error(0), "");
  EXPECT_EQ(error(9999), "");
  EXPECT_EQ(error(10000), "the number of copies, 10000, is not in 0 … 9999");
  EXPECT_EQ(error(0xffffffff),
            "the number of copies, 4294967295, is not in 0 … 9999");
}

TEST(RasterForm, ErrorsNameTheRule) {
  EXPECT_EQ(ErrorWith([](PageHeader& h) { h.cupsBytesPerLine = 4959; }),
            "4959 bytes per line are not 4958");
  EXPECT_EQ(ErrorWith([](PageHeader& h) { h.HWResolution[1] = 0; }),
            "resolution 0 is not in 1 … 19200 dpi");
  EXPECT_EQ(ErrorWith([](PageHeader& h) {
              std::memset(h.cupsPageSizeName, 'x', sizeof(h.cupsPageSizeName));
            }),
            "a text field is not terminated");
  EXPECT_EQ(ErrorWith([](PageHeader& h) {
              h.cupsColorOrder = static_cast<cups_order_t>(3);
            }),
            "color order 3 is not known");
}

}  // namespace
}  // namespace halftoned

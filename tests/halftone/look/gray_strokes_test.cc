// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/gray_strokes.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

using Image = SamplePage;

// Gray bars and slanted strokes of many widths, at times smoothed.
Image Strokes(std::mt19937& random, int32_t width, int32_t rows, Depth depth) {
  const uint32_t highest = depth == Depth::k8 ? 255 : 65535;
  Image image{width, rows, depth, {}};
  image.samples.resize(static_cast<size_t>(width) * static_cast<size_t>(rows),
                       static_cast<uint16_t>(highest));
  for (int n = 0; n < 12; ++n) {
    const auto gray = static_cast<uint16_t>(random() % (highest / 2));
    const auto smooth = static_cast<uint16_t>(random() % 2 ? highest : gray);
    const int wide = 1 + static_cast<int>(random() % 20);
    const int slant = static_cast<int>(random() % 5) - 2;
    const bool is_down = random() % 2 != 0;
    const int begin = static_cast<int>(random() % 150);
    for (int along = 0; along < 60; ++along) {
      for (int across = 0; across < wide; ++across) {
        const int at = begin + across + slant * along / 3;
        const int i = is_down ? along : at, j = is_down ? at : along;
        if (i < 0 || j < 0 || i >= rows || j >= width) continue;
        image.at(i, j) = across == 0 ? smooth : gray;
      }
    }
  }
  return image;
}

TEST(GrayStrokes, AreTheDefinitionOnGrayStrokes) {
  std::mt19937 random(16);
  int64_t darkened = 0;
  for (const ToneCurve& curve : Curves()) {
    for (const Depth depth : {Depth::k8, Depth::k16}) {
      for (int n = 0; n < 12; ++n) {
        const auto width = 30 + static_cast<int32_t>(random() % 200);
        const auto rows = 20 + static_cast<int32_t>(random() % 120);
        const Image image = Strokes(random, width, rows, depth);
        ExpectAsDefined(image, curve, 1 + static_cast<int32_t>(random() % 70),
                        1 + static_cast<int32_t>(random() % 30));
        const auto made = [&](bool darkens_strokes) {
          return EdgesByDefinition(image, curve, TextEdges::kSoft,
                                   darkens_strokes)
              .samples;
        };
        darkened += made(true) != made(false);
      }
    }
  }
  EXPECT_GE(darkened, 20) << "hardly any stroke is darkened";
}

TEST(GrayStrokes, DarkenTheInsideOfThinGrayStrokesForLasersAlone) {
  // A line of 4 pixels, one of 20, and one of 4 that is light.
  Image image{120, 16, Depth::k8, {}};
  image.samples.assign(size_t{120} * 16, 255);
  Image expected = image;
  for (int32_t i = 0; i < 16; ++i) {
    for (int32_t j = 0; j < 4; ++j) {
      image.at(i, 30 + j) = expected.at(i, 30 + j) = 60;
      image.at(i, 90 + j) = expected.at(i, 90 + j) = 150;
    }
    for (int32_t j = 50; j < 70; ++j) image.at(i, j) = expected.at(i, j) = 60;
    // 960 of 4080 becomes 320.
    expected.at(i, 31) = expected.at(i, 32) = 20;
  }
  const auto kernels = simd::FastestPureKernels(Depth::k8);
  const auto made = [&](TextEdges edges, bool darkens_strokes) {
    return Through(image, ToneCurve(), edges, 7, 100, kernels, darkens_strokes)
        .samples;
  };
  EXPECT_EQ(made(TextEdges::kSoft, true), expected.samples);
  EXPECT_EQ(made(TextEdges::kSoft, false), image.samples);
  EXPECT_EQ(made(TextEdges::kCrisp, true), image.samples);
}

}  // namespace
}  // namespace halftoned

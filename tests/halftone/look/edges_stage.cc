// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/look/edges_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "halftone/look/edges/crisp_edges.h"
#include "halftone/look/tones/tone.h"

namespace halftoned {
namespace {

using Image = SamplePage;

// Returns a page's rows, at most so many a call.
class PageSource : public Source {
 public:
  PageSource(const Image& image, int32_t rows_at_once)
      : image_(image), rows_at_once_(rows_at_once) {}

  Result<Filled> Read(GrayRoom room) override {
    const int32_t rows =
        std::min({room.rows, rows_at_once_, image_.rows - row_});
    const auto width = static_cast<size_t>(image_.width);
    for (int32_t i = 0; i < rows; ++i, ++row_) {
      const uint16_t* from =
          image_.samples.data() + static_cast<size_t>(row_) * width;
      if (image_.depth == Depth::k16) {
        std::memcpy(room.row(i), from, 2 * width);
      } else {
        std::transform(from, from + width, room.row(i),
                       [](uint16_t a) { return static_cast<std::byte>(a); });
      }
    }
    // The end may be known only later.
    const bool last = rows == 0 || (row_ == image_.rows && rows_at_once_ != 3);
    return Filled{rows, last};
  }

 private:
  const Image& image_;
  const int32_t rows_at_once_;
  int32_t row_ = 0;
};

ToneCurve Falling() {
  ToneCurve::Table table;
  for (size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<uint16_t>(kWhite - static_cast<int>(i));
  }
  return *ToneCurve::FromTable(table);
}

}  // namespace

Image Through(const Image& image, const ToneCurve& curve, TextEdges edges,
              int32_t band, int32_t rows_at_once,
              const simd::PureKernels& kernels, bool darkens_strokes) {
  PageSource source(image, rows_at_once);
  const Page page = *Page::Make(image.width, static_cast<int>(image.depth));
  CrispEdges crisp(
      source, page,
      EdgeSnapper::Make(page, curve, edges, darkens_strokes, kernels), edges);
  const size_t pitch = page.gray_bytes_per_row() + 6;
  std::vector<uint16_t> room(pitch / 2 * static_cast<size_t>(band) + 1, 0x5555);
  Image out{image.width, 0, image.depth, {}};
  for (bool last = false; !last;) {
    const GrayRoom lent{reinterpret_cast<std::byte*>(room.data()),
                        pitch / 2 * 2, band};
    const Filled filled = *crisp.Read(lent);
    last = filled.last;
    EXPECT_TRUE(last || filled.rows == band) << "a band that is not full";
    for (int32_t i = 0; i < filled.rows; ++i, ++out.rows) {
      for (int32_t j = 0; j < out.width; ++j) {
        uint16_t sample = 0;
        std::memcpy(
            &sample,
            lent.row(i) + static_cast<size_t>(j) * BytesPerSample(image.depth),
            BytesPerSample(image.depth));
        out.samples.push_back(sample);
      }
      const std::byte* behind = lent.row(i) + page.gray_bytes_per_row();
      EXPECT_EQ(std::to_integer<int>(behind[0]), 0x55) << "beyond the columns";
      EXPECT_EQ(std::to_integer<int>(behind[1]), 0x55) << "beyond the columns";
    }
  }
  return out;
}

Image Through(const Image& image, TextEdges edges, int32_t band) {
  return Through(image, ToneCurve(), edges, band, 100,
                 simd::FastestPureKernels(image.depth));
}

bool IsChangedInAnyBands(const Image& image, TextEdges edges) {
  const Image whole = Through(image, edges, image.rows);
  for (const int32_t band : {1, 2, 7, 64}) {
    EXPECT_TRUE(Through(image, edges, band).samples == whole.samples)
        << "bands of " << band;
  }
  return whole.samples != image.samples;
}

std::vector<ToneCurve> Curves() {
  const ToneCurve usual = *CurveOf({.black_point = 32, .dot_gain = 20});
  return {ToneCurve(), usual, Falling(), Falling().Then(usual)};
}

void ExpectAsDefined(const Image& image, const ToneCurve& curve, int32_t band,
                     int32_t rows_at_once) {
  static size_t images = 0;
  ++images;
  for (const TextEdges edges : kAllEdges) {
    const bool darkens_strokes = images % 2 == 0;
    const Image expected =
        EdgesByDefinition(image, curve, edges, darkens_strokes);
    const auto all = simd::PureKernelsFor(image.depth);
    const auto& kernels =
        all[(images + static_cast<size_t>(edges)) % all.size()];
    const Image out = Through(image, curve, edges, band, rows_at_once, kernels,
                              darkens_strokes);
    ASSERT_EQ(out.rows, image.rows);
    ASSERT_EQ(out.samples, expected.samples)
        << kernels.target << ", edges " << static_cast<int>(edges) << ": "
        << image.width << " x " << image.rows << ", bands of " << band;
  }
}

}  // namespace halftoned

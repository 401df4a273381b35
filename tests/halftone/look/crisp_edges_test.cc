// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/edges/crisp_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "halftone/look/tones/tone.h"
#include "tests/halftone/look/edges_definition.h"
#include "tests/halftone/look/edges_stage.h"

namespace halftoned {
namespace {

using Image = SamplePage;

Image Crisp(const Image& image, const ToneCurve& curve) {
  return Through(image, curve, TextEdges::kCrisp, 2, 9,
                 simd::FastestPureKernels(image.depth));
}

// Many pure pixels, and some gray of every kind between them.
Image Random(std::mt19937& random, int32_t width, int32_t rows, Depth depth) {
  Image image{width, rows, depth, {}};
  const uint32_t highest = depth == Depth::k8 ? 255 : 65535;
  const uint32_t pure = random() % 10;
  for (int64_t n = int64_t{width} * rows; n > 0; --n) {
    const uint32_t kind = random() % 10;
    const uint32_t any = random() & highest;
    image.samples.push_back(
        static_cast<uint16_t>(kind < pure ? (any & 1 ? highest : 0) : any));
  }
  return image;
}

// Rows and stretches of one kind, with a pixel of another here and there.
Image Sparse(std::mt19937& random, int32_t width, int32_t rows, Depth depth) {
  Image image{width, rows, depth, {}};
  const uint32_t highest = depth == Depth::k8 ? 255 : 65535;
  const auto any = [&] {
    const uint32_t kind = random() % 3;
    return static_cast<uint16_t>(kind == 0   ? 0
                                 : kind == 1 ? highest
                                             : highest / 4 + random() % 99);
  };
  for (int32_t i = 0; i < rows; ++i) {
    const uint16_t row = any();
    image.samples.insert(image.samples.end(), static_cast<size_t>(width), row);
    const auto stretch = static_cast<int32_t>(random()) & 127;
    const uint16_t other = any();
    for (int32_t j = stretch; j < std::min(2 * stretch, width); ++j) {
      image.at(i, j) = other;
    }
    image.at(i, static_cast<int32_t>(random() % uint32_t(width))) = any();
  }
  return image;
}

// Blurred bars and blots, on paper or on gray: edges, codes and paper.
Image Soft(std::mt19937& random, int32_t width, int32_t rows, Depth depth) {
  Image image{width, rows, depth, {}};
  const int highest = depth == Depth::k8 ? 255 : 65535;
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  const int white = random() % 2 ? highest : highest * 3 / 4;
  const int black = random() % 2 ? 0 : highest / 7;
  std::vector<int> light(static_cast<size_t>(width) * static_cast<size_t>(rows),
                         white);
  for (int n = 4 + any(40); n > 0; --n) {
    const int top = any(rows), left = any(width);
    const int high = 1 + any(30), wide = 1 + any(random() % 2 ? 6 : 40);
    for (int i = top; i < std::min(top + high, rows); ++i) {
      for (int j = left; j < std::min(left + wide, width); ++j) {
        light[image.Index(i, j)] = n % 5 == 0 ? white : black;
      }
    }
  }
  // A blur of three by three, at times twice.
  for (int n = any(3); n > 0; --n) {
    const std::vector<int> sharp = light;
    for (int i = 1; i + 1 < rows; ++i) {
      for (int j = 1; j + 1 < width; ++j) {
        int sum = 0;
        for (int k = 0; k < 9; ++k) {
          sum += sharp[image.Index(i + k / 3 - 1, j + k % 3 - 1)];
        }
        light[image.Index(i, j)] = sum / 9;
      }
    }
  }
  const int noise = random() % 3 ? 0 : highest / 40;
  for (const int a : light) {
    image.samples.push_back(static_cast<uint16_t>(
        std::clamp(a + (noise ? any(noise) : 0) - noise / 2, 0, highest)));
  }
  return image;
}

// Bars or modules of codes on their ground, one above the other; between them
// are rows of the ground, and at times pure rows.
Image Codes(std::mt19937& random, Depth depth) {
  const int highest = depth == Depth::k8 ? 255 : 65535;
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<uint32_t>(most));
  };
  const int white = highest - any(3) * highest / 6;
  const int black = any(3) * highest / 9;
  Image image{180 + any(80), 0, depth, {}};
  for (int n = 0; n < 2; ++n) {
    const int module = 2 + any(4), left = 20 + any(70), wide = 60 + any(60);
    const int high = 30 + any(50), before = any(90), pure = any(2) * any(200);
    const bool is_matrix = random() % 2 != 0;
    for (int i = -before; i < high; ++i, ++image.rows) {
      for (int j = 0; j < image.width; ++j) {
        const int x = j - left;
        const int y = is_matrix ? i / module : 0;
        const bool is_bar = i >= 0 && x >= 0 && x < wide &&
                            (x / module * 7 + y * 11 + x / module * y) % 3 == 0;
        image.samples.push_back(static_cast<uint16_t>(is_bar ? black : white));
      }
    }
    image.samples.insert(
        image.samples.end(),
        static_cast<size_t>(pure) * static_cast<size_t>(image.width),
        static_cast<uint16_t>(highest));
    image.rows += pure;
  }
  return image;
}

TEST(CrispEdges, AreTheDefinitionInEveryWidthDepthAndCurve) {
  std::mt19937 random(7);
  for (const ToneCurve& curve : Curves()) {
    for (const Depth depth : {Depth::k8, Depth::k16}) {
      for (int32_t width = 1; width <= 130; ++width) {
        ExpectAsDefined(Random(random, width,
                               1 + static_cast<int32_t>(random() % 9), depth),
                        curve, 4, 100);
      }
      ExpectAsDefined(Random(random, 1027, 33, depth), curve, 16, 100);
    }
  }
}

TEST(CrispEdges, AreTheDefinitionWhereRowsHaveOnlyWhiteOrBlackOrGray) {
  std::mt19937 random(12);
  for (const ToneCurve& curve : Curves()) {
    for (const Depth depth : {Depth::k8, Depth::k16}) {
      for (int n = 0; n < 50; ++n) {
        const auto width = 1 + static_cast<int32_t>(random() % 600);
        const auto rows = 1 + static_cast<int32_t>(random() % 9);
        ExpectAsDefined(Sparse(random, width, rows, depth), curve, 4, 100);
      }
    }
  }
}

TEST(CrispEdges, AreTheDefinitionOnCodesAndTheirQuietZones) {
  std::mt19937 random(15);
  const ToneCurve curve = *CurveOf({.black_point = 32});
  int64_t changed = 0;
  for (const Depth depth : {Depth::k8, Depth::k16}) {
    for (int n = 0; n < 4; ++n) {
      const Image image = Codes(random, depth);
      ExpectAsDefined(image, curve, 1 + n * 17, 1 + n * 11);
      changed +=
          EdgesByDefinition(image, curve, TextEdges::kBarcode, true).samples !=
          image.samples;
    }
  }
  EXPECT_GE(changed, 4) << "hardly any code is found";
}

TEST(CrispEdges, AreSolidInWideBarsAndSpacesSideBySide) {
  const std::string widths = "1121311211118411211311213113551121131121113";
  Image image{150, 0, Depth::k8, {}};
  const auto add = [&](int rows, uint16_t sample) {
    image.samples.insert(image.samples.end(),
                         static_cast<size_t>(rows * image.width), sample);
    image.rows += rows;
  };
  add(60, 200);
  for (size_t i = 0; i < widths.size(); ++i) {
    add(6 * (widths[i] - '0'), i % 2 == 0 ? 50 : 200);
  }
  add(60, 200);
  ExpectAsDefined(image, ToneCurve(), 7, 100);
  const Image out = Through(image, TextEdges::kBarcode);
  for (int i = 60 - 24; i < out.rows - 60 + 24; ++i) {
    ASSERT_EQ(out.at(i, 75), image.at(i, 75) == 200 ? 255 : 0) << i;
  }
}

TEST(CrispEdges, AreTheDefinitionOnSoftEdgesAndCodes) {
  std::mt19937 random(14);
  for (const ToneCurve& curve : Curves()) {
    for (const Depth depth : {Depth::k8, Depth::k16}) {
      for (int n = 0; n < 12; ++n) {
        const auto width = 1 + static_cast<int32_t>(random() % 300);
        const auto rows = 1 + static_cast<int32_t>(random() % 90);
        ExpectAsDefined(Soft(random, width, rows, depth), curve,
                        1 + static_cast<int32_t>(random() % 70), 100);
      }
    }
  }
}

TEST(CrispEdges, AreTheDefinitionInBandsThatAreReadInParts) {
  std::mt19937 random(13);
  // Two rows a part, of a megabyte at most.
  ExpectAsDefined(Random(random, 100'000, 9, Depth::k8), ToneCurve(), 5, 100);
  ExpectAsDefined(Random(random, Page::kMaxWidth, 4, Depth::k16), ToneCurve(),
                  3, 100);
}

TEST(CrispEdges, DoNotDependOnBandsOrOnHowTheSourceGives) {
  std::mt19937 random(8);
  const ToneCurve curve = Curves()[1];
  for (const int32_t rows : {1, 2, 3, 7, 24, 25}) {
    const Image image = random() % 2 ? Soft(random, 70, 3 * rows, Depth::k8)
                                     : Random(random, 70, rows, Depth::k8);
    for (const int32_t band : {1, 2, 3, 8, 24, 25, 64}) {
      for (const int32_t rows_at_once : {1, 2, 3, 100}) {
        ExpectAsDefined(image, curve, band, rows_at_once);
      }
    }
  }
}

TEST(CrispEdges, SnapWhatLiesBetweenBlackAndWhiteAndNothingElse) {
  // An edge with a smoothed column; a gray box on white; a gray line in black.
  Image image{8, 4, Depth::k8, {}};
  for (int32_t i = 0; i < 4; ++i) {
    for (const uint16_t a : {0, 100, 255, 255, 90, 90, 255, 255}) {
      image.samples.push_back(a);
    }
  }
  Image expected = image;
  for (int32_t i = 0; i < 4; ++i) expected.at(i, 1) = 0;
  EXPECT_EQ(Crisp(image, ToneCurve()).samples, expected.samples);
  // A curve that lightens lets the same pixel be white.
  for (int32_t i = 0; i < 4; ++i) expected.at(i, 1) = 255;
  EXPECT_EQ(Crisp(image, *CurveOf({.dot_gain = 20})).samples, expected.samples);
}

TEST(CrispEdges, NothingIsPureWhereTheCurveMakesNoBlack) {
  std::mt19937 random(9);
  const Image image = Random(random, 65, 12, Depth::k8);
  ToneCurve::Table pale = ToneCurve().table();
  std::ranges::replace(pale, 0, 1);
  for (const TextEdges edges : kAllEdges) {
    EXPECT_EQ(Through(image, *ToneCurve::FromTable(pale), edges, 5, 100,
                      simd::FastestPureKernels(Depth::k8))
                  .samples,
              image.samples);
  }
}

// A row of pure pixels' bits with an empty word on both sides.
struct Bits {
  explicit Bits(size_t words) : black(words + 2), white(words + 2) {}
  simd::PureRow row() { return {black.data() + 1, white.data() + 1}; }
  std::vector<uint64_t> black;
  std::vector<uint64_t> white;
};

TEST(CrispEdges, PurePixelsAreFoundAlikeForEveryProcessor) {
  std::mt19937 random(10);
  const simd::PureLimits limits{
      .flip = 0xff, .black_end = 60, .white_begin = 200};
  for (size_t width = 1; width < 700; width += width < 260 ? 1 : 37) {
    std::vector<std::byte> row(width);
    for (std::byte& a : row) a = static_cast<std::byte>(random());
    std::array<bool, 3> kinds{};
    const size_t words = (width + 63) / 64;
    Bits expected(words);
    for (size_t j = 0; j < width; ++j) {
      const unsigned light = 0xff ^ static_cast<unsigned>(row[j]);
      expected.black[1 + j / 64] |= uint64_t{light < 60} << j % 64;
      expected.white[1 + j / 64] |= uint64_t{light >= 200} << j % 64;
      kinds[light < 60 ? 0 : light >= 200 ? 1 : 2] = true;
    }
    for (const auto& kernels : simd::PureKernelsFor(Depth::k8)) {
      Bits found(words), dark(words);
      const simd::PureKinds has =
          kernels.find(row.data(), width, limits, found.row());
      EXPECT_EQ((std::array{has.black, has.white, has.gray}), kinds) << width;
      EXPECT_EQ(found.black, expected.black) << width;
      EXPECT_EQ(found.white, expected.white) << width;
      kernels.find_dark(row.data(), width, limits.flip, limits.black_end,
                        dark.black.data() + 1);
      EXPECT_EQ(dark.black, expected.black) << width;
    }
  }
}

class FailingSource : public Source {
 public:
  Result<Filled> Read(GrayRoom room) override {
    if (++calls_ == 2) return IoError("gone");
    return Filled{room.rows, false};
  }

 private:
  int calls_ = 0;
};

TEST(CrispEdges, PassErrorsOn) {
  FailingSource source;
  const Page page = *Page::Make(10, 8);
  CrispEdges crisp(source, page, Recipe::Fine(), TextEdges::kSoft);
  std::vector<std::byte> room(40);
  const auto filled = crisp.Read({room.data(), 10, 4});
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().message, "gone");
}

}  // namespace
}  // namespace halftoned

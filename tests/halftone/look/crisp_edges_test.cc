// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/crisp_edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "halftone/look/tone.h"

namespace halftoned {
namespace {

// A page of samples, and the definition in plain loops.
struct Image {
  int32_t width;
  int32_t rows;
  Depth depth;
  std::vector<uint16_t> samples;

  uint16_t& at(int32_t i, int32_t j) {
    return samples[static_cast<size_t>(i) * static_cast<size_t>(width) +
                   static_cast<size_t>(j)];
  }
  int ValueAt(int32_t i, int32_t j, const ToneCurve& curve) {
    const uint16_t a = at(i, j);
    return depth == Depth::k8 ? curve.At8(static_cast<uint8_t>(a))
                              : curve.At16(a);
  }
};

uint16_t SampleOf(int value, Depth depth, const ToneCurve& curve) {
  const int highest = depth == Depth::k8 ? 255 : 65535;
  for (const int a : {0, highest}) {
    const int is = depth == Depth::k8 ? curve.At8(static_cast<uint8_t>(a))
                                      : curve.At16(static_cast<uint16_t>(a));
    if (is == value) return static_cast<uint16_t>(a);
  }
  ADD_FAILURE() << "no sample gives " << value;
  return 0;
}

Image CrispByDefinition(Image page, const ToneCurve& curve) {
  Image crisp = page;
  for (int32_t i = 0; i < page.rows; ++i) {
    for (int32_t j = 0; j < page.width; ++j) {
      const int value = page.ValueAt(i, j, curve);
      bool black = false;
      bool white = false;
      for (int32_t y = std::max(i - 1, 0); y <= std::min(i + 1, page.rows - 1);
           ++y) {
        for (int32_t x = std::max(j - 1, 0);
             x <= std::min(j + 1, page.width - 1); ++x) {
          black |= page.ValueAt(y, x, curve) == 0;
          white |= page.ValueAt(y, x, curve) == kWhite;
        }
      }
      if (value == 0 || value == kWhite || !black || !white) continue;
      crisp.at(i, j) = SampleOf(value > 2040 ? kWhite : 0, page.depth, curve);
    }
  }
  return crisp;
}

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

// The resulting page, with bands of this many rows.
Image Through(const Image& image, const ToneCurve& curve, int32_t band,
              int32_t rows_at_once, const simd::PureKernels& kernels) {
  PageSource source(image, rows_at_once);
  const Page page = *Page::Make(image.width, static_cast<int>(image.depth));
  CrispEdges crisp(source, page, curve, kernels);
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

Image Through(const Image& image, const ToneCurve& curve, int32_t band,
              int32_t rows_at_once) {
  return Through(image, curve, band, rows_at_once,
                 simd::FastestPureKernels(image.depth));
}

ToneCurve Falling() {
  ToneCurve::Table table;
  for (size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<uint16_t>(kWhite - static_cast<int>(i));
  }
  return *ToneCurve::FromTable(table);
}

std::vector<ToneCurve> Curves() {
  const ToneCurve usual = *CurveOf({.black_point = 32, .dot_gain = 20});
  return {ToneCurve(), usual, Falling(), Falling().Then(usual)};
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

// With the kernels of every processor.
void ExpectAsDefined(const Image& image, const ToneCurve& curve, int32_t band,
                     int32_t rows_at_once) {
  const Image expected = CrispByDefinition(image, curve);
  for (const auto& kernels : simd::PureKernelsFor(image.depth)) {
    const Image out = Through(image, curve, band, rows_at_once, kernels);
    ASSERT_EQ(out.rows, image.rows);
    ASSERT_EQ(out.samples, expected.samples)
        << kernels.target << ": " << image.width << " x " << image.rows
        << ", bands of " << band;
  }
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
      for (int n = 0; n < 100; ++n) {
        const auto width = 1 + static_cast<int32_t>(random() % 600);
        const auto rows = 1 + static_cast<int32_t>(random() % 9);
        ExpectAsDefined(Sparse(random, width, rows, depth), curve, 4, 100);
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
    const Image image = Random(random, 70, rows, Depth::k8);
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
  EXPECT_EQ(Through(image, ToneCurve(), 2, 9).samples, expected.samples);
  // A curve that lightens lets the same pixel be white.
  for (int32_t i = 0; i < 4; ++i) expected.at(i, 1) = 255;
  EXPECT_EQ(Through(image, *CurveOf({.dot_gain = 20}), 2, 9).samples,
            expected.samples);
}

TEST(CrispEdges, NothingIsPureWhereTheCurveMakesNoBlack) {
  std::mt19937 random(9);
  const Image image = Random(random, 65, 12, Depth::k8);
  ToneCurve::Table pale = ToneCurve().table();
  std::ranges::replace(pale, 0, 1);
  EXPECT_EQ(Through(image, *ToneCurve::FromTable(pale), 5, 100).samples,
            image.samples);
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
  for (const size_t width : {1, 2, 3, 63, 64, 65, 127, 128, 512, 700}) {
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
      Bits found(words);
      const simd::PureKinds has =
          kernels.find(row.data(), width, limits, found.row());
      EXPECT_EQ((std::array{has.black, has.white, has.gray}), kinds) << width;
      EXPECT_EQ(found.black, expected.black) << width;
      EXPECT_EQ(found.white, expected.white) << width;
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
  CrispEdges crisp(source, page, ToneCurve());
  std::vector<std::byte> room(40);
  const auto filled = crisp.Read({room.data(), 10, 4});
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().message, "gone");
}

}  // namespace
}  // namespace halftoned

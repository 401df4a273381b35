// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled pages are those of the definition, which is spelled out here in
// doubles and plain loops, within a bound; and the same to the bit whatever the
// number of threads, the rows that are asked for, and the machine.

#include "print/image/scale/scaled_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "images.h"
#include "print/image/scale/axis_filter.h"

namespace halftoned {
namespace {

struct Picture {
  int width;
  int rows;
  int depth;
  std::vector<uint16_t> samples;

  int white() const { return depth == 8 ? 255 : 65535; }
  double At(int x, int y) const { return samples[size_t(y * width + x)]; }
};

Picture MakePicture(int width, int rows, int depth) {
  Picture picture{width, rows, depth, {}};
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < width; ++x) {
      // Hard edges, flat areas of every kind, and noise.
      const bool is_flat = (x / 9 + y / 7) % 3 == 0;
      const double light = is_flat ? (x / 9 % 2) : Noise(x, y, 0);
      picture.samples.push_back(
          static_cast<uint16_t>(std::lround(light * picture.white())));
    }
  }
  return picture;
}

class PicturePage : public PageReader {
 public:
  explicit PicturePage(const Picture& picture)
      : PageReader({*Page::Make(picture.width, picture.depth),
                    picture.rows,
                    {Resolution{300, 300}, "title", "", "", "", ""}}),
        picture_(picture) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t i = 0; i < room.rows; ++i, ++row_) {
      for (int x = 0; x < picture_.width; ++x) {
        const auto sample = static_cast<uint16_t>(picture_.At(x, row_));
        if (picture_.depth == 8) {
          room.row(i)[x] = static_cast<std::byte>(sample);
        } else {
          reinterpret_cast<uint16_t*>(room.row(i))[x] = sample;
        }
      }
    }
    return {};
  }

 private:
  const Picture& picture_;
  int row_ = 0;
};

Picture Scaled(const Picture& picture, int width, int rows, int threads = 1,
               int32_t rows_at_once = 7) {
  Pool pool(threads);
  auto page = Scale(std::make_unique<PicturePage>(picture), width, rows, pool);
  EXPECT_TRUE(page.ok()) << page.error().message;
  EXPECT_EQ((*page)->info().metadata.title, "title");
  Picture scaled{width, rows, picture.depth, {}};
  std::vector<uint16_t> room(size_t(width) * size_t(rows_at_once) + 64);
  const size_t pitch = (*page)->info().page.gray_bytes_per_row() + 2;
  for (bool last = false; !last;) {
    const auto filled = (*page)->Read(
        {reinterpret_cast<std::byte*>(room.data()), pitch / 2 * 2,
         std::min(rows_at_once, int32_t(room.size() * 2 / pitch))});
    EXPECT_TRUE(filled.ok());
    for (int32_t i = 0; i < filled->rows; ++i) {
      const auto* row = reinterpret_cast<const std::byte*>(room.data()) +
                        size_t(i) * (pitch / 2 * 2);
      for (int x = 0; x < width; ++x) {
        scaled.samples.push_back(
            picture.depth == 8 ? std::to_integer<uint16_t>(row[x])
                               : reinterpret_cast<const uint16_t*>(row)[x]);
      }
    }
    last = filled->last;
  }
  return scaled;
}

// The definition.
double LightOf(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}
double CodeOf(double light) {
  light = std::clamp(light, 0.0, 1.0);
  return light <= 0.0031308 ? light * 12.92
                            : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}
double Filter(double x, int old_size, int new_size) {
  x = std::abs(x);
  if (new_size > old_size) {
    if (x >= 2) return 0;
    return x < 1 ? 7.0 / 6 * x * x * x - 2 * x * x + 8.0 / 9
                 : -7.0 / 18 * x * x * x + 2 * x * x - 10.0 / 3 * x + 16.0 / 9;
  }
  x *= double(new_size) / old_size;
  const auto sinc = [](double t) {
    t *= std::numbers::pi;
    return t == 0 ? 1 : std::sin(t) / t;
  };
  return x < 3 ? sinc(x) * sinc(x / 3) : 0;
}
std::vector<double> Weights(int at, int old_size, int new_size) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < old_size; ++i) {
    weights.push_back(
        Filter(i + 0.5 - (at + 0.5) * old_size / new_size, old_size, new_size));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}
double Defined(const Picture& picture, const std::vector<double>& across,
               const std::vector<double>& down) {
  double light = 0;
  for (int y = 0; y < picture.rows; ++y) {
    if (down[size_t(y)] == 0) continue;
    for (int x = 0; x < picture.width; ++x) {
      light += down[size_t(y)] * across[size_t(x)] *
               LightOf(picture.At(x, y) / picture.white());
    }
  }
  return CodeOf(light) * picture.white();
}

// The largest distance from the definition before it is rounded.
double WorstError(const Picture& picture, const Picture& scaled) {
  double worst = 0;
  std::vector<std::vector<double>> across;
  for (int x = 0; x < scaled.width; ++x) {
    across.push_back(Weights(x, picture.width, scaled.width));
  }
  for (int y = 0; y < scaled.rows; ++y) {
    const auto down = Weights(y, picture.rows, scaled.rows);
    for (int x = 0; x < scaled.width; ++x) {
      worst =
          std::max(worst, std::abs(scaled.At(x, y) -
                                   Defined(picture, across[size_t(x)], down)));
    }
  }
  return worst;
}

struct Size {
  int width;
  int rows;
};

constexpr Size kSizes[] = {{61, 47},  {62, 47}, {61, 48}, {122, 94},
                           {150, 30}, {20, 15}, {7, 200}, {1, 1},
                           {60, 46},  {61, 1},  {200, 47}};

TEST(ScaledPage, MatchesTheDefinition) {
  const Picture gray = MakePicture(61, 47, 8);
  const Picture deep = MakePicture(61, 47, 16);
  for (const Size& size : kSizes) {
    EXPECT_LE(WorstError(gray, Scaled(gray, size.width, size.rows)), 0.52)
        << size.width << " x " << size.rows;
    // Where light is least, a code of 16 bits is a 2^-20th of it.
    EXPECT_LE(WorstError(deep, Scaled(deep, size.width, size.rows)), 2.5)
        << size.width << " x " << size.rows;
  }
}

TEST(ScaledPage, OfOnePixelIsFlat) {
  for (const int depth : {8, 16}) {
    Picture picture{1, 1, depth, {uint16_t(depth == 8 ? 93 : 60001)}};
    for (const uint16_t sample : Scaled(picture, 37, 21).samples) {
      ASSERT_EQ(sample, picture.samples[0]);
    }
  }
}

TEST(ScaledPage, KeepsFlatAreas) {
  for (const int depth : {8, 16}) {
    for (int code = 0; code < 256; ++code) {
      Picture picture{40, 40, depth, {}};
      picture.samples.assign(1600, uint16_t(depth == 8 ? code : code * 257));
      for (const Size& size : {Size{97, 13}, Size{13, 97}}) {
        for (const uint16_t sample :
             Scaled(picture, size.width, size.rows).samples) {
          ASSERT_EQ(sample, picture.samples[0]);
        }
      }
    }
  }
}

TEST(ScaledPage, AveragesLightNotCodes) {
  Picture stripes{64, 64, 8, {}};
  for (int i = 0; i < 64 * 64; ++i) {
    stripes.samples.push_back(i % 2 == 0 ? 0 : 255);
  }
  const Picture scaled = Scaled(stripes, 8, 8);
  EXPECT_NEAR(scaled.At(4, 4), 188, 1);
}

TEST(ScaledPage, IsTheSameWithAnyThreadsAndRows) {
  const Picture wide = MakePicture(4100, 37, 8);
  const Picture deep = MakePicture(2300, 37, 16);
  for (const Picture* picture : {&wide, &deep}) {
    for (const Size& size : {Size{5003, 29}, Size{1501, 60}, Size{9001, 3}}) {
      const auto alone = Scaled(*picture, size.width, size.rows);
      for (const int threads : {1, 2, 5}) {
        for (const int rows : {1, 5, 64, 1000}) {
          ASSERT_EQ(
              Scaled(*picture, size.width, size.rows, threads, rows).samples,
              alone.samples);
        }
      }
    }
  }
}

// Three pictures of 8 bits, one in each channel.
class RgbPage : public PageReader {
 public:
  explicit RgbPage(const std::vector<Picture>& channels)
      : PageReader({*Page::Make(channels[0].width, 8),
                    channels[0].rows,
                    {},
                    Pixels::kRgb}),
        channels_(channels) {}

 protected:
  Result<void> ReadRows(const GrayRoom& room) override {
    for (int32_t i = 0; i < room.rows; ++i, ++row_) {
      std::byte* out = room.row(i);
      for (int x = 0; x < channels_[0].width; ++x) {
        for (const Picture& channel : channels_) {
          *out++ = static_cast<std::byte>(channel.At(x, row_));
        }
      }
    }
    return {};
  }

 private:
  const std::vector<Picture>& channels_;
  int row_ = 0;
};

TEST(ScaledPage, OfColorsHasEachChannelScaled) {
  std::vector<Picture> channels;
  for (const int shift : {0, 1, 2}) {
    channels.push_back(MakePicture(1400, 30, 8));
    auto& samples = channels.back().samples;
    std::rotate(samples.begin(), samples.begin() + 5 * shift, samples.end());
  }
  constexpr int kWidth = 1300, kRows = 41;
  Pool pool(2);
  auto page = Scale(std::make_unique<RgbPage>(channels), kWidth, kRows, pool);
  ASSERT_TRUE(page.ok()) << page.error().message;
  std::vector<std::byte> rgb(size_t{3} * kWidth * kRows);
  const auto filled = (*page)->Read({rgb.data(), size_t{3} * kWidth, kRows});
  ASSERT_TRUE(filled.ok());
  ASSERT_TRUE(filled->last);
  for (size_t channel = 0; channel < 3; ++channel) {
    const Picture scaled = Scaled(channels[channel], kWidth, kRows);
    for (size_t i = 0; i < scaled.samples.size(); ++i) {
      ASSERT_EQ(std::to_integer<uint16_t>(rgb[3 * i + channel]),
                scaled.samples[i])
          << channel << ' ' << i;
    }
  }
}

// FNV-1a.
uint64_t HashOf(const std::vector<uint16_t>& samples) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint16_t sample : samples) {
    hash = (hash ^ (sample & 255U)) * 0x100000001b3;
    hash = (hash ^ unsigned{sample} >> 8) * 0x100000001b3;
  }
  return hash;
}

TEST(ScaledPage, IsTheSameOnEveryMachine) {
  std::vector<uint16_t> all;
  for (const int depth : {8, 16}) {
    const Picture picture = MakePicture(613, 201, depth);
    for (const Size& size : {Size{1300, 97}, Size{250, 450}, Size{611, 203}}) {
      const Picture scaled = Scaled(picture, size.width, size.rows);
      all.insert(all.end(), scaled.samples.begin(), scaled.samples.end());
    }
  }
  EXPECT_EQ(HashOf(all), 0xa1b83b0aa095cd1a);
}

TEST(ScaledPage, RefusesPagesTooLargeForMemory) {
  Pool pool(1);
  const Picture picture = MakePicture(2100, 30, 8);
  const auto page = Scale(std::make_unique<PicturePage>(picture), 2, 30, pool);
  ASSERT_FALSE(page.ok());
  EXPECT_NE(page.error().message.find("1024 times smaller"), std::string::npos);
  class HighPage : public PageReader {
   public:
    HighPage() : PageReader({*Page::Make(200'000, 8), 100'000, {}}) {}

   protected:
    Result<void> ReadRows(const GrayRoom&) override { return {}; }
  };
  // The ring has 6000 rows of light at least.
  EXPECT_GT(BytesToScale(HighPage().info(), 200'000, 100),
            int64_t{6000} * 200'000 * 4);
  EXPECT_EQ(BytesToScale(HighPage().info(), 200'000, 100'000), 0);
  const auto flat = Scale(std::make_unique<HighPage>(), 200'000, 100, pool);
  ASSERT_FALSE(flat.ok());
  EXPECT_NE(flat.error().message.find("memory"), std::string::npos);
}

TEST(AxisFilter, HasWeightsThatAddUpToOne) {
  for (const auto& [old_size, new_size] :
       {std::pair{1000, 1}, {1000, 7}, {7, 1000}, {1, 5}, {5, 5}, {300, 299}}) {
    const AxisFilter axis(old_size, new_size);
    Taps taps;
    for (int at = 0; at < new_size; ++at) {
      axis.Find(at, taps);
      ASSERT_LE(int64_t(taps.weights.size()), axis.most_taps());
      ASSERT_GE(taps.first, 0);
      ASSERT_LE(taps.first + int64_t(taps.weights.size()), old_size);
      double sum = 0;
      for (const float weight : taps.weights) sum += double(weight);
      ASSERT_EQ(sum, 1);
    }
  }
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every engine gives the indices of the definition, however rows are divided;
// and these keep what the recipe promises.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "halftone/palette/palette_page.h"
#include "tests/halftone/palette/sample_palettes.h"

namespace halftoned::testing {
namespace {

using Model = std::shared_ptr<const PaletteModel>;

constexpr uint8_t kUntouched = 0xee;

PaletteEngine Definition() { return PaletteEngines().back(); }

// Rows lie `gap` bytes further apart than they are long, and each call takes
// 1 … most_rows of them. Bytes between rows must stay.
std::vector<uint8_t> IndicesOf(const RgbPage& page, const Model& model,
                               const PaletteEngine& engine,
                               int32_t most_rows = INT32_MAX, size_t gap = 0) {
  auto opened = PalettePage::Open(model, engine, page.width);
  EXPECT_TRUE(opened.ok());
  const auto width = static_cast<size_t>(page.width);
  const size_t pitch = width + gap;
  std::vector<uint8_t> spaced(pitch * static_cast<size_t>(page.rows),
                              kUntouched);
  std::mt19937 random(7);
  int32_t rows = 0;
  for (int32_t i = 0; i < page.rows; i += rows) {
    rows = std::min<int32_t>(
        1 + static_cast<int32_t>(random() % 1000) % std::min(most_rows, 1000),
        page.rows - i);
    if (most_rows == INT32_MAX) rows = page.rows;
    const auto at = static_cast<size_t>(i);
    opened->Halftone({page.rgb.data() + 3 * width * at, 3 * width, rows},
                     {spaced.data() + pitch * at, pitch});
  }
  std::vector<uint8_t> indices;
  for (size_t at = 0; at < spaced.size(); at += pitch) {
    indices.insert(indices.end(), &spaced[at], &spaced[at] + width);
    for (size_t j = width; j < pitch; ++j)
      EXPECT_EQ(spaced[at + j], kUntouched);
  }
  return indices;
}

int RandomPages() {
  const char* pages = std::getenv("HALFTONED_RANDOM_PAGES");
  return pages ? std::atoi(pages) : 60;
}

TEST(PaletteBits, AreThoseOfTheDefinition) {
  for (int seed = 0; seed < RandomPages(); ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const std::string text = RandomPalette(random);
    const Model model = ModelOf(text);
    const auto width = static_cast<int32_t>(1 + random() % 200);
    const auto rows = static_cast<int32_t>(1 + random() % 100);
    const RgbPage page = RandomRgbPage(random, *model, width, rows);
    const auto expected = IndicesOf(page, model, Definition());
    EXPECT_LT(*std::ranges::max_element(expected), model->count());
    for (const PaletteEngine& engine : PaletteEngines()) {
      if (!engine.runs_here()) continue;
      EXPECT_EQ(IndicesOf(page, model, engine), expected)
          << engine.name << ", seed " << seed << ": " << width << " x " << rows
          << ", " << text;
      EXPECT_EQ(IndicesOf(page, model, engine, 40, 5), expected)
          << engine.name << ", divided, seed " << seed;
    }
  }
}

TEST(PaletteBits, AreTheSameForNarrowAndWidePages) {
  const Model model = ModelOf("acep7");
  std::mt19937 random(1);
  for (const int32_t width : {1, 2, 3, 61, 62, 63, 64, 65, 127, 128, 5000}) {
    for (const int32_t rows : {1, 2, 33}) {
      const RgbPage page = RandomRgbPage(random, *model, width, rows);
      const auto expected = IndicesOf(page, model, Definition());
      for (const PaletteEngine& engine : PaletteEngines()) {
        if (!engine.runs_here()) continue;
        EXPECT_EQ(IndicesOf(page, model, engine), expected)
            << engine.name << ' ' << width << " x " << rows;
      }
    }
  }
}

RgbPage FlatPage(const Rgb& rgb, int32_t width, int32_t rows) {
  RgbPage page{width, rows, {}};
  for (int32_t i = 0; i < width * rows; ++i) {
    page.rgb.insert(page.rgb.end(), rgb.begin(), rgb.end());
  }
  return page;
}

// In the midst of noise.
TEST(PaletteBits, OfColorsOfThePaletteAreFlat) {
  for (const NamedPalette& named : NamedPalettes()) {
    const Model model =
        ModelOf(std::string(named.name) + ",tone-compression=0");
    std::mt19937 random(5);
    for (size_t k = 0; k < model->count(); ++k) {
      const PaletteColor& color = model->palette().colors()[k];
      for (const Rgb& rgb : {color.sent, color.measured}) {
        RgbPage page = RandomRgbPage(random, *model, 90, 70);
        for (size_t i = 20; i < 60; ++i) {
          for (size_t j = 30; j < 70; ++j) {
            std::ranges::copy(rgb, &page.rgb[3 * (90 * i + j)]);
          }
        }
        const auto indices = IndicesOf(page, model, PaletteEngines().front());
        const int flat = model->FlatIndexOf(rgb);
        for (size_t i = 20; i < 60; ++i) {
          for (size_t j = 30; j < 70; ++j) {
            ASSERT_EQ(indices[90 * i + j], flat) << named.name << ' ' << k;
          }
        }
      }
    }
  }
}

Light MeanOf(const std::vector<uint8_t>& indices, const PaletteModel& model) {
  std::array<int64_t, 3> sums{};
  for (const uint8_t index : indices) {
    for (size_t c = 0; c < 3; ++c) sums[c] += model.light(index)[c];
  }
  Light mean;
  for (size_t c = 0; c < 3; ++c) {
    mean[c] = static_cast<int32_t>(sums[c] / int64_t(indices.size()));
  }
  return mean;
}

// So it is what the panel shows that is right, not the number of dots.
TEST(PaletteBits, OfAGrayHaveItsLight) {
  for (const NamedPalette& named : NamedPalettes()) {
    const Model model = ModelOf(named.name);
    for (uint8_t gray = 10; gray < 250; gray += 40) {
      const RgbPage page = FlatPage({gray, gray, gray}, 128, 128);
      const Light mean =
          MeanOf(IndicesOf(page, model, PaletteEngines().front()), *model);
      for (size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(mean[c], model->toned(c, gray), kWhite / 40)
            << named.name << ' ' << int{gray};
      }
    }
  }
}

// An error that nothing can pay is bounded: white after a page of colors that
// the panel does not have, which is not flat white, soon has no dots of it.
TEST(PaletteBits, ForgetColorsThatThePanelDoesNotHave) {
  for (const char* name : {"bw", "bwr", "bwy", "spectra6", "acep7",
                           "spectra6,tone-compression=0"}) {
    const Model model = ModelOf(name);
    for (const Rgb& hostile : {Rgb{1, 0, 255}, Rgb{255, 1, 254}, Rgb{0, 255, 1},
                               Rgb{254, 1, 0}, Rgb{1, 254, 255}}) {
      RgbPage page = FlatPage(hostile, 200, 400);
      const RgbPage after = FlatPage({254, 254, 254}, 200, 60);
      page.rgb.insert(page.rgb.end(), after.rgb.begin(), after.rgb.end());
      page.rows += after.rows;
      auto indices = IndicesOf(page, model, PaletteEngines().front());
      indices.erase(indices.begin(), indices.end() - 200 * 40);
      const auto white = std::ranges::count(indices, 1);
      EXPECT_GT(white, 200 * 40 * 95 / 100) << name;
    }
  }
}

TEST(PalettePage, RefusesInvalidWidthsAndUnknownEngines) {
  const Model model = ModelOf("bw");
  for (const int64_t width : {int64_t{0}, int64_t{-1}, int64_t{262145}}) {
    EXPECT_FALSE(PalettePage::Open(model, Definition(), width).ok());
  }
  EXPECT_TRUE(PalettePage::Open(model, Definition(), 262144).ok());
  EXPECT_EQ(ChoosePaletteEngine("fast").error().code, ErrorCode::kBadInput);
  EXPECT_EQ(ChoosePaletteEngine("scalar")->name, "scalar");
  EXPECT_TRUE(ChoosePaletteEngine("auto").ok());
}

}  // namespace
}  // namespace halftoned::testing

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What halftone.h promises of palettes.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/library/handles.h"

namespace halftoned::testing {
namespace {

struct FreePalette {
  void operator()(ht_palette* palette) const { ht_palette_free(palette); }
  void operator()(ht_palette_page* page) const { ht_palette_page_free(page); }
};
using PaletteHandle = std::unique_ptr<ht_palette, FreePalette>;
using PalettePageHandle = std::unique_ptr<ht_palette_page, FreePalette>;

PaletteHandle NewPalette(const char* colors) {
  ht_palette* palette = nullptr;
  ht_error error;
  EXPECT_EQ(ht_palette_new(colors, &palette, &error), HT_OK) << error.text;
  return PaletteHandle(palette);
}

constexpr int32_t kRampWidth = 101;
constexpr int64_t kRampRows = 75;

std::vector<uint8_t> Ramps() {
  std::vector<uint8_t> rgb;
  for (int i = 0; i < kRampRows * kRampWidth; ++i) {
    rgb.push_back(static_cast<uint8_t>(2 * (i % kRampWidth)));
    rgb.push_back(static_cast<uint8_t>(3 * (i / kRampWidth)));
    rgb.push_back(static_cast<uint8_t>(255 - i % kRampWidth));
  }
  return rgb;
}

std::vector<uint8_t> WholePage(const ht_engine* engine,
                               const ht_palette* palette) {
  const auto rgb = Ramps();
  std::vector<uint8_t> indices(kRampWidth * kRampRows);
  ht_error error;
  EXPECT_EQ(ht_palette_halftone(engine, palette, kRampWidth, rgb.data(), 0,
                                kRampRows, indices.data(), 0, &error),
            HT_OK)
      << error.text;
  return indices;
}

TEST(LibraryPalette, ListsItsColors) {
  const auto palette = NewPalette("#0a070e=#000000,#adb2ae=#ffffff #55180e");
  EXPECT_EQ(ht_palette_count(palette.get()), 3);
  EXPECT_EQ(ht_palette_sent(palette.get(), 1), 0xffffffu);
  EXPECT_EQ(ht_palette_measured(palette.get(), 1), 0xadb2aeu);
  EXPECT_EQ(ht_palette_sent(palette.get(), 2), 0x55180eu);
  for (const int none : {-1, 3, 2147483647}) {
    EXPECT_EQ(ht_palette_sent(palette.get(), none), 0u);
    EXPECT_EQ(ht_palette_measured(palette.get(), none), 0u);
  }
}

TEST(LibraryPalette, GivesTheSameWithAnyEngineAndAnyRows) {
  const auto palette = NewPalette("spectra6");
  const auto scalar = NewEngine("scalar", 1);
  const auto expected = WholePage(scalar.get(), palette.get());
  EXPECT_EQ(WholePage(nullptr, palette.get()), expected);
  EXPECT_EQ(WholePage(NewEngine("auto", 3).get(), palette.get()), expected);

  ht_palette_page* opened = nullptr;
  ASSERT_EQ(ht_palette_page_open(nullptr, palette.get(), kRampWidth, &opened,
                                 nullptr),
            HT_OK);
  const PalettePageHandle page(opened);
  const auto rgb = Ramps();
  std::vector<uint8_t> indices(kRampWidth * kRampRows);
  for (int64_t row = 0, rows = 1; row < kRampRows; row += rows) {
    rows = std::min<int64_t>(1 + row % 7, kRampRows - row);
    ASSERT_EQ(
        ht_palette_page_put(page.get(), &rgb[size_t(3 * kRampWidth * row)],
                            row % 2 ? 3 * kRampWidth : 0, rows,
                            &indices[size_t(kRampWidth * row)],
                            row % 3 ? kRampWidth : 0, nullptr),
        HT_OK);
    ASSERT_EQ(
        ht_palette_page_put(page.get(), nullptr, 0, 0, nullptr, 0, nullptr),
        HT_OK);
  }
  EXPECT_EQ(indices, expected);
}

TEST(LibraryPalette, RefusesInvalidArguments) {
  ht_palette* none = nullptr;
  ht_error error;
  EXPECT_EQ(ht_palette_new("mauve", &none, &error), HT_BAD_INPUT);
  EXPECT_STREQ(error.text,
               "color 1 of the palette is not like #b21318 or #b21318=#ff0000");
  EXPECT_EQ(ht_palette_new(nullptr, &none, &error), HT_BUG);
  EXPECT_EQ(ht_palette_new("bw", nullptr, &error), HT_BUG);
  EXPECT_EQ(none, nullptr);

  const auto palette = NewPalette("bw");
  const auto rgb = Ramps();
  std::vector<uint8_t> indices(kRampWidth * kRampRows, 7);
  const auto status = [&](int32_t width, size_t rgb_stride, int64_t rows,
                          size_t index_stride, const void* in, void* out) {
    return ht_palette_halftone(nullptr, palette.get(), width, in, rgb_stride,
                               rows, out, index_stride, &error);
  };
  uint8_t* out = indices.data();
  EXPECT_EQ(status(0, 0, 1, 0, rgb.data(), out), HT_BAD_INPUT);
  EXPECT_EQ(status(262145, 0, 1, 0, rgb.data(), out), HT_BAD_INPUT);
  EXPECT_EQ(status(kRampWidth, 3 * kRampWidth - 1, 1, 0, rgb.data(), out),
            HT_BAD_INPUT);
  EXPECT_EQ(status(kRampWidth, 0, 1, kRampWidth - 1, rgb.data(), out),
            HT_BAD_INPUT);
  EXPECT_EQ(status(kRampWidth, SIZE_MAX / 2, 3, 0, rgb.data(), out),
            HT_BAD_INPUT);
  EXPECT_EQ(status(kRampWidth, 0, -1, 0, rgb.data(), out), HT_BAD_INPUT);
  EXPECT_EQ(status(kRampWidth, 0, int64_t{1} << 31, 0, rgb.data(), out),
            HT_BAD_INPUT);
  EXPECT_EQ(status(kRampWidth, 0, 1, 0, nullptr, out), HT_BUG);
  EXPECT_EQ(status(kRampWidth, 0, 1, 0, rgb.data(), nullptr), HT_BUG);
  EXPECT_EQ(status(kRampWidth, 0, 0, 0, nullptr, nullptr), HT_OK);
  EXPECT_EQ(indices, std::vector<uint8_t>(kRampWidth * kRampRows, 7));
}

}  // namespace
}  // namespace halftoned::testing

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/gray_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "halftone/look/gray/luminance.h"

namespace halftoned {
namespace {

RasterForm FormOfColours(Colours colours, int bits, int width) {
  return {*Page::Make(width, bits), 1, colours,
          static_cast<size_t>(width * bits / 8 * CountOf(colours))};
}

template <typename Sample>
std::vector<Sample> Convert(Colours colours, std::vector<Sample> row) {
  const auto width = static_cast<int>(row.size()) / CountOf(colours);
  std::vector<Sample> gray(static_cast<size_t>(width));
  ColourToLight(FormOfColours(colours, 8 * sizeof(Sample), width),
                reinterpret_cast<const std::byte*>(row.data()),
                reinterpret_cast<std::byte*>(gray.data()));
  return gray;
}

TEST(GrayRows, BlackIsTheComplementOfLight) {
  std::array<std::byte, 3> row{std::byte{0}, std::byte{1}, std::byte{255}};
  BlackToLight(row);
  EXPECT_EQ(row, (std::array<std::byte, 3>{std::byte{255}, std::byte{254},
                                           std::byte{0}}));
  std::array<uint16_t, 2> deep{0x1234, 0};
  BlackToLight(std::as_writable_bytes(std::span(deep)));
  EXPECT_EQ(deep, (std::array<uint16_t, 2>{0xedcb, 0xffff}));
}

TEST(GrayRows, ColorsBecomeTheirLuminance) {
  using Row8 = std::vector<uint8_t>;
  EXPECT_EQ(Convert<uint8_t>(Colours::kRgb, {1, 2, 3, 255, 255, 255}),
            (Row8{static_cast<uint8_t>(Luma(1, 2, 3)), 255}));
  EXPECT_EQ(Convert<uint8_t>(Colours::kCmy, {255, 0, 0, 0, 0, 0}),
            (Row8{static_cast<uint8_t>(Luma(0, 255, 255)), 255}));
  EXPECT_EQ(Convert<uint8_t>(Colours::kCmyk, {0, 0, 0, 255, 0, 0, 0, 3}),
            (Row8{0, 252}));
  EXPECT_EQ(Convert<uint16_t>(Colours::kCmyk, {0, 0, 0, 65535, 9, 9, 9, 0}),
            (std::vector<uint16_t>{0, 65526}));
  EXPECT_EQ(Convert<uint16_t>(Colours::kRgb, {65535, 0, 0}),
            (std::vector<uint16_t>{static_cast<uint16_t>(Luma(65535, 0, 0))}));
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a text of colors means, and which texts are refused.

#include "halftone/palette/palette.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace halftoned::testing {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto palette = Palette::Parse(text);
  return palette.ok() ? "" : palette.error().message;
}

TEST(Palette, IsAListOfColorsAsMeasuredAndAsSent) {
  const auto palette = Palette::Parse(
      "#0a070E=#000000 ; black\n,#adb2ae=#FFFFFF\t#55180e;red=#ff0000");
  ASSERT_TRUE(palette.ok()) << palette.error().message;
  const PaletteColor expected[] = {{{10, 7, 14}, {0, 0, 0}},
                                   {{173, 178, 174}, {255, 255, 255}},
                                   {{85, 24, 14}, {85, 24, 14}}};
  ASSERT_EQ(palette->colors().size(), 3u);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(palette->colors()[k], expected[k]) << k;
  }
}

TEST(Palette, EveryNameIsOne) {
  for (const NamedPalette& named : NamedPalettes()) {
    EXPECT_TRUE(Palette::Begins(named.name));
    const auto by_name = Palette::Parse(named.name);
    const auto by_colors = Palette::Parse(named.colors);
    ASSERT_TRUE(by_name.ok()) << named.name << by_name.error().message;
    ASSERT_TRUE(by_colors.ok());
    EXPECT_TRUE(std::ranges::equal(by_name->colors(), by_colors->colors()));
  }
  EXPECT_FALSE(Palette::Begins("Spectra6"));
}

TEST(Palette, CanHaveAToneCompression) {
  EXPECT_EQ(Palette::Parse("bw")->tone_compression(), 100);
  EXPECT_EQ(Palette::Parse("bw,tone-compression=7")->tone_compression(), 7);
  const auto palette = Palette::Parse(
      "tone-compression=1;no\n#000000 #ffffff tone-compression=0");
  EXPECT_EQ(palette->tone_compression(), 0);
  EXPECT_EQ(palette->colors().size(), 2u);
  EXPECT_TRUE(Palette::Begins(" tone-compression=0 bw"));
  EXPECT_TRUE(Palette::Begins("bw,tone-compression=0"));
  for (const std::string bad : {"", "-1", "101", "1.5", "50%", "x"}) {
    EXPECT_EQ(ErrorOf("bw,tone-compression=" + bad),
              "tone-compression is '" + bad + "', which is not in 0 … 100");
  }
}

TEST(Palette, InvalidTextsAreRefused) {
  EXPECT_EQ(ErrorOf(""), "the palette has fewer than 2 colors");
  EXPECT_EQ(ErrorOf(" ; #000000 #ffffff"),
            "the palette has fewer than 2 colors");
  EXPECT_EQ(ErrorOf("#000000"), "the palette has fewer than 2 colors");
  const std::string second =
      "color 2 of the palette is not like #b21318 or "
      "#b21318=#ff0000";
  for (const char* bad : {"#fffff", "#fffffg", "ffffff", "#fffffff", "#ffffff=",
                          "#ffffff=#fff", "#ffffff=#ffffff=#ffffff", "white",
                          "#ffffff#ff0000", "#ffffff=red", "=#ffffff", "#"}) {
    EXPECT_EQ(ErrorOf(std::string("#000000,") + bad), second) << bad;
  }
  EXPECT_EQ(ErrorOf(std::string_view("#000000,\0#ffffff", 16)), second);
  EXPECT_EQ(ErrorOf("bw bwr"), "color 3 of the palette occurs twice");
  EXPECT_EQ(ErrorOf("#000000 #ffffff #000000=#ff0000"),
            "color 3 of the palette occurs twice");
  std::string many;
  for (int k = 0; k < 17; ++k) many += "#0000" + std::to_string(10 + k) + ",";
  EXPECT_EQ(ErrorOf(many), "the palette has more than 16 colors");
}

TEST(Palette, InvalidTextsAreHarmless) {
  std::mt19937 random(1);
  constexpr std::string_view kSome = "##00ffA9=, ;\n\xff";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    while (random() % 40 != 0) text += kSome[random() % kSome.size()];
    const auto palette = Palette::Parse(text);
    if (!palette.ok()) continue;
    EXPECT_GE(palette->colors().size(), Palette::kLeast);
    EXPECT_LE(palette->colors().size(), Palette::kMost);
  }
}

}  // namespace
}  // namespace halftoned::testing

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of a palette: light, tones, gamut and flat colors.

#include "halftone/palette/palette_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "halftone/palette/gamut.h"
#include "tests/halftone/palette/sample_palettes.h"

namespace halftoned::testing {
namespace {

TEST(PaletteLight, IsThatOfSrgb) {
  for (int a = 0; a < 256; ++a) {
    const double code = a / 255.0;
    const double light =
        code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
    EXPECT_EQ(kLightOfSrgb[static_cast<size_t>(a)],
              std::lround(light * kWhite));
  }
}

std::vector<Light> LightsOf(std::string_view text) {
  std::vector<Light> lights;
  const auto palette = Palette::Parse(text);
  for (const PaletteColor& color : palette->colors()) {
    lights.push_back(LightOf(color.measured));
  }
  return lights;
}

int Farthest(const Light& a, const Light& b) {
  int most = 0;
  for (size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return most;
}

TEST(PaletteGamut, LeavesMixturesWhereTheyAre) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const std::vector<Light> lights = LightsOf(RandomPalette(random));
    Light mixture{};
    for (int part = 0; part < 8; ++part) {
      const Light& light = lights[random() % lights.size()];
      for (size_t c = 0; c < 3; ++c) mixture[c] += light[c];
    }
    for (int32_t& light : mixture) light /= 8;
    EXPECT_LE(Farthest(InGamut(mixture, lights), mixture), kWhite / 100);
  }
}

// Each color is mapped to a mixture, and mapping that again changes little.
TEST(PaletteGamut, EndsInsideIt) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const std::vector<Light> lights = LightsOf(RandomPalette(random));
    const Light wanted = {static_cast<int>(random() % (kWhite + 1)),
                          static_cast<int>(random() % (kWhite + 1)),
                          static_cast<int>(random() % (kWhite + 1))};
    const Light given = InGamut(wanted, lights);
    for (size_t c = 0; c < 3; ++c) {
      int least = kWhite;
      int most = 0;
      for (const Light& light : lights) {
        least = std::min(least, light[c]);
        most = std::max(most, light[c]);
      }
      // A color less than can be seen outside stays where it is.
      EXPECT_GE(given[c], least - kWhite / 50);
      EXPECT_LE(given[c], most + kWhite / 50);
    }
    EXPECT_LE(Farthest(InGamut(given, lights), given), kWhite / 20);
  }
}

TEST(PaletteGamut, KeepsGraysOfAPanelThatHasNoColors) {
  const std::vector<Light> lights = LightsOf("gray4");
  for (int32_t light = 0; light <= kWhite; light += 17) {
    const Light gray = {light, light, light};
    EXPECT_EQ(InGamut(gray, lights), gray);
  }
  const Light red = InGamut({kWhite, 0, 0}, lights);
  EXPECT_LE(std::abs(red[0] - red[1]), 1);
  EXPECT_LE(std::abs(red[0] - red[2]), 1);
}

TEST(PaletteTones, ReachFromBlackToWhiteOfThePanel) {
  for (const NamedPalette& named : NamedPalettes()) {
    const auto model = ModelOf(named.name);
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(model->toned(c, 0), model->light(0)[c]) << named.name;
      const size_t white =
          model->palette().colors().back().sent == Rgb{255, 255, 255}
              ? model->count() - 1
              : 1;
      EXPECT_EQ(model->toned(c, 255), model->light(white)[c]) << named.name;
      for (int a = 1; a < 256; ++a) {
        EXPECT_GE(model->toned(c, static_cast<uint8_t>(a)),
                  model->toned(c, static_cast<uint8_t>(a - 1)));
      }
    }
  }
}

// Grays keep their light, in the tint of the panel's white.
TEST(PaletteTones, KeepTheirLightWithoutCompression) {
  for (const NamedPalette& named : NamedPalettes()) {
    const auto model = ModelOf(std::string(named.name) + ",tone-compression=0");
    for (int a = 0; a < 256; ++a) {
      const auto gray = static_cast<uint8_t>(a);
      Light toned{};
      for (size_t c = 0; c < 3; ++c) toned[c] = model->toned(c, gray);
      if (std::ranges::count(toned, kWhite) > 0) continue;
      EXPECT_NEAR(LumaOf(toned), LumaOf(LightOf({gray, gray, gray})), 20000)
          << named.name << ' ' << a;
    }
  }
}

TEST(PaletteFlats, AreTheColorsAsSentAndAsMeasured) {
  // What is sent as one color may be measured as another.
  const auto model = ModelOf("#101010=#000000 #ffffff #000000=#101010");
  EXPECT_EQ(model->FlatIndexOf({0, 0, 0}), 0);
  EXPECT_EQ(model->FlatIndexOf({16, 16, 16}), 2);
  EXPECT_EQ(model->FlatIndexOf({255, 255, 255}), 1);
  EXPECT_EQ(model->FlatIndexOf({255, 255, 254}), -1);
}

TEST(PaletteFlats, AreFoundByTheTable) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const auto model = ModelOf(RandomPalette(random));
    for (const PaletteColor& color : model->palette().colors()) {
      EXPECT_EQ(model->flats().Find(FlatTable::KeyOf(color.sent.data())),
                model->FlatIndexOf(color.sent));
    }
    for (int j = 0; j < 2000; ++j) {
      const Rgb rgb = {static_cast<uint8_t>(random()),
                       static_cast<uint8_t>(random()),
                       static_cast<uint8_t>(random())};
      EXPECT_EQ(model->flats().Find(FlatTable::KeyOf(rgb.data())),
                model->FlatIndexOf(rgb));
    }
  }
  EXPECT_EQ(ModelOf("bw")->flats().Find(0xffffff), 1);
  EXPECT_EQ(ModelOf("#000000 #808080")->flats().Find(0xffffff), -1);
}

}  // namespace
}  // namespace halftoned::testing

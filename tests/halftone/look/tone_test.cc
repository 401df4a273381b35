// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/tone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "halftone/look/tones/typical_laser.h"

namespace halftoned {
namespace {

// The curve's light at the light v, both in 0 … 1.
double At(const ToneCurve& curve, double v) {
  return curve.table()[static_cast<size_t>(std::lround(v * kWhite))] /
         double{kWhite};
}

void ExpectSound(const Tone& tone, const char* what) {
  const auto curve = CurveOf(tone);
  ASSERT_TRUE(curve.ok()) << what;
  EXPECT_EQ(curve->table().front(), 0) << what;
  EXPECT_EQ(curve->table().back(), kWhite) << what;
  EXPECT_TRUE(std::is_sorted(curve->table().begin(), curve->table().end()))
      << what;
}

// The numbers that are members of Tone, in the order in which they apply.
std::vector<const PrintSetting*> ToneSettings() {
  std::vector<const PrintSetting*> settings;
  for (const PrintSetting& setting : kPrintSettings) {
    if (setting.is_number() && setting.is_of_tone()) {
      settings.push_back(&setting);
    }
  }
  return settings;
}

TEST(Tone, HasItsNumbersAmongTheSettings) {
  struct OfNumbersAndAnAim {
    double number;
    ToneAim aim;
  };
  EXPECT_EQ(
      (ToneSettings().size() - 1) * sizeof(double) + sizeof(OfNumbersAndAnAim),
      sizeof(Tone));
}

TEST(Tone, ChangesNothingByDefault) { EXPECT_TRUE(CurveOf({})->is_identity()); }

TEST(Tone, EveryNumberKeepsBlackAndWhiteAndNeverFalls) {
  for (const PrintSetting* number : ToneSettings()) {
    for (int step = 0; step <= 8; ++step) {
      Look look;
      const double span = number->most - number->least;
      ASSERT_TRUE(number->Set(number->least + span * step / 8, look));
      ExpectSound(look, number->name.data());
    }
  }
}

TEST(Tone, AllNumbersTogetherKeepBlackAndWhiteAndNeverFall) {
  const auto numbers = ToneSettings();
  for (unsigned corner = 0; corner < 1u << numbers.size(); ++corner) {
    Look look;
    for (size_t i = 0; i < numbers.size(); ++i) {
      numbers[i]->Set(corner >> i & 1 ? numbers[i]->most : numbers[i]->least,
                      look);
    }
    ExpectSound(look, std::to_string(corner).c_str());
  }
}

TEST(Tone, NumbersOutOfTheirRangeAreRefused) {
  for (const PrintSetting* number : ToneSettings()) {
    for (const double wrong :
         {number->least - 0.01, number->most + 0.01, std::nan(""), HUGE_VAL}) {
      Look look;
      EXPECT_FALSE(number->Set(wrong, look)) << number->name;
      look.*std::get<double Look::*>(number->member) = wrong;
      const auto curve = CurveOf(look);
      ASSERT_FALSE(curve.ok()) << number->name;
      EXPECT_EQ(curve.error().message,
                std::string(number->name) + " is not " + number->Values());
    }
  }
}

TEST(Tone, TheBlackPointIsSolidAndShadowsAboveItAreStretchedNotCut) {
  const ToneCurve curve = *CurveOf({.black_point = 32});
  for (uint8_t a = 0; a <= 32; ++a) EXPECT_EQ(curve.At8(a), 0) << int{a};
  for (uint8_t a = 33; a < 128; ++a) {
    EXPECT_GT(curve.At8(a), curve.At8(a - 1)) << int{a};
    EXPECT_LE(curve.At8(a), 16 * a) << int{a};
  }
  for (int a = 128; a <= 255; ++a) {
    EXPECT_EQ(curve.At8(static_cast<uint8_t>(a)), 16 * a);
  }
}

TEST(Tone, EachSettingMovesTheMiddleAsDocumented) {
  EXPECT_NEAR(At(*CurveOf({.brightness = 100}), 0.5), 0.75, 1e-3);
  EXPECT_NEAR(At(*CurveOf({.brightness = -40}), 0.5), 0.40, 1e-3);
  EXPECT_NEAR(At(*CurveOf({.contrast = 80}), 0.5), 0.5, 1e-3);
  EXPECT_NEAR(At(*CurveOf({.contrast = 100}), 0.25), 0.25 - 0.09375, 1e-3);
  EXPECT_NEAR(At(*CurveOf({.contrast = -100}), 0.25), 0.25 + 0.09375, 1e-3);
  EXPECT_NEAR(At(*CurveOf({.gamma = 2}), 0.25), 0.5, 1e-3);
  EXPECT_EQ(*CurveOf({.gamma = 1.7}), *ToneCurve::FromGamma(1.7));
  EXPECT_NEAR(1 - At(*CurveOf({.toner_save = 40}), 0.8), 0.2 * 0.6, 1e-3);
  EXPECT_NEAR(1 - At(*CurveOf({.toner_save = 40}), 0.5), 0.5 * 0.6016, 1e-3);
}

TEST(Tone, TheAimComesBetweenWhatUsersChangeAndWhatThePrinterDoes) {
  const ToneCurve aim = *CurveOf({.aim = ToneAim::kDisplay});
  ExpectSound({.aim = ToneAim::kDisplay}, "display");
  const ToneCurve by_steps = CurveOf({.gamma = 1.4})
                                 ->Then(aim)
                                 .Then(*CurveOf({.toner_save = 25}))
                                 .Then(*CurveOf({.dot_gain = 15}));
  const ToneCurve at_once = *CurveOf({.gamma = 1.4,
                                      .aim = ToneAim::kDisplay,
                                      .toner_save = 25,
                                      .dot_gain = 15});
  for (size_t i = 0; i < at_once.table().size(); ++i) {
    EXPECT_NEAR(at_once.table()[i], by_steps.table()[i], 12) << i;
  }
  // 8-bit and 16-bit samples mean the same.
  for (int a = 0; a <= 255; ++a) {
    EXPECT_NEAR(aim.At16(static_cast<uint16_t>(257 * a)),
                aim.At8(static_cast<uint8_t>(a)), 2);
  }
}

TEST(Tone, BlackPointThenContrastThenBrightnessThenGammaThenTonerThenDots) {
  const Tone all{.black_point = 20,
                 .contrast = 30,
                 .brightness = -20,
                 .gamma = 1.4,
                 .toner_save = 25,
                 .dot_gain = 15};
  ToneCurve by_steps;
  for (const PrintSetting* number : ToneSettings()) {
    Look one;
    number->Copy(Look{{}, all}, one);
    by_steps = by_steps.Then(*CurveOf(one));
  }
  // Apart from the rounding of each step.
  const ToneCurve at_once = *CurveOf(all);
  for (size_t i = 0; i < at_once.table().size(); ++i) {
    EXPECT_NEAR(at_once.table()[i], by_steps.table()[i], 12) << i;
  }
}

TEST(Tone, DotGainTakesOffWhatDotsWillAdd) {
  for (const double gain : {0.5, 12.0, 20.0, 30.0, 45.0}) {
    const ToneCurve curve = *CurveOf({.dot_gain = gain});
    const double g = gain / 100;
    for (int i = 0; i <= 40; ++i) {
      const double wanted = i / 40.0;
      const double v = At(curve, wanted);
      const double printed = (1 - 2 * g) * (v - 2 * g * std::min(v, 1 - v)) +
                             2 * g * std::pow(v, -std::log2(0.5 - g));
      EXPECT_NEAR(printed, wanted, 1e-3) << gain << " " << i;
    }
    // The middle tone prints g darker than requested.
    EXPECT_NEAR(At(curve, 0.5 - g), 0.5, 1e-2) << gain;
  }
}

TEST(Tone, DotsGainMoreWhereTheyAreSmallAndOnALaser) {
  for (const Technology technology :
       {Technology::kLaser, Technology::kInkjet, Technology::kThermal}) {
    double last = 0;
    for (const double dpi : {100.0, 203.0, 300.0, 400.0, 600.0, 1200.0}) {
      const double gain = TypicalDotGain(technology, dpi);
      EXPECT_GT(gain, last) << dpi;
      EXPECT_LE(gain, TypicalDotGain(Technology::kLaser, dpi)) << dpi;
      ExpectSound({.dot_gain = gain}, "default");
      last = gain;
    }
    EXPECT_EQ(TypicalDotGain(technology, 19200), last);
  }
  EXPECT_EQ(TypicalDotGain(Technology::kInkjet, 600), 16);
  EXPECT_EQ(TypicalDotGain(Technology::kInkjet, 900), 20);
}

void ExpectTypicalCurve(double dpi, bool has_feedback) {
  const ToneCurve curve = *TypicalCurve(Technology::kLaser, dpi, has_feedback);
  EXPECT_EQ(curve.table().front(), 0);
  EXPECT_EQ(curve.table().back(), kWhite);
  for (int i = 0; i <= 40; ++i) {
    const double wanted = i / 40.0;
    EXPECT_NEAR(LightOfTypicalLaser(At(curve, wanted), dpi, has_feedback),
                wanted, 1e-3)
        << dpi << " " << i;
  }
  double last = -1;
  for (int i = 0; i <= kWhite; ++i) {
    const double white = double{1} * i / kWhite;
    const double light = LightOfTypicalLaser(white, dpi, has_feedback);
    EXPECT_GT(light, last) << dpi << " " << i;
    last = light;
  }
}

TEST(Tone, TheTypicalCurveTakesOffWhatTheTypicalLaserAdds) {
  for (const double dpi : {150.0, 300.0, 400.0, 600.0, 1200.0, 2400.0}) {
    ExpectTypicalCurve(dpi, false);
    ExpectTypicalCurve(dpi, true);
  }
  EXPECT_EQ(*TypicalCurve(Technology::kThermal, 300),
            *CurveOf({.dot_gain = 8}));
}

// Fused multiply-adds would change it.
TEST(Tone, TheTypicalCurveIsTheSameOnEveryCpu) {
  const ToneCurve curve = *TypicalCurve(Technology::kLaser, 600, false);
  uint64_t hash = 5381;
  for (const uint16_t value : curve.table()) hash = hash * 33 + value;
  EXPECT_EQ(hash, 14764720907294031648U);
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The aim of tones: by numbers, and in prints of simulated lasers
// (laser_model.h), which look as the screen does.

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "bench/tone/aim_error.h"
#include "halftone/look/tones/tone.h"

namespace halftoned {
namespace {

constexpr int kSteps = 13;

double MeanOverLasers(const HalftoneType& type, int dots_per_inch,
                      const ToneCurve& curve) {
  double sum = 0;
  for (const bench::Laser& laser : bench::kLasers) {
    sum += bench::AimError(type, curve, laser, dots_per_inch, kSteps).mean;
  }
  return sum / std::size(bench::kLasers);
}

TEST(DisplayAim, KeepsBlackAndWhiteAndRises) {
  EXPECT_NEAR(LightAimedAt(0), 0, 1e-12);
  EXPECT_NEAR(LightAimedAt(1), 1, 1e-12);
  for (int i = 0; i < 255; ++i) {
    EXPECT_LT(LightAimedAt(i / 255.0), LightAimedAt((i + 1) / 255.0)) << i;
  }
}

TEST(DisplayAim, TheMiddleIsThatOfTheDisplayBetweenBlackAndPaper) {
  // A display shows 128 with a lightness of 53.6. A print whose black has a
  // density of 1.5 shows it with 56.1, the light of 0.2406.
  const double black = std::pow(10, -1.5);
  EXPECT_NEAR(LightAimedAt(128 / 255.0) * (1 - black) + black, 0.2406, 0.0001);
}

TEST(DisplayAim, DefaultTonesOfLasersLookAsOnTheScreen) {
  struct Case {
    int dots_per_inch;
    HalftoneType type;
    double goal;  // mean error of lightness
  };
  for (const auto& [dots_per_inch, type, goal] :
       {Case{300, {Algorithm::kFine}, 4.5}, Case{600, {Algorithm::kFine}, 4.5},
        Case{1200, {Algorithm::kFine}, 5},
        Case{1200, {Algorithm::kClustered}, 5}}) {
    const ToneCurve screen =
        bench::DefaultTones(type, ToneAim::kDisplay, dots_per_inch);
    EXPECT_LE(MeanOverLasers(type, dots_per_inch, screen), goal)
        << dots_per_inch;
  }
}

TEST(DisplayAim, IsMetByTheTypicalLaser) {
  for (const int dots_per_inch : {300, 600, 1200}) {
    for (const double print_feedback : {0, 100}) {
      HalftoneType type;
      type.print_feedback = print_feedback;
      const ToneCurve curve =
          bench::DefaultTones(type, ToneAim::kDisplay, dots_per_inch);
      const auto error = bench::AimError(type, curve, bench::kTypicalLaser,
                                         dots_per_inch, kSteps);
      EXPECT_LE(error.mean, 2) << dots_per_inch << " " << print_feedback;
    }
  }
}

TEST(DisplayAim, BiLevelHasNoTonesThatCouldBeAimedAt) {
  const Recipe::Parts parts = *PartsOf({Algorithm::kBiLevel}, 2);
  EXPECT_TRUE(
      CurveFor(parts, {.aim = ToneAim::kDisplay}, std::nullopt)->is_identity());
}

}  // namespace
}  // namespace halftoned

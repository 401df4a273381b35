// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A measured curve, made as rastertohalftone(8) describes, from simulated
// prints (print_model.h), measured by an instrument that rounds, and whose
// black and paper are not 0 and 255.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bench/tone/print_model.h"
#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

constexpr bench::Dots kSoft{42.3, 55, 10.6};
constexpr bench::Dots kLarge{21.2, 33, 8.5};
constexpr int kSteps = 17;

int StepAt(int n) { return std::min(16 * n, 255); }

Recipe With(const ToneCurve& curve, Algorithm algorithm) {
  Recipe::Parts parts = *PartsOf({.algorithm = algorithm}, 2);
  parts.curve = curve;
  return *Recipe::Make(parts);
}

double LightOf(const Recipe& recipe, int step, const bench::Dots& dots) {
  return bench::PrintedLight(recipe, static_cast<uint8_t>(step), dots);
}

// The text of a curve file.
std::string Measured(const Recipe& plain, const bench::Dots& dots) {
  constexpr double kBlack = 9;
  constexpr double kPaper = 246;
  std::string text = "0 0\n";
  double lightest = kBlack;
  for (int n = 1; n + 1 < kSteps; ++n) {
    const double light = LightOf(plain, StepAt(n), dots);
    const double reading = std::round(kBlack + (kPaper - kBlack) * light);
    if (reading <= lightest || reading >= kPaper) continue;
    lightest = reading;
    const double stretched = 255 * (reading - kBlack) / (kPaper - kBlack);
    text += std::to_string(stretched) + " " + std::to_string(StepAt(n)) + "\n";
  }
  return text + "255 255\n";
}

// The error of tones that were not measured.
double MeanError(const Recipe& recipe, const bench::Dots& dots) {
  constexpr int kTones = 9;
  double sum = 0;
  for (int n = 0; n < kTones; ++n) {
    const int tone = 24 + 26 * n;
    sum += std::abs(255 * LightOf(recipe, tone, dots) - tone);
  }
  return sum / kTones;
}

TEST(MeasuredCurve, MadeAsTheManualSaysIsTakenAndSetsTonesRight) {
  for (const bench::Dots& dots : {kSoft, kLarge}) {
    for (const Algorithm algorithm :
         {Algorithm::kFine, Algorithm::kFloydSteinberg,
          Algorithm::kClustered}) {
      const Recipe plain = With(ToneCurve(), algorithm);
      const std::string text = Measured(plain, dots);
      const auto curve = ToneCurve::Parse(text);
      ASSERT_TRUE(curve.ok()) << curve.error().message << "\n" << text;
      EXPECT_GT(MeanError(plain, dots), 12);
      EXPECT_LT(MeanError(With(*curve, algorithm), dots), 4);
    }
  }
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/screen_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "halftone/look/halftone_type.h"
#include "halftone/page/print_feedback.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {
namespace {

constexpr DotsPerInch kResolutions[] = {{203, 203},  {300, 300},  {600, 600},
                                        {1200, 600}, {600, 1200}, {1200, 1200},
                                        {2400, 2400}};

void ExpectNear(double ruling, double degrees, const DotsPerInch& resolution) {
  const Supercell cell = SupercellFor(ruling, degrees, resolution);
  const ScreenRuling met = RulingOf(cell, resolution);
  EXPECT_NEAR(met.lines_per_inch / ruling, 1, 0.005)
      << ruling << " at " << degrees << ", " << resolution.across;
  const double off = std::abs(met.degrees - degrees);
  EXPECT_LE(std::min(off, 90 - off), 0.25)
      << ruling << " at " << degrees << ", " << resolution.across;
  EXPECT_GE(cell.pixels(), kWhite);
}

TEST(ScreenCells, MeetTheRulingAndTheAngle) {
  for (const DotsPerInch& resolution : kResolutions) {
    for (const double degrees :
         {0.0, 7.5, 15.0, 30.0, 45.0, 67.5, 75.0, 90.0}) {
      ExpectNear(SuitableRuling(resolution), degrees, resolution);
      for (const double ruling : {45, 65, 85, 100, 106, 133, 141}) {
        if (ruling * 3 < std::min(resolution.across, resolution.down)) {
          ExpectNear(ruling, degrees, resolution);
        }
      }
    }
  }
}

TEST(ScreenCells, TurnCounterclockwise) {
  // At 15 degrees, what follows to the right is higher up.
  const DotsPerInch resolution{600, 600};
  const Supercell cell = SupercellFor(60, 15, resolution);
  // The side that goes down lies to the left of it, by the angle's complement.
  EXPECT_GT(cell.down_x, 3 * cell.down_y);
  EXPECT_GT(cell.right_y, 3 * cell.right_x);
}

TEST(ScreenCells, ComeAsNearAsThereAreCells) {
  const DotsPerInch resolution{300, 300};
  EXPECT_NEAR(
      RulingOf(SupercellFor(300, 0, resolution), resolution).lines_per_inch,
      150, 1);
  EXPECT_NEAR(
      RulingOf(SupercellFor(0.5, 0, resolution), resolution).lines_per_inch,
      300 / 180.0, 0.1);
}

TEST(ScreenCells, AreOfThePagesResolution) {
  const HalftoneType type{.algorithm = Algorithm::kScreen};
  const auto at = [&](const DotsPerInch& resolution) {
    return RulingOf(SupercellOf(*PartsOf(type, 2, false, resolution)),
                    resolution);
  };
  EXPECT_NEAR(at({203, 203}).lines_per_inch, 48, 0.5);
  EXPECT_NEAR(at({300, 300}).lines_per_inch, 71, 0.5);
  EXPECT_NEAR(at({600, 600}).lines_per_inch, 106, 0.5);
  EXPECT_NEAR(at({1200, 600}).lines_per_inch, 106, 0.5);
  EXPECT_NEAR(at({1200, 1200}).lines_per_inch, 170, 0.5);
  EXPECT_NEAR(at({1200, 1200}).degrees, 45, 0.01);
}

// How steeply the ink of a tone falls along a direction, as the share of pixels
// that differ from the one there.
double Changes(const HalftoneType& type, double degrees) {
  const Recipe recipe = *Recipe::Make(*PartsOf(type, 2));
  const double angle = degrees * std::numbers::pi / 180;
  int changes = 0;
  constexpr int kPixels = 4000;
  for (int i = 0; i < kPixels; ++i) {
    const auto is_black = [&](double way) {
      const double x = 500 + i % 97 + way * std::cos(angle);
      const double y = 500 + i / 97 * 3 - way * std::sin(angle);
      return recipe.screen().OffsetAt(std::lround(y),
                                      static_cast<int32_t>(std::lround(x))) <
             kWhite / 2;
    };
    changes += is_black(0) != is_black(12);
  }
  return changes / double{kPixels};
}

TEST(ScreenShapes, LinesLieAtTheirAngle) {
  for (double degrees = 0; degrees <= 180; degrees += 7.5) {
    const HalftoneType type{.algorithm = Algorithm::kScreen,
                            .screen_lpi = 25,
                            .screen_angle = degrees,
                            .screen_shape = DotShape::kLine};
    EXPECT_LT(Changes(type, degrees), 0.1) << degrees;
    EXPECT_GT(Changes(type, degrees + 90), 0.9) << degrees;
  }
}

TEST(ScreenShapes, RoundDotsAreTheSameAQuarterFurther) {
  const auto parts = [](double degrees) {
    return PartsOf({.algorithm = Algorithm::kScreen, .screen_angle = degrees},
                   2)
        ->parameters;
  };
  EXPECT_EQ(parts(15), parts(105));
  EXPECT_EQ(parts(0), parts(180));
  EXPECT_NE(parts(15), parts(75));
}

// So all of them are equal, and what is printed repeats.
TEST(ScreenCells, AreAWholeNumberOfPixelsApartByDefault) {
  for (const double dots_per_inch : {203, 300, 600, 1000, 1200, 2400}) {
    const DotsPerInch resolution{dots_per_inch, dots_per_inch};
    const Supercell cell =
        SupercellFor(SuitableRuling(resolution), 45, resolution);
    EXPECT_EQ(cell.right_x % cell.cells, 0);
    EXPECT_EQ(cell.right_y, cell.right_x);
    EXPECT_EQ(cell.down_x, cell.right_x);
    EXPECT_EQ(cell.down_y, cell.right_x);
  }
}

// Then cells that differ by a pixel form regular patterns, and drivers compress
// them better.
TEST(ScreenCells, AreAPowerOfTwoAcrossByDefault) {
  for (const double dots_per_inch : {203, 300, 600, 1000, 1200, 2400}) {
    const DotsPerInch resolution{dots_per_inch, dots_per_inch};
    const int32_t cells =
        SupercellFor(SuitableRuling(resolution), 45, resolution).cells;
    EXPECT_TRUE(cells == 8 || cells == 16) << cells << " at " << dots_per_inch;
  }
}

TEST(AutomaticType, IsAScreenForLasersWhoseSingleDotsVanish) {
  const auto of = [](Technology technology, double dots_per_inch) {
    return PartsOf({.technology = technology}, 2, false,
                   {dots_per_inch, dots_per_inch})
        ->algorithm;
  };
  EXPECT_EQ(of(Technology::kLaser, 1200), Algorithm::kScreen);
  EXPECT_EQ(of(Technology::kLaser, 600), Algorithm::kFine);
  EXPECT_EQ(of(Technology::kInkjet, 1200), Algorithm::kFine);
  EXPECT_EQ(of(Technology::kThermal, 1200), Algorithm::kFine);
}

TEST(AutomaticType, HasRunsIfTheyHaveALeastLength) {
  const Recipe::Parts parts = *PartsOf({.min_run = 3}, 2, true, {1200, 1200});
  EXPECT_EQ(parts.algorithm, Algorithm::kJarvis);
  EXPECT_EQ(parts.parameters[Recipe::kKept], 2);
  // Crisp edges keep no pixels, whose runs may be too short.
  EXPECT_EQ(parts.parameters[Recipe::kPure], 0);
  EXPECT_TRUE(Recipe::Make(parts).ok());
}

TEST(PrintFeedback, IsOfPrintsByLasersOfMiddleResolutionsWithTwoLevels) {
  const auto of = [](HalftoneType type, double dots_per_inch, int levels = 2) {
    type.algorithm = type.algorithm.value_or(Algorithm::kFine);
    return PartsOf(type, levels, false, {dots_per_inch, dots_per_inch})
        ->parameters[Recipe::kFeedback];
  };
  const Look prints = DefaultLookOfPrints();
  EXPECT_EQ(of(prints, 600), kFullFeedback);
  EXPECT_EQ(of({.algorithm = Algorithm::kBest, .print_feedback = 100}, 600),
            kFullFeedback);
  EXPECT_EQ(
      of({.algorithm = Algorithm::kClustered, .print_feedback = 100}, 600), 0);
  EXPECT_GT(of(prints, 300), 0);
  EXPECT_LT(of(prints, 300), kFullFeedback);
  EXPECT_EQ(of(prints, 1200), 0);
  EXPECT_EQ(of(prints, 600, 4), 0);
  EXPECT_EQ(of({.print_feedback = 50}, 600), kFullFeedback / 2);
  EXPECT_EQ(of({}, 600), 0);
  for (const auto other : {Technology::kInkjet, Technology::kThermal}) {
    EXPECT_EQ(of({.print_feedback = 100, .technology = other}, 600), 0);
  }
}

}  // namespace
}  // namespace halftoned

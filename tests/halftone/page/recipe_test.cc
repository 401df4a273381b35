// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace halftoned {
namespace {

TEST(Levels, TwoLevelsHaveTheirThresholdAtHalfOfWhite) {
  const Levels levels = Levels::ForCount(2);
  EXPECT_EQ(levels.value[1], 4080);
  EXPECT_EQ(levels.midpoint[0], 2040);
  EXPECT_EQ(levels.bits_per_sample, 1);
  EXPECT_EQ(levels.min_error, -2039);
  EXPECT_EQ(levels.max_error, 2040);
}

TEST(Levels, MoreLevelsRiseToWhiteInEqualSteps) {
  struct Expected {
    int count, bits, bound;
  };
  for (const auto& [count, bits, bound] :
       {Expected{4, 2, 680}, Expected{8, 4, 291}, Expected{16, 4, 136}}) {
    const Levels levels = Levels::ForCount(count);
    EXPECT_EQ(levels.bits_per_sample, bits);
    EXPECT_EQ(levels.value[0], 0);
    EXPECT_EQ(levels.value[static_cast<size_t>(count) - 1], 4080);
    EXPECT_LE(levels.max_error, bound);
    EXPECT_GE(levels.min_error, -bound);
    EXPECT_EQ(std::max(levels.max_error, -levels.min_error), bound);
    EXPECT_EQ(levels.sample[static_cast<size_t>(count) - 1], (1 << bits) - 1);
  }
}

TEST(Levels, EightLevelsAreSpreadOverFourBitSamples) {
  const Levels levels = Levels::ForCount(8);
  const std::array<uint8_t, 8> expected = {0, 2, 4, 6, 9, 11, 13, 15};
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(levels.sample[k], expected[k]);
}

TEST(Methods, HaveNumbersAndNamesOfTheirOwn) {
  ASSERT_EQ(Methods().size(), ShippedMethods().size());
  for (const Method& method : Methods()) {
    EXPECT_EQ(FindMethod(method.id.algorithm), &method);
    EXPECT_EQ(FindMethod(method.name), &method);
    EXPECT_GE(method.id.version, 1);
    EXPECT_LE(method.plane_count, Method::kMaxPlanes);
    EXPECT_GE(method.lag.step, 1);
    // Workers say in 64 bits which kinds they serve.
    Recipe::Parts parts;
    parts.algorithm = method.id.algorithm;
    parts.parameters[Recipe::kPure] = 1;
    EXPECT_LT(KindOf(parts), kKinds / 2) << method.name;
    parts.levels = 4;
    EXPECT_LT(KindOf(parts), kKinds) << method.name;
  }
  EXPECT_EQ(FindMethod("none"), nullptr);
}

TEST(Recipe, RefusesUnknownValues) {
  Recipe::Parts parts;
  parts.version = 2;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kUnavailable);
  parts = {};
  parts.algorithm = static_cast<Algorithm>(99);
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kUnavailable);
  parts = {};
  parts.parameters[3] = 1;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kUnavailable);
  parts = {};
  parts.parameters[Recipe::kPure] = 2;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
  parts = {};
  parts.levels = 3;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
}

TEST(Recipe, ClusteredAndBiLevelAloneHaveTwoLevelsOnly) {
  for (const Method& method : ShippedMethods()) {
    const Algorithm algorithm = method.id.algorithm;
    Recipe::Parts parts = Recipe::PartsOf(algorithm);
    if (algorithm == Algorithm::kClustered) {
      parts.parameters[Recipe::kClusterSize] = 4;
    }
    if (algorithm == Algorithm::kScreen) parts.parameters = {0, 4, 0, 0, 4, 1};
    EXPECT_TRUE(Recipe::Make(parts).ok());
    const bool has_levels =
        algorithm != Algorithm::kClustered && algorithm != Algorithm::kBiLevel;
    for (const int count : {4, 8, 16}) {
      parts.levels = count;
      EXPECT_EQ(Recipe::Make(parts).ok(), has_levels);
    }
    if (has_levels) continue;
    EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
  }
}

TEST(Recipe, BestOfMoreLevelsBeginsWithTheseAndHasNoPrintFeedback) {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kBest);
  parts.levels = 4;
  const auto recipe = Recipe::Make(parts);
  ASSERT_TRUE(recipe.ok());
  EXPECT_EQ(recipe->FirstPass().levels().count, 4);
  parts.parameters[Recipe::kFeedback] = 1;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
}

TEST(Recipe, FineCarriesTheSameStatesForAnyNumberOfLevels) {
  const Recipe fine = Recipe::Fine();
  const auto two = fine.carry_planes();
  for (const int count : {4, 8, 16}) {
    const Recipe recipe = Recipe::Fine(count);
    const auto planes = recipe.carry_planes();
    ASSERT_EQ(planes.size(), two.size());
    EXPECT_EQ(planes[0].min, two[0].min);
    EXPECT_EQ(planes[0].max, two[0].max);
    EXPECT_NE(recipe.fingerprint(), fine.fingerprint());
  }
}

TEST(Recipe, ParametersStayWithinTheirRanges) {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kClustered);
  for (const int size : {2, 9}) {
    parts.parameters[Recipe::kClusterSize] = size;
    EXPECT_TRUE(Recipe::Make(parts).ok());
  }
  for (const int size : {1, 10}) {
    parts.parameters[Recipe::kClusterSize] = size;
    EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
  }
}

TEST(Recipe, RunsOfALeastLengthAreOfClassicKernelsWithTwoLevels) {
  Recipe::Parts parts = Recipe::PartsOf(Algorithm::kJarvis);
  parts.parameters[Recipe::kKept] = 5;
  EXPECT_TRUE(Recipe::Make(parts)->has_runs());
  parts.levels = 4;
  EXPECT_EQ(Recipe::Make(parts).error().message,
            "min-run needs two levels, not 4");
  parts.levels = 2;
  parts.parameters[Recipe::kPure] = 1;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
  parts.parameters[Recipe::kPure] = 0;
  parts.parameters[Recipe::kKept] = 6;
  EXPECT_EQ(Recipe::Make(parts).error().message,
            "jarvis has no min-run above 6");
  parts = Recipe::PartsOf(Algorithm::kFine);
  parts.parameters[Recipe::kKept] = 1;
  EXPECT_EQ(Recipe::Make(parts).error().code, ErrorCode::kBadInput);
  EXPECT_EQ(Recipe::Make(parts).error().message,
            "fine has no min-run; choose halftone-type jarvis, stucki, burkes, "
            "sierra, atkinson or false-floyd-steinberg");
  parts = Recipe::PartsOf(Algorithm::kFalseFloydSteinberg);
  parts.parameters[Recipe::kKept] = 3;
  EXPECT_EQ(Recipe::Make(parts).error().message,
            "false-floyd-steinberg has no min-run above 3; choose "
            "halftone-type jarvis, stucki, burkes, sierra or atkinson");
}

TEST(Recipe, FingerprintsOfWhatWasThereBeforeStayWhatTheyWere) {
  EXPECT_EQ(Recipe::FloydSteinberg().fingerprint(), 7618457624750484446u);
}

TEST(Recipe, FingerprintsDifferWithLevelsAndWithOneStepOfTheCurve) {
  const Recipe plain = Recipe::FloydSteinberg();
  EXPECT_NE(plain.fingerprint(), Recipe::FloydSteinberg(4).fingerprint());
  Recipe::Parts parts;
  ToneCurve::Table table = parts.curve.table();
  table[1234] += 1;
  parts.curve = *ToneCurve::FromTable(table);
  const Recipe other = *Recipe::Make(parts);
  EXPECT_NE(plain.fingerprint(), other.fingerprint());
  EXPECT_FALSE(plain == other);
}

TEST(Recipe, RowsOfBitsAreWholeBytes) {
  EXPECT_EQ(Recipe::FloydSteinberg(2).bit_bytes_per_row(8), 1u);
  EXPECT_EQ(Recipe::FloydSteinberg(2).bit_bytes_per_row(9), 2u);
  EXPECT_EQ(Recipe::FloydSteinberg(4).bit_bytes_per_row(5), 2u);
  EXPECT_EQ(Recipe::FloydSteinberg(8).bit_bytes_per_row(3), 2u);
}

}  // namespace
}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages, curves and carries of the equality suite.

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/equality/oracle.h"

namespace halftoned::testing {

using Random = std::mt19937_64;

// A new seed for each run, unless HALFTONED_SEED sets one. Tests print it.
uint64_t FreshSeed();

// How many random pages to try: HALFTONED_RANDOM_PAGES, or `otherwise`.
int RandomPages(int otherwise);

// kIslands: black and white rectangles, and up to eight of noise among them, of
// one pixel to the whole page.
enum class Content {
  kNoise,
  kRampAcross,
  kRampDown,
  kFlat,
  kExtremes,
  kIslands
};
inline constexpr Content kContents[] = {
    Content::kNoise, Content::kRampAcross, Content::kRampDown,
    Content::kFlat,  Content::kExtremes,   Content::kIslands};
std::string_view NameOf(Content content);

GrayPage MakePage(const Page& page, int32_t rows, Content content,
                  Random& random);

enum class CurveKind { kIdentity, kGamma, kSteps, kAnything };
inline constexpr CurveKind kCurves[] = {CurveKind::kIdentity, CurveKind::kGamma,
                                        CurveKind::kSteps,
                                        CurveKind::kAnything};
std::string_view NameOf(CurveKind kind);

// kAnything is not a useful curve: any value at any step.
ToneCurve MakeCurve(CurveKind kind, Random& random);

// Every algorithm, pure and not, with every number of levels that it has, and
// with its parameters at their bounds and in between; the curve is the
// identity.
const std::vector<Recipe::Parts>& EveryKind();
// Those with one pass: none that looks ahead.
const std::vector<Recipe::Parts>& EveryOnePassKind();

// Algorithm, levels and parameters, for messages of failed tests.
std::string Describe(const Recipe& recipe);

// A carry with any values that its bounds allow, the extreme ones often.
Carry MakeCarry(const Recipe& recipe, const Page& page, Random& random);

}  // namespace halftoned::testing

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/method.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "halftone/page/best_carry.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/error_sums.h"
#include "halftone/page/fine_table.h"
#include "halftone/page/print_feedback.h"
#include "halftone/page/screen.h"

namespace halftoned {
namespace {

using Range = Method::Range;

constexpr CarryPlane kSums = {
    .min = -kMaxErrorSum, .max = kMaxErrorSum, .start = 0};
constexpr Range kYesNo = {0, 1};  // parameter 0 of every method

// Print feedback knows the prints of the table of `fine` and of two levels.
Result<void> CheckFeedback(const Method::Values& parameters, int levels) {
  if (parameters[2] == 0 || (levels == 2 && parameters[1] == 0)) return {};
  return BadInput("print feedback of fine needs two levels and table 0");
}

// The sides of a supercell, which are at least a pixel long.
constexpr Range kSupercellSide = {1, Supercell::kMaxSide};
constexpr Range kSupercellSlope = {0, Supercell::kMaxSide};

constexpr CarryPlane kDistances = {
    .min = 0, .max = kFineFar, .start = kFineFar};
constexpr CarryPlane kTwoTones = {.min = std::numeric_limits<int16_t>::min(),
                                  .max = std::numeric_limits<int16_t>::max(),
                                  .start = 0};

constexpr Method kShipped[] = {
    {.id = {Algorithm::kFine, 4},
     .name = "fine",
     .has_levels = true,
     .parameters = {kYesNo, kYesNo, Range{0, kFullFeedback}},
     .check = CheckFeedback,
     .plane_count = 2,
     .planes = {kSums, kDistances}},
    {.id = {Algorithm::kFloydSteinberg, 1},
     .name = "floyd-steinberg",
     .has_levels = true,
     .parameters = {kYesNo},
     .check = nullptr,
     .plane_count = 1,
     .planes = {},
     .carries_errors = true},
    {.id = {Algorithm::kClustered, 3},
     .name = "clustered",
     .has_levels = false,
     .parameters = {kYesNo, Range{kMinClusterSize, kMaxClusterSize}},
     .check = nullptr,
     .plane_count = 2,
     .planes = {kSums, CarryPlane{.min = kLeastClusterState,
                                  .max = kClusterFar,
                                  .start = kClusterFar}}},
    {.id = {Algorithm::kBiLevel, 1},
     .name = "bi-level",
     .has_levels = false,
     .parameters = {kYesNo},
     .check = nullptr,
     .plane_count = 0,
     .planes = {}},
    {.id = {Algorithm::kScreen, 1},
     .name = "screen",
     .has_levels = true,
     .parameters = {kYesNo, kSupercellSide, kSupercellSlope, kSupercellSlope,
                    kSupercellSide, Range{1, Supercell::kMaxCells}},
     .check = nullptr,
     .plane_count = 0,
     .planes = {}},
    {.id = {Algorithm::kBest, 4},
     .name = "best",
     .has_levels = false,
     .parameters = {kYesNo, Range{}, Range{0, kFullFeedback}},
     .check = nullptr,
     .plane_count = 8,
     .planes = {kSums, kDistances,
                CarryPlane{
                    .min = kBestNoPage, .max = 0xff, .start = kBestNoPage},
                CarryPlane{.min = 0, .max = 0xfff, .start = 0}, kTwoTones,
                kTwoTones, kTwoTones, kTwoTones},
     .lag = {.rows = kBestLookAhead, .step = kBestStep}},
};

static_assert(std::ranges::all_of(kShipped,
                                  [](const Method& method) {
                                    return static_cast<unsigned>(
                                               method.id.algorithm) <= 15;
                                  }),
              "workers say in 32 bits which kinds (KindOf) they serve");

}  // namespace

std::span<const Method> ShippedMethods() { return kShipped; }

const Method* FindMethod(Algorithm algorithm) {
  for (const Method& method : Methods()) {
    if (method.id.algorithm == algorithm) return &method;
  }
  return nullptr;
}

const Method* FindMethod(std::string_view name) {
  for (const Method& method : Methods()) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace halftoned

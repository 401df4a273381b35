// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/method.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "halftone/page/best_carry.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/error_sums.h"
#include "halftone/page/fine_table.h"
#include "halftone/page/print_feedback.h"
#include "halftone/page/recipe.h"
#include "halftone/page/screen.h"

namespace halftoned {
namespace {

using Range = Method::Range;

constexpr CarryPlane kSums = {
    .min = -kMaxErrorSum, .max = kMaxErrorSum, .start = 0};
constexpr Range kYesNo = {0, 1};  // parameter 0 of every method

// Print feedback is tuned only for the table of `fine` and two levels.
Result<void> CheckFeedback(const Method::Values& parameters, int levels) {
  if (parameters[2] == 0 || (levels == 2 && parameters[1] == 0)) return {};
  return BadInput("print feedback needs two levels and table 0");
}

// A pure pixel is printed as it is, even within a run.
Result<void> CheckRuns(const Method::Values& parameters, int levels) {
  if (parameters[Recipe::kKept] == 0) return {};
  if (levels != 2) {
    return BadInput("min-run needs two levels, not " + std::to_string(levels));
  }
  if (parameters[Recipe::kPure] == 0) return {};
  return BadInput("with min-run, no pixels are pure");
}

// The parameters of a classic kernel.
constexpr std::array<Range, Method::kParameters> RunsUpTo(int32_t pixels) {
  std::array<Range, Method::kParameters> parameters = {kYesNo};
  parameters[Recipe::kKept] = {0, pixels - 1};
  return parameters;
}

// The sides of a supercell, which are at least a pixel long.
constexpr Range kSupercellSide = {1, Supercell::kMaxSide};
constexpr Range kSupercellSlope = {0, Supercell::kMaxSide};

constexpr CarryPlane kDistances = {
    .min = 0, .max = kFineFar, .start = kFineFar};
constexpr CarryPlane kClusters = {
    .min = kLeastClusterState, .max = kClusterFar, .start = kClusterFar};

// The ranges of the planes of best_carry.h.
constexpr CarryPlane kBitsOrNoPage = {
    .min = kBestNoPage, .max = 0xff, .start = kBestNoPage};
constexpr CarryPlane kBits = {.min = 0, .max = 0xfff, .start = 0};
constexpr CarryPlane kTwoTones = {.min = std::numeric_limits<int16_t>::min(),
                                  .max = std::numeric_limits<int16_t>::max(),
                                  .start = 0};

constexpr Method kShipped[] = {
#define HALFTONED_METHOD(Name, number, version, name_, help, ...) \
  {.id = {Algorithm::k##Name, version}, .name = name_, __VA_ARGS__},
#include "halftone/page/method_rows.inc"
#undef HALFTONED_METHOD
};

static_assert(std::ranges::all_of(kShipped,
                                  [](const Method& method) {
                                    return static_cast<unsigned>(
                                               method.id.algorithm) <= 15;
                                  }),
              "workers say in 64 bits which kinds (KindOf) they serve");

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

Result<void> CheckMinRun(const Method& method, int32_t pixels) {
  const auto most = [](const Method& of) {
    return of.id.algorithm == Algorithm::kScreen
               ? 1
               : of.parameters[Recipe::kKept].max + 1;
  };
  if (pixels <= most(method)) return {};
  std::string what = std::string(method.name) + " has no min-run";
  if (most(method) > 1) what += " above " + std::to_string(most(method));
  std::vector<std::string_view> others;
  for (const Method& other : Methods()) {
    if (pixels <= most(other)) others.push_back(other.name);
  }
  for (size_t i = 0; i < others.size(); ++i) {
    what += i == 0                  ? "; choose halftone-type "
            : i + 1 < others.size() ? ", "
                                    : " or ";
    what += others[i];
  }
  return BadInput(what);
}

}  // namespace halftoned

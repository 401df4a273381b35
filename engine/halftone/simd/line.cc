// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/simd/line.h"

#include <algorithm>
#include <cstddef>

#include "halftone/clustered_table.h"
#include "halftone/fine_table.h"
#include "halftone/simd/core.h"

namespace halftoned::simd {
namespace {

// Of Floyd–Steinberg 3 f[x+1] + 5 f[x] + f[x-1] with f = e + kBias, which is
// what core-inl.h carries.
constexpr LinePlane kWeighted = {.lead = 1,
                                 .outside = 9 * kBias,
                                 .state_lag = 0,
                                 .scale = 1,
                                 .offset = kBias};
constexpr LinePlane kSums = {
    .lead = 2, .outside = 0, .state_lag = 2, .scale = 1, .offset = 0};
// Of `fine` the least of the distances around, as seen from the row below;
// fine-inl.h has them so scaled.
constexpr LinePlane kDistances = {.lead = 1,
                                  .outside = 32 * (kFineFar + kFineNear),
                                  .state_lag = 0,
                                  .scale = 32,
                                  .offset = 32 * kFineNear};
static_assert(kFineFar == kClusterFar);
// The same of `clustered`; see clustered-inl.h.
constexpr LinePlane kClusters = {.lead = 1,
                                 .outside = 32 * (kClusterFar + kClusterNear),
                                 .state_lag = 0,
                                 .scale = 32,
                                 .offset = 32 * kClusterNear};
constexpr LinePlane kPrinted = {
    .lead = 0, .outside = 0, .state_lag = 0, .scale = 1, .offset = 0};

constexpr LinePlane kOfFloydSteinberg[] = {kWeighted};
constexpr LinePlane kOfFine[] = {kSums, kDistances};
constexpr LinePlane kOfClustered[] = {kSums, kClusters};
constexpr LinePlane kOfPrinterModel[] = {kSums, kPrinted};

std::span<const LinePlane> PlanesOf(Algorithm algorithm) {
  if (algorithm == Algorithm::kFloydSteinberg) return kOfFloydSteinberg;
  if (algorithm == Algorithm::kFine) return kOfFine;
  if (algorithm == Algorithm::kClustered) return kOfClustered;
  return kOfPrinterModel;
}

}  // namespace

Line::Line(const Recipe& recipe, int32_t width)
    : algorithm_(recipe.algorithm()),
      width_(width),
      planes_(PlanesOf(algorithm_)) {
  for (const LinePlane& plane : planes_) {
    stores_.emplace_back(static_cast<size_t>(width) + 2 * kPad, plane.outside);
  }
}

void Line::Set(const Carry& carry) {
  if (algorithm_ == Algorithm::kFloydSteinberg) {
    return SetWeighted(carry.plane(0));
  }
  SetPlain(0, carry.plane(0));
  if (algorithm_ == Algorithm::kPrinterModel) {
    return SetPlain(1, carry.plane(1));
  }
  const bool is_fine = algorithm_ == Algorithm::kFine;
  SetDistances(carry.plane(1), is_fine ? kFineNear : kClusterNear,
               is_fine ? kFineAcross : kClusterAcross);
}

void Line::SetWeighted(std::span<const int16_t> errors) {
  uint16_t* entry = entries(0);
  int before = kBias;
  int two_before = kBias;
  for (int32_t j = 0; j <= width_; ++j) {
    const int f = j < width_ ? errors[static_cast<size_t>(j)] + kBias : kBias;
    entry[j] = static_cast<uint16_t>(3 * f + 5 * before + two_before);
    two_before = before;
    before = f;
  }
}

void Line::SetPlain(size_t plane, std::span<const int16_t> states) {
  std::ranges::transform(states, entries(plane) + 1, [](int16_t state) {
    return static_cast<uint16_t>(state);
  });
}

void Line::SetDistances(std::span<const int16_t> distances, int near,
                        int across) {
  uint16_t* entry = entries(1) + 1;
  const auto at = [&](int32_t j) -> int {
    return j < 0 || j >= width_ ? kFineFar : distances[static_cast<size_t>(j)];
  };
  for (int32_t j = 0; j < width_; ++j) {
    // A number below 0, of a cluster, means itself only straight above.
    const int beside = std::max(std::min(at(j - 1), at(j + 1)), 0);
    entry[j] =
        static_cast<uint16_t>(32 * std::min(at(j) + near, beside + across));
  }
}

}  // namespace halftoned::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/line.h"

#include <algorithm>

#include "halftone/cpu/simd/core.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/fine_table.h"

namespace halftoned::simd {
namespace {

// Weighted sums of Floyd–Steinberg: 3 f[x+1] + 5 f[x] + f[x-1] with f = e +
// kBias, which is what core-inl.h carries. Entry 1 is for column 0.
void SetWeighted(std::span<const int16_t> errors, uint16_t* entries) {
  uint16_t* entry = entries - 1;
  int before = kBias;
  int two_before = kBias;
  const auto set = [&](int f) {
    *entry++ = static_cast<uint16_t>(3 * f + 5 * before + two_before);
    two_before = before;
    before = f;
  };
  for (const int16_t e : errors) set(e + kBias);
  set(kBias);
}

// If the last row's errors are not stored, they follow from what the row hands
// to the row below, which costs less than storing the errors of all rows: an
// entry is 3 f + 5 f' + f'' exactly, and 3 has an inverse modulo 2^16. The two
// columns before are known.
void DeriveErrors(const uint16_t* entries, int16_t* errors) {
  constexpr uint32_t kThird = 0xaaab;
  auto f1 = static_cast<uint32_t>(errors[-1] + kBias);
  auto f2 = static_cast<uint32_t>(errors[-2] + kBias);
  for (int32_t i = 0; i < kBlock; ++i) {
    // One product waits for the column before.
    const uint32_t f = (entries[i] - f2) * kThird - f1 * (5 * kThird);
    errors[i] = static_cast<int16_t>((f & 0xffff) - kBias);
    f2 = f1;
    f1 = f;
  }
}

void SetPlain(std::span<const int16_t> states, uint16_t* entries) {
  std::ranges::transform(states, entries, [](int16_t state) {
    return static_cast<uint16_t>(state);
  });
}

static_assert(kFineFar == kClusterFar);

// The least of the distances around, as seen from the row below.
template <int near, int across>
void SetDistances(std::span<const int16_t> distances, uint16_t* entries) {
  const auto width = static_cast<int32_t>(distances.size());
  const auto at = [&](int32_t j) -> int {
    return j < 0 || j >= width ? kFineFar : distances[static_cast<size_t>(j)];
  };
  for (int32_t j = 0; j < width; ++j) {
    // A number below 0, which is a cluster's, only counts straight above.
    const int beside = std::max(std::min(at(j - 1), at(j + 1)), 0);
    entries[j] =
        static_cast<uint16_t>(32 * std::min(at(j) + near, beside + across));
  }
}

// The same for states 2 D + b, with the bits above the column and left of that.
void SetPapers(std::span<const int16_t> states, uint16_t* entries) {
  std::vector<int16_t> distances(states.size());
  std::ranges::transform(states, distances.begin(), [](int16_t state) {
    return static_cast<int16_t>(state >> 1);
  });
  SetDistances<kFineNear, kFineAcross>(distances, entries);
  int left = 1;
  for (size_t j = 0; j < states.size(); ++j) {
    const int above = states[j] & 1;
    entries[j] = static_cast<uint16_t>(entries[j] + 16 * above + 8 * left);
    left = above;
  }
}

constexpr LinePlane kWeighted = {.lead = 1,
                                 .outside = 9 * kBias,
                                 .state_lag = 0,
                                 .scale = 1,
                                 .offset = kBias,
                                 .set = SetWeighted,
                                 .derive = DeriveErrors};
constexpr LinePlane kSums = {.lead = 2,
                             .outside = 0,
                             .state_lag = 2,
                             .scale = 1,
                             .offset = 0,
                             .set = SetPlain};
// Scaled as in fine-inl.h.
constexpr LinePlane kDistances = {.lead = 1,
                                  .outside = 32 * (kFineFar + kFineNear),
                                  .state_lag = 0,
                                  .scale = 32,
                                  .offset = 32 * kFineNear,
                                  .set = SetDistances<kFineNear, kFineAcross>};
// See fine_on_paper-inl.h.
constexpr LinePlane kPapers = {.lead = 1,
                               .outside = 32 * (kFineFar + kFineNear) + 24,
                               .state_lag = 0,
                               .scale = 16,
                               .offset = 32 * kFineNear,
                               .set = SetPapers};
// See clustered-inl.h.
constexpr LinePlane kClusters = {
    .lead = 1,
    .outside = 32 * (kClusterFar + kClusterNear),
    .state_lag = 0,
    .scale = 32,
    .offset = 32 * kClusterNear,
    .set = SetDistances<kClusterNear, kClusterAcross>};

constexpr LinePlane kOfErrors[] = {kWeighted};
constexpr LinePlane kOfFine[] = {kSums, kDistances};
constexpr LinePlane kOfFineOnPaper[] = {kSums, kPapers};
constexpr LinePlane kOfClustered[] = {kSums, kClusters};
constexpr LinePlane kOfClassic[] = {kSums, kSums};

}  // namespace

constinit const LineKind kErrorsLine{kOfErrors};
constinit const LineKind kFineLine{kOfFine};
constinit const LineKind kFineOnPaperLine{kOfFineOnPaper};
constinit const LineKind kClusteredLine{kOfClustered};
constinit const LineKind kClassicLine{kOfClassic};

Line::Line(const LineKind& kind, int32_t width) : planes_(kind.planes) {
  for (const LinePlane& plane : planes_) {
    stores_.emplace_back(static_cast<size_t>(width) + 2 * kPad, plane.outside);
  }
}

void Line::Set(const Carry& carry) {
  for (size_t i = 0; i < planes_.size(); ++i) {
    planes_[i].set(carry.plane(i), entries(i) + 1);
  }
}

void Line::SetPure(int32_t first, int32_t end) {
  for (size_t i = 0; i < planes_.size(); ++i) {
    uint16_t* const entry = entries(i) + 1;
    std::fill(entry + first, entry + end, planes_[i].outside);
  }
}

}  // namespace halftoned::simd

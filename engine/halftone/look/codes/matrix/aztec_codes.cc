// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/aztec_codes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace halftoned {
namespace {

constexpr int64_t kLeastEyeModule = kPixel * 11 / 8,
                  kMostEyeModule = kPixel * 14;

// The distances between edges of one kind in a row across the middle of a
// bullseye, in modules; they are 12 modules in all. They start at the third
// ring, which is light, because modules beside the fourth may be dark, too.
constexpr std::array kAcrossCenter = {2, 2, 2, 2, 2, 2};
constexpr std::array kAcrossOne = {2, 4, 4, 2};

// Whether edges have these distances: each may be off by half a module and
// `more`.
template <typename Edge>
bool HavePairs(std::span<const Edge> edges, std::span<const int> pairs,
               Edge more) {
  const Edge all =
      edges[pairs.size()] - edges[0] + edges[pairs.size() + 1] - edges[1];
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Edge off = 12 * (edges[i + 2] - edges[i]) - pairs[i] * all;
    if (std::abs(off) > all / 2 + 12 * more) return false;
  }
  return true;
}

}  // namespace

void AztecCodes::Search(int64_t row, BarEdges& found) {
  const std::span<const int32_t> all = found.columns();
  for (size_t i = 1; i + 6 < all.size(); i += 2) {
    const int32_t two = all[i + 2] - all[i], next = all[i + 3] - all[i + 1];
    const int32_t third = all[i + 4] - all[i + 2];
    const bool is_center = 2 * next <= 3 * two;
    // Most edges are none, which these distances show soonest.
    if (is_center ? 2 * std::abs(third - two) > two + 4
                  : 4 * std::abs(third - next) > next + 8) {
      continue;
    }
    const std::span<const int> pairs =
        is_center ? std::span<const int>(kAcrossCenter) : kAcrossOne;
    const size_t count = pairs.size() + 2;
    // Columns may be off by half a pixel each.
    if (i + count >= all.size() ||
        !HavePairs<int32_t>(all.subspan(i), pairs, 1)) {
      continue;
    }
    const std::span<const int64_t> edges = found.Places(i, count);
    const int64_t module =
        (edges[count - 2] - edges[0] + edges[count - 1] - edges[1]) / 12;
    if (module < kLeastEyeModule || module > kMostEyeModule ||
        !HavePairs<int64_t>(edges, pairs, kPixel / 4)) {
      continue;
    }
    seen_.push_back(SeenBullseye::Make(
        {(edges.front() + edges.back()) / 2, row * kPixel + kPixel / 2},
        module * 256, is_center ? 0 : 1, found.light_from()));
  }
}

void AztecCodes::Try() {
  std::erase_if(seen_, [this](const SeenBullseye& seen) {
    if (codes_.HasOneAt(seen.place)) return true;
    // Most places are none, so each is examined only once.
    if (!rows_.Row(seen.last_row)) return !rows_.Row(seen.place.y / kPixel);
    const AztecAnswer answer = AztecAt(rows_, seen);
    if (answer.area) codes_.Add(*answer.area);
    return !answer.is_later;
  });
}

}  // namespace halftoned

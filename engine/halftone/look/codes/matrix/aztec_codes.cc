// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/aztec_codes.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "halftone/look/codes/matrix/ring_marks.h"

namespace halftoned {
namespace {

constexpr int64_t kLeastEyeModule = kPixel * 11 / 8,
                  kMostEyeModule = kPixel * 14;
// A quarter of the least module that MayBeRings examines.
constexpr int64_t kLeastQuarter = kPixel * 3 / 4;

// The distances between edges of one kind in a row across the middle of a
// bullseye, in modules; they are 12 modules in all. They start at the third
// ring, which is light, because modules beside the fourth may be dark, too.
constexpr std::array kAcrossCenter = {2, 2, 2, 2, 2, 2};
constexpr std::array kAcrossOne = {2, 4, 4, 2};

// Whether edges have these distances: each may be off by half a module and
// `more`.
bool HavePairs(std::span<const int64_t> edges, std::span<const int> pairs,
               int64_t more) {
  const int64_t all =
      edges[pairs.size()] - edges[0] + edges[pairs.size() + 1] - edges[1];
  for (size_t i = 0; i < pairs.size(); ++i) {
    const int64_t off = 12 * (edges[i + 2] - edges[i]) - pairs[i] * all;
    if (std::abs(off) > all / 2 + 12 * more) return false;
  }
  return true;
}

}  // namespace

void AztecCodes::SearchAt(int64_t row, const BarEdges& found, size_t first,
                          int16_t marks) {
  const std::span<const int32_t> all = found.columns().subspan(first);
  if (all.size() <= 6) return;
  const bool is_center = 2 * (all[3] - all[1]) <= 3 * (all[2] - all[0]);
  const size_t count = is_center ? 8 : 6;
  if ((marks & (is_center ? RingMarks::kCenter : RingMarks::kRing)) == 0 ||
      count >= all.size()) {
    return;
  }
  Crossing crossing{row, 0, found.light_from(), is_center, false, {}};
  std::ranges::copy(all.first(count), crossing.columns.begin());
  crossing.last_row = row + 7 * crossing.Twelve() / 24 + 1;
  crossings_.push_back(crossing);
}

// In the column through the middle, the six nearest modules must alternate,
// except for one, if their centers are up to half a module from where they are
// in a row through the middle of a ring. The exact test (aztec_shape.h) takes
// longer. Where modules are small, columns are too rough.
bool AztecCodes::MayBeRings(const Crossing& crossing) const {
  const int64_t quarter = crossing.Twelve() * kPixel / 48;
  if (quarter < kLeastQuarter) return true;
  const auto columns = crossing.Columns();
  const int32_t column = (columns.front() + columns.back()) / 2;
  const int64_t middle = crossing.row * kPixel + kPixel / 2;
  const int light_from = crossing.light_from;
  // Near the top of the page, or of its known part, these rows are not known.
  const int64_t reach = (3 * 4 + 2) * quarter;
  if (middle < reach ||
      !rows_.AreKnown((middle - reach) / kPixel, (middle + reach) / kPixel)) {
    return true;
  }
  const auto is_wrong = [&](int64_t y, bool is_light) -> unsigned {
    const int light = rows_.At(rows_.KnownRow(y / kPixel), column);
    return (is_light ? light <= light_from : light >= light_from) ? 1 : 0;
  };
  // A bit for each of five places of the centers: whether one, or more, of
  // their modules are wrong.
  constexpr unsigned kAll = 0x1f;
  unsigned one = 0, more = 0;
  bool is_light = crossing.is_center;
  for (const int64_t away : {4, 8, 12}) {
    for (const int64_t quarters : {away - 2, -away - 2}) {
      unsigned wrong = 0;
      for (int64_t part = 0; part < 5; ++part) {
        wrong = 2 * wrong +
                is_wrong(middle + (quarters + part) * quarter, is_light);
      }
      more |= one & wrong;
      one |= wrong;
      if (more == kAll) return false;
    }
    is_light = !is_light;
  }
  return true;
}

// True if more rows may show that there is a code.
bool AztecCodes::Examine(Crossing& crossing) {
  const std::byte* const row = rows_.Row(crossing.row);
  if (!row || !rows_.Row(crossing.last_row)) return row != nullptr;
  const std::span<const int32_t> columns = crossing.Columns();
  const std::span<const int> pairs =
      crossing.is_center ? std::span<const int>(kAcrossCenter) : kAcrossOne;
  std::array<int64_t, kMostColumns> places{};
  const auto edges = std::span(places).first(columns.size());
  for (size_t i = 0; i < edges.size(); ++i) edges[i] = columns[i];
  // Columns may be off by half a pixel each.
  if (!MayBeRings(crossing) || !HavePairs(edges, pairs, 1)) return false;
  for (int64_t& edge : edges) {
    edge = PlaceOfEdge(rows_, row, static_cast<int32_t>(edge),
                       crossing.light_from);
  }
  const int64_t module = (edges[edges.size() - 2] - edges[0] +
                          edges[edges.size() - 1] - edges[1]) /
                         12;
  if (module < kLeastEyeModule || module > kMostEyeModule ||
      !HavePairs(edges, pairs, kPixel / 4)) {
    return false;
  }
  const SeenBullseye seen = SeenBullseye::Make(
      {(edges.front() + edges.back()) / 2, crossing.row * kPixel + kPixel / 2},
      module * 256, crossing.is_center ? 0 : 1, crossing.light_from);
  if (codes_.HasOneAt(seen.place)) return false;
  // Most places are not bullseyes, so each is examined only once.
  crossing.last_row = seen.last_row;
  if (!rows_.Row(seen.last_row)) return true;
  const AztecAnswer answer = AztecAt(rows_, seen);
  if (answer.area) codes_.Add(*answer.area);
  return answer.is_later;
}

void AztecCodes::Try() {
  for (Crossing& each : crossings_) each.is_over = !Examine(each);
  std::erase_if(crossings_, [](const Crossing& each) { return each.is_over; });
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a row may cross the finder of a QR code or the bullseye of an Aztec
// code: many edges at once are ruled out by the distances between edges of one
// kind, so that text costs little. What remains is tested exactly by
// square_codes.h and aztec_codes.h.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace halftoned {

class RingMarks {
 public:
  static constexpr int16_t kRing = 1, kCenter = 2;

  // Calls `found` with each edge from which on these distances are nearly in
  // the ratio 2 : 4 : 4 : 2 (kRing), or six of them are nearly alike (kCenter),
  // and with both or one of these marks. Each may be off by a quarter of a
  // module plus a pixel and a half. Edges come in ascending order.
  template <typename Found>
  void ForEach(std::span<const int32_t> columns, const Found& found) {
    if (columns.size() < kFewest) return;
    Mark(columns);
    const size_t end = columns.size() + 1 - kFewest;
    for (size_t first = 0; first < end; first += kAtOnce) {
      uint64_t several = 0;
      std::memcpy(&several, &marks_[first], sizeof(several));
      if (several == 0) continue;
      for (size_t i = first; i < std::min(first + kAtOnce, end); ++i) {
        if (marks_[i] != 0) found(i, marks_[i]);
      }
    }
  }

 private:
  static constexpr size_t kFewest = 6;  // edges of a finder
  static constexpr size_t kAtOnce = sizeof(uint64_t) / sizeof(int16_t);

  void Mark(std::span<const int32_t> columns);

  std::vector<int16_t> pairs_;  // distances, up to the most that matters
  std::vector<int16_t> marks_;
};

}  // namespace halftoned

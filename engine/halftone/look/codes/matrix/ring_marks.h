// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a row may cross the finder of a QR code or the bullseye of an Aztec
// code: many edges at once are ruled out by the distances between edges of one
// kind, so that text costs little. What remains is tested exactly by
// square_codes.h and aztec_codes.h.

#pragma once

#include <cstddef>
#include <cstdint>
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
    for (size_t i = 0; i + kFewest <= columns.size(); ++i) {
      if (marks_[i] != 0) found(i, marks_[i]);
    }
  }

 private:
  static constexpr size_t kFewest = 6;  // edges of a finder

  void Mark(std::span<const int32_t> columns);

  std::vector<int16_t> pairs_;  // distances, up to the most that matters
  std::vector<int16_t> marks_;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a row may cross the finder of a QR code or the bullseye of an Aztec
// code: the distances between edges of one kind rule out many edges together,
// so that text costs little. square_codes.h and aztec_codes.h test the others
// exactly.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace halftoned {

class RingMarks {
 public:
  static constexpr int16_t kRing = 1, kCenter = 2;

  // Calls `found` with each edge from which these distances are nearly in the
  // ratio 2 : 4 : 4 : 2 (kRing), or six of them are nearly equal (kCenter), and
  // with one or both of these marks. Each distance may be off by a quarter of a
  // module plus a pixel and a half. Edges come in ascending order.
  template <typename Found>
  void ForEach(std::span<const int32_t> columns, const Found& found) {
    for (size_t first = 0; first + kFewest <= columns.size(); first += kBlock) {
      Mark(columns.subspan(first));
      const size_t end = std::min(kBlock, columns.size() - first + 1 - kFewest);
      for (size_t i = 0; i < end; ++i) {
        if (marks_[i] != 0) found(first + i, marks_[i]);
      }
    }
  }

 private:
  static constexpr size_t kFewest = 6;  // edges of a finder
  static constexpr size_t kBlock = 32;  // edges that are marked together

  void Mark(std::span<const int32_t> columns);

  std::array<int16_t, kBlock> marks_{};  // of the first columns
};

}  // namespace halftoned

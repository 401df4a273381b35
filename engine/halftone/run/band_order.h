// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a session's bands: lent, submitted, taken, through a ring of
// rooms. Every session uses this class, so that all refuse the same mistakes.

#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "halftone/page/page.h"

namespace halftoned {

class BandOrder {
 public:
  // rooms: at least 2.
  BandOrder(int64_t first_row, int32_t rows_per_band, uint64_t rooms)
      : next_row_(first_row), rows_per_band_(rows_per_band), rooms_(rooms) {}

  int32_t rows_per_band() const { return rows_per_band_; }
  // Bands are numbered from 0.
  uint64_t lent() const { return lent_; }
  uint64_t submitted() const { return submitted_; }
  uint64_t taken() const { return taken_; }
  bool in_flight() const { return taken_ < submitted_; }
  // The first row of the band that is submitted next.
  int64_t next_row() const { return next_row_; }

  // The caller may still read the room of the last answer.
  bool CanLend() const {
    return lent_ - taken_ + (taken_ > 0 ? 1 : 0) < rooms_;
  }
  // Precondition: CanLend().
  void Lend() { ++lent_; }

  // Counts the band and advances next_row.
  Result<void> Submit(int32_t rows, bool last) {
    if (submitted_ == lent_) return Bug("submitted a band that was not lent");
    if (last_submitted_) return Bug("submitted a band after the last");
    if (rows < 0 || rows > rows_per_band_ || (rows == 0 && !last)) {
      return Bug("submitted " + std::to_string(rows) + " rows of " +
                 std::to_string(rows_per_band_));
    }
    if (next_row_ + rows > Page::kMaxRows) {
      return BadInput("the page has more than " +
                      std::to_string(Page::kMaxRows) + " rows");
    }
    last_submitted_ = last;
    next_row_ += rows;
    ++submitted_;
    return {};
  }

  Result<void> Take() {
    if (!in_flight()) return Bug("took more answers than bands");
    ++taken_;
    return {};
  }

 private:
  int64_t next_row_;
  int32_t rows_per_band_;
  uint64_t rooms_;
  uint64_t lent_ = 0;
  uint64_t submitted_ = 0;
  uint64_t taken_ = 0;
  bool last_submitted_ = false;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checked order, and what every session derives from it before its first
// band. Every session is made from a ValidOrder, so all sessions refuse the
// same orders and count bands alike.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/run/session.h"

namespace halftoned {

// The order of a session's bands: lent, submitted, taken, through a ring of
// rooms. Every session uses this class, so that all refuse the same mistakes.
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
      return Bug("submitted " + std::to_string(rows) + " of " +
                 std::to_string(rows_per_band_) + " rows");
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

class ValidOrder {
 public:
  // band_bytes: the approximate size of a band's gray that suits the engine, if
  // the order leaves the size to it; 0: any size. kBadInput if the order
  // contradicts itself.
  static Result<ValidOrder> Of(const PageOrder& order, size_t band_bytes = 0);

  const PageOrder& operator*() const { return order_; }
  const PageOrder* operator->() const { return &order_; }

  // Never 0.
  int32_t rows_per_band() const { return order_.rows_per_band; }
  size_t gray_bytes_per_row() const { return order_.page.gray_bytes_per_row(); }
  size_t bit_bytes_per_row() const {
    return order_.recipe.bit_bytes_per_row(order_.page.width());
  }
  // The state above the first row.
  Carry above() const {
    return order_.carry ? *order_.carry
                        : Carry::AtStart(order_.recipe, order_.page);
  }
  // rooms: at least 2.
  BandOrder bands(uint64_t rooms) const {
    return BandOrder(order_.page.first_row(), order_.rows_per_band, rooms);
  }

 private:
  explicit ValidOrder(PageOrder order) : order_(std::move(order)) {}

  PageOrder order_;
};

}  // namespace halftoned

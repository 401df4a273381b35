// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checked order, and what every session derives from it before its first
// band. All sessions are made from one, so they refuse the same orders and
// count bands alike.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/result.h"
#include "halftone/page/carry.h"
#include "halftone/run/band_order.h"
#include "halftone/run/session.h"

namespace halftoned {

class ValidOrder {
 public:
  // band_bytes: about how much gray suits the engine in a band, if the order
  // leaves that to it; 0: any amount. kBadInput if the order contradicts
  // itself.
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

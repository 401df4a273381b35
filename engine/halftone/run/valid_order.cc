// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/valid_order.h"

namespace halftoned {

Result<ValidOrder> ValidOrder::Of(const PageOrder& order, size_t band_bytes) {
  ValidOrder valid(order);
  int32_t& rows = valid.order_.rows_per_band;
  if (rows == 0) rows = SuitableRowsPerBand(order.page, band_bytes);
  HALFTONED_TRY(CheckRowsPerBand(order.page, rows));
  if (order.carry) {
    HALFTONED_TRY(order.carry->CheckFor(order.recipe, order.page));
  }
  return valid;
}

}  // namespace halftoned

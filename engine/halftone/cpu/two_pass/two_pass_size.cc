// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_size.h"

#include <algorithm>

#include "halftone/cpu/two_pass/two_pass_rows.h"
#include "halftone/cpu/two_pass/two_pass_work.h"

namespace halftoned {

size_t TwoPassRooms(const PageOrder& order) {
  // One being filled, one waiting, two under way, one with the answer on view.
  constexpr int kRooms = 5;
  return static_cast<size_t>(std::max(kRooms, order.bands_in_flight + 1));
}

int32_t RowsOfTwoPassStep(int32_t width, int threads) {
  constexpr int32_t kLeast = 64;
  constexpr int32_t kMost = 256;
  if (width > 1 << 15) return kLeast;
  return std::clamp(threads * kBestStep, kLeast, kMost);
}

int32_t TwoPassWindow(const Page& page, const Pool& pool) {
  return TwoPassWork::WindowFor(
      RowsOfTwoPassStep(page.width(), pool.threads()));
}

size_t TwoPassSessionBytes(const PageOrder& order, const Pool& pool) {
  const int32_t window = TwoPassWindow(order.page, pool);
  const size_t carry = Carry::SavedBytes(order.recipe, order.page);
  const size_t state = Carry::SavedBytes(order.recipe.FirstPass(), order.page);
  const auto piece =
      static_cast<size_t>(RowsOfTwoPassStep(order.page.width(), 1));
  return TwoPassRows::BytesOf(order.page, order.recipe, window) +
         piece * (order.page.gray_bytes_per_row() +
                  order.recipe.bit_bytes_per_row(order.page.width())) +
         static_cast<size_t>(window / kBestStep + 1) * state +
         (TwoPassRooms(order) + 2) * carry;
}

}  // namespace halftoned

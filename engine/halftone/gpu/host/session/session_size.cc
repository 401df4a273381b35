// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/session/session_size.h"

#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/session/pixel_table.h"
#include "halftone/gpu/host/session/second_pass.h"
#include "halftone/gpu/spread/row_waves.h"

namespace halftoned::cuda {

Recipe FirstRecipe(const Recipe& recipe) {
  return recipe.looks_ahead() ? recipe.FirstPass() : recipe;
}

static_assert(spread::kRowsPerCut == kBestStep);
int MostCuts(const Recipe& recipe) {
  return (recipe.most_waiting_rows() + recipe.lag().step - 1) /
         recipe.lag().step;
}

SlotLayout LayoutFor(const ValidOrder& order) {
  const size_t gray_row = order.gray_bytes_per_row();
  const size_t bits_row = order.bit_bytes_per_row();
  return {
      .gray_row = gray_row,
      .gray_pitch = RoundUp16(gray_row),
      .bits_row = bits_row,
      .bits_pitch = RoundUp16(bits_row),
      .state_row =
          HandedRows(FirstRecipe(order->recipe), order->page.width()).bytes(),
      .plane_bytes =
          order->recipe.looks_ahead() ? SecondPass::PlaneBytes(order) : 0};
}

Track::Size SizeFor(const ValidOrder& order) {
  const SlotLayout layout = LayoutFor(order);
  const int32_t rows = order.rows_per_band();
  const Recipe& recipe = order->recipe;
  const int cuts = MostCuts(recipe);
  const int strips =
      HandedRows(FirstRecipe(recipe), order->page.width()).strips(rows) + cuts;
  const bool has_memory = order->memory != nullptr;
  const auto of = [rows](size_t row) {
    return SlotLayout::RowBytes(row, rows);
  };
  const auto answer =
      SlotLayout::RowBytes(layout.bits_row, rows + recipe.most_waiting_rows());
  return {
      .gray = of(layout.gray_pitch),
      .bits = of(layout.bits_pitch),
      .fresh_states = layout.fresh_bytes(strips),
      .gray_host = has_memory ? 0 : of(layout.gray_row),
      .bits_host = has_memory ? 0 : answer,
      .answer_host = layout.host_bytes(cuts),
      .tables =
          layout.state_row + MostEntries(FirstRecipe(recipe)) * sizeof(int32_t),
      .window = recipe.looks_ahead() ? SecondPass::DeviceBytes(order) : 0,
      .window_host = recipe.looks_ahead() ? SecondPass::HostBytes(order) : 0};
}

}  // namespace halftoned::cuda

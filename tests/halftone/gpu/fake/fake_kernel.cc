// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/gpu/fake/fake_kernel.h"

#include <cstddef>
#include <cstdint>

#include "halftone/cpu/scalar.h"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/session/pixel_table.h"
#include "halftone/gpu/spread/row_waves.h"

namespace halftoned::testing {
namespace {

using cuda::BandJob;

// The recipe as the kernel knows it: its curve is what the job's table has,
// and only where 8-bit samples look for it if that is what there is.
Recipe RecipeOf(const BandJob& job, const Recipe& recipe) {
  Recipe::Parts parts = recipe.parts();
  ToneCurve::Table table = ToneCurve().table();
  for (size_t step = 0; job.tone && step < table.size(); ++step) {
    if (!job.deep && step % 16 != 0) continue;
    table[step] = static_cast<uint16_t>(
        cuda::PixelValue(recipe, job.tone[job.deep ? step : step / 16]));
  }
  parts.curve = *ToneCurve::FromTable(table);
  return *Recipe::Make(parts);
}

}  // namespace

bool RunFakeKernel(const BandJob& job, const Recipe& recipe_of_page) {
  const Recipe recipe = RecipeOf(job, recipe_of_page);
  const Page page = *Page::Make(job.width, job.deep ? 16 : 8);
  const cuda::HandedRows handed(recipe, job.width);
  Carry carry = Carry::AtStart(recipe, page);
  if (job.states_in) {
    handed.Read(reinterpret_cast<const std::byte*>(job.states_in), job.pad_in,
                carry);
    // A fresh value is not a valid state.
    if (!carry.CheckFor(recipe, page).ok()) return false;
  }
  const int strips = handed.strips(job.rows, job.head);
  auto* between = reinterpret_cast<std::byte*>(job.states_between) +
                  handed.bytes() * size_t(handed.strips(job.head) - 1);
  carry.set_next_row(job.first_row);
  int32_t row = 0;
  for (int strip = handed.strips(job.head) - 1; strip < strips; ++strip) {
    const bool is_last = strip == strips - 1;
    const int32_t end =
        is_last ? job.rows : cuda::spread::EndRowOf(strip, job.rows, job.head);
    HalftoneByDefinition({.page = page,
                          .recipe = recipe,
                          .gray = {job.gray + size_t(row) * job.gray_pitch,
                                   job.gray_pitch, end - row},
                          .bits = {job.bits + size_t(row) * job.bits_pitch,
                                   job.bits_pitch, end - row},
                          .carry = carry});
    carry.set_next_row(job.first_row + end);
    const int pad = job.head == job.rows ? handed.pad_below(job.rows)
                                         : cuda::HandedRows::pad_below(
                                               strip, job.rows, job.head);
    handed.Write(
        carry, pad,
        is_last ? reinterpret_cast<std::byte*>(job.states_out) : between);
    between += handed.bytes();
    row = end;
  }
  return true;
}

}  // namespace halftoned::testing

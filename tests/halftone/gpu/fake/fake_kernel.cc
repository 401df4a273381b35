// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/gpu/fake/fake_kernel.h"

#include <cstddef>
#include <cstdint>

#include "halftone/cpu/scalar.h"
#include "halftone/gpu/host/handed_rows.h"
#include "halftone/gpu/host/pixel_table.h"

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
  HalftoneByDefinition({.page = page,
                        .recipe = recipe,
                        .gray = {job.gray, job.gray_pitch, job.rows},
                        .bits = {job.bits, job.bits_pitch, job.rows},
                        .carry = carry});
  handed.Write(carry, handed.pad_below(job.rows),
               reinterpret_cast<std::byte*>(job.states_out));
  return true;
}

}  // namespace halftoned::testing

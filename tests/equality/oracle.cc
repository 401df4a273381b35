// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/equality/oracle.h"

#include <iterator>

#include "halftone/cpu/scalar.h"

namespace halftoned::testing {

BitPage HalftoneWhole(const GrayPage& gray, const Recipe& recipe,
                      const Carry& above) {
  const size_t bytes_per_row = recipe.bit_bytes_per_row(gray.page.width());
  BitPage whole{
      bytes_per_row,
      std::vector<std::byte>(bytes_per_row * static_cast<size_t>(gray.rows)),
      above};
  HalftoneByDefinition(
      {.page = gray.page,
       .recipe = recipe,
       .gray = {gray.samples.data(), gray.bytes_per_row(), gray.rows},
       .bits = {whole.bytes.data(), bytes_per_row, gray.rows},
       .carry = whole.below});
  whole.below.set_next_row(gray.page.first_row() + gray.rows);
  return whole;
}

Carry CarryBelow(const GrayPage& gray, const Recipe& recipe, const Carry& above,
                 int32_t rows) {
  const auto first =
      static_cast<size_t>(above.next_row() - gray.page.first_row());
  const GrayPage part{
      gray.page.StartingAt(above.next_row()),
      rows,
      {gray.samples.begin() +
           static_cast<ptrdiff_t>(first * gray.bytes_per_row()),
       gray.samples.begin() +
           static_cast<ptrdiff_t>((first + static_cast<size_t>(rows)) *
                                  gray.bytes_per_row())}};
  return HalftoneWhole(part, recipe, above).below;
}

Carry CarriesBelow::CarryOfBest(int32_t rows) {
  if (rows == gray_.rows) return HalftoneWhole(gray_, recipe_, Below(0)).below;
  if (!best_) {
    above_best_ = std::make_unique<Carry>(Below(0));
    job_of_best_ = std::make_unique<KernelJob>(KernelJob{
        .page = gray_.page,
        .recipe = recipe_,
        .gray = {gray_.samples.data(), gray_.bytes_per_row(), gray_.rows},
        .bits = {},
        .carry = *above_best_});
    best_ = std::make_unique<BestPage>(*job_of_best_);
  }
  return best_->CarryAt(gray_.page.first_row() + rows);
}

const Carry& CarriesBelow::Below(int32_t rows) {
  const auto over = std::prev(below_.upper_bound(rows));
  if (over->first == rows) return over->second;
  if (recipe_.looks_ahead()) {
    return below_.emplace(rows, CarryOfBest(rows)).first->second;
  }
  return below_
      .emplace(rows,
               CarryBelow(gray_, recipe_, over->second, rows - over->first))
      .first->second;
}

}  // namespace halftoned::testing

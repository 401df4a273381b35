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

const Carry& CarriesBelow::Below(int32_t rows) {
  const auto over = std::prev(below_.upper_bound(rows));
  if (over->first == rows) return over->second;
  return below_
      .emplace(rows,
               CarryBelow(gray_, recipe_, over->second, rows - over->first))
      .first->second;
}

}  // namespace halftoned::testing

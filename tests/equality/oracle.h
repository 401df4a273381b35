// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a page must come out as: the scalar definition applied to the whole
// page at once, without a session.

#ifndef HALFTONED_TESTS_EQUALITY_ORACLE_H_
#define HALFTONED_TESTS_EQUALITY_ORACLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/carry.h"
#include "halftone/page.h"
#include "halftone/recipe.h"

namespace halftoned::testing {

// A gray page without padding between its rows.
struct GrayPage {
  Page page;
  int32_t rows;
  std::vector<std::byte> samples;

  size_t bytes_per_row() const { return page.gray_bytes_per_row(); }
};

// Bits, and the state below the last row.
struct BitPage {
  size_t bytes_per_row;
  std::vector<std::byte> bytes;
  Carry below;
};

// `above` is the state over the first row.
BitPage HalftoneWhole(const GrayPage& gray, const Recipe& recipe,
                      const Carry& above);

// The state below `rows` further rows of the page, those under `above`.
Carry CarryBelow(const GrayPage& gray, const Recipe& recipe, const Carry& above,
                 int32_t rows);

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_EQUALITY_ORACLE_H_

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected output of a page: the scalar definition applied to the whole
// page at once, without a session.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "halftone/cpu/definition/best.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

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

// The state below `rows` further rows of the page, those under `above`. Not for
// recipes that look ahead.
Carry CarryBelow(const GrayPage& gray, const Recipe& recipe, const Carry& above,
                 int32_t rows);

// The states below rows of one page, each computed once for all plans. The
// arguments outlive it.
class CarriesBelow {
 public:
  CarriesBelow(const GrayPage& gray, const Recipe& recipe, const Carry& above)
      : gray_(gray), recipe_(recipe), below_{{0, above}} {}

  const GrayPage& gray() const { return gray_; }
  const Recipe& recipe() const { return recipe_; }
  // Below the first `rows` rows; 0: over all of them. With a recipe that
  // looks ahead: where it can be cut, or at the end of the page.
  const Carry& Below(int32_t rows);

 private:
  Carry CarryOfBest(int32_t rows);

  const GrayPage& gray_;
  const Recipe& recipe_;
  std::map<int32_t, Carry> below_;
  std::unique_ptr<Carry> above_best_;
  std::unique_ptr<KernelJob> job_of_best_;
  std::unique_ptr<BestPage> best_;
};

}  // namespace halftoned::testing

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a session of `best` begin in the middle of a page that another engine
// makes, without processing all rows above. The first pass of these rows costs
// a twentieth of that work, and gives everything that the second pass needs
// below them, except the rows that the second pass has finished. The session
// receives rows of the first pass instead of these. The sweeps are local, so
// only the first kSettlingRows that the session finishes can differ from the
// page.

#pragma once

#include <cstdint>
#include <optional>

#include "halftone/page/band.h"
#include "halftone/page/best_carry.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"
#include "halftone/run/session.h"

namespace halftoned {

class BestStart {
 public:
  static constexpr int kSettlingRows = kBestStep;

  // The session begins `rows` rows below the first row of `page`. `rows` is
  // above 0; both it and the first row are multiples of kBestStep. recipe: a
  // recipe of `best`. above: the state at the first row; none: the page begins
  // there.
  BestStart(const Page& page, const Recipe& recipe,
            const std::optional<Carry>& above, int32_t rows);

  // The first pass, whose gray begins this many rows below the first row, and
  // has rows_per_band rows.
  PageOrder FirstPass() const;
  int32_t rows_left_out() const { return is_at_start_ ? 0 : kBestRowsBelow; }

  // gray: all rows from the first one to the end of the first pass. made: the
  // answer of the first pass.
  Carry StateFrom(const GrayBand& gray, const Finished& made) const;

 private:
  BestPixel PixelAt(const GrayBand& gray, int32_t row, int32_t column) const;

  const Page page_;
  const Recipe recipe_;
  const int32_t rows_;
  const bool is_at_start_;
  std::optional<Carry> above_;  // of the first pass
};

}  // namespace halftoned

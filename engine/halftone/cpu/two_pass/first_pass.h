// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first pass of a page of `best`, by the strips of `fine`, a piece at a
// time.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "halftone/cpu/strips.h"
#include "halftone/cpu/two_pass/two_pass_rows.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned {

class FirstPass {
 public:
  // recipe: of `best`. start: the state above the page. `rows` outlives this.
  FirstPass(const Page& page, const Recipe& recipe, const Carry& start,
            TwoPassRows& rows, std::unique_ptr<Strips> strips);

  // For each piece: call Begin with its first row, then AddRow with the gray of
  // each row.
  void Begin(int64_t row);
  void AddRow(const std::byte* gray) { gray_rows_.push_back(gray); }

  // Reads the piece, and makes its bits unless they are made already.
  void Run(bool is_made, const std::atomic<bool>& is_cancelled);

  int64_t begin() const { return begin_; }
  int64_t end() const {
    return begin_ + static_cast<int64_t>(gray_rows_.size());
  }
  // The state of `fine` below the last piece.
  const Carry& state() const { return state_; }

 private:
  GrayBand GatherGray();

  const size_t gray_bytes_;
  TwoPassRows& rows_;
  const std::unique_ptr<Strips> strips_;
  int64_t begin_ = 0;
  std::vector<const std::byte*> gray_rows_;
  std::vector<std::byte> gathered_;
  Carry state_;
};

}  // namespace halftoned

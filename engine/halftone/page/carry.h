// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The carry: the complete state of a page between two bands, so that any
// session can continue where another one stopped. It is tagged with the recipe
// and the number of the next row.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned {

class Carry {
 public:
  // The state above the first row of a page of `recipe`.
  static Carry AtStart(const Recipe& recipe, const Page& page);

  // Reads the bytes of Save and checks everything: the tag must match the
  // recipe, width and next row must match the page, and every value must be
  // within its plane's bounds.
  //
  //   carry  = "HTCARRY1" tag:u64 next_row:u64 width:u32 planes:u32 { plane }
  //   plane  = { value:i16 }        one per column; all little-endian
  static Result<Carry> Load(std::span<const std::byte> blob,
                            const Recipe& recipe, const Page& page);
  std::vector<std::byte> Save() const;
  static size_t SavedBytes(const Recipe& recipe, const Page& page);

  // Whether a page of `recipe` may begin with this carry; checks the values
  // too.
  Result<void> CheckFor(const Recipe& recipe, const Page& page) const;

  // Whether this is the state above the first row of a page.
  bool IsAtStart(const Recipe& recipe) const;

  int64_t next_row() const { return next_row_; }
  void set_next_row(int64_t row) { next_row_ = row; }

  int32_t width() const { return width_; }
  std::span<int16_t> plane(size_t i) {
    return {state_.data() + i * static_cast<size_t>(width_),
            static_cast<size_t>(width_)};
  }
  std::span<const int16_t> plane(size_t i) const {
    return {state_.data() + i * static_cast<size_t>(width_),
            static_cast<size_t>(width_)};
  }

  friend bool operator==(const Carry&, const Carry&) = default;

 private:
  Carry() = default;

  uint64_t tag_ = 0;
  int64_t next_row_ = 0;
  int32_t width_ = 0;
  std::vector<int16_t> state_;  // plane after plane
};

}  // namespace halftoned

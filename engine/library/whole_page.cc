// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ht_halftone: a page in memory. If its rows have no gaps between them, the
// session reads and writes the caller's memory. Rows are copied otherwise, and
// for crisp edges, which change the gray, and for recipes that look ahead.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "library/answer.h"
#include "library/handles.h"

namespace halftoned {
namespace {

// A page in memory, as checked.
struct PageInMemory {
  Page page;
  const PageRecipe& recipe;
  int32_t rows_per_band;  // 0: any
  int64_t rows;
  const std::byte* gray;
  size_t gray_stride;
  std::byte* bits;
  size_t bits_stride;

  size_t gray_bytes() const { return page.gray_bytes_per_row(); }
  size_t bit_bytes() const {
    return recipe.recipe.bit_bytes_per_row(page.width());
  }
  // Whether a session can work on this memory.
  bool is_direct() const {
    return !recipe.has_crisp_edges() && !recipe.recipe.looks_ahead() &&
           gray_stride == gray_bytes() && bits_stride == bit_bytes();
  }
};

// 0: without a gap.
Result<size_t> StrideOf(const char* name, size_t stride, size_t row_bytes) {
  if (stride == 0) return row_bytes;
  if (stride >= row_bytes) return stride;
  return BadInput(std::string(name) + " is " + std::to_string(stride) +
                  ", less than the " + std::to_string(row_bytes) +
                  " bytes of a row");
}

Result<void> Check(const PageInMemory& whole) {
  if (whole.rows < 0 || whole.rows > Page::kMaxRows - whole.page.first_row()) {
    return BadInput("rows is " + std::to_string(whole.rows) +
                    ", which is not in 0 … " +
                    std::to_string(Page::kMaxRows - whole.page.first_row()));
  }
  if (whole.rows > 0 && (!whole.gray || !whole.bits)) {
    return Bug("the gray or the bits are a null pointer");
  }
  const size_t most =
      SIZE_MAX / std::max(static_cast<size_t>(whole.rows), size_t{1});
  if (whole.gray_stride > most || whole.bits_stride > most) {
    return BadInput("a stride is too large for " + std::to_string(whole.rows) +
                    " rows");
  }
  const auto address = reinterpret_cast<uintptr_t>(whole.gray);
  if (whole.page.depth() == Depth::k16 &&
      (address % 2 != 0 || whole.gray_stride % 2 != 0)) {
    return BadInput("samples of 16 bits need an even address and stride");
  }
  return {};
}

// Takes the rows of a page through a session.
class Transfer {
 public:
  explicit Transfer(const PageInMemory& whole) : whole_(whole) {}

  Result<void> Run(const ht_engine* engine) {
    PageOrder order{whole_.page, whole_.recipe.recipe, {}, BandRows()};
    if (whole_.is_direct()) {
      order.memory = [this] { return NextMemory(); };
    }
    HALFTONED_TRY_ASSIGN(const OpenPage open,
                         Open(engine, whole_.recipe, std::move(order)));
    Session& session = *open.session;
    while (rows_in_ < whole_.rows) {
      HALFTONED_TRY_ASSIGN(const GrayRoom room, session.Lend());
      if (room.rows == 0) {
        HALFTONED_TRY(Take(session));
        continue;
      }
      HALFTONED_TRY(Submit(session, room));
      while (in_flight_ > 0 && session.Ready()) HALFTONED_TRY(Take(session));
    }
    while (in_flight_ > 0) HALFTONED_TRY(Take(session));
    return {};
  }

 private:
  // All rows in one band, if nothing is copied and no other number was given.
  int32_t BandRows() const {
    if (whole_.rows_per_band != 0 || !whole_.is_direct()) {
      return whole_.rows_per_band;
    }
    const auto most = static_cast<int64_t>(std::min<size_t>(
        Page::kMaxBytesPerBand / whole_.gray_bytes(), Page::kMaxRowsPerBand));
    return static_cast<int32_t>(std::min(whole_.rows, most));
  }

  // Memory of the band that is lent next. Rows beyond the page are never
  // filled.
  BandMemory NextMemory() {
    const auto row = static_cast<size_t>(rows_in_);
    // The session only reads the gray.
    return {const_cast<std::byte*>(whole_.gray) +  // NOLINT
                row * whole_.gray_stride,
            whole_.bits + row * whole_.bits_stride};
  }

  Result<void> Submit(Session& session, const GrayRoom& room) {
    const auto rows = static_cast<int32_t>(
        std::min<int64_t>(room.rows, whole_.rows - rows_in_));
    for (int32_t i = 0; i < rows && !whole_.is_direct(); ++i) {
      std::memcpy(
          room.row(i),
          whole_.gray + static_cast<size_t>(rows_in_ + i) * whole_.gray_stride,
          whole_.gray_bytes());
    }
    rows_in_ += rows;
    ++in_flight_;
    return session.Submit(rows, rows_in_ == whole_.rows);
  }

  Result<void> Take(Session& session) {
    HALFTONED_TRY_ASSIGN(const Finished finished, session.Take());
    --in_flight_;
    if (whole_.is_direct()) return {};
    const BitBand& bits = finished.bits;
    for (int32_t i = 0; i < bits.rows; ++i) {
      const int64_t row = bits.first_row - whole_.page.first_row() + i;
      std::memcpy(whole_.bits + static_cast<size_t>(row) * whole_.bits_stride,
                  bits.row(i), whole_.bit_bytes());
    }
    return {};
  }

  const PageInMemory& whole_;
  int64_t rows_in_ = 0;
  int in_flight_ = 0;
};

}  // namespace
}  // namespace halftoned

ht_status ht_halftone(const ht_engine* engine, const ht_recipe* recipe,
                      const ht_layout* layout, const void* gray,
                      size_t gray_stride, int64_t rows, void* bits,
                      size_t bits_stride, ht_error* error) {
  using namespace halftoned;  // NOLINT
  return Answer(error, [&]() -> Result<void> {
    if (!recipe) return Bug("the recipe is a null pointer");
    HALFTONED_TRY_ASSIGN(const Page page, PageOf(layout));
    PageInMemory whole{page,
                       recipe->page,
                       layout->rows_per_band,
                       rows,
                       static_cast<const std::byte*>(gray),
                       0,
                       static_cast<std::byte*>(bits),
                       0};
    HALFTONED_TRY_ASSIGN(whole.gray_stride, StrideOf("gray_stride", gray_stride,
                                                     whole.gray_bytes()));
    HALFTONED_TRY_ASSIGN(whole.bits_stride, StrideOf("bits_stride", bits_stride,
                                                     whole.bit_bytes()));
    HALFTONED_TRY(Check(whole));
    return Transfer(whole).Run(engine);
  });
}

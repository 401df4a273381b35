// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of ht_page.

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "halftone/page/carry.h"
#include "halftone/run/row_pipe.h"
#include "library/answer.h"
#include "library/handles.h"

using halftoned::BadInput;
using halftoned::Bug;
using halftoned::Result;

struct ht_page {
  ht_page(halftoned::OpenPage&& opened, const halftoned::PageRecipe& recipe,
          halftoned::Carry&& start, size_t gray_bytes, size_t saved_bytes)
      : open(std::move(opened)),
        above(std::move(start)),
        carry_bytes(saved_bytes),
        has_crisp_edges(recipe.has_crisp_edges()),
        rows(*open.session, gray_bytes) {}

  halftoned::OpenPage open;
  const halftoned::Carry above;             // where the page began
  const halftoned::Carry* below = nullptr;  // the rows of the last answer
  const size_t carry_bytes;
  const bool has_crisp_edges;

  // The first call decides whether a page is used by bands or by rows.
  enum class Use : unsigned char { kNotYet, kByBands, kByRows };
  Use use = Use::kNotYet;
  halftoned::GrayRoom room;  // lent if it has rows
  bool is_ended = false;     // by bands: the last one is submitted
  halftoned::RowPipe rows;

  ht_error failure = {HT_OK, ""};  // the first, and so the only one
};

namespace {

// Runs `work` on a page that has not failed, and that is used in this way.
template <typename Work>
ht_status OnPage(ht_page* page, ht_page::Use use, ht_error* error,
                 const Work& work) noexcept {
  if (!page) {
    return halftoned::Fail(error, HT_BUG, "the page is a null pointer");
  }
  if (page->failure.status == HT_OK) {
    const ht_status status =
        halftoned::Answer(&page->failure, [&]() -> Result<void> {
          const auto before = std::exchange(page->use, use);
          if (before == use || before == ht_page::Use::kNotYet) return work();
          return Bug("a page is used by bands or by rows, not both");
        });
    if (status == HT_OK) return halftoned::Succeed(error);
  }
  if (error) *error = page->failure;
  return page->failure.status;
}

// The carry where the page begins: the saved one, or that of a new page.
Result<halftoned::Carry> CarryAbove(const void* saved, size_t bytes,
                                    const halftoned::PageRecipe& recipe,
                                    const halftoned::Page& page) {
  if (!saved && bytes > 0) return Bug("the carry is a null pointer");
  if (!saved) return halftoned::Carry::AtStart(recipe.recipe, page);
  if (recipe.has_crisp_edges()) {
    return BadInput("a page with text-edges cannot continue from a carry");
  }
  return halftoned::Carry::Load({static_cast<const std::byte*>(saved), bytes},
                                recipe.recipe, page);
}

}  // namespace

ht_status ht_page_open(const ht_engine* engine, const ht_recipe* recipe,
                       const ht_layout* layout, const void* carry,
                       size_t carry_bytes, ht_page** page, ht_error* error) {
  return halftoned::Answer(error, [&]() -> Result<void> {
    if (!recipe) return Bug("the recipe is a null pointer");
    if (!page) return Bug("the pointer to the page is null");
    const halftoned::PageRecipe& dots = recipe->page;
    HALFTONED_TRY_ASSIGN(const halftoned::Page shape,
                         halftoned::PageOf(layout));
    HALFTONED_TRY_ASSIGN(halftoned::Carry above,
                         CarryAbove(carry, carry_bytes, dots, shape));
    HALFTONED_TRY_ASSIGN(auto open, halftoned::Open(engine, dots,
                                                    {shape, dots.recipe, above,
                                                     layout->rows_per_band}));
    *page = new ht_page(std::move(open), dots, std::move(above),
                        shape.gray_bytes_per_row(),
                        halftoned::Carry::SavedBytes(dots.recipe, shape));
    return {};
  });
}

void ht_page_free(ht_page* page) { delete page; }

const char* ht_page_engine(const ht_page* page) {
  // Names of engines are string literals.
  return page->open.engine->name().data();
}

ht_status ht_page_lend(ht_page* page, ht_room* room, ht_error* error) {
  return OnPage(page, ht_page::Use::kByBands, error, [&]() -> Result<void> {
    if (!room) return Bug("the pointer to the room is null");
    if (page->is_ended) return Bug("asked for room after the last band");
    if (page->room.rows == 0) {
      HALFTONED_TRY_ASSIGN(page->room, page->open.session->Lend());
    }
    *room = {reinterpret_cast<unsigned char*>(page->room.bytes),
             page->room.bytes_per_row, page->room.rows, 0};
    return {};
  });
}

ht_status ht_page_submit(ht_page* page, int32_t rows, int last,
                         ht_error* error) {
  return OnPage(page, ht_page::Use::kByBands, error, [&]() -> Result<void> {
    page->room = {};
    HALFTONED_TRY(page->open.session->Submit(rows, last != 0));
    page->is_ended = last != 0;
    return {};
  });
}

ht_status ht_page_take(ht_page* page, ht_rows* rows, ht_error* error) {
  return OnPage(page, ht_page::Use::kByBands, error, [&]() -> Result<void> {
    if (!rows) return Bug("the pointer to the rows is null");
    HALFTONED_TRY_ASSIGN(const halftoned::Finished finished,
                         page->open.session->Take());
    page->below = finished.carry;
    const halftoned::BitBand& bits = finished.bits;
    *rows = {reinterpret_cast<const unsigned char*>(bits.bytes),
             bits.bytes_per_row, bits.first_row, bits.rows, 0};
    return {};
  });
}

int ht_page_ready(ht_page* page) {
  return page->failure.status == HT_OK && page->use != ht_page::Use::kByRows &&
         page->open.session->Ready();
}

ht_status ht_page_put(ht_page* page, const void* gray, ht_error* error) {
  return OnPage(page, ht_page::Use::kByRows, error, [&]() -> Result<void> {
    if (!gray) return Bug("the row is a null pointer");
    return page->rows.Put(gray);
  });
}

ht_status ht_page_end(ht_page* page, ht_error* error) {
  return OnPage(page, ht_page::Use::kByRows, error,
                [&] { return page->rows.End(); });
}

ht_status ht_page_get(ht_page* page, const unsigned char** bits,
                      ht_error* error) {
  return OnPage(page, ht_page::Use::kByRows, error, [&]() -> Result<void> {
    if (!bits) return Bug("the pointer to the row is null");
    HALFTONED_TRY_ASSIGN(const std::byte* row, page->rows.Get());
    *bits = reinterpret_cast<const unsigned char*>(row);
    return {};
  });
}

size_t ht_page_carry_bytes(const ht_page* page) { return page->carry_bytes; }

ht_status ht_page_save_carry(ht_page* page, void* carry, size_t bytes,
                             ht_error* error) {
  return halftoned::Answer(error, [&]() -> Result<void> {
    if (!page || !carry) return Bug("the page or its carry is a null pointer");
    if (page->failure.status != HT_OK) return Bug("the page is lost");
    if (page->use == ht_page::Use::kByRows) {
      return Bug("a page that is used by rows has no carry");
    }
    if (page->has_crisp_edges) {
      return BadInput("a page with crisp edges cannot be continued elsewhere");
    }
    if (bytes < page->carry_bytes) {
      return BadInput("a carry takes " + std::to_string(page->carry_bytes) +
                      " bytes, not " + std::to_string(bytes));
    }
    const std::vector<std::byte> saved =
        (page->below ? *page->below : page->above).Save();
    std::memcpy(carry, saved.data(), saved.size());
    return {};
  });
}

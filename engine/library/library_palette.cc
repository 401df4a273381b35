// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of ht_palette and ht_palette_page.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "halftone/palette/palette_page.h"
#include "library/answer.h"
#include "library/handles.h"

struct ht_palette {
  std::shared_ptr<const halftoned::PaletteModel> model;
};

struct ht_palette_page {
  halftoned::PalettePage page;
};

namespace halftoned {
namespace {

Result<PalettePage> OpenPalettePage(const ht_engine* engine,
                                    const ht_palette* palette, int32_t width) {
  if (!palette) return Bug("the palette is a null pointer");
  HALFTONED_TRY_ASSIGN(const PaletteEngine chosen,
                       ChoosePaletteEngine(engine ? engine->name : "auto"));
  return PalettePage::Open(palette->model, chosen, width);
}

struct Memory {
  const char* name;
  const void* rows;
  size_t stride;  // 0: without a gap
  size_t row_bytes;
};

// The bytes from one row to the next.
Result<size_t> PitchOf(const Memory& memory, int64_t rows) {
  if (!memory.rows) {
    return Bug(std::string("the ") + memory.name + " are a null pointer");
  }
  const size_t pitch = memory.stride ? memory.stride : memory.row_bytes;
  if (pitch < memory.row_bytes ||
      pitch > SIZE_MAX / static_cast<size_t>(rows)) {
    return BadInput("the stride of the " + std::string(memory.name) + " is " +
                    std::to_string(pitch) + ", which does not suit " +
                    std::to_string(rows) + " rows of " +
                    std::to_string(memory.row_bytes) + " bytes");
  }
  return pitch;
}

Result<void> Put(PalettePage& page, const void* rgb, size_t rgb_stride,
                 int64_t rows, void* indices, size_t index_stride) {
  if (rows < 0 || rows > INT32_MAX) {
    return BadInput("rows is " + std::to_string(rows) +
                    ", which is not in 0 … 2147483647");
  }
  if (rows == 0) return {};
  const auto width = static_cast<size_t>(page.width());
  HALFTONED_TRY_ASSIGN(const size_t rgb_pitch,
                       PitchOf({"pixels", rgb, rgb_stride, 3 * width}, rows));
  HALFTONED_TRY_ASSIGN(
      const size_t index_pitch,
      PitchOf({"indices", indices, index_stride, width}, rows));
  page.Halftone(
      {static_cast<const uint8_t*>(rgb), rgb_pitch, static_cast<int32_t>(rows)},
      {static_cast<uint8_t*>(indices), index_pitch});
  return {};
}

uint32_t ColorAt(const ht_palette& palette, int index,
                 Rgb PaletteColor::*member) {
  const auto colors = palette.model->palette().colors();
  if (index < 0 || static_cast<size_t>(index) >= colors.size()) return 0;
  const Rgb& rgb = colors[static_cast<size_t>(index)].*member;
  return uint32_t{rgb[0]} << 16 | uint32_t{rgb[1]} << 8 | rgb[2];
}

}  // namespace
}  // namespace halftoned

ht_status ht_palette_new(const char* colors, ht_palette** palette,
                         ht_error* error) {
  using namespace halftoned;  // NOLINT
  return Answer(error, [&]() -> Result<void> {
    if (!colors) return Bug("the colors are a null pointer");
    if (!palette) return Bug("the pointer to the palette is null");
    HALFTONED_TRY_ASSIGN(Palette parsed, Palette::Parse(colors));
    auto model = std::make_shared<const PaletteModel>(std::move(parsed));
    *palette = new ht_palette{std::move(model)};
    return {};
  });
}

void ht_palette_free(ht_palette* palette) { delete palette; }

int ht_palette_count(const ht_palette* palette) {
  return static_cast<int>(palette->model->count());
}

uint32_t ht_palette_sent(const ht_palette* palette, int index) {
  return halftoned::ColorAt(*palette, index, &halftoned::PaletteColor::sent);
}

uint32_t ht_palette_measured(const ht_palette* palette, int index) {
  return halftoned::ColorAt(*palette, index,
                            &halftoned::PaletteColor::measured);
}

ht_status ht_palette_halftone(const ht_engine* engine,
                              const ht_palette* palette, int32_t width,
                              const void* rgb, size_t rgb_stride, int64_t rows,
                              void* indices, size_t index_stride,
                              ht_error* error) {
  using namespace halftoned;  // NOLINT
  return Answer(error, [&]() -> Result<void> {
    HALFTONED_TRY_ASSIGN(PalettePage page,
                         OpenPalettePage(engine, palette, width));
    return Put(page, rgb, rgb_stride, rows, indices, index_stride);
  });
}

ht_status ht_palette_page_open(const ht_engine* engine,
                               const ht_palette* palette, int32_t width,
                               ht_palette_page** page, ht_error* error) {
  using namespace halftoned;  // NOLINT
  return Answer(error, [&]() -> Result<void> {
    if (!page) return Bug("the pointer to the page is null");
    HALFTONED_TRY_ASSIGN(PalettePage opened,
                         OpenPalettePage(engine, palette, width));
    *page = new ht_palette_page{std::move(opened)};
    return {};
  });
}

void ht_palette_page_free(ht_palette_page* page) { delete page; }

ht_status ht_palette_page_put(ht_palette_page* page, const void* rgb,
                              size_t rgb_stride, int64_t rows, void* indices,
                              size_t index_stride, ht_error* error) {
  using namespace halftoned;  // NOLINT
  return Answer(error, [&]() -> Result<void> {
    if (!page) return Bug("the page is a null pointer");
    return Put(page->page, rgb, rgb_stride, rows, indices, index_stride);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page in the colors of a palette: each call converts rows of sRGB to rows of
// indices. How rows are divided among calls does not matter. Memory is
// allocated only when the page is opened. It is used by one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "halftone/palette/palette_job.h"

namespace halftoned {

// The engine of that name, or for "auto" the fastest that runs here.
// kUnavailable if this machine does not run it, kBadInput if no engine has that
// name.
Result<PaletteEngine> ChoosePaletteEngine(std::string_view name);

// Rows in the caller's memory, `pitch` bytes apart.
struct RgbRows {
  const uint8_t* rgb;  // three bytes per pixel
  size_t pitch;
  int32_t rows;
};
struct IndexRows {
  uint8_t* indices;  // a byte per pixel
  size_t pitch;
};

class PalettePage {
 public:
  // width: 1 … Page::kMaxWidth.
  static Result<PalettePage> Open(std::shared_ptr<const PaletteModel> model,
                                  const PaletteEngine& engine, int64_t width);

  int32_t width() const { return width_; }
  std::string_view engine() const { return engine_.name; }

  // The next rows of the page.
  void Halftone(const RgbRows& in, const IndexRows& out);

 private:
  PalettePage(std::shared_ptr<const PaletteModel> model,
              const PaletteEngine& engine, int32_t width);

  std::shared_ptr<const PaletteModel> model_;
  PaletteEngine engine_;
  int32_t width_;
  std::vector<int16_t> sums_;  // of three colors, one after another
};

}  // namespace halftoned

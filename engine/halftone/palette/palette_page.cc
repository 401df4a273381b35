// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/palette/palette_page.h"

#include <string>
#include <utility>

#include "halftone/page/page.h"

namespace halftoned {

Result<PaletteEngine> ChoosePaletteEngine(std::string_view name) {
  for (const PaletteEngine& engine : PaletteEngines()) {
    const bool is_wanted = name == engine.name;
    if (!is_wanted && name != "auto") continue;
    if (engine.runs_here()) return engine;
    if (is_wanted) {
      return Unavailable("this CPU cannot run the engine '" +
                         std::string(name) + "'");
    }
  }
  return BadInput("palettes have no engine '" + std::string(name) + "'");
}

Result<PalettePage> PalettePage::Open(std::shared_ptr<const PaletteModel> model,
                                      const PaletteEngine& engine,
                                      int64_t width) {
  HALFTONED_TRY_ASSIGN(const Page page, Page::Make(width, 8));
  return PalettePage(std::move(model), engine, page.width());
}

PalettePage::PalettePage(std::shared_ptr<const PaletteModel> model,
                         const PaletteEngine& engine, int32_t width)
    : model_(std::move(model)),
      engine_(engine),
      width_(width),
      sums_(3 * (static_cast<size_t>(width) + 2 * kSumPad)) {}

void PalettePage::Halftone(const RgbRows& in, const IndexRows& out) {
  const size_t plane = static_cast<size_t>(width_) + 2 * kSumPad;
  int16_t* sums = sums_.data() + kSumPad;
  engine_.kernel({*model_,
                  width_,
                  in.rows,
                  in.rgb,
                  in.pitch,
                  out.indices,
                  out.pitch,
                  {sums, sums + plane, sums + 2 * plane}});
}

}  // namespace halftoned

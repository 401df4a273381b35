// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/print_view.h"

#include <algorithm>
#include <cmath>

#include "halftone/cpu/local_engines.h"
#include "halftone/look/edges/crisp_edges.h"
#include "halftone/run/engine.h"
#include "preview/printed_rows.h"
#include "preview/reading_view.h"

namespace halftoned {
namespace {

// Parts of dots are at most this large, except for coarse dots, whose edges
// matter less.
constexpr double kPartsOfInch = 1200;
constexpr double kMostParts = 6;

int PartsOfDot(double dots_per_inch) {
  return static_cast<int>(std::clamp(
      std::ceil(kPartsOfInch / dots_per_inch - 1e-6), 1.0, kMostParts));
}

class PrintedSink : public Sink {
 public:
  explicit PrintedSink(PrintedRows& print) : print_(print) {}
  Result<void> Write(const BitBand& bits) override {
    for (int32_t i = 0; i < bits.rows; ++i) print_.Add(bits.row(i));
    return {};
  }

 private:
  PrintedRows& print_;
};

}  // namespace

Result<void> HalftonePreview(const PreviewPage& page, const Recipe& recipe,
                             TextEdges edges, Pool& pool, Sink& sink) {
  const EngineList engines = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* engine,
                       ChooseEngine(engines, "auto", recipe));
  HALFTONED_TRY_ASSIGN(const auto session,
                       engine->Open({page.page, recipe, {}, 0}));
  PreviewSource source(page);
  CrispEdges crisp(source, page.page, recipe, edges);
  Flow flow;
  return flow.Run(crisp, *session, sink);
}

Result<GrayPicture> ViewOf(const PreviewPage& page, const Recipe& recipe,
                           TextEdges edges, const PrintGeometry& geometry,
                           const ToneCurve& tones, Pool& pool) {
  const DotGrid grid = {geometry.dots_per_inch_across,
                        geometry.dots_per_inch_down,
                        PartsOfDot(geometry.dots_per_inch_across),
                        PartsOfDot(geometry.dots_per_inch_down)};
  ReadingView view(
      static_cast<size_t>(page.page.width()) *
          static_cast<size_t>(grid.parts_across),
      static_cast<size_t>(page.rows) * static_cast<size_t>(grid.parts_down),
      grid.dots_per_inch_across * grid.parts_across,
      grid.dots_per_inch_down * grid.parts_down, tones);
  PrintedRows print(page.page.width(), grid, recipe.levels(),
                    [&view](std::span<const float> light) { view.Add(light); });
  PrintedSink sink(print);
  HALFTONED_TRY(HalftonePreview(page, recipe, edges, pool, sink));
  print.Finish();
  return view.Picture();
}

}  // namespace halftoned

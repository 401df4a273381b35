// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/target_file.h"

#include <cstdint>
#include <optional>
#include <string>

#include "base/text_file.h"
#include "calibrate/sheet/sheet_code.h"
#include "convert/stages.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/look/halftone_type.h"
#include "halftone/page/method.h"
#include "halftone/run/engine.h"
#include "halftone/run/flow.h"
#include "halftone/run/pool.h"
#include "print/file/last_words.h"
#include "print/file/signal_watch.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

class SheetRows : public Source {
 public:
  explicit SheetRows(const SheetDrawing& drawing) : drawing_(drawing) {}

  Result<Filled> Read(GrayRoom room) override {
    Filled filled{0, false};
    while (filled.rows < room.rows && next_ < drawing_.rows()) {
      drawing_.Row(next_++,
                   reinterpret_cast<uint8_t*>(room.row(filled.rows++)));
    }
    filled.last = next_ == drawing_.rows();
    return filled;
  }

 private:
  const SheetDrawing& drawing_;
  int next_ = 0;
};

std::string TypeOf(const Look& look, const Recipe::Parts& parts) {
  std::string type(FindMethod(parts.algorithm)->name);
  if (parts.algorithm == Algorithm::kClustered) {
    type.append(" ").append(SettingNamed("cluster-size").TextOf(look));
  }
  return type;
}

// As in print jobs, pure pixels stay unchanged.
Result<Recipe> RecipeOf(const CalibrateOptions& options,
                        const SheetResolution& resolution) {
  HALFTONED_TRY_ASSIGN(
      Recipe::Parts parts,
      PartsOf(options.look, 2, true, {resolution.across, resolution.down}));
  if (ShareOfDotGain(parts) == 0) {
    return BadInput("halftone-type " + TypeOf(options.look, parts) +
                    " ignores tone curves");
  }
  std::optional<ToneCurve> curve;
  if (options.is_second) {
    HALFTONED_TRY_ASSIGN(const std::string text, ReadTextFile(options.curve));
    const auto parsed = ToneCurve::Parse(text);
    if (!parsed.ok()) return InFile(options.curve, parsed.error());
    curve = *parsed;
  }
  HALFTONED_TRY_ASSIGN(parts.curve, CurveFor(parts, Tone(), curve));
  return Recipe::Make(parts);
}

Result<void> Write(const SheetDrawing& drawing, const Recipe& recipe,
                   const SheetResolution& resolution, ImageWriter& writer) {
  HALFTONED_TRY_ASSIGN(const Page page, Page::Make(drawing.width(), 8));
  Metadata metadata;
  metadata.resolution = Resolution{resolution.across, resolution.down};
  metadata.title = "Calibration chart";
  HALFTONED_TRY(writer.Begin({page.width(), drawing.rows(),
                              recipe.levels().bits_per_sample, metadata}));
  Pool pool(0);
  const EngineList engines = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* engine,
                       ChooseEngine(engines, "auto", recipe));
  HALFTONED_TRY_ASSIGN(const auto session, engine->Open({page, recipe, {}, 0}));
  SheetRows rows(drawing);
  Flow flow;
  HALFTONED_TRY(flow.Run(rows, *session, writer));
  return writer.Finish();
}

}  // namespace

Result<void> WriteTarget(const CalibrateOptions& options) {
  SheetResolution resolution;
  SetResolution(options.resolution, resolution);
  HALFTONED_TRY_ASSIGN(const Recipe recipe, RecipeOf(options, resolution));
  HALFTONED_TRY_ASSIGN(const SheetPlace place, SheetPlace::On(options.paper));
  const SheetInfo info = {"", TypeOf(options.look, recipe.parts()),
                          options.resolution, options.is_second,
                          place.Size(resolution.across, resolution.down)};
  HALFTONED_TRY_ASSIGN(const auto code, CodeOf(info));
  HALFTONED_TRY_ASSIGN(
      const SheetDrawing drawing,
      SheetDrawing::Make(CalibrationSheet::Marks(code, WordsOf(info)),
                         options.paper, resolution.across, resolution.down));
  const OutputFormat* format = FormatCalled(ExtensionOf(options.output));
  if (!format || !format->Holds(2)) {
    return BadInput("cannot tell the format from '" + options.output +
                    "'; use .tif, .png or .pbm");
  }
  PendingFiles pending(!options.no_clobber);
  const LastWordsFiles last_words(pending);
  const SignalWatch signals(pending);
  auto file = OutputFile::Create(options.output, pending);
  if (!file.ok()) return InFile(options.output, file.error());
  const auto writer = format->make_writer(**file, {});
  const Result<void> written = Write(drawing, recipe, resolution, *writer);
  if (!written.ok()) return InFile(options.output, written.error());
  const Result<void> done = (*file)->Commit();
  return done.ok() ? done : InFile(options.output, done.error());
}

}  // namespace halftoned

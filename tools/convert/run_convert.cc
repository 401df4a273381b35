// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone convert`: makes jobs from options, and runs them.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/libexec.h"
#include "base/text_file.h"
#include "command/console.h"
#include "commands.h"
#include "convert/convert_batch.h"
#include "convert/jobs.h"
#include "convert/output_folder.h"
#include "convert/run_palette.h"
#include "engine/gpu_engine.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/look/halftone_type.h"
#include "halftone/run/failover.h"
#include "print/file/last_words.h"
#include "print/file/signal_watch.h"
#include "status/ask_daemon.h"
#include "wire/remote_engine.h"

namespace halftoned {
namespace {

Result<ToneCurve> ReadToneCurve(const std::string& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status)) {
    return BadInput("tone curve " + path + ": is not a regular file");
  }
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) {
    return Error{text.error().code, "tone curve " + text.error().message};
  }
  const Result<ToneCurve> curve = ToneCurve::Parse(*text);
  return curve.ok() ? curve : InFile("tone curve " + path, curve.error());
}

Result<ToneCurve> InvertedTone() {
  ToneCurve::Table table;
  for (int i = 0; i <= kWhite; ++i) {
    table[static_cast<size_t>(i)] = static_cast<uint16_t>(kWhite - i);
  }
  return ToneCurve::FromTable(table);
}

// The order is: the inversion, the user's tones, and the printer's correction.
Result<ToneCurve> CurveOf(const ConvertOptions& options,
                          const Recipe::Parts& parts) {
  std::optional<ToneCurve> measured;
  if (!options.look.tone_curve.empty()) {
    HALFTONED_TRY_ASSIGN(measured, ReadToneCurve(options.look.tone_curve));
  }
  HALFTONED_TRY_ASSIGN(const ToneCurve curve,
                       CurveFor(parts, options.look, measured));
  if (!options.invert) return curve;
  HALFTONED_TRY_ASSIGN(const ToneCurve inverted, InvertedTone());
  return inverted.Then(curve);
}

// The recipe without its curve, which may come from a file.
Result<Recipe> DotsOf(const ConvertOptions& options) {
  const DotsPerInch resolution =
      options.dpi ? DotsPerInch{options.dpi->x, options.dpi->y} : DotsPerInch{};
  HALFTONED_TRY_ASSIGN(const Recipe::Parts parts,
                       PartsOf(options.look, options.look.levels,
                               options.look.has_crisp_edges(), resolution));
  return Recipe::Make(parts);
}

Result<Recipe> RecipeOf(Recipe::Parts parts, const ConvertOptions& options) {
  HALFTONED_TRY_ASSIGN(parts.curve, CurveOf(options, parts));
  return Recipe::Make(parts);
}

// The configuration is read only for engines that use the daemon, so its
// mistakes do not affect other engines.
Result<wire::RemoteOptions> RemoteFor(const ConvertOptions& options) {
  wire::RemoteOptions remote;
  if (options.engine != "remote" && options.engine != "cuda") return remote;
  HALFTONED_TRY_ASSIGN(const DaemonConfig daemon, ReadDaemonConfig());
  remote.socket = options.socket.empty() ? daemon.socket : options.socket;
  remote.owner = daemon.user.value;
  return remote;
}

Result<EngineList> EnginesFor(const ConvertOptions& options,
                              const Recipe& recipe, Pool& pool) {
  HALFTONED_TRY_ASSIGN(wire::RemoteOptions remote, RemoteFor(options));
  remote.hello.recipe_kind = KindOf(recipe.parts());
  EngineList engines = LocalEngines(pool);
  engines.push_back(std::make_unique<GpuEngine>(
      remote, LibexecFolder(HALFTONED_LIBEXEC_PATH) + "/worker-cuda"));
  engines.push_back(std::make_unique<wire::RemoteEngine>(std::move(remote)));
  return engines;
}

ConvertSettings SettingsOf(const ConvertOptions& options, const Recipe& recipe,
                           const Engine& engine, Pool& pool) {
  ConvertSettings settings{recipe, &engine, options.rows_per_band,
                           options.look.text_edges, &pool};
  settings.dpi = options.dpi;
  settings.size = options.size;
  settings.scaling = options.scaling;
  settings.rotate = options.rotate;
  settings.resumes = options.resume;
  settings.wants_digests = !options.manifest.empty();
  settings.trust.remedy = "--any-size accepts it";
  if (options.any_size) settings.trust.free_pixels = ImageTrust::kAnySize;
  return settings;
}

int RunJobs(const ConvertOptions& options, const ClosedPipe& pipe,
            bool& is_pipe_closed) {
  const auto jobs = JobsOf(options);
  Console console(!options.quiet, jobs.ok() ? jobs->size() : 0);
  const auto fail = [&](const Error& error, int status) {
    console.ShowError(error);
    return status;
  };
  if (!jobs.ok()) return fail(jobs.error(), kUsageStatus);
  const auto dots = DotsOf(options);
  if (!dots.ok()) return fail(dots.error(), kUsageStatus);

  PendingFiles pending(!options.no_clobber);
  const LastWordsFiles last_words(pending);
  const SignalWatch signals(pending);
  Pool pool(options.threads);
  const auto recipe = RecipeOf(dots->parts(), options);
  if (!recipe.ok()) return fail(recipe.error(), 1);
  const auto engines = EnginesFor(options, *recipe, pool);
  if (!engines.ok()) return fail(engines.error(), 1);
  const auto engine = ChooseEngine(*engines, options.engine, *recipe);
  if (!engine.ok()) {
    const bool is_unknown = engine.error().code == ErrorCode::kBadInput;
    return fail(engine.error(), is_unknown ? kUsageStatus : 1);
  }

  const FailoverEngine named({*engine});
  const ConvertSettings settings = SettingsOf(options, *recipe, named, pool);
  OutputFolder folder(FolderToMake(options), !options.shard.is_whole());
  const Result<void> made = folder.Make();
  if (!made.ok()) return fail(made.error(), 1);
  std::optional<Manifest> manifest;
  if (!options.manifest.empty()) {
    auto created = Manifest::Create(options.manifest, pending);
    if (!created.ok()) return fail(created.error(), 1);
    manifest = std::move(*created);
  }
  ConvertBatch batch(*jobs, settings, pending, console, options.json,
                     manifest ? &*manifest : nullptr, pipe);
  const int status = batch.Run();
  is_pipe_closed = batch.is_pipe_closed();
  return status;
}

}  // namespace

int RunCommand(const ConvertOptions& options) {
  if (!options.palette.empty()) return RunPalette(options);
  const ClosedPipe pipe;
  bool is_pipe_closed = false;
  const int status = RunJobs(options, pipe, is_pipe_closed);
  if (is_pipe_closed) ClosedPipe::End();
  return status;
}

}  // namespace halftoned

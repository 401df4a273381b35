// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone convert`: from options to jobs, and through them.

#include <cstdio>
#include <string>
#include <vector>

#include "commands.h"
#include "convert.h"
#include "file/input_file.h"
#include "file/signal_watch.h"

namespace halftoned {
namespace {

constexpr size_t kMaxCurveBytes = size_t{1} << 20;

int Fail(const Error& error, int status) {
  std::fprintf(stderr, "halftone: %s\n", error.message.c_str());
  return status;
}

Result<ToneCurve> ReadToneCurve(const std::string& path) {
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(path));
  std::string text(kMaxCurveBytes, '\0');
  HALFTONED_TRY_ASSIGN(const size_t bytes,
                       file.ReadSome(std::as_writable_bytes(std::span(text))));
  if (bytes == text.size()) return BadInput("is too large for a tone curve");
  return ToneCurve::Parse(std::string_view(text).substr(0, bytes));
}

Result<Recipe> RecipeOf(const ConvertOptions& options) {
  Recipe::Parts parts;
  parts.levels = options.levels;
  if (!options.tone_curve.empty()) {
    auto curve = ReadToneCurve(options.tone_curve);
    if (!curve.ok()) return InFile(options.tone_curve, curve.error());
    parts.curve = *curve;
  }
  return Recipe::Make(parts);
}

// Only a wrong command line is an error here.
Result<std::vector<ConvertJob>> JobsOf(const ConvertOptions& options) {
  if (options.files.size() != 2 || !options.output.empty()) {
    return BadInput("convert takes an input and an output");
  }
  const std::string& output = options.files[1];
  const auto format = FormatOfName(output);
  if (output != "-" && !format) {
    return BadInput(output + ": the name tells no format");
  }
  return std::vector<ConvertJob>{
      {options.files[0], output, {format.value_or(ImageFormat::kPnm), {}}}};
}

}  // namespace

int RunConvert(const ConvertOptions& options) {
  const auto jobs = JobsOf(options);
  if (!jobs.ok()) return Fail(jobs.error(), kUsageStatus);

  PendingFiles pending;
  const SignalWatch signals(pending);
  Pool pool(options.threads);
  const EngineList engines = LocalEngines(pool);
  const auto engine = ChooseEngine(engines, options.engine);
  if (!engine.ok()) {
    const bool is_unknown = engine.error().code == ErrorCode::kBadInput;
    return Fail(engine.error(), is_unknown ? kUsageStatus : 1);
  }
  const auto recipe = RecipeOf(options);
  if (!recipe.ok()) return Fail(recipe.error(), 1);

  const Manner manner{*recipe, *engine, options.rows_per_band};
  Flow flow;
  int status = 0;
  for (const ConvertJob& job : *jobs) {
    const auto report = Convert(job, manner, flow, pending);
    if (!report.ok()) status = Fail(report.error(), 1);
  }
  return status;
}

}  // namespace halftoned

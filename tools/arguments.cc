// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arguments.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "halftone/page.h"
#include "halftone/pool.h"

namespace halftoned {
namespace {

void AddConvert(CLI::App& app, ConvertOptions& options) {
  app.add_option("FILE", options.files,
                 "The image, and where its halftone goes; '-' is standard "
                 "input or output")
      ->required();
  app.add_option("-o,--output", options.output,
                 "Where the halftone goes, or the folder for several");
  app.add_option("--engine", options.engine,
                 "An engine that 'halftone engines' lists, or auto")
      ->capture_default_str();
  app.add_option("--threads", options.threads,
                 "Threads to work on; 0: one for each processor")
      ->check(CLI::Range(0, Pool::kMaxThreads))
      ->capture_default_str();
  app.add_option("--levels", options.levels, "Gray levels of the output")
      ->check(CLI::IsMember({2, 4, 8, 16}))
      ->capture_default_str();
  app.add_option("--tone-curve", options.tone_curve,
                 "A file of lines 'input output', light in 0 … 255");
  app.add_option("--rows-per-band", options.rows_per_band,
                 "Rows that are halftoned at once; 0: what suits the page")
      ->check(CLI::Range(0, Page::kMaxRowsPerBand))
      ->capture_default_str();
  app.add_flag("-q,--quiet", options.quiet, "No progress, only errors");
}

}  // namespace

Command ParseArguments(int argc, char** argv) {
  CLI::App app("Halftones images, with the engine that prints.", "halftone");
  app.set_version_flag("--version", "halftone " HALFTONED_VERSION);
  app.require_subcommand(1);
  ConvertOptions convert;
  CLI::App* convert_app =
      app.add_subcommand("convert", "Halftones an image file");
  AddConvert(*convert_app, convert);
  CLI::App* engines_app =
      app.add_subcommand("engines", "Lists the engines and what they need");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return Ended{app.exit(error)};
    std::fprintf(stderr, "halftone: %s\n", error.what());
    return Ended{kUsageStatus};
  }
  if (engines_app->parsed()) return ListEngines{};
  return convert;
}

}  // namespace halftoned

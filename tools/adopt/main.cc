// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program behind `halftone add`, `adopt`, `release`, `list`, `models`,
// `set`, `unset`, `show`, `test-page`, `halftone calibrate print` and what
// `halftone check` says about queues:
//
//   halftone-adopt queues     a line for each finding (check/finding.h)
//   halftone-adopt look NAME  what a queue prints with (run_preview.cc)

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "adopt/adopt_arguments.h"
#include "adopt/adopt_commands.h"
#include "adopt/run_commands.h"
#include "base/descriptor.h"
#include "calibrate/calibrate_arguments.h"
#include "command/command_help.h"
#include "command/command_line.h"
#include "print/file/last_words.h"

namespace halftoned {
namespace {

constexpr int kUsageStatus = 2;

int Main(int argc, char** argv) {
  CLI::App app("Puts rastertohalftone in front of drivers.", "halftone");
  app.set_version_flag("--version", "halftone-adopt " HALFTONED_VERSION);
  app.require_subcommand(1);
  SetHelp(app, {{"COMMAND ..."}, {}, "Manual: man halftone"});
  AdoptOptions options;
  AddOptions add;
  const CLI::App* add_app = AddAddCommand(app, add);
  AddAdoptCommands(app, options);
  ListOptions list;
  AddListCommands(app, list);
  TestPageOptions page;
  const CLI::App* page_app = AddTestPageCommand(app, page);
  SettingsOptions settings;
  const SettingsCommands change = AddSettingsCommands(app, settings);
  CalibrateOptions calibrate;
  const CLI::App* calibrate_app = AddCalibrateCommand(app, calibrate);
  CLI::App* report = app.add_subcommand("queues")->group("");
  CLI::App* look_app = app.add_subcommand("look")->group("");
  std::string looked_at;
  look_app->add_option("QUEUE", looked_at)->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "halftone: %s\n", MessageOf(error, app).c_str());
    return kUsageStatus;
  }
  if (report->parsed()) return RunReport();
  if (look_app->parsed()) return RunLook(looked_at);
  if (add_app->parsed()) return RunAdd(add);
  if (calibrate_app->parsed()) return RunTarget(calibrate);
  if (change.show->parsed()) return RunShow(settings);
  if (change.set->parsed()) return RunChange(settings, true);
  if (change.unset->parsed()) return RunChange(settings, false);
  if (page_app->parsed()) return RunPrint(page);
  if (app.got_subcommand("list") || app.got_subcommand("models")) {
    return RunList(list);
  }
  return RunAdopt(options);
}

}  // namespace
}  // namespace halftoned

int main(int argc, char** argv) {
  halftoned::PrepareLastWords();
  halftoned::OpenStandardDescriptors();
  return halftoned::Main(argc, argv);
}

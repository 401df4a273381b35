// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `halftone` and their options, for parsing and for completion
// in shells.

#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "adopt/adopt_arguments.h"
#include "calibrate/calibrate_arguments.h"
#include "check/check_arguments.h"
#include "command/arguments.h"
#include "preview/preview_arguments.h"
#include "settings/settings_arguments.h"

namespace halftoned {

struct ToolApp {
  ToolApp();
  ToolApp(const ToolApp&) = delete;
  ToolApp& operator=(const ToolApp&) = delete;

  CLI::App app;
  CLI::App* convert_app;
  CLI::App* engines_app;
  CLI::App* status_app;
  CLI::App* check_app;
  CLI::App* calibrate_app;
  CLI::App* preview_app;
  CLI::App* help_app;

  // The results of parsing.
  ConvertOptions convert;
  ListEngines engines;
  StatusOptions status;
  CheckOptions check;
  AddOptions add;
  CalibrateOptions calibrate;
  PreviewOptions preview;
  AdoptOptions adopt;
  ListOptions list;
  TestPageOptions test_page;
  std::string helped;  // a command, or nothing for all of them
  SettingsOptions settings;

  // The names that an option takes; empty for any other value.
  using Choices = std::map<std::string, std::vector<std::string>>;
  Choices choices;

 private:
  void AddCommandsOfQueues();
  void AddConvertCommand();
  void AddHelpCommand();
};

}  // namespace halftoned

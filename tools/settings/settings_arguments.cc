// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "settings/settings_arguments.h"

#include <algorithm>
#include <sstream>

#include "command/command_help.h"
#include "command/command_line.h"
#include "halftone/look/settings.h"

namespace halftoned {
namespace {

CLI::App* AddCommand(CLI::App& app, const std::string& name,
                     const std::string& what, SettingsOptions& options) {
  CLI::App* command = app.add_subcommand(name, what);
  command
      ->add_option("QUEUE", options.queue,
                   "A CUPS queue, or a printer of halftone-printer-app")
      ->check(MustBeSaid("the name of a queue"));
  return command;
}

void CheckIsComplete(const SettingsOptions& options,
                     const std::string& missing) {
  if (options.queue.empty()) {
    throw CLI::ValidationError("missing queue; see --help");
  }
  if (options.words.empty() && !options.all) {
    throw CLI::ValidationError("missing " + missing + "; see --help");
  }
}

// Each setting and what it may be, in columns.
std::string KeysAndValues() {
  constexpr size_t kKeyColumns = 18;
  std::string text = "Keys and values:\n";
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kConfiguration)) continue;
    std::string key = "  " + std::string(setting.name);
    key.resize(std::max(key.size() + 1, kKeyColumns), ' ');
    std::istringstream lines(Wrapped(setting.Values(), 80 - kKeyColumns));
    for (std::string line; std::getline(lines, line);) {
      text += key + line + "\n";
      key.assign(kKeyColumns, ' ');
    }
  }
  return text + "halftone-settings(7) describes them.";
}

void SetHelps(const SettingsCommands& commands) {
  SetHelp(*commands.set, {{"set QUEUE KEY=VALUE ... [--dry-run]"},
                          {"set laser brightness=15",
                           "set labels technology=thermal "
                           "halftone-type=bi-level"},
                          KeysAndValues()});
  SetHelp(*commands.unset,
          {{"unset QUEUE KEY ... [--dry-run]", "unset --all QUEUE [--dry-run]"},
           {"unset laser brightness", "unset --all laser"},
           ""});
  SetHelp(*commands.show, {{"show [--json] [QUEUE]"},
                           {"show laser"},
                           "Without a queue: all settings in halftoned.conf."});
}

}  // namespace

SettingsCommands AddSettingsCommands(CLI::App& app, SettingsOptions& options) {
  SettingsCommands commands;
  commands.set = AddCommand(
      app, "set", "Change settings of a queue in halftoned.conf", options);
  // Not KEY=VALUE: CLI11 2.4 refuses = in names.
  commands.set->add_option("SETTING", options.words,
                           "Settings, such as brightness=15");
  commands.set->callback(
      [&options] { CheckIsComplete(options, "KEY=VALUE, such as gamma=1.4"); });
  commands.unset = AddCommand(
      app, "unset", "Remove settings of a queue from halftoned.conf", options);
  CLI::Option* keys =
      commands.unset->add_option("KEY", options.words, "Settings");
  commands.unset->add_flag("--all", options.all, "All settings of the queue")
      ->excludes(keys);
  commands.unset->callback(
      [&options] { CheckIsComplete(options, "KEY, such as gamma, or --all"); });
  commands.show = AddCommand(
      app, "show", "Show the settings of a queue, and their sources", options);
  AddJson(*commands.show, options.json, "for each setting");
  for (CLI::App* command : {commands.set, commands.unset}) {
    command->add_flag("-n,--dry-run", options.dry_run,
                      "Change nothing; print what would change");
  }
  for (CLI::App* command : {commands.set, commands.unset, commands.show}) {
    AddConfig(*command);
  }
  SetHelps(commands);
  return commands;
}

}  // namespace halftoned

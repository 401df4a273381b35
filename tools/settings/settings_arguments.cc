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
      ->add_option_function<std::string>(
          "QUEUE",
          [&options](const std::string& queue) { options.queues = {queue}; },
          "A CUPS queue, or a printer of halftone-printer-app")
      ->check(MustBeSaid("the name of a queue"));
  AddJson(*command, options.json, "for each setting");
  AddConfig(*command);
  return command;
}

bool IsOfSetting(const std::string& word) {
  return word.find('=') != word.npos || FindSetting(word) != nullptr;
}

// The parser puts the first word into `queues`, and all others into `words`.
// This moves the words before the first setting to `queues`.
void SortWords(SettingsOptions& options) {
  std::vector<std::string>& queues = options.queues;
  std::vector<std::string>& words = options.words;
  if (options.all_queues) {
    words.insert(words.begin(), queues.begin(), queues.end());
    queues = {""};
    return;
  }
  const auto first = std::ranges::find_if(words, IsOfSetting);
  queues.insert(queues.end(), words.begin(), first);
  words.erase(words.begin(), first);
}

// missing: the form of the settings that are missing.
void CheckIsComplete(SettingsOptions& options, const std::string& missing) {
  SortWords(options);
  if (options.queues.empty()) {
    throw CLI::ValidationError("missing queue, or --all; see --help");
  }
  if (options.words.empty() && !options.all_settings) {
    throw CLI::ValidationError("missing " + missing + "; see --help");
  }
  if (options.all_settings && !options.words.empty()) {
    throw CLI::ValidationError("--all-settings excludes " +
                               options.words.front());
  }
}

// Each setting and its values, in columns.
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
  SetHelp(*commands.set,
          {{"set QUEUE ... KEY=VALUE ... [--dry-run]",
            "set --all KEY=VALUE ... [--dry-run]"},
           {"set laser brightness=15",
            "set labels technology=thermal halftone-type=bi-level",
            "set --all toner-save=20"},
           KeysAndValues()});
  SetHelp(*commands.unset,
          {{"unset QUEUE ... KEY ... [--dry-run]",
            "unset QUEUE ... --all-settings [--dry-run]",
            "unset --all KEY ... [--dry-run]"},
           {"unset laser brightness", "unset laser --all-settings"},
           ""});
  SetHelp(*commands.show, {{"show [--json] [QUEUE]"},
                           {"show laser"},
                           "Without a queue: all settings in halftoned.conf."});
}

}  // namespace

SettingsCommands AddSettingsCommands(CLI::App& app, SettingsOptions& options) {
  SettingsCommands commands;
  commands.set = AddCommand(
      app, "set", "Change settings of queues in halftoned.conf", options);
  // Not KEY=VALUE: CLI11 2.4 refuses = in names.
  commands.set->add_option("SETTING", options.words,
                           "Settings, such as brightness=15");
  commands.set->callback(
      [&options] { CheckIsComplete(options, "KEY=VALUE, such as gamma=1.4"); });
  commands.unset = AddCommand(
      app, "unset", "Remove settings of queues from halftoned.conf", options);
  commands.unset->add_option("KEY", options.words, "Settings");
  commands.unset->add_flag("--all-settings", options.all_settings,
                           "All settings of the queues");
  commands.unset->callback([&options] {
    CheckIsComplete(options, "KEY, such as gamma, or --all-settings");
  });
  commands.show = AddCommand(
      app, "show", "Show the settings of a queue, and their sources", options);
  for (CLI::App* command : {commands.set, commands.unset}) {
    command->add_flag("--all", options.all_queues,
                      "All queues that have no value of their own for the key");
    command->add_flag("-n,--dry-run", options.dry_run,
                      "Change nothing; print what would change");
  }
  SetHelps(commands);
  return commands;
}

}  // namespace halftoned

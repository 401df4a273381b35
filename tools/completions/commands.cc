// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command/tool_app.h"
#include "completions/completions.h"
#include "halftone/look/settings.h"

namespace halftoned {
namespace {

ValueKind KindOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return ValueKind::kNone;
  const std::string type = option.get_type_name();
  if (type == "FILE" || type == "PATH" || type == "IN OUT") {
    return ValueKind::kFile;
  }
  if (type == "ENGINE") return ValueKind::kEngine;
  if (type == "QUEUE") return ValueKind::kQueue;
  return ValueKind::kAny;
}

CompletedOption OptionOf(const CLI::Option& option,
                         const ToolApp::Choices& choices) {
  CompletedOption completed{{}, option.get_description(), KindOf(option), {}};
  for (const std::string& name : option.get_snames()) {
    completed.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    completed.names.push_back("--" + name);
  }
  const auto found = choices.find(completed.names.back());
  if (found == choices.end()) return completed;
  // Their help ends with the values.
  completed.help.resize(
      std::min(completed.help.rfind(": "), completed.help.size()));
  if (!found->second.empty()) {
    completed.value = ValueKind::kChoice;
    completed.choices = found->second;
  }
  return completed;
}

std::vector<CompletedOption> SettingsOfQueues() {
  std::vector<CompletedOption> settings;
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.MayBeSetBy(kConfiguration)) continue;
    CompletedOption completed{
        {std::string(setting.name)}, std::string(setting.help), {}, {}};
    completed.value = setting.is_file() ? ValueKind::kFile : ValueKind::kAny;
    if (setting.has_auto()) completed.choices.emplace_back("auto");
    for (const Choice& choice : setting.Choices()) {
      completed.choices.emplace_back(choice.name);
    }
    if (!completed.choices.empty()) completed.value = ValueKind::kChoice;
    settings.push_back(std::move(completed));
  }
  return settings;
}

CompletedCommand CommandOf(const CLI::App& app,
                           const ToolApp::Choices& choices) {
  CompletedCommand command{"", app.get_description(), {}, ValueKind::kNone};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (name == "STEP") {
      for (const CalibrateStep& step : kCalibrateSteps) {
        command.steps.push_back(
            {std::string(step.name), std::string(step.help),
             step.is_of_queue ? ValueKind::kQueue : ValueKind::kFile});
      }
    } else if (name == "KEY" || name == "SETTING") {
      command.settings = SettingsOfQueues();
      command.sets = name == "SETTING";
    } else if (name == "NAME" || name == "URI" || name == "WORD" ||
               name == "COMMAND") {
      // Only their author knows them.
    } else if (option->get_positional()) {
      command.arguments =
          name == "QUEUE" ? ValueKind::kQueue : ValueKind::kFile;
    } else {
      command.options.push_back(OptionOf(*option, choices));
    }
  }
  return command;
}

}  // namespace

std::vector<std::string> SettingWords(const CompletedCommand& command) {
  std::vector<std::string> words;
  for (const CompletedOption& setting : command.settings) {
    const std::string& name = setting.names.front();
    if (!command.sets) {
      words.push_back(name);
    } else if (setting.choices.empty()) {
      words.push_back(name + "=");
    }
    for (const std::string& choice : setting.choices) {
      if (command.sets) words.push_back(name + "=" + choice);
    }
  }
  return words;
}

std::vector<std::string> StepNames(const CompletedCommand& command,
                                   std::optional<ValueKind> arguments) {
  std::vector<std::string> names;
  for (const CompletedStep& step : command.steps) {
    if (!arguments || step.arguments == *arguments) names.push_back(step.name);
  }
  return names;
}

std::vector<CompletedCommand> CompletedCommands() {
  const ToolApp tool;
  std::vector<CompletedCommand> commands = {CommandOf(tool.app, tool.choices)};
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* app : tool.app.get_subcommands(all)) {
    commands.push_back(CommandOf(*app, tool.choices));
    commands.back().name = app->get_name();
  }
  return commands;
}

}  // namespace halftoned

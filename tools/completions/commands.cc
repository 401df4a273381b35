// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <CLI/CLI.hpp>
#include <algorithm>

#include "completions/completions.h"
#include "tool_app.h"

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

CompletedCommand CommandOf(const CLI::App& app,
                           const ToolApp::Choices& choices) {
  CompletedCommand command{"", app.get_description(), {}, ValueKind::kNone};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      command.arguments =
          option->get_name() == "QUEUE" ? ValueKind::kQueue : ValueKind::kFile;
    } else {
      command.options.push_back(OptionOf(*option, choices));
    }
  }
  return command;
}

}  // namespace

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What shells complete after `halftone`, made from its options; texts of the
// three shells.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halftoned {

// What may stand for a value.
enum class ValueKind { kNone, kAny, kFile, kQueue, kEngine, kChoice };

struct CompletedOption {
  std::vector<std::string> names;  // "-o", "--output"
  std::string help;                // a line
  ValueKind value = ValueKind::kNone;
  std::vector<std::string> choices;
};

// A word that says which of several things a command does.
struct CompletedStep {
  std::string name;
  std::string help;
  ValueKind arguments = ValueKind::kNone;
};

struct CompletedCommand {
  std::string name;  // empty: halftone itself
  std::string help;
  std::vector<CompletedOption> options;
  ValueKind arguments = ValueKind::kNone;
  // What arguments may be as well: "gamma", or "gamma=" and its values.
  std::vector<CompletedOption> settings;
  bool sets = false;  // settings have values
  // If there are any, one is the first argument, and the others are its own.
  std::vector<CompletedStep> steps;
};

// "technology=laser", "gamma=", or without values "gamma".
std::vector<std::string> SettingWords(const CompletedCommand& command);

// Of the steps of such arguments; of all without.
std::vector<std::string> StepNames(const CompletedCommand& command,
                                   std::optional<ValueKind> arguments = {});

// halftone itself first.
std::vector<CompletedCommand> CompletedCommands();

std::string BashCompletions(const std::vector<CompletedCommand>& commands);
std::string ZshCompletions(const std::vector<CompletedCommand>& commands);
std::string FishCompletions(const std::vector<CompletedCommand>& commands);

}  // namespace halftoned

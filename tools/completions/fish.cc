// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "completions/completions.h"

namespace halftoned {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

constexpr char kQueues[] = "(lpstat -e 2>/dev/null)";

// What follows the option's name.
std::string Value(const CompletedOption& option) {
  switch (option.value) {
    case ValueKind::kNone:
      return " -f";
    case ValueKind::kAny:
      return " -x";
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kQueue:
      return std::string(" -x -a ") + Quoted(kQueues);
    case ValueKind::kEngine:
      return " -x -a " +
             Quoted(
                 "auto remote cuda (halftone engines 2>/dev/null | string "
                 "replace -r ' .*' '')");
    case ValueKind::kChoice:
      break;
  }
  std::string words;
  for (const std::string& choice : option.choices) {
    words += (words.empty() ? "" : " ") + choice;
  }
  return " -x -a " + Quoted(words);
}

std::string Lines(const CompletedCommand& command) {
  const std::string condition =
      command.name.empty() ? "__fish_use_subcommand"
                           : "__fish_seen_subcommand_from " + command.name;
  const std::string begin = "complete -c halftone -n " + Quoted(condition);
  std::string text;
  if (!command.name.empty()) {
    text += "\ncomplete -c halftone -n __fish_use_subcommand -f -a " +
            command.name + " -d " + Quoted(command.help) + "\n";
    if (command.arguments == ValueKind::kQueue) {
      text += begin + " -f -a " + Quoted(kQueues) + "\n";
      for (const std::string& word : SettingWords(command)) {
        text += begin + " -f -a " + Quoted(word) + "\n";
      }
    } else if (command.arguments == ValueKind::kNone) {
      text += begin + " -f\n";
    }
  }
  for (const CompletedOption& option : command.options) {
    text += begin;
    for (const std::string& name : option.names) {
      text += name.starts_with("--") ? " -l " + name.substr(2)
                                     : " -s " + name.substr(1);
    }
    text += Value(option) + " -d " + Quoted(option.help) + "\n";
  }
  return text;
}

}  // namespace

std::string FishCompletions(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      "# fish: completes the command line of halftone. Made by "
      "make_completions.\n";
  for (const CompletedCommand& command : commands) text += Lines(command);
  return text;
}

}  // namespace halftoned

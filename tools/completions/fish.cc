// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

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

std::string Seen(const std::string& words) {
  return "__fish_seen_subcommand_from " + words;
}

// Whether a command's name is a step of another, which comes before it.
std::string Condition(const CompletedCommand& command,
                      const std::vector<CompletedCommand>& all) {
  if (command.name.empty()) return "__fish_use_subcommand";
  std::string condition = Seen(command.name);
  for (const CompletedCommand& other : all) {
    if (std::ranges::count(StepNames(other), command.name) > 0) {
      condition += "; and not " + Seen(other.name);
    }
  }
  return condition;
}

// The step, and then what it is of, unless that is a file.
std::string StepsForFish(const CompletedCommand& command) {
  const std::string begin = "complete -c halftone -n ";
  std::string names, text;
  for (const std::string& name : StepNames(command)) names += " " + name;
  const std::string none_yet =
      Seen(command.name) + "; and not " + Seen(names.substr(1));
  for (const CompletedStep& step : command.steps) {
    text += begin + Quoted(none_yet) + " -f -a " + step.name + " -d " +
            Quoted(step.help) + "\n";
    if (step.arguments == ValueKind::kQueue) {
      text += begin + Quoted(Seen(command.name) + "; and " + Seen(step.name)) +
              " -f -a " + Quoted(kQueues) + "\n";
    }
  }
  return text;
}

std::string Lines(const CompletedCommand& command,
                  const std::string& condition) {
  const std::string begin = "complete -c halftone -n " + Quoted(condition);
  std::string text;
  if (!command.name.empty()) {
    text += "\ncomplete -c halftone -n __fish_use_subcommand -f -a " +
            command.name + " -d " + Quoted(command.help) + "\n";
    if (!command.steps.empty()) {
      text += StepsForFish(command);
    } else if (command.arguments == ValueKind::kQueue) {
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
  for (const CompletedCommand& command : commands) {
    text += Lines(command, Condition(command, commands));
  }
  return text;
}

}  // namespace halftoned

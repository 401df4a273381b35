// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "completions/completions.h"

namespace halftoned {
namespace {

// In single quotes, with a backslash before what _arguments takes for its own.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string Action(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::kFile:
      return ":file:_files";
    case ValueKind::kQueue:
      return ":queue:_halftone_queues";
    case ValueKind::kEngine:
      return ":engine:_halftone_engines";
    case ValueKind::kChoice: {
      std::string words;
      for (const std::string& choice : choices) {
        words += (words.empty() ? "" : " ") + choice;
      }
      return ":value:(" + words + ")";
    }
    case ValueKind::kAny:
      return ":value: ";
    case ValueKind::kNone:
      break;
  }
  return "";
}

// A line for each name.
std::string Options(const CompletedCommand& command,
                    const std::string& indent) {
  std::string text;
  for (const CompletedOption& option : command.options) {
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      const bool has_value = option.value != ValueKind::kNone;
      text += indent + "'" + name +
              (!has_value ? ""
               : is_long  ? "="
                          : "+") +
              "[" + Escaped(option.help) + "]" +
              Action(option.value, option.choices) + "' \\\n";
    }
  }
  return text;
}

// The step, and then what it is of: a queue or a file.
std::string StepsForZsh(const CompletedCommand& command) {
  std::string names, of_queues;
  for (const std::string& name : StepNames(command)) {
    names += (names.empty() ? "" : " ") + name;
  }
  for (const std::string& name : StepNames(command, ValueKind::kQueue)) {
    of_queues += (of_queues.empty() ? "" : "|") + name;
  }
  const std::string indent(12, ' ');
  return indent + "'1:step:(" + names + ")' \\\n" + indent +
         "'*:subject:{ case \" $words \" in *\" \"(" + of_queues +
         ")\" \"*) _halftone_queues ;; *) _files ;; esac }' \\\n";
}

std::string Case(const CompletedCommand& command) {
  std::string text = "        " + command.name +
                     ")\n          _arguments \\\n" +
                     Options(command, "            ");
  if (!command.settings.empty()) {
    text +=
        "            '1:queue:_halftone_queues' \\\n            '*:setting:(";
    for (const std::string& word : SettingWords(command)) text += word + " ";
    text.back() = ')';
    text += "' \\\n";
  } else if (!command.steps.empty()) {
    text += StepsForZsh(command);
  } else if (command.arguments != ValueKind::kNone) {
    text += "            '*" + Action(command.arguments, {}) + "' \\\n";
  }
  text.resize(text.size() - 3);  // the last line goes on no further
  return text + " ;;\n";
}

}  // namespace

std::string ZshCompletions(const std::vector<CompletedCommand>& commands) {
  std::string described, cases;
  for (const CompletedCommand& command : commands) {
    if (command.name.empty()) continue;
    described += "    '" + command.name + ":" + Escaped(command.help) + "'\n";
    cases += Case(command);
  }
  return R"zsh(#compdef halftone
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# zsh: completes the command line of halftone. Made by make_completions.
_halftone_queues() {
  local -a queues
  queues=(${(f)"$(lpstat -e 2>/dev/null)"})
  compadd -a queues
}

_halftone_engines() {
  local -a engines
  engines=(auto remote cuda ${${(f)"$(halftone engines 2>/dev/null)"}%% *})
  compadd -a engines
}

_halftone() {
  local curcontext=$curcontext context state line
  local -a commands
  commands=(
)zsh" + described +
         R"zsh(  )
  _arguments -C \
)zsh" + Options(commands.front(), "    ") +
         R"zsh(    '1: :->command' \
    '*:: :->arguments'
  case $state in
    command)
      _describe command commands ;;
    arguments)
      case $words[1] in
)zsh" + cases +
         R"zsh(      esac ;;
  esac
}

_halftone "$@"
)zsh";
}

}  // namespace halftoned

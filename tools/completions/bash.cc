// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "completions/completions.h"

namespace halftoned {
namespace {

std::string Joined(const std::vector<std::string>& words,
                   const std::string& between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

// The command that completes such a value; empty for none.
std::string Words(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::kFile:
      return "_halftone_files";
    case ValueKind::kQueue:
      return "_halftone_words \"$(lpstat -e 2>/dev/null)\"";
    case ValueKind::kEngine:
      return "_halftone_words \"auto remote cuda $(\"${COMP_WORDS[0]}\" "
             "engines "
             "2>/dev/null | cut -d' ' -f1)\"";
    case ValueKind::kChoice:
      return "_halftone_words '" + Joined(choices, " ") + "'";
    default:
      return "";
  }
}

std::string Case(const std::vector<std::string>& patterns,
                 const std::string& words) {
  std::string text = "    " + Joined(patterns, " | ") + ")\n";
  if (!words.empty()) text += "      " + words + "\n";
  return text + "      return ;;\n";
}

// What follows an option that has a value.
std::string Values(const CompletedCommand& command) {
  std::string text;
  std::vector<std::string> without_words;
  std::vector<CompletedOption> options = command.options;
  if (command.sets) {
    options.insert(options.end(), command.settings.begin(),
                   command.settings.end());
  }
  for (const CompletedOption& option : options) {
    if (option.value == ValueKind::kNone) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) {
      patterns.push_back(command.name + "," + name);
    }
    const std::string words = Words(option.value, option.choices);
    if (words.empty()) {
      without_words.insert(without_words.end(), patterns.begin(),
                           patterns.end());
    } else {
      text += Case(patterns, words);
    }
  }
  return without_words.empty() ? text : text + Case(without_words, "");
}

std::string NamesOf(const CompletedCommand& command) {
  std::vector<std::string> names;
  for (const CompletedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return Joined(names, " ");
}

// The step, and then what it is of.
std::string StepsForBash(const CompletedCommand& command) {
  std::string text = "case \" ${COMP_WORDS[*]:2:COMP_CWORD - 2} \" in\n";
  for (const CompletedStep& step : command.steps) {
    text += "          *' " + step.name + " '*) " + Words(step.arguments, {}) +
            " ;;\n";
  }
  return text + "          *) _halftone_words '" +
         Joined(StepNames(command), " ") + "' ;;\n        esac";
}

std::string Rest(const CompletedCommand& command,
                 const std::vector<std::string>& names) {
  std::string others = Words(command.arguments, {});
  if (command.name.empty()) {
    others = "_halftone_words '" + Joined(names, " ") + "'";
  }
  if (!command.steps.empty()) others = StepsForBash(command);
  if (!command.settings.empty()) {
    others += "\n        _halftone_words '" +
              Joined(SettingWords(command), " ") + "'\n" +
              "        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace "
              "2>/dev/null";
  }
  std::string text = "    ";
  text += command.name.empty() ? "''" : command.name;
  text += ")\n      if [[ $cur == -* ]]; then\n        _halftone_words '";
  text += NamesOf(command) + "'\n";
  if (!others.empty()) text += "      else\n        " + others + "\n";
  return text + "      fi ;;\n";
}

}  // namespace

std::string BashCompletions(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  std::string values, rest;
  for (const CompletedCommand& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
    values += Values(command);
  }
  for (const CompletedCommand& command : commands) {
    rest += Rest(command, names);
  }
  return R"bash(# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bash: completes the command line of halftone. Made by make_completions.
# Not compgen -W, which would run what a word contains.
_halftone_words() {
  local word words
  read -r -d '' -a words <<<"$1"
  for word in "${words[@]}"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done
}

_halftone_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_halftone() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' word
  # --option=value is three words.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
      )bash" +
         Joined(names, " | ") + R"bash()
        command=$word
        break ;;
    esac
  done
  COMPREPLY=()
  case $command,$prev in
)bash" + values +
         R"bash(  esac
  case $command in
)bash" + rest +
         R"bash(  esac
}

complete -F _halftone halftone
)bash";
}

}  // namespace halftoned

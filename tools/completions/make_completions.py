#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the completions of a shell from the output of describe_commands.

    make_completions.py bash|fish|zsh COMMANDS.json OUT
"""

import json
import pathlib
import re
import sys


def setting_words(command):
    """"technology=laser" and "gamma=", or "gamma" if no value is set."""
    for setting in command["settings"]:
        name = setting["names"][0]
        if not command["sets"]:
            yield name
        elif setting["choices"]:
            yield from (f"{name}={choice}" for choice in setting["choices"])
        else:
            yield f"{name}="


def step_names(command, *arguments):
    """The names of steps with one of these arguments; without any, all names."""
    return [step["name"] for step in command["steps"]
            if not arguments or step["arguments"] in arguments]


# ---- bash

def bash_words(value, choices=()):
    """The shell command that completes such a value; empty if there is none."""
    return {
        "file": "_halftone_files",
        "queue": '_halftone_words "$(lpstat -e 2>/dev/null)"',
        "engine": '_halftone_words "auto remote cuda $("${COMP_WORDS[0]}" engines '
                  "2>/dev/null | cut -d' ' -f1)\"",
        "choice": f"_halftone_words '{' '.join(choices)}'"}.get(value, "")


def bash_case(patterns, words):
    body = f"      {words}\n" if words else ""
    return f"    {' | '.join(patterns)})\n{body}      return ;;\n"


def bash_values(command):
    """Completes the word after an option that has a value."""
    text, without_words = "", []
    for option in command["options"] + command["settings"] * command["sets"]:
        if option["value"] == "none":
            continue
        patterns = [f"{command['name']},{name}" for name in option["names"]]
        words = bash_words(option["value"], option["choices"])
        if words:
            text += bash_case(patterns, words)
        else:
            without_words += patterns
    return text + (bash_case(without_words, "") if without_words else "")


def bash_steps(command):
    """Completes the step, and then its subject."""
    cases = "".join(f"          *' {step['name']} '*) {bash_words(step['arguments'])} ;;\n"
                    for step in command["steps"])
    return ("case \" ${COMP_WORDS[*]:2:COMP_CWORD - 2} \" in\n" + cases +
            f"          *) _halftone_words '{' '.join(step_names(command))}' ;;\n"
            "        esac")


def bash_rest(command, names):
    others = bash_words(command["arguments"])
    if not command["name"]:
        others = f"_halftone_words '{' '.join(names)}'"
    if command["steps"]:
        others = bash_steps(command)
    if command["settings"]:
        others += (f"\n        _halftone_words '{' '.join(setting_words(command))}'\n"
                   "        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace "
                   "2>/dev/null")
    options = " ".join(name for option in command["options"]
                       for name in option["names"])
    name = command["name"] or "''"
    return (f"    {name})\n      if [[ $cur == -* ]]; then\n"
            f"        _halftone_words '{options}'\n" +
            (f"      else\n        {others}\n" if others else "") + "      fi ;;\n")


def bash(commands):
    names = [command["name"] for command in commands if command["name"]]
    return rf"""# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bash: completes the command line of halftone. Made by make_completions.
# Not compgen -W, which would execute code in words.
_halftone_words() {{
  local word words
  read -r -d '' -a words <<<"$1"
  for word in "${{words[@]}}"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done
}}

_halftone_files() {{
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}}

_halftone() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command='' word
  # Bash splits --option=value into three words.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
    case $word in
      {' | '.join(names)})
        command=$word
        break ;;
    esac
  done
  COMPREPLY=()
  case $command,$prev in
{''.join(map(bash_values, commands))}  esac
  case $command in
{''.join(bash_rest(command, names) for command in commands)}  esac
}}

complete -F _halftone halftone
"""


# ---- zsh

def zsh_escaped(text):
    """Text for single quotes. Escapes special characters of _arguments."""
    return re.sub(r"[][:\\]", r"\\\g<0>", text).replace("'", r"'\''")


def zsh_action(value, choices=()):
    return {"file": ":file:_files", "queue": ":queue:_halftone_queues",
            "engine": ":engine:_halftone_engines", "any": ":value: ",
            "choice": f":value:({' '.join(choices)})"}.get(value, "")


def zsh_options(command, indent):
    """A line for each name."""
    text = ""
    for option in command["options"]:
        for name in option["names"]:
            joint = ("" if option["value"] == "none"
                     else "=" if name.startswith("--") else "+")
            text += (f"{indent}'{name}{joint}[{zsh_escaped(option['help'])}]"
                     f"{zsh_action(option['value'], option['choices'])}' \\\n")
    return text


def zsh_case(command):
    indent = 12 * " "
    text = (f"        {command['name']})\n          _arguments \\\n" +
            zsh_options(command, indent))
    if command["settings"]:
        text += (f"{indent}'1:queue:_halftone_queues' \\\n"
                 f"{indent}'*:setting:({' '.join(setting_words(command))})' \\\n")
    elif command["steps"]:
        # The step, and then its subject: a queue or a file.
        text += (f"{indent}'1:step:({' '.join(step_names(command))})' \\\n"
                 f"{indent}'*:subject:{{ case \" $words \" in "
                 f"*\" \"({'|'.join(step_names(command, 'queue'))})\" \"*) "
                 "_halftone_queues ;; *) _files ;; esac }' \\\n")
    elif command["arguments"] != "none":
        text += f"{indent}'*{zsh_action(command['arguments'])}' \\\n"
    return text[:-3] + " ;;\n"


def zsh(commands):
    described = "".join(f"    '{command['name']}:{zsh_escaped(command['help'])}'\n"
                        for command in commands[1:])
    return rf"""#compdef halftone
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# zsh: completes the command line of halftone. Made by make_completions.
_halftone_queues() {{
  local -a queues
  queues=(${{(f)"$(lpstat -e 2>/dev/null)"}})
  compadd -a queues
}}

_halftone_engines() {{
  local -a engines
  engines=(auto remote cuda ${{${{(f)"$(halftone engines 2>/dev/null)"}}%% *}})
  compadd -a engines
}}

_halftone() {{
  local curcontext=$curcontext context state line
  local -a commands
  commands=(
{described}  )
  _arguments -C \
{zsh_options(commands[0], "    ")}    '1: :->command' \
    '*:: :->arguments'
  case $state in
    command)
      _describe command commands ;;
    arguments)
      case $words[1] in
{''.join(map(zsh_case, commands[1:]))}      esac ;;
  esac
}}

_halftone "$@"
"""


# ---- fish

FISH_QUEUES = "(lpstat -e 2>/dev/null)"


def fish_quoted(text):
    return "'" + re.sub(r"['\\]", r"\\\g<0>", text) + "'"


def fish_value(option):
    """The flags of fish after the option's name."""
    return {"none": " -f", "any": " -x", "file": " -r -F",
            "queue": " -x -a " + fish_quoted(FISH_QUEUES),
            "engine": " -x -a " + fish_quoted(
                "auto remote cuda (halftone engines 2>/dev/null | string "
                "replace -r ' .*' '')"),
            "choice": " -x -a " + fish_quoted(" ".join(option["choices"]))
            }[option["value"]]


def fish_seen(*words):
    return "__fish_seen_subcommand_from " + " ".join(words)


def fish_condition(command, commands):
    """A condition: the line has this command, not a step of the same name."""
    if not command["name"]:
        return "__fish_use_subcommand"
    return "; and not ".join(fish_seen(each) for each in [command["name"], *(
        other["name"] for other in commands if command["name"] in step_names(other))])


def fish_steps(command):
    """Completes the step, and then its subject unless it is a file."""
    begin = "complete -c halftone -n "
    seen = fish_seen(command["name"])
    none_yet = f"{seen}; and not {fish_seen(*step_names(command))}"
    text = ""
    for step in command["steps"]:
        text += (f"{begin}{fish_quoted(none_yet)} -f -a {step['name']} -d "
                 f"{fish_quoted(step['help'])}\n")
        if step["arguments"] == "queue":
            after = fish_quoted(f"{seen}; and {fish_seen(step['name'])}")
            text += f"{begin}{after} -f -a {fish_quoted(FISH_QUEUES)}\n"
    return text


def fish_lines(command, condition):
    begin = "complete -c halftone -n " + fish_quoted(condition)
    text = ""
    if command["name"]:
        text += ("\ncomplete -c halftone -n __fish_use_subcommand -f -a "
                 f"{command['name']} -d {fish_quoted(command['help'])}\n")
        if command["steps"]:
            text += fish_steps(command)
        elif command["arguments"] == "queue":
            words = [FISH_QUEUES, *setting_words(command)]
            text += "".join(f"{begin} -f -a {fish_quoted(word)}\n" for word in words)
        elif command["arguments"] == "none":
            text += f"{begin} -f\n"
    for option in command["options"]:
        names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
                        for name in option["names"])
        text += f"{begin}{names}{fish_value(option)} -d {fish_quoted(option['help'])}\n"
    return text


def fish(commands):
    return ("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
            "# fish: completes the command line of halftone. Made by "
            "make_completions.\n" +
            "".join(fish_lines(command, fish_condition(command, commands))
                    for command in commands))


def main(shell, source, out):
    commands = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    made = {"bash": bash, "fish": fish, "zsh": zsh}[shell](commands)
    pathlib.Path(out).write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that a document tells its readers to type, in their order.

A block of ```sh holds commands, one a line; a block of ```text that follows is what
they say, where "…" stands for any text within a line, spaces for as many as align
columns, and a line of "…" for any lines. Commands within sentences and tables count too, if they are complete: not the
bare name of a command, and nothing with a word in capitals to be filled in.

A comment before a block, or on the line of such a command, says what not every
reader can do:

    <!-- hour: packages -->       needs the packages and a machine to install them on
    <!-- hour: here -->           makes the packages, where the sources are
    <!-- hour: never: REASON -->  nobody can run it in a test
"""

import pathlib
import re
from typing import NamedTuple

PROGRAMS = {"apt", "halftone", "halftoned", "ippfind", "lp", "lpadmin", "lpinfo",
            "/usr/sbin/lpinfo", "lpstat", "sudo"}
MARK = re.compile(r"<!-- hour: (packages|here|never: .+?) -->")


class Step(NamedTuple):
    line: int
    where: str       # "", "packages", "here" or "never: REASON"
    commands: list
    output: list     # lines; None if the document shows none


def mark_of(line):
    found = MARK.search(line)
    if not found and "<!--" in line:
        raise ValueError(f"no mark that is known: {line}")
    return found[1] if found else ""


def is_complete(command):
    words = command.split()
    if words[0] not in PROGRAMS or len(words) < 2:
        return False
    if re.search(r"…|\.\.\.|\b[A-Z]{2,}\b", command):
        return False
    # The name of a command that takes more.
    return words[0] != "halftone" or len(words) > 2 or words[1] in (
        "check", "engines", "status", "show")


def joined(lines):
    """Commands, without the ends of lines that are continued."""
    text = "\n".join(lines).replace("\\\n", " ")
    return [re.sub(r"  +", " ", line).strip() for line in text.split("\n")
            if line.strip()]


def steps_of(path):
    steps = []
    block, language, mark, begin = None, "", "", 0
    for number, line in enumerate(
            pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if block is None:
                block, language, begin = [], line[3:], number
                continue
            if language == "sh":
                steps.append(Step(begin, mark, joined(block), None))
                is_fresh = True
            elif language == "text" and is_fresh:
                steps[-1] = steps[-1]._replace(output=block)
                is_fresh = False
            block, mark = None, ""
        elif block is not None:
            block.append(line)
        else:
            spans = [span for span in re.findall(r"`([^`]+)`", line)
                     if is_complete(span)]
            said = mark_of(line)
            steps += [Step(number, said, [span], None) for span in spans]
            if line.strip():
                # What a block says follows it at once.
                is_fresh = False
                mark = "" if spans else said
    return steps


def escaped(text):
    return re.sub(r"(\\ )+", " +", re.escape(text))


def is_said(shown, said):
    """Whether lines of output are those that a document shows."""
    pattern = ""
    for line in shown:
        pattern += "(?:.*\n)*?" if line.strip() == "…" else (
            ".*".join(map(escaped, line.split("…"))) + "\n")
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in said))

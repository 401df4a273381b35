# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The prose within files of several kinds, as prose.py reads it: manuals in man(7) and
mdoc(7), comments of headers, configuration, printer models, and string literals.
Blocks have blank lines between them, code is " x ", and lines keep their numbers."""

import re

ESCAPES = ((r"\\f[BIPR]", ""), (r"\\-", "-"), (r"\\\(dq", '"'), (r"\\&", ""),
           (r"\\(\(..|\[[^]]*\]|.)", " x "))
# Within these nothing is a sentence.
SHOWN_AS_IT_IS = {".nf": ".fi", ".Bd": ".Ed"}
BLOCKS = ("SH", "Sh", "SS", "Ss", "TH", "PP", "Pp", "IP", "TP", "It", "Bl", "El", "TS",
          "TE", "Dl", "br")
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
LITERALS = re.compile(rf"(?:{STRING.pattern}\s*)+")


def without_escapes(line):
    for pattern, instead in ESCAPES:
        line = re.sub(pattern, instead, line)
    return line


def named(words):
    """Instead of what a macro shows as a name; the punctuation behind it stays."""
    return " x" + (words[-1] if words and words[-1] in ".,:;)?" else "")


def of_manual(text):
    lines, end, is_tag = [], None, False
    for line in text.split("\n"):
        macro, *words = line.split() or [""]
        if end:
            end = None if macro == end else end
            line = ""
        elif macro in SHOWN_AS_IT_IS:
            end = SHOWN_AS_IT_IS[macro]
            line = ""
        elif is_tag or macro.startswith((".\\", "'\\")):
            line = ""
        elif macro == ".Nd":
            line = " ".join(words)
        elif macro[1:] in BLOCKS and macro.startswith("."):
            line = ""
        elif macro.startswith("."):
            line = named(words)
        elif "\t" in line:
            line = "| " + line
        is_tag = macro == ".TP"
        lines.append(without_escapes(line))
    return "\n".join(lines)


def of_header(text):
    """Its comments; tables in them, which are indented, too."""
    def kept(found):
        comment = re.sub(r"(?m)^ \*+ ?|/\*|\*/$", "", found[1] or "")
        return comment + re.sub(r"[^\n]+", "", found[2] or "")
    return re.sub(r"(?s)(/\*.*?\*/)|(.+?)(?=/\*|\Z)", kept, text)


def of_configuration(text):
    """Comments; of a key that is shown, what follows it."""
    def kept(line):
        key = re.match(r"#?[\w-]+ = \S+|#?\[\S+", line)
        return line[key.end():].lstrip(" #") if key else line.lstrip("# ")
    return "\n".join(map(kept, text.split("\n")))


def of_literals(text):
    """String literals of several words, those that follow one another as one; neither
    other code nor comments."""
    text = re.sub(r"(?m)(?<!:)//.*|^#include.*", "", text)
    text = RAW.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines, last = [""] * (text.count("\n") + 1), -1
    for found in LITERALS.finditer(text):
        words = "".join(part[1] for part in STRING.finditer(found[0]))
        line = text.count("\n", 0, found.start())
        if " " in words.strip():
            words = re.sub(r"\\.", " ", words)
            lines[line] += ("; " if line == last else "") + words
            last = line
    # Neither continues the one above.
    return "\n".join(line and f"| {line}" for line in lines)


def of_comments(text):
    """Comments of C++; all other lines are empty."""
    text = text.replace("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", "")
    return re.sub(r"(?m)^ *(?:// ?(.*)|.*)$", lambda found: found[1] or "", text)


def remarks(text):
    """The comments of C++ behind code, one for each line."""
    for line in text.split("\n"):
        code, _, remark = STRING.sub('""', line).partition("//")
        yield remark.strip() if code.strip() else ""


def of_python(text):
    """Comments and docstrings; all other lines are empty."""
    return re.sub(r'(?ms)^ *"""(.*?)"""|^ *# ?([^\n]*)|[^\n]+',
                  lambda found: found[1] or found[2] or "", text)


def of_printer_models(text):
    """What dialogs show, and comments."""
    texts = re.sub(r'(?m)^((?:(?!//).)*?)"[^"/]*/([^"]*)".*', r"| \2", text)
    return re.sub(r"(?m)^ *(//|(?!\|).*)", "", texts)


def of_packages(text):
    """Descriptions in debian/control, and lists of packages, which are no prose."""
    return re.sub(r"(?m)^(?! |Description:).*|^ \.$|^Description:", "", text)


READERS = ((r"\.[1-8]$", of_manual), (r"halftoned/halftone\.h$", of_header),
           (r"\.conf$", of_configuration), (r"\.drv$", of_printer_models),
           (r"debian/control$", of_packages),
           (r"\.(cc|h)$", of_literals))


def reader_for(name):
    """None for Markdown."""
    return next((reader for pattern, reader in READERS if re.search(pattern, name)), None)

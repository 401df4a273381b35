#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the manual page of the C library from the comments of its header.

    make_manual.py HEADER MANUAL

A comment is paragraphs, with blank lines between them. Lines that are indented
from the beginning of a paragraph are shown as they are; `word: text` at the
beginning of a line describes the argument of that name. `/* ---- Title ---- */`
begins a section, and a comment directly above a declaration describes it.
"""

import pathlib
import re
import sys
import textwrap

HEAD = r""".\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
.\" Made from halftone.h by make_manual.py.
.Dd November 27, 2026
.Dt HALFTONE 3
.Os halftoned
.Sh NAME
.Nm halftone
.Nd halftoning for drivers
.Sh LIBRARY
libhalftone:
.Ql pkg-config \-\-cflags \-\-libs halftone
.Sh SYNOPSIS
.In halftoned/halftone.h
"""

FOOT = """.Sh SEE ALSO
.Xr halftone 1 ,
.Xr halftone-settings 7 ,
.Xr halftoned 8
"""

ITEM = re.compile(r"([a-z_]+): (.*)")


def escaped(line):
    line = line.replace("\\", "\\e").replace("…", "\\[u2026]")
    return re.sub(r"^(?=[.'])", r"\\&", line)


def prose(lines):
    text = re.sub(r"\s+", " ", " ".join(lines)).strip()
    out = "\n".join(escaped(line)
                    for sentence in re.split(r"(?<=[.?!]) (?=[A-Z0-9])", text)
                    for line in textwrap.wrap(sentence, 78, break_long_words=False,
                                              break_on_hyphens=False))
    out = re.sub(r"`([^`]*)`", r"\\fI\1\\fP", out)
    return re.sub(r"^((?:Errors|Threads|fork)\.)(?=\s)", r"\\fB\1\\fP", out)


def literal(text):
    return [".Bd -literal",
            *(escaped(line).replace("-", "\\-") for line in text.split("\n")),
            ".Ed"]


def described(lines, code):
    """A paragraph; the arguments of `code` that it describes become a list."""
    before, arguments = [], []
    for line in lines:
        match = ITEM.match(line)
        if match and re.search(rf"\b{match[1]}\b", code):
            arguments.append((match[1], [match[2]]))
        else:
            (arguments[-1][1] if arguments else before).append(line)
    out = [prose(before)] if before else []
    if arguments:
        out.append(".Bl -tag -width Ds")
        for word, text in arguments:
            out += [f".It Fa {word}", prose(text)]
        out.append(".El")
    return out


def paragraphs(comment, code=""):
    lines = [re.sub(r"^ \* ?", "", line).rstrip()
             for line in comment.split("\n")]
    out, paragraph = [], []
    for line in [*lines, ""]:
        if line:
            paragraph.append(line)
        elif paragraph:
            is_shown = paragraph[0].startswith("  ")
            shown = (literal(textwrap.dedent("\n".join(paragraph))) if is_shown
                     else described(paragraph, code))
            out += shown if shown[0].startswith(".B") else [".Pp", *shown]
            paragraph = []
    return out


def pieces(text):
    """Comments and declarations of the header, in order: (comment, code)."""
    body = re.search(r'extern "C" {\n#endif\n(.*?)\n#ifdef', text, re.DOTALL)[1]
    for block in re.split(r"\n{2,}", body.strip()):
        comment, code = re.fullmatch(r"(?:/\* (.*?) ?\*/\n?)?(.*)", block,
                                     re.DOTALL).groups()
        # Arguments stay in line.
        code = re.sub(r"\n {7}", "\n", code) if "HT_API" in code else code
        yield comment or "", code.replace("HT_API ", "").strip()


def section(title):
    name, _, rest = title.partition(": ")
    return [f".Sh {name.upper()}",
            *([prose([rest[0].upper() + rest[1:] + "."])] if rest else [])]


def manual(text):
    about = re.match(r"/\* SPDX[^\n]*\n \*\n(.*?)\n \*/", text, re.DOTALL)[1]
    lines = [".Sh DESCRIPTION", *paragraphs(about)[1:]]
    for comment, code in pieces(text):
        title = re.fullmatch(r"---- (.*) ----", comment)
        if title:
            lines += section(title[1])
            continue
        if code:
            lines += literal(code)
        lines += paragraphs(comment, code)
    return HEAD + "\n".join(lines) + "\n" + FOOT


if __name__ == "__main__":
    header, made = map(pathlib.Path, sys.argv[1:])
    made.write_text(manual(header.read_text(encoding="utf-8")), encoding="utf-8")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks documents, manuals, configuration, help texts, messages and comments: words and
constructions that a native technical writer would replace; and in documents, links that
lead nowhere, and documents that the index does not list. Prints a line for each, with
the remedy, and exits with 1 if there is any.

Usage: prose.py [FILE ...]; without files, all of them
"""

import pathlib
import re
import sys
from typing import NamedTuple

import texts

ROOT = pathlib.Path(__file__).resolve().parents[2]
INDEX = ROOT / "docs/README.md"
# CUPS' words.
UNCHECKED = {"tools/adopt/print/backend_message.cc"}
README_LINES = 150
# What users read, besides documents; halftone.3 is made from the header.
MANUALS = ("*/**/*.[157]", "*/**/*.8")
OTHERS = ("conf/halftoned.conf", "include/halftoned/halftone.h", "ppd/halftoned.drv",
          "packaging/debian/control")
# Their string literals are help texts and messages.
COMMENTED = ("printer_app",)  # and their comments
PROGRAMS = ("tools", "filter", "print", "engine", "printer_app")
# Spelling and subjects of their comments are checked.
SOURCES = (*PROGRAMS, "tests", "bench", "examples")

THINGS = ("ms|[kM]i?B|bytes?|bits?|pages|pixels|dots|megapixels|gigapixels|jobs|rows|"
          "seconds|lines|times|number|tests?|samples?")
UNITS = ("second|minute|hour|inch|page|pixel|byte|column|module|row|job|user|core|"
         "recipe|client|millimeter")
ISE = ("recogn|organ|serial|initial|optim|minim|maxim|normal|synchron|emphas|summar|"
       "priorit|real|character|custom|general|author|util|parallel|final")

# Patterns, and what to write instead. A blank stands for any white space.
WORDS = (
    (r"dots (an|per) inch", "dpi"),
    (r"processors?", "CPU, or CPU cores"),
    (r"folders?", "directory"),
    (r"hello", "handshake"),
    (r"rings?(?! buffers?)", "shared-memory buffer"),
    (r"drifted", "out of date"),
    (r"kept out", "quarantined"),
    (r"dismissed", "evicted"),
    (r"absent", "missing"),
    (r"fail-overs?", "failover"),
    (r"telephones?", "phones"),
    (r"loupes?", "magnifier"),
    (r"(worker|free) places", "capacity"),
    (r"troubles", "failures, or errors"),
    (r"parted", "ideal threshold"),
    (r"upright", "0°, vertical"),
    (r"lying", "90°, horizontal"),
    (r"(?<!in\x20)fronts?(?!\s+ends?\b)", "gateway, or front end"),
    (r"per cent", "percent"),
    (rf"(?!dots an inch)({THINGS}) an? ({UNITS})", "per"),
    (r"takes? (bits|black dots)", "accepts 1-bit raster"),
    (r"raster (that )?breaks off", "truncated raster"),
)
# American, as CUPS has it.
SPELLING = (
    (r"(colour|neighbour|behaviour|honour|favour|flavour|harbour)\w*", "-or"),
    (r"(centre|(milli|centi|micro)?metre|fibre)[sd]?", "-er"),
    (r"gr(ey)\w*", "gray"),
    (r"licence\w*", "license"),
    (r"(catalogue|dialogue)s?", "-og"),
    (r"(cancell|labell|modell|travell|signall|channell)(ed|ing)", "one l"),
    (rf"({ISE})is(e[sd]?|ing|ation)", "-ize"),
    (r"analys(e[sd]?|ing)", "-yze"),
    (r"aluminium|anodised", "aluminum, anodized"),
    (r"whilst|amongst", "while, among"),
)
CONSTRUCTIONS = (
    (r"it is said|are said to|so many are", "say it directly: subject, verb, object"),
    (r"may not", "must not, or might not"),
    (r"(is|are|was|were) made of", "made from, or consists of"),
    (r"(is|are|was|were) there(?! (is|are|was|were))", "exists, is present"),
    (r"but for", "except for"),
    (r",\s+of (it|these|those|them)", "begin with the subject"),
)
# Those of whole sentences, which are not headings or cells of tables.
SENTENCES = (
    (r"Of (?!course)", "begin with the subject: no 'Of the X, Y'"),
    (r"(What|Who|Whose|Whoever|Whatever)(?=[^?]*$)", "begin with a noun as the subject"),
    (r"(Is|Are) there(?=[^?]*$)", "if there is"),
)

FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]*)\)")
NAMED_IN_CODE = re.compile(r"\(?the \*\w+\*")


class Finding(NamedTuple):
    path: str
    line: int
    text: str
    remedy: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text!r}: {self.remedy}"


def blanked(text, pattern):
    """Without what matches, in which lines keep their numbers."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n") or " x ", text)


def prose_of(text):
    """Without code, comments and where links lead."""
    text = LINK.sub(lambda found: found[2] + "\n" * found[3].count("\n"), text)
    for pattern in (FENCE, COMMENT, CODE, NAMED_IN_CODE):
        text = blanked(text, pattern)
    return text


def blocks_of(text):
    """Paragraphs, items and rows, each with its first line."""
    block, begin = [], 1
    for number, line in enumerate(text.split("\n"), 1):
        starts = re.match(r"\s*([-*] |\d+\. |\||#)", line)
        if (not line.strip() or starts) and block:
            yield begin, "\n".join(block)
            block = []
        if line.strip():
            if not block:
                begin = number
            block.append(line)
    if block:
        yield begin, "\n".join(block)


def sentences_of(block):
    """Where each begins, and its text; none of headings and tables."""
    if block.lstrip()[0] in "#|":
        return
    begin = re.match(r"\s*([-*] |\d+\. )?", block).end()
    for end in re.finditer(r"[.?!:](\*\*)?(?=\s)|\Z", block):
        text = block[begin:end.end()]
        indent = len(text) - len(text.lstrip(" \n*"))
        yield begin + indent, text[indent:]
        begin = end.end()


def compiled(rules, form, flags=0):
    return [(re.compile(form % pattern.replace(" ", r"\s+"), flags), remedy)
            for pattern, remedy in rules]


IN_TEXT = r"(?<![-\w*/])(?:%s)(?![-\w*])"
ANYWHERE = compiled(WORDS + SPELLING + CONSTRUCTIONS, IN_TEXT, re.IGNORECASE)
AT_BEGINNINGS = compiled(SENTENCES, r"(?:%s)\b")
# In comments of all rooms.
SPELLED = compiled(WORDS[:1] + SPELLING, IN_TEXT, re.IGNORECASE)
SUBJECTS = AT_BEGINNINGS[:1]


def prose_in(path, text):
    reader = texts.reader_for(path)
    yield from blocks_of(reader(text) if reader else prose_of(text))
    if reader == texts.of_literals and path.startswith(COMMENTED):
        yield from blocks_of(prose_of(texts.of_comments(text)))


def wrong_words(path, text):
    for first, block in prose_in(path, text):
        yield from found_in(path, first, block, ANYWHERE, AT_BEGINNINGS)


def wrong_comments(path, text):
    is_python = path.endswith(".py")
    for first, block in blocks_of(prose_of(
            texts.of_python(text) if is_python else texts.of_comments(text))):
        yield from found_in(path, first, block, SPELLED, SUBJECTS)
    for line, remark in enumerate("" if is_python else texts.remarks(text), 1):
        if remark:
            yield from found_in(path, line, prose_of(remark), SPELLED, [])


def found_in(path, first, block, anywhere, at_beginnings):
    """first: the line of the block."""
    def finding(at, text, remedy):
        return Finding(path, first + block.count("\n", 0, at), " ".join(text), remedy)
    for pattern, remedy in anywhere:
        for found in pattern.finditer(block):
            is_to_be_filled_in = len(found[0]) > 1 and found[0].isupper()
            if not is_to_be_filled_in:
                yield finding(found.start(), found[0].split(), remedy)
    for begin, sentence in sentences_of(block):
        for pattern, remedy in at_beginnings:
            if pattern.match(sentence):
                yield finding(begin, sentence.split()[:4], remedy)


def anchors_of(path):
    """The anchors of headings, as GitHub makes them."""
    anchors = set()
    for line in FENCE.sub("", path.read_text(encoding="utf-8")).splitlines():
        if line.startswith("#"):
            title = LINK.sub(r"\2", line.lstrip("# ")).lower()
            anchors.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return anchors


def links_of(path):
    """The line, the file and the anchor of each link within the tree."""
    text = CODE.sub("", COMMENT.sub("", blanked(path.read_text(encoding="utf-8"), FENCE)))
    for found in LINK.finditer(text):
        if not re.match(r"\w+:", found[3]):
            name, _, anchor = found[3].partition("#")
            yield (text.count("\n", 0, found.start()) + 1, found[3],
                   (path.parent / name).resolve() if name else path, anchor)


def wrong_links(path, shown):
    for line, link, target, anchor in links_of(path):
        if not target.exists():
            yield Finding(shown, line, link, "no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield Finding(shown, line, link, "no such heading")


def unlisted(documents):
    listed = {target for _, _, target, _ in links_of(INDEX)}
    for path in documents:
        if path.is_relative_to(ROOT / "docs") and path not in listed | {INDEX}:
            yield Finding(str(path.relative_to(ROOT)), 1, path.name,
                          "list it in docs/README.md")


def documents():
    return [*(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "HACKING.md")),
            *sorted((ROOT / "docs").rglob("*.md"))]


def others():
    """Manuals, sources and so on."""
    paths = [ROOT / name for name in OTHERS]
    for pattern in MANUALS:
        paths += ROOT.glob(pattern)
    for name in PROGRAMS:
        paths += [*(ROOT / name).rglob("*.cc"), *(ROOT / name).rglob("*.h")]
    return sorted(path for path in paths
                  if not path.relative_to(ROOT).parts[0].startswith((".", "build")))


def sources():
    """Those whose comments are checked."""
    return sorted(path for name in SOURCES for path in (ROOT / name).rglob("*.*")
                  if path.suffix in (".cc", ".h", ".cu", ".cuh", ".py"))


def findings_of(paths):
    for path in paths:
        shown = str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
        text = path.read_text(encoding="utf-8")
        if shown not in UNCHECKED:
            yield from wrong_words(shown, text)
        if path.suffix == ".md":
            yield from wrong_links(path, shown)
        if shown == "README.md" and text.count("\n") > README_LINES:
            yield Finding(shown, README_LINES + 1, "", f"at most {README_LINES} lines")


def main():
    given = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    findings = list(findings_of(given or documents() + others()))
    for path in given or sources():
        if path.suffix in (".cc", ".h", ".cu", ".cuh", ".py"):
            findings += wrong_comments(str(path.relative_to(ROOT)),
                                       path.read_text(encoding="utf-8"))
    if not given:
        findings += unlisted(documents())
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()

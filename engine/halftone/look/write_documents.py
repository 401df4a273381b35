#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the documents lack about a new setting or halftone type.

    engine/halftone/look/write_documents.py

A number of settings.h gets its row and its paragraph in halftone-settings.7, a key
in conf/halftoned.conf and a line in halftone.h. A type of method.cc whose purpose
docs/reference/halftone-types.md has gets its paragraph in halftone-settings.7, its
name in halftone.h, and a choice in ppd/halftoned.drv, which ppd/halftoned-*.po then
have to translate. What is there stays as it is. halftone.3 is made from the header.
"""

import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[3]
MANUAL = "engine/halftone/look/halftone-settings.7"
CONF = "conf/halftoned.conf"
HEADER = "include/halftoned/halftone.h"
MODELS = "ppd/halftoned.drv"
FOREIGN = ".PP\nJobs and PPD files can use the names of libcupsfilters:"


class Number:
    """A setting that is a number, as settings.h has it."""

    def __init__(self, name, fields, defaults, of_prints):
        def field(pattern, other=""):
            found = re.search(pattern, fields, re.DOTALL)
            return found[1] if found else other

        member = field(r"\.member = &Look::(\w+)")
        self.name = name
        self.keyword = field(r'\.keyword = "(\w+)"')
        self.least, self.most = (field(rf"\.{end} = ([-.\w]+)")
                                 for end in ("least", "most"))
        self.whole = ", whole" if ".is_whole = true" in fields else ""
        self.help = "".join(re.findall(r'"([^"]*)"', field(
            r'\.help = ((?:"[^"]*"\s*)+)')))
        self.default = defaults.get(member)
        self.default_of_prints = of_prints.get(member, self.default)
        sources = field(r"\.sources = ([^,]*)")
        self.is_of_library = bool(re.search(
            r"kAllSources(?! & ~kLibraryOption)|(?<!~)kLibraryOption", sources))
        self.is_automatic = ".is_automatic = true" in fields


def settings(text):
    """The settings in order; None in place of those that are no numbers."""
    defaults = dict(re.findall(r"\n  double (\w+) = ([-.\d]+);", text))
    of_prints = dict(re.findall(r"\n  look\.(\w+) = ([-.\d]+);", text))
    table = text[text.index("kPrintSettings[] = {"):]
    for name, fields in re.findall(r'\{\.name = "([-\w]+)",(.*?)\}(?:,?\n)',
                                   table[:table.index("\n};")], re.DOTALL):
        number = Number(name, fields, defaults, of_prints)
        yield name, number if number.most and number.default else None


class Documents:
    def __init__(self, root):
        self.root, self.texts, self.read = root, {}, {}

    def __getitem__(self, path):
        if path not in self.texts:
            self.read[path] = self.texts[path] = (self.root / path).read_text(
                encoding="utf-8")
        return self.texts[path]

    def insert(self, path, at, new):
        self.texts[path] = self[path][:at] + new + self[path][at:]

    def write(self):
        """The paths of those that have changed."""
        changed = [path for path in self.texts if self.texts[path] != self.read[path]]
        for path in changed:
            (self.root / path).write_text(self.texts[path], encoding="utf-8")
        return changed


def end_of_paragraph(manual, name):
    """The end of the description of a setting that the manual has."""
    begin = re.search(rf"\n\.BR? {name}\b", manual).end()
    return re.compile(r"\n(?=\.TP|\.SH)").search(manual, begin).end()


def describe(documents, number, before, before_in_header):
    """What is missing about a setting, after the setting `before`."""
    manual = documents[MANUAL]
    if f"\n{number.name}\t" not in manual:
        values = f"{number.least} to {number.most}".replace("-", r"\-") + number.whole
        row = [number.name, number.keyword, values, number.default_of_prints]
        if number.default != number.default_of_prints:
            row.append(number.default)
        at = re.search(rf"\n{before}\t[^\n]*\n", manual).end()
        documents.insert(MANUAL, at, "\t".join(row) + "\n")
        documents.insert(MANUAL, end_of_paragraph(documents[MANUAL], before),
                         f".TP\n.B {number.name}\n{number.help}.\n")
    values = f"{number.least} … {number.most}"
    if f"\n#{number.name} = " not in documents[CONF]:
        at = re.compile(r"\n\n").search(
            documents[CONF], documents[CONF].index(f"\n#{before} = ")).end()
        about = textwrap.fill(f"{number.help}; {values}{number.whole}.", 86,
                              initial_indent="# ", subsequent_indent="# ")
        documents.insert(
            CONF, at, f"{about}\n#{number.name} = {number.default_of_prints}\n\n")
    if number.is_of_library and f"\n *     {number.name} " not in documents[HEADER]:
        at = re.search(rf"\n \*     {before_in_header} .*\n(?: \*      .*\n)*",
                       documents[HEADER]).end()
        documents.insert(HEADER, at, textwrap.fill(
            f"default {number.default}: {values}; {number.help}", 79,
            initial_indent=f" *     {number.name:<13} ",
            subsequent_indent=" *" + 19 * " ") + "\n")


def add_type(documents, name, purpose):
    if f"\n.B {name}\n" not in documents[MANUAL]:
        about = textwrap.fill(f"For {purpose}.", 82, break_on_hyphens=False)
        documents.insert(MANUAL, documents[MANUAL].index(FOREIGN),
                         f".TP\n.B {name}\n{about}\n")
    listed = re.search(r"fine otherwise; (.*?)\n \*     levels ", documents[HEADER],
                       re.DOTALL)
    if not re.search(rf"\b{name}\b", listed[1]):
        documents.insert(HEADER, listed.end(1), f",\n *{19 * ' '}{name}")
    if f'Choice "{name}/' not in documents[MODELS]:
        label = name.replace("-", " ").capitalize()
        begin = documents[MODELS].index('Option "cupsHalftoneType/')
        at = documents[MODELS].index("\n  Option ", begin) + 1
        documents.insert(MODELS, at, f'    Choice "{name}/{label}" $GRAY\n')
        print(f"ppd/halftoned-*.po: translate '{label}', or what you call it in "
              f"{MODELS}")


def add_settings(documents):
    before = before_in_header = "halftone-type"
    for name, number in settings(documents["engine/halftone/look/settings.h"]):
        if number and not number.is_automatic:
            describe(documents, number, before, before_in_header)
        before = name
        if f"\n *     {name} " in documents[HEADER]:
            before_in_header = name


def add_types(documents):
    purposes = dict(re.findall(r"\n\| `([-\w]+)`[^|]*\| (.*?) \|(?=\n)",
                               documents["docs/reference/halftone-types.md"]))
    for name in re.findall(r'\.name = "([-\w]+)"',
                           documents["engine/halftone/page/method.cc"]):
        if name not in purposes:
            sys.exit("docs/reference/halftone-types.md: add a row with the purpose of "
                     f"{name}")
        add_type(documents, name, purposes[name])


def main(root):
    documents = Documents(root)
    add_settings(documents)
    add_types(documents)
    changed = documents.write()
    for path in changed:
        print(f"{path}: added what was missing; read it, and say more where needed")
    if HEADER in changed:
        subprocess.run([sys.executable, root / "engine/library/make_manual.py"],
                       check=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)

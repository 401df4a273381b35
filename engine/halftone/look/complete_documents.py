#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completes the documents that list settings and halftone types, for the build.

    complete_documents.py SOURCES OUT

writes halftone-settings.7, halftoned.conf and halftoned.drv to OUT: the source files,
with the missing parts added. Every type of method_rows.inc gets a row in the manual's
table of types and, if print dialogs offer it, a choice in the printer models. Every
numeric setting of settings.h that these files do not describe gets a row and a
paragraph in the manual and a key in halftoned.conf.
"""

import pathlib
import re
import sys
import textwrap

MANUAL = "engine/halftone/look/halftone-settings.7"
CONF = "conf/halftoned.conf"
MODELS = "ppd/halftoned.drv"
TYPES = '.\\" The build puts the table of types here.\n'


class Number:
    """A numeric setting of settings.h."""

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
        self.is_automatic = ".is_automatic = true" in fields


def settings(text):
    """The settings in order; None in place of those that are not numbers."""
    defaults = dict(re.findall(r"\n  double (\w+) = ([-.\d]+);", text))
    of_prints = dict(re.findall(r"\n  look\.(\w+) = ([-.\d]+);", text))
    table = text[text.index("kPrintSettings[] = {"):]
    for name, fields in re.findall(r'\{\.name = "([-\w]+)",(.*?)\}(?:,?\n)',
                                   table[:table.index("\n};")], re.DOTALL):
        number = Number(name, fields, defaults, of_prints)
        yield name, number if number.most and number.default else None


class Documents:
    def __init__(self, root):
        self.root, self.texts = root, {}

    def __getitem__(self, path):
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_text(encoding="utf-8")
        return self.texts[path]

    def insert(self, path, at, new):
        self.texts[path] = self[path][:at] + new + self[path][at:]

    def write(self, folder):
        for path in (MANUAL, CONF, MODELS):
            (folder / pathlib.Path(path).name).write_text(self[path],
                                                          encoding="utf-8")


def end_of_paragraph(manual, name):
    """The end of the description of a setting that the manual has."""
    begin = re.search(rf"\n\.BR? {name}\b", manual).end()
    return re.compile(r"\n(?=\.TP|\.SH)").search(manual, begin).end()


def describe(documents, number, before):
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


def types(text):
    """Names, purposes, and whether dialogs offer them; neighboring strings are one, as
    in C++."""
    string = r'"(?:[^"]*"\s*")*[^"]*"'
    for *parts, fields in re.findall(
            rf"\nHALFTONED_METHOD\(\s*\w+, \d+, \d+, ({string}),\s*({string})"
            r"((?:.*\n)+?)(?=\n|\Z)", text):
        name, purpose = ("".join(re.findall(r'"([^"]*)"', part)) for part in parts)
        yield name, purpose, ".is_in_dialogs = false" not in fields


def add_types(documents, shipped):
    rows = "".join(f"{name}\tT{{\n{purpose}\nT}}\n" for name, purpose, _ in shipped)
    at = documents[MANUAL].index(TYPES)
    documents.insert(MANUAL, at, f".TS\nl lx.\ntype\tfor\n_\n{rows}.TE\n")
    for name, _, is_in_dialogs in shipped:
        if is_in_dialogs and f'Choice "{name}/' not in documents[MODELS]:
            label = name.replace("-", " ").capitalize()
            begin = documents[MODELS].index('Option "cupsHalftoneType/')
            at = documents[MODELS].index("\n  Option ", begin) + 1
            documents.insert(MODELS, at, f'    Choice "{name}/{label}" $GRAY\n')


def add_settings(documents):
    before = "halftone-type"
    for name, number in settings(documents["engine/halftone/look/settings.h"]):
        if number and not number.is_automatic:
            describe(documents, number, before)
        before = name


def main(root, folder):
    documents = Documents(pathlib.Path(root))
    add_settings(documents)
    add_types(documents, list(types(
        documents["engine/halftone/page/method_rows.inc"])))
    documents.write(pathlib.Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which words and constructions prose.py finds, and where; and which it leaves alone."""

import pathlib
import tempfile
import unittest

import prose


def found(text, name="a.md"):
    return [(finding.line, finding.text) for finding in prose.wrong_words(name, text)]


class Words(unittest.TestCase):
    def test_are_found_with_their_lines_also_across_lines(self):
        self.assertEqual(found("At 600 dpi.\n\nAt 600 dots\nan inch.\n- The colour.\n"),
                         [(3, "dots an inch"), (5, "colour")])
        self.assertEqual(found("| a | 5 ms a page |\n|---|---|\n| Folders | b |\n"),
                         [(1, "ms a page"), (3, "Folders")])

    def test_in_code_links_and_placeholders_count_for_nothing(self):
        self.assertEqual(found("```sh\nhello  # folder\n```\n`ring`, see\n"
                               "[this](../folder/colour.md), FOLDER, a ring buffer\n"
                               "<!-- hour: folder -->\n--loupe, folder_test\n"), [])

    def test_after_code_have_the_right_lines(self):
        self.assertEqual(found("```\na\n```\n\n`x\ny` b\nhello\n"), [(7, "hello")])


class Constructions(unittest.TestCase):
    def test_are_found_at_the_beginning_of_sentences(self):
        self.assertEqual(found("One. Of the ten, two are\nlost. What came is bad.\n"),
                         [(1, "Of the ten, two"), (2, "What came is bad.")])
        self.assertEqual(found("- **Of these** one.\n1. Who asks, hears.\n"),
                         [(1, "Of these** one."), (2, "Who asks, hears.")])

    def test_are_found_within_sentences(self):
        self.assertEqual(found("It may not print, if it is there.\n"),
                         [(1, "may not"), (1, "is there")])

    def test_questions_headings_and_cells_may_begin_with_what(self):
        self.assertEqual(found("## What it does\n| What | Of it |\n\nWhat is it? Of course.\n"),
                         [])


class Sources(unittest.TestCase):
    def test_of_manuals_are_read_without_names_and_examples(self):
        self.assertEqual(
            found(".Sh FOLDER\nThe folder of\n.Cm folder .\nOf these, one.\n.Bd -literal\n"
                  "folder\n.Ed\n.TP\n.B jobs\nA colour \\- it.\n", "a.1"),
            [(2, "folder"), (4, "Of these, one."), (10, "colour")])
        self.assertEqual(found(".Nd all folders\n.TS\nl l.\na\tcolour\n.TE\n", "a.7"),
                         [(1, "folders"), (4, "colour")])

    def test_of_headers_are_comments(self):
        self.assertEqual(found("/* A\n * colour. */\nint colour; /* Of\n * two, one. */\n",
                               "halftoned/halftone.h"),
                         [(2, "colour"), (3, "Of two, one.")])

    def test_of_configurations_are_comments(self):
        self.assertEqual(found("# colour\nfolder = 1\n#folder = 1  # folder\n[folder]\n",
                               "a.conf"), [(1, "colour"), (3, "folder")])

    def test_of_printer_models_are_shown_texts_and_comments(self):
        self.assertEqual(found('// colour\nOption "folder/The folder" One\nfolder "folder"\n',
                               "a.drv"), [(1, "colour"), (2, "folder")])

    def test_of_packages_are_descriptions(self):
        self.assertEqual(found("Source: folder\nDescription: a folder\n Grey.\n .\n Of two,\n"
                               " one.\n", "debian/control"),
                         [(2, "folder"), (3, "Grey"), (5, "Of two, one.")])

    def test_of_programs_are_messages_of_several_words(self):
        self.assertEqual(
            found('// a folder\n#include "a folder"\nfolder("folder", "no folder",\n'
                  '  "two "\n  "fold" "ers");\nR"x(a\nfolder)x" "10 bits a "\n"pixel\\n"',
                  "a.cc"), [(3, "folder"), (4, "folders"), (7, "bits a pixel")])

    def test_in_comments_are_found_in_rooms_that_are_read(self):
        text = "// SPDX\n//\n// A folder.\nint a;  // a folder\n  // Of two, one.\n"
        self.assertEqual(found(text, "printer_app/a.h"),
                         [(3, "folder"), (5, "Of two, one.")])
        self.assertEqual(found(text, "print/a.h"), [])

    def test_in_comments_of_all_rooms_have_subjects_and_american_spelling(self):
        def beginnings(text, name):
            return [(finding.line, finding.text)
                    for finding in prose.wrong_comments(name, text)]
        self.assertEqual(beginnings("// One. Of two,\n// one. Of course.\nOf();  // Of\n",
                                    "print/a.cuh"), [(1, "Of two, one.")])
        self.assertEqual(beginnings('# Of two, one.\nx = "Of"\ndef of():\n'
                                    '    """Of a."""\n    """One.\n', "tests/a.py"),
                         [(1, "Of two, one."), (4, "Of a.")])
        self.assertEqual(beginnings("// A colour, `colour`, a folder\n// at 600 dots an inch.\n"
                                    "colour = 1;\n", "print/a.h"),
                         [(2, "dots an inch"), (1, "colour")])
        self.assertEqual(beginnings('int a;\nf("// colour", 1);  // a colour\n', "print/a.cc"),
                         [(2, "colour")])
        self.assertEqual(beginnings('"""A\ncolour."""\n', "tests/a.py"), [(2, "colour")])


class Links(unittest.TestCase):
    def test_lead_to_files_and_headings(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name).resolve() / "a.md"
            path.write_text("# A `b` (c), d\n[1](#a-b-c-d) [2](#a)\n[3](b.md) [4](a.md#e)\n"
                            "[5](https://a.org/#b)\n```c\n[6](no)\n```\n`[7](no)`\n")
            self.assertEqual([(finding.line, finding.text) for finding in
                              prose.wrong_links(path, "a.md")],
                             [(2, "#a"), (3, "b.md"), (3, "a.md#e")])


class Index(unittest.TestCase):
    def test_misses_nothing_silently(self):
        stray = prose.ROOT / "docs/stray.md"
        self.assertEqual([finding.path for finding in prose.unlisted([stray])],
                         ["docs/stray.md"])


if __name__ == "__main__":
    unittest.main()

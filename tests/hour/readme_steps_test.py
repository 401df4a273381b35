#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as a command of a document, and as what it shows."""

import pathlib
import tempfile
import unittest

from readme_steps import Step, is_said, steps_of


class Steps(unittest.TestCase):
    def steps(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "README.md"
            path.write_text(text)
            return steps_of(path)

    def test_blocks_and_what_they_say(self):
        self.assertEqual(
            self.steps("x\n\n```sh\na b \\\n  c  # why\nd\n```\n\n```text\ne\n```\n"
                       "```sh\nf\n```\nwords\n```text\ng\n```\n```c\nh\n```\n"),
            [Step(3, "", ["a b c # why", "d"], ["e"]),
             Step(12, "", ["f"], None)])

    def test_commands_in_sentences_and_tables(self):
        self.assertEqual(
            [step.commands[0] for step in self.steps(
                "`halftone add` and `halftone check`, `halftone adopt QUEUE`,\n"
                "| `lp -d laser a.pdf`, `lp` | `sudo halftone set a b=c` |\n"
                "`halftone add a ipp://...`, `examples/a b`\n")],
            ["halftone check", "lp -d laser a.pdf", "sudo halftone set a b=c"])

    def test_marks(self):
        self.assertEqual(
            [step.where for step in self.steps(
                "<!-- hour: packages -->\n```sh\na\n```\n```sh\nb\n```\n"
                "`lp c` <!-- hour: never: it is so -->\n```sh\nd\n```\n")],
            ["packages", "", "never: it is so", ""])
        for wrong in ("<!-- hour: never -->", "<!-- hours: here -->"):
            with self.assertRaises(ValueError):
                self.steps(wrong + "\n")

    def test_shown_lines_are_all_lines(self):
        for shown, said, is_right in (
                (["a"], ["a  "], True), (["a"], ["a", "b"], False),
                (["a…c"], ["abbc"], True), (["a…c"], ["ab", "c"], False),
                (["…", "c"], ["a", "b", "c"], True), (["…", "c"], ["c"], True),
                (["a", "…"], ["b", "a"], False), (["a.c"], ["abc"], False), (["a  b"], ["a b"], True),
                (["a b"], ["ab"], False)):
            self.assertEqual(bool(is_said(shown, said)), is_right, shown)


if __name__ == "__main__":
    unittest.main()

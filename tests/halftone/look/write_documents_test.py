#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write_documents.py adds what a new setting and a new type lack, and nothing else."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = SOURCE / "engine/halftone/look/write_documents.py"
SETTINGS = "engine/halftone/look/settings.h"
MANUAL = "engine/halftone/look/halftone-settings.7"
TYPES = "docs/reference/halftone-types.md"
FILES = (SETTINGS, MANUAL, TYPES, "engine/halftone/page/method.cc",
         "conf/halftoned.conf", "include/halftoned/halftone.h", "ppd/halftoned.drv",
         "engine/library/make_manual.py", "engine/library/halftone.3")
LACKED = """    {.name = "grain",
     .keyword = "halftonedGrain",
     .job_option = "halftone-grain",
     .member = &Look::grain,
     .sources = kAllSources,
     .help = "Percent of noise in "
             "middle tones",
     .least = -5,
     .most = 60,
     .is_whole = true},
"""


class WriteDocuments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for file in FILES:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / file, self.root / file)

    def run_script(self, status=0):
        done = subprocess.run([sys.executable, SCRIPT, self.root], text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def edit(self, file, before, new):
        text = (self.root / file).read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1, before)
        (self.root / file).write_text(text.replace(before, new + before),
                                      encoding="utf-8")

    def texts(self):
        return {file: (self.root / file).read_text(encoding="utf-8")
                for file in FILES}

    def added(self, before):
        """The lines that each file has more; no line has gone, but lists go on."""
        lines = {}
        for file, text in self.texts().items():
            new, old = text.split("\n"), iter(before[file].split("\n"))
            wanted, lines[file] = next(old), []
            for line in new:
                if wanted is not None and line.rstrip(",") == wanted.rstrip(","):
                    wanted = next(old, None)
                else:
                    lines[file].append(line)
            self.assertIsNone(wanted, file)
        return {file: new for file, new in lines.items() if new}

    def test_documents_that_lack_nothing_stay_as_they_are(self):
        before = self.texts()
        self.assertEqual(self.run_script(), "")
        self.assertEqual(self.texts(), before)

    def test_a_number_gets_its_row_its_paragraph_its_key_and_its_line(self):
        self.edit(SETTINGS, "  double toner_save = 0;", "  double grain = 3;\n")
        self.edit(SETTINGS, '    {.name = "toner-save",', LACKED)
        before = self.texts()
        self.run_script()
        added = self.added(before)
        self.assertCountEqual(added.pop(MANUAL), [
            "grain\thalftonedGrain\t\\-5 to 60, whole\t3", ".TP", ".B grain",
            "Percent of noise in middle tones."])
        self.assertEqual(added.pop("conf/halftoned.conf"), [
            "# Percent of noise in middle tones; -5 … 60, whole.", "#grain = 3", ""])
        self.assertEqual(added.pop("include/halftoned/halftone.h"), [
            " *     grain         default 3: -5 … 60; Percent of noise in middle tones"])
        self.assertEqual(list(added), ["engine/library/halftone.3"])
        again = self.texts()
        self.run_script()
        self.assertEqual(self.texts(), again)

    def test_a_type_gets_its_paragraph_its_name_and_its_choice(self):
        self.edit("engine/halftone/page/method.cc", "    {.id = {Algorithm::kScreen, 1},",
                  '    {.name = "blue-noise"},\n')
        self.assertIn("add a row with the purpose of blue-noise", self.run_script(1))
        self.edit(TYPES, "| `bi-level` |", "| `blue-noise` | posters |\n")
        before = self.texts()
        self.assertIn("translate 'Blue noise'", self.run_script())
        added = self.added(before)
        self.assertCountEqual(added[MANUAL], [".TP", ".B blue-noise", "For posters."])
        self.assertEqual(added["ppd/halftoned.drv"],
                         ['    Choice "blue-noise/Blue noise" $GRAY'])
        header = (self.root / "include/halftoned/halftone.h").read_text("utf-8")
        listed = re.search(r"fine otherwise; (.*?) \*     levels", header, re.DOTALL)[1]
        self.assertRegex(listed, r"screen,\s+\*\s+blue-noise\n$")


if __name__ == "__main__":
    unittest.main()

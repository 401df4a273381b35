#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""complete_documents.py adds what documents lack, and nothing else."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = SOURCE / "engine/halftone/look/complete_documents.py"
SETTINGS = "engine/halftone/look/settings.h"
METHODS = "engine/halftone/page/method_rows.inc"
MANUAL = "halftone-settings.7"
CONF = "halftoned.conf"
MODELS = "halftoned.drv"
DOCUMENTS = ("engine/halftone/look/halftone-settings.7", "conf/halftoned.conf",
             "ppd/halftoned.drv")
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


TOY = """HALFTONED_METHOD(
    PosterDots, 4, 1, "poster-dots",
    "posters that many "
    "read",
    .parameters = {kYesNo})

"""


def added(before, after):
    """The lines that `after` has more; no line has gone."""
    lines, old = [], iter([*before.split("\n"), None])
    wanted = next(old)
    for line in after.split("\n"):
        if line == wanted:
            wanted = next(old)
        else:
            lines.append(line)
    assert wanted is None, wanted
    return lines


class CompleteDocuments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for file in (*DOCUMENTS, SETTINGS, METHODS):
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / file, self.root / file)

    def completed(self):
        """The documents by their names."""
        subprocess.run([sys.executable, SCRIPT, self.root, self.root], check=True)
        return {name: (self.root / name).read_text(encoding="utf-8")
                for name in (MANUAL, CONF, MODELS)}

    def edit(self, file, before, new):
        text = (self.root / file).read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1, before)
        (self.root / file).write_text(text.replace(before, new + before),
                                      encoding="utf-8")

    def added_by_edits(self, *edits):
        before = self.completed()
        for edit in edits:
            self.edit(*edit)
        return {name: lines for name, text in self.completed().items()
                if (lines := added(before[name], text))}

    def test_documents_of_the_sources_lack_the_table_of_types_alone(self):
        made = self.completed()
        lacked = {name: added((SOURCE / path).read_text(encoding="utf-8"), made[name])
                  for path, name in zip(DOCUMENTS, (MANUAL, CONF, MODELS))}
        table = lacked.pop(MANUAL)
        self.assertEqual((table[0], table[-1]), (".TS", ".TE"))
        self.assertEqual(len(re.findall(r"(?m)^HALFTONED_METHOD\(",
                                        (SOURCE / METHODS).read_text())),
                         len([line for line in table if line.endswith("\tT{")]))
        self.assertEqual(lacked, {CONF: [], MODELS: []})

    def test_a_number_gets_its_row_its_paragraph_and_its_key(self):
        self.assertEqual(self.added_by_edits(
            (SETTINGS, "  double toner_save = 0;", "  double grain = 3;\n"),
            (SETTINGS, '    {.name = "toner-save",', LACKED)), {
                # The paragraph is before that of another setting.
                MANUAL: ["grain\thalftonedGrain\t\\-5 to 60, whole\t3",
                         ".B grain", "Percent of noise in middle tones.", ".TP"],
                CONF: ["# Percent of noise in middle tones; -5 … 60, whole.",
                       "#grain = 3", ""]})

    def test_a_type_gets_its_row_and_its_choice(self):
        self.assertEqual(self.added_by_edits(
            (METHODS, "HALFTONED_METHOD(\n    Screen", TOY)), {
                MANUAL: ["poster-dots\tT{", "posters that many read", "T}"],
                MODELS: ['    Choice "poster-dots/Poster dots" $GRAY']})

    def test_a_type_that_dialogs_do_not_offer_gets_its_row_alone(self):
        toy = TOY.replace("    .parameters", "    .is_in_dialogs = false,\n    .parameters")
        self.assertEqual(self.added_by_edits(
            (METHODS, "HALFTONED_METHOD(\n    Screen", toy)), {
                MANUAL: ["poster-dots\tT{", "posters that many read", "T}"]})


if __name__ == "__main__":
    unittest.main()

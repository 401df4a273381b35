#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone calibrate with files: a sheet is printed and scanned by a simulation
(fake_scan.py), read to a curve, and printed and scanned once more with it.
"""

import os
import re
import unittest

import fake_scan
from convert_case import Case

SIZE = ["--paper", "a6", "--dpi", "300"]


def bits_of(data):
    """The rows of a PBM image."""
    width, height = map(int, data.split(maxsplit=3)[1:3])
    line = (width + 7) // 8
    start = len(data) - line * height
    return [data[start + y * line:start + (y + 1) * line]
            for y in range(height)]


class Calibrate(Case):
    def calibrate(self, *words, **options):
        run = self.run_halftone("calibrate", *words, **options)
        self.assertEqual((run.returncode, run.stderr), (0, b""), words)
        return run.stdout.decode()

    def refuses(self, *words, says, status=1, shows=False):
        """One line, and no file more or other than before. shows: the tones
        are shown before."""
        def files():
            return {path.name: path.read_bytes()
                    for path in self.dir.iterdir()}
        before = files()
        run = self.run_halftone("calibrate", *words)
        error = run.stderr.decode()
        self.assertEqual(run.returncode, status, error)
        self.assertEqual(run.stdout != b"", shows, run.stdout)
        self.assertRegex(error, r"\Ahalftone: [^\n]*\n\Z")
        self.assertIn(says, error)
        self.assertEqual(files(), before)

    def target(self, *words):
        self.calibrate("print", "-o", self.path("sheet.pbm"), *SIZE, *words)
        return bits_of((self.dir / "sheet.pbm").read_bytes())

    def scan(self, name, *words):
        return self.path(name, fake_scan.scan(self.target(*words)))

    def test_a_printer_is_measured_and_corrected(self):
        scan = self.scan("scan.pgm")
        curve = self.path("my.curve")
        said = self.calibrate("read", scan, "--curve", curve, "--picture",
                              self.path("tones.png"))
        self.assertIn("no queue, halftone-type: fine, dpi: 300\n", said)
        self.assertIn(f"wrote {curve}\n", said)
        before = float(re.search(r"without the curve: mean ([\d.]+)",
                                 said)[1])
        self.assertGreater(before, 10)
        self.assertTrue((self.dir / "tones.png").read_bytes()
                        .startswith(b"\x89PNG"))
        text = (self.dir / "my.curve").read_text()
        self.assertTrue(text.startswith("# "))
        # The old one is kept.
        said = self.calibrate("read", scan, "--curve", curve)
        self.assertIn(f"the previous curve is in {curve}.old", said)
        self.assertEqual((self.dir / "my.curve.old").read_text(), text)

        second = self.scan("second.pgm", "--second", "--curve", curve)
        said = self.calibrate("verify", second)
        after = float(re.search(r"with the curve: mean ([\d.]+)", said)[1])
        self.assertLess(after, 3)
        self.refuses("read", second, "--curve", curve, says="calibrate verify")
        self.refuses("verify", scan, says="printed without a curve")
        self.refuses("read", scan, says="give a file for its curve")
        self.refuses("read", scan, "--queue", "laser",
                     says="is for no queue, not for laser")
        self.refuses("read", scan, "--curve", self.path("no/my.curve"),
                     says="no/my.curve", shows=True)
        self.refuses("read", scan, "--picture", self.path("no/x.png"),
                     "--curve", curve, says="no/x.png")

    def test_a_dry_run_changes_nothing(self):
        scan = self.scan("scan.pgm", "--halftone-type", "clustered", "--cluster-size",
                         "3")
        before = sorted(os.listdir(self.dir))
        said = self.calibrate("read", scan, "--dry-run")
        self.assertIn("halftone-type: clustered 3", said)
        with open(scan, "rb") as file:
            self.assertEqual(self.calibrate("read", "-", "--dry-run",
                                            stdin=file), said)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def test_unusable_scans_are_refused(self):
        for name, data, says in [
                ("empty", b"", "is empty"),
                ("text", b"words", "is not TIFF, PNG, JPEG or PNM"),
                ("cut.jpg", b"\xff\xd8\xff\xe0", "end too early"),
                ("dark", b"P5\n900 900\n255\n" + b"\x20" * 810000, "too dark"),
                ("blank", b"P5\n900 900\n255\n" + b"\xf0" * 810000,
                 "has no black"),
                ("short", b"P5\n900 900\n255\n" + b"\xf0" * 8, "ends")]:
            with self.subTest(name):
                self.refuses("read", self.path(name, data), says=says)
        self.refuses("read", self.path("none"), says="none: cannot open")
        rows = self.target()
        self.refuses("read", self.path("sheet.pbm"), says="black and white")
        mirrored = [int(f"{int.from_bytes(row, 'big'):0{8 * len(row)}b}"[::-1],
                        2).to_bytes(len(row), "big") for row in rows]
        self.refuses("read", self.path("mirrored.pgm",
                                       fake_scan.scan(mirrored)),
                     says="mirrored")

    def test_impossible_charts_are_refused(self):
        out = ["-o", self.path("x.tiff")]
        self.refuses("print", *out, "--halftone-type", "bi-level",
                     says="bi-level ignores tone curves")
        self.refuses("print", *out, "--paper", "50x50", says="too small")
        self.refuses("print", *out, "--dpi", "72", says="150 … 2400")
        self.refuses("print", "-o", self.path("x.gif"), says="the format")
        self.refuses("print", *out, "--second", "--curve", self.path("none"),
                     says="none")
        for words, says in [
                ([], "missing step"), (["read"], "missing scan"),
                (["print"], "missing queue, or --output"),
                (["draw"], "'draw' is not print, read or verify"),
                (["print", *out, "laser"], "cannot be given with a queue"),
                (["print", *out, "--second"], "missing --curve"),
                (["read", "x", "--paper", "a4"], "only for calibrate print"),
                (["verify", "x", "--dry-run"], "only for calibrate read"),
                (["print", *out, "--paper", "b9"], "'b9' is not a4"),
                (["print", *out, "--halftone-type", "x"], "'x' is not ")]:
            with self.subTest(words):
                self.refuses(*words, says=says, status=2)


if __name__ == "__main__":
    unittest.main()

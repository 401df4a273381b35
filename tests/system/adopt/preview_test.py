#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone preview --queue` beside a real CUPS: it shows the bits that the driver
gets, with the queue's settings from wherever they are set, and the tones that
were measured.

Usage: preview_test.py BUILD_FOLDER [unittest arguments]
"""

import random
import sys

import adopt_case
from adopt_case import HERE, AdoptCase

sys.path.insert(0, str(HERE.parent / "convert"))
from gray_png import GAP, NAME, Picture  # noqa: E402

TOP = 2 * GAP + NAME
SIDE = 64  # dots of the magnifier
CURVE = "0 0\n60 120\n255 255\n"
SETTINGS = """\
[queue.laser]
halftone-type = "clustered"
cluster-size = 3
text-edges = "off"
tone-aim = "linear"
tone-curve = "laser.curve"
"""


class Preview(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.start_cups()
        cls.conf = cls.cups.conf
        cls.environment["HALFTONED_CONF"] = str(cls.conf)
        cls.add_two_queues()
        cls.image = cls.folder / "noise.pgm"
        cls.image.write_bytes(b"P5\n%d %d\n255\n" % (SIDE, SIDE) +
                              random.Random(1).randbytes(SIDE * SIDE))
        cls.out = cls.folder / "out.png"

    def setUp(self):
        self.conf.write_text(SETTINGS)
        self.conf.chmod(0o644)
        self.curve = self.conf.with_name("laser.curve")
        self.curve.write_text(CURVE)
        self.curve.chmod(0o644)

    def bits(self, *words):
        """Those of the magnifier, of the first type."""
        said = self.succeed("preview", "--queue", "laser", "--magnify",
                            self.image, "-o", self.out, *words)
        picture = Picture(self.out.read_bytes())
        return said, [bytes(picture.rows[TOP + 8 * y + 4][GAP + 8 * x + 4]
                            for x in range(SIDE)) for y in range(SIDE)]

    def expected(self, *words):
        out = self.folder / "out.pbm"
        self.succeed("convert", "--quiet", self.image, out, *words)
        data = out.read_bytes()[-SIDE * SIDE // 8:]
        return [bytes(0 if data[(y * SIDE + x) // 8] >> (7 - x % 8) & 1
                      else 255 for x in range(SIDE)) for y in range(SIDE)]

    def test_the_queues_settings_are_those_of_the_preview(self):
        clustered = ("--halftone-type", "clustered", "--cluster-size", "3")
        said, bits = self.bits()
        self.assertIn("out.png: clustered 3, fine, best, screen, dpi: 300\n",
                      said)
        self.assertEqual(
            bits, self.expected(*clustered, "--tone-curve", self.curve))
        # Options come last, and another type has the same curve.
        said, bits = self.bits("--halftone-type", "fine", "--toner-save", "30",
                               "--dpi", "600")
        self.assertIn(": fine, dpi: 600\n", said)
        self.assertEqual(bits, self.expected("--tone-curve", self.curve,
                                             "--toner-save", "30",
                                             "--print-feedback", "100"))
        # A queue without a curve uses its gain.
        self.conf.write_text(SETTINGS.replace('tone-curve = "laser.curve"',
                                              "dot-gain = 12.5"))
        said, bits = self.bits()
        self.assertEqual(bits, self.expected(*clustered, "--dot-gain",
                                             "12.5"))

    def test_queues_that_cannot_be_shown_are_refused(self):
        before = sorted(self.folder.iterdir())
        for queue, says in [("other", "other: does not print through"),
                            ("none", "none: ")]:
            run = self.halftone("preview", "--queue", queue, self.image, "-o",
                                self.folder / "none.png")
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertRegex(run.stderr, rf"\Ahalftone: {says}.*\n\Z")
        self.assertEqual(sorted(self.folder.iterdir()), before)


if __name__ == "__main__":
    adopt_case.main()

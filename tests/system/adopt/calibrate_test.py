#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone calibrate` beside a real CUPS: the sheet reaches the driver as the
definition makes it with the queue's type and no curve, whatever else is set; a simulated scan of it
(fake_scan.py) becomes the queue's curve; a second sheet is printed with that.

Usage: calibrate_test.py BUILD_FOLDER [unittest arguments]
"""

import re
import subprocess
import sys

import adopt_case
from adopt_case import HERE, AdoptCase

import cups_raster

sys.path.insert(0, str(HERE.parent / "convert"))
import fake_scan  # noqa: E402

# What the definition makes of a first sheet.
PLAIN = ["halftone-type=clustered", "cluster-size=3", "tone-aim=linear",
         "black-point=0", "dot-gain=0"]
CURVE = "0 0\n100 200\n255 255\n"
# Tones that no sheet may have.
SETTINGS = """\
[queue.laser]
halftone-type = "clustered"
cluster-size = 3
brightness = 40
toner-save = 50
tone-curve = "laser.curve"
"""


class Calibrate(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.start_cups()
        cls.conf = cls.cups.conf
        cls.environment["HALFTONED_CONF"] = str(cls.conf)
        cls.add_two_queues()

    def setUp(self):
        self.conf.write_text(SETTINGS)
        self.conf.chmod(0o644)
        self.curve = self.conf.with_name("laser.curve")
        self.curve.write_text(CURVE)
        self.curve.chmod(0o644)

    def sheet(self, *words):
        """The rows of bits of a sheet's job, in 300 dpi."""
        said = self.succeed("calibrate", "print", *words, "laser")
        found = re.match(r"laser: prints a calibration chart, job (\d+); scan "
                         r"it in gray .* halftone calibrate (read|verify) "
                         r"SCAN\n\Z", said)
        self.assertTrue(found, said)
        self.assertEqual(found[2], "verify" if words else "read")
        job = int(found[1])
        self.assertEqual(self.cups.wait(job), "completed",
                         self.cups.job_log(job)[-60:])
        gray, bits = (self.cups.out / f"{job}.{kind}"
                      for kind in ("gray", "bits"))
        run = subprocess.run(
            [self.build / "tests/system/cups/expect_raster", gray, bits,
             *PLAIN], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode == 0, not words, run.stdout)
        pages = cups_raster.read_pages(bits.read_bytes())
        self.assertEqual(len(pages), 1)
        header, data = pages[0]
        self.assertEqual((header["HWResolution0"], header["HWResolution1"],
                          header["cupsBitsPerPixel"]), (300, 300, 1))
        line = header["cupsBytesPerLine"]
        return [data[at:at + line] for at in range(0, len(data), line)]

    def scan(self, name, rows):
        path = self.folder / name
        path.write_bytes(
            fake_scan.scan(fake_scan.cropped(rows, 300, 140, 200)))
        return path

    def residual(self, words, said):
        return float(re.search(rf"^{words}: mean ([\d.]+)", said, re.M)[1])

    def test_a_queue_is_measured_and_corrected(self):
        scan = self.scan("scan.pgm", self.sheet())
        said = self.succeed("calibrate", "read", scan, "--queue", "laser")
        self.assertIn("laser, halftone-type: clustered 3, dpi: 300\n", said)
        # What the simulated dots do, and no brightness, savings or curve.
        self.assertLess(self.residual("without the curve", said), 40)
        tones = dict((int(a), float(b)) for a, b in re.findall(
            r"^ +(\d+) +([\d.]+) +[\d.]+$", said, re.M))
        for tone, light in tones.items():
            self.assertLess(light, tone + 2)
            self.assertGreater(light, 0.35 * tone)
        self.assertIn(f"wrote {self.curve}; the previous curve is in "
                      f"{self.curve}.old\n", said)
        self.assertIn(f"laser: tone-curve = {self.curve}  ({self.conf})\n",
                      said)
        self.assertEqual(self.curve.with_name("laser.curve.old").read_text(),
                         CURVE)
        self.assertEqual(
            self.conf.read_text(),
            SETTINGS.replace('"laser.curve"', f'"{self.curve}"'))

        second = self.scan("second.pgm", self.sheet("--second"))
        said = self.succeed("calibrate", "verify", second)
        self.assertLess(self.residual("with the curve", said), 4)

        # A configuration that cannot be changed leaves the curve alone.
        before = self.curve.read_text()
        self.conf.write_text("[filter]\nwrong = 1\n")
        run = self.halftone("calibrate", "read", scan)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Ahalftone: .*line 2.*\n\Z")
        self.assertEqual(self.curve.read_text(), before)

    def refuse(self, *words, says):
        run = self.halftone("calibrate", *words)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, rf"\Ahalftone: .*{says}.*\n\Z")

    def test_queues_that_cannot_be_measured_are_refused(self):
        self.refuse("print", "other", says="other: does not print through")
        self.refuse("print", "none", says="none: ")
        self.conf.write_text('[queue.laser]\nhalftone-type = "bi-level"\n')
        self.refuse("print", "laser", says="bi-level, which ignores")
        self.conf.write_text("")
        self.refuse("print", "laser", "--second",
                    says="has no measured curve yet")


if __name__ == "__main__":
    adopt_case.main()

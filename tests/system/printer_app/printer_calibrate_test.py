#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone calibrate` of a printer of the application, from the sheet to the page:
the sheet is printed with the printer's type and without a curve, whatever else is
set; a simulated scan of it (fake_scan.py) becomes the printer's curve; the next page
and a second sheet are printed with that. installed.py says what there has to be."""

import re
import sys
import tempfile
import unittest

from kit import application
from kit.application import TESTS, ink_of
from kit import decoders
from kit.installed import Installed
import pcl

sys.path.insert(0, str(TESTS / "convert"))
import fake_scan  # noqa: E402

# Tones that no sheet may have.
TONES = ["halftone-brightness=40", "halftone-dot-gain=30"]
WIDTH, HEIGHT = 203, 203


class Calibrate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.installed = Installed(folder.name)
        self.server = self.installed.server
        self.server.start()
        self.addCleanup(self.server.close)
        self.printed = {}

    def succeed(self, *words):
        run = self.installed.run("calibrate", *words)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def add(self, name, driver, *defaults):
        self.printer, self.jobs = self.server.add(name, driver), 0
        words = [word for each in defaults for word in ("-o", each)]
        self.server.run("modify", "-d", name, *words)

    def next_job(self):
        self.jobs += 1
        return self.printer.job(self.jobs - 1)

    def sheet(self, name, *words):
        said = self.succeed("print", *words, name)
        self.assertRegex(
            said, rf"\A{name}: prints a calibration chart, job {self.jobs + 1}; scan "
            rf"it in gray .* halftone calibrate {'verify' if words else 'read'} SCAN\n\Z")
        return self.next_job()

    def scan(self, rows, dpi, width, height):
        path = self.installed.folder / "scan.pgm"
        path.write_bytes(fake_scan.scan(fake_scan.cropped(rows, dpi, width, height)))
        return path

    def read(self, name, *scan):
        """What is said, the curve's file, and how far tones are from gray."""
        said = self.succeed("read", self.scan(*scan))
        curve = self.installed.conf.with_name(name + ".curve")
        self.assertIn(f"{name}: tone-curve = {curve}  ({self.installed.conf})\n", said)
        return said, curve, self.residual("without the curve", said)

    def residual(self, words, said):
        return float(re.search(rf"^{words}: mean ([\d.]+)", said, re.M)[1])

    def pcl_rows(self, data):
        """As many above the sheet as below: white rows that end a page are not sent."""
        (width, rows), = pcl.read_pages(data)
        white = next(at for at, row in enumerate(rows) if any(row))
        return rows + [bytes((width + 7) // 8)] * white

    def test_a_laser_is_measured_and_corrected(self):
        self.add("Laser", "pcl5e", "printer-resolution=300dpi",
                 "halftone-type=clustered", *TONES)
        self.installed.conf.write_text(
            "[queue.Laser]\ncluster-size = 3\ntoner-save = 50\ngamma = 2\n")
        rows = self.pcl_rows(self.sheet("Laser"))
        said, curve, before = self.read("Laser", rows, 300, 140, 200)
        self.assertIn("Laser, halftone-type: clustered 3, dpi: 300\n", said)
        # What the simulated dots do, and no brightness, savings or gamma.
        self.assertLess(before, 40)
        for tone, light in re.findall(r"^ +(\d+) +([\d.]+) +[\d.]+$", said, re.M):
            self.assertLess(float(light), int(tone) + 2)
            self.assertGreater(float(light), 0.35 * int(tone))

        rows = self.pcl_rows(self.sheet("Laser", "--second"))
        said = self.succeed("verify", self.scan(rows, 300, 140, 200))
        self.assertLess(self.residual("with the curve", said), 4)

    def test_a_page_is_printed_with_the_curve(self):
        name = "Label printer"
        self.add(name, "zpl-203dpi")
        data = self.sheet(name)
        label, = decoders.zpl(data)
        _, curve, _ = self.read(name, label.rows, 203, 100, 150)
        self.assertIn('[queue."Label printer"]', self.installed.conf.read_text())
        gray = bytes(x for _ in range(HEIGHT) for x in range(WIDTH))
        case = application.ApplicationTest("raster")
        document = self.installed.folder / "page.pwg"
        document.write_bytes(case.raster(203, gray, width=WIDTH))
        printed = {}
        for curve_is in ("auto", "off"):
            self.server.run("submit", "-d", name, "-o",
                            "document-format=image/pwg-raster", "-o",
                            f"halftone-measured-curve={curve_is}", document)
            label, = decoders.zpl(self.next_job())
            printed[curve_is] = label.rows
        settings = "dpi=203,technology=thermal,black-point=32"
        self.assertTrue(printed["off"] == ink_of(gray, settings, WIDTH))
        self.assertTrue(printed["auto"] == self.with_curve(gray, curve))

    def with_curve(self, gray, curve):
        """The rows that `halftone convert` makes."""
        image = self.installed.folder / "page.pgm"
        image.write_bytes(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + gray)
        out = self.installed.folder / "page.pbm"
        run = self.installed.run(
            "convert", "-q", "--dpi=203", f"--size={WIDTH}x{HEIGHT}px",
            "--text-edges=soft", "--tone-aim=display", "--black-point=32",
            "--tone-curve", curve, image, out)
        self.assertEqual(run.returncode, 0, run.stderr)
        size = (WIDTH + 7) // 8
        rows = out.read_bytes()[-size * HEIGHT:]
        return [rows[at:at + size] for at in range(0, len(rows), size)]

    def test_printers_that_cannot_be_measured_are_refused(self):
        self.add("Laser", "pcl5e", "halftone-type=bi-level")
        for words, why in ((["Laser"], "bi-level, which ignores"),
                           (["Nobody"], "there is no printer Nobody")):
            run = self.installed.run("calibrate", "print", *words)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertRegex(run.stderr, rf"\Ahalftone: {words[0]}: .*{why}.*\n\Z")
        self.server.run("modify", "-d", "Laser", "-o", "halftone-type=auto")
        run = self.installed.run("calibrate", "print", "--second", "Laser")
        self.assertEqual(run.returncode, 1)
        self.assertIn("has no measured curve yet", run.stderr)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each driver prints is bit for bit the definition, decoded from its output.

Usage: drivers_test.py BUILD_FOLDER [unittest arguments]
"""

import re

import adopt_case
import brother
import dymo
import epson
import labels
import qpdl
import sag_gdi
from queue_case import QueueCase, dots_of

import cups_raster
import pcl


class Drivers(QueueCase):
    def test_brlaser(self):
        pages, out = self.print_through("brlaser", "br2030", "media=A5",
                                        document=self.pdf3, pages=3)
        self.assertEqual(brother.read_pages(out), [rows for _, rows in pages])

    def test_rastertohp(self):
        pages, out = self.print_through("cups", "laserjet", "media=A5",
                                        document=self.pdf3, pages=3)
        printed = pcl.read_pages(out)
        self.assertEqual([width for width, _ in printed],
                         [header["cupsWidth"] for header, _ in pages])
        for (_, found), (_, rows) in zip(printed, pages):
            white = [bytes(len(rows[0]))] * (len(rows) - len(found))
            self.assertEqual(found + white, rows)

    def test_hpcups(self):
        pages, out = self.print_through("hpcups", "hp-laserjet_1300-pcl3",
                                        "media=A5")
        (_, rows), = pages
        (_, found), = pcl.read_pages(out)
        # hpcups puts a dot at the top for these printers, lest they skip white
        # rows wrongly, in place of the first eight.
        rows[0] = b"\1" + rows[0][1:]
        self.assertEqual(dots_of(found), dots_of(rows))

    def test_rastertoepson(self):
        """Printers of 9 pins and of 24, which print a page as a mesh of two."""
        for model, resolution, lines, feeds, count in (
                ("epson9", "60x72dpi", 72, 216, 3),
                ("epson9", "240x72dpi", 72, 216, 1),
                ("epson24", "180dpi", 180, 180, 1),
                ("epson24", "360x180dpi", 180, 180, 1),
                ("epson24", "360dpi", 360, 180, 1)):
            with self.subTest(model=model, resolution=resolution):
                pages, out = self.print_through(
                    "cups", model, f"Resolution={resolution}",
                    document=self.pdf if count == 1 else self.pdf3,
                    pages=count)
                self.assertEqual(epson.read_pages(out, lines, feeds),
                                 [dots_of(rows) for _, rows in pages])

    def test_sag_gdi(self):
        pages, out = self.print_through("sag-gdi", "rsp1000s", "media=A6",
                                        counts=False)
        (_, rows), = pages
        found, = sag_gdi.read_pages(out)
        self.assertEqual(dots_of(found), dots_of(rows))

    def test_rastertolabel(self):
        thermal = ("technology=thermal",)
        for model, read in (("zebra", labels.read_zpl),
                            ("zebracpl", labels.read_cpcl),
                            ("zebraep1", labels.read_epl1),
                            ("zebraep2", labels.read_epl2),
                            ("dymo", labels.read_dymo),
                            ("intelbar", labels.read_intellitech)):
            with self.subTest(model=model):
                pages, out = self.print_through("cups", model, recipe=thermal)
                found, (_, rows) = read(out)[0], pages[0]
                white = [bytes(len(rows[0]))] * (len(rows) - len(found))
                self.assertEqual(found + white, rows)

    def test_gutenprint(self):
        """Whatever its own dither is. It cuts the last row and the last column of
        some papers."""
        for model, *options in (
                ("pcl-4", "media=A5", "StpDitherAlgorithm=Ordered"),
                ("pcl-5", "media=A4", "StpDitherAlgorithm=Floyd"),
                ("pcl-2", "media=DL")):
            with self.subTest(model=model):
                ((header, rows),), out = self.print_through(
                    "gutenprint", model, *options)
                (width, found), = pcl.read_pages(out)
                self.assertIn(header["cupsWidth"] - width, (0, 1))
                self.assertLessEqual(len(found), len(rows))
                rows, rest = rows[:len(found)], rows[len(found) + 1:]
                self.assertFalse(any(map(any, rest)))
                shown = [self.first(row, width) for row in rows]
                self.assertEqual(dots_of(found), dots_of(shown))

    @staticmethod
    def first(row, dots):
        """The row without the dots after so many."""
        cut = max(8 * len(row) - dots, 0)
        whole = int.from_bytes(row, "big") >> cut << cut
        return whole.to_bytes(len(row), "big")

    def test_dymo(self):
        for model, halftoning in (("lw450", "ErrorDiffusion"),
                                  ("lw450", "Default"), ("lm450", "NLL")):
            with self.subTest(model=model, halftoning=halftoning):
                ((_, rows),), out = self.print_through(
                    "dymo", model, f"DymoHalftoning={halftoning}",
                    recipe=("technology=thermal",))
                self.assertEqual(labels.ink_of(dymo.read_rows(out)),
                                 labels.ink_of(rows))

    def test_splix(self):
        for model in ("ml1610", "1110"):  # which differ in how they compress
            with self.subTest(model=model):
                pages, out = self.print_through("splix", model, "media=A5")
                area = re.search(r"ImageableArea A5/A5: \"(\S+) (\S+)",
                                 self.ppd("splix", model).read_text())
                margins = tuple(map(float, area.groups()))
                self.assertEqual(qpdl.read_pages(out),
                                 [qpdl.bands_of(header, rows, margins)
                                  for header, rows in pages])

    def test_a_driver_gets_the_header_that_it_got(self):
        for driver, model in (("cups", "laserjet"), ("cups", "zebra"),
                              ("cups", "epson9"), ("brlaser", "br2030"),
                              ("splix", "ml1610"), ("splix", "1110")):
            with self.subTest(model=model):
                paper = [] if model in ("zebra", "epson9") else ["media=A5"]
                adopted = self.print(self.add(driver, model), self.pdf, *paper)
                (header, _), = self.bits(
                    adopted, 1, *["technology=thermal"] * (model == "zebra"))
                # Ghostscript's own bits, on their way to the driver.
                kept = self.folder / "kept.ppd"
                kept.write_text(re.sub(r'(\*cupsFilter: ".* )\w+"', r'\1keep"',
                                       self.ppd(driver, model).read_text()))
                self.cups.add_queue(f"kept-{model}", kept, "file:/dev/null")
                job = self.print(f"kept-{model}", self.pdf, *paper)
                (before, _), = cups_raster.read_pages(
                    (self.cups.out / f"{job}.kept").read_bytes())
                self.assertEqual(header, before)


if __name__ == "__main__":
    adopt_case.main()

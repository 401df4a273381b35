#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rastertohalftone in a real CUPS: the output for documents is bit for bit the
definition applied to the gray raster that the filter received.

Usage: filter_in_cups_test.py BUILD_FOLDER [unittest arguments]
"""

import os
import re
import subprocess

import cups_case
import cups_raster
import pcl
from cups_case import CupsCase
from private_cups import wait_until

CARD = "Custom.55x85mm"
SMALL = ["Resolution=300dpi", f"media={CARD}"]
GRAY = "<</cupsColorSpace 18/cupsBitsPerColor 8>>"


def colour(space, bits, more=""):
    number = cups_raster.SPACES[space]
    return (f"<</cupsColorSpace {number}/cupsBitsPerColor {bits}"
            f"/cupsColorOrder 0{more}>>")


class FilterInCups(CupsCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.jpeg = cls.document("jpeggray", "sample.jpg", "-r150")
        cls.png = cls.document("pnggray", "sample.png", "-r150")

    # What renderers send.

    def test_every_gray_space_and_depth(self):
        for base in ("htcups", "htpwg"):
            for space in ("W", "K", "SW"):
                for bits in (8, 16):
                    with self.subTest(base=base, space=space, bits=bits):
                        self.print_exactly(
                            base, self.pdf, SMALL,
                            [(GRAY, colour(space, bits))])

    def test_colors_become_their_luminance(self):
        for space in ("RGB", "SRGB", "CMYK"):
            with self.subTest(space=space):
                self.print_exactly("htcups", self.pdf, SMALL,
                                   [(GRAY, colour(space, 8))])

    def test_resolutions(self):
        for base, resolution, media in (
                ("htcups", "300dpi", "A4"), ("htcups", "600dpi", "A6"),
                ("htcups", "1200dpi", CARD), ("htcups", "1200x600dpi", CARD),
                ("htpwg", "300dpi", "Letter"), ("htpwg", "600dpi", "A6"),
                ("htpwg", "1200dpi", CARD)):
            with self.subTest(base=base, resolution=resolution):
                self.print_exactly(base, self.pdf,
                                   [f"Resolution={resolution}",
                                    f"media={media}"])

    def test_custom_sizes(self):
        for base in ("htcups", "htpwg"):
            for media in ("Custom.100x120mm", "Custom.90x301mm"):
                with self.subTest(base=base, media=media):
                    self.print_exactly(base, self.pdf,
                                       ["Resolution=300dpi",
                                        f"media={media}"])

    def test_pwg_pages_are_whole_sheets(self):
        _, pages = self.print_exactly("htpwg", self.pdf,
                                      ["Resolution=600dpi", "media=A4"])
        header = pages[0][0]
        self.assertEqual((header["cupsWidth"], header["cupsHeight"]),
                         (4960, 7015))
        self.assertEqual(header["cupsPageSizeName"], b"iso_a4_210x297mm")

    def test_many_pages_are_counted(self):
        for base in ("htcups", "htpwg"):
            with self.subTest(base=base):
                job, _ = self.print_exactly(base, self.pdf3, pages=3)
                self.assertEqual(self.pages_counted(job),
                                 ["PAGE: 1 1", "PAGE: 2 1", "PAGE: 3 1"])

    def test_pages_of_one_job_may_differ_in_size(self):
        sizes = [(417, 300, "SW", 8), (64, 1, "K", 8), (1, 77, "W", 16),
                 (1000, 513, "CMYK", 8)]
        raster = cups_raster.sync_word(3)
        for width, height, space, bits in sizes:
            header = cups_raster.page_header(width, height, space, bits,
                                             (300, 300))
            raster += cups_raster.pack_page(
                header, os.urandom(header["cupsBytesPerLine"] * height))
        path = self.made / "mixed.ras"
        path.write_bytes(raster)
        self.print_exactly(
            "htcups", path,
            ["document-format=application/vnd.cups-raster"],
            recipe=["black-point=0"], pages=4)

    def test_copies_that_the_printer_makes_are_passed_on_and_counted(self):
        job, pages = self.print_exactly("htcups", self.pdf, copies=2)
        self.assertEqual(pages[0][0]["NumCopies"], 2)
        self.assertEqual(self.pages_counted(job), ["PAGE: 1 2"])

    def test_a_raster_file_is_copied_by_the_filter(self):
        header = cups_raster.page_header(64, 5, NumCopies=1)
        path = self.made / "one.ras"
        path.write_bytes(cups_raster.sync_word(3) +
                         cups_raster.pack_page(header, bytes(64 * 5)))
        queue = self.add_queue("htcups", captured=False)
        job = self.assert_completes(
            queue, path, ["document-format=application/vnd.cups-raster"],
            copies=3)
        pages = cups_raster.read_pages(self.output(queue).read_bytes())
        self.assertEqual(pages, 3 * pages[:1])
        self.assertEqual(len(self.pages_counted(job)), 3)

    def test_the_back_of_a_sheet(self):
        for base in ("htcups", "htpwg"):
            for side in ("Normal", "Flipped", "Rotated", "ManualTumble"):
                for duplex in ("DuplexNoTumble", "DuplexTumble"):
                    with self.subTest(base=base, side=side, duplex=duplex):
                        self.print_exactly(
                            base, self.pdf3,
                            ["Resolution=300dpi", f"media={CARD}",
                             f"Duplex={duplex}"],
                            [('cupsBackSide: "Normal"',
                              f'cupsBackSide: "{side}"')],
                            (f"back-side={side}",), pages=3)

    def test_fields_of_the_driver_survive(self):
        more = ("/cupsCompression 5/cupsInteger0 7/cupsInteger10 11"
                "/cupsReal0 1.5/cupsString0(hello)/MediaType(Thick)")
        _, pages = self.print_exactly(
            "htcups", self.pdf,
            changes=[(GRAY, colour("SW", 8, more))])
        header = pages[0][0]
        self.assertEqual(
            [header[name] for name in ("cupsCompression", "cupsInteger0",
                                       "cupsInteger10", "cupsReal0",
                                       "cupsString0", "MediaType")],
            [5, 7, 11, 1.5, b"hello", b"Thick"])

    def test_pictures_through_imagetoraster(self):
        for picture in (self.jpeg, self.png):
            for base in ("htcups", "htpwg"):
                for scale in (50, 100):
                    with self.subTest(picture=picture.name, base=base,
                                      scale=scale):
                        job, _ = self.print_exactly(
                            base, picture,
                            ["Resolution=300dpi", "media=A6",
                             f"scaling={scale}"],
                            recipe=["black-point=0"])
                        log = "\n".join(self.cups.job_log(job))
                        self.assertIn("imagetoraster", log)

    # Settings of jobs and queues.

    def test_levels_and_gamma(self):
        for levels in ("2", "4", "8", "16"):
            with self.subTest(levels=levels):
                self.print_exactly(
                    "htcups", self.pdf,
                    [*SMALL, "halftone-gamma=1.8", f"halftone-levels={levels}"],
                    recipe=(f"levels={levels}", "gamma=1.8"))

    def test_types_of_halftone(self):
        # The dialog does not offer atkinson.
        for kind in ("fine", "best", "floyd-steinberg", "clustered", "bi-level",
                     "atkinson"):
            with self.subTest(kind=kind):
                self.print_exactly(
                    "htcups", self.pdf,
                    [*SMALL, f"halftone-type={kind}"],
                    recipe=(f"halftone-type={kind}",))
                self.print_exactly(
                    "htcups", self.pdf,
                    [*SMALL, f"halftone-type={kind}", "dot-gain=40", "text-edges=off"],
                    recipe=(f"halftone-type={kind}", "text-edges=off", *(
                        ["dot-gain=0"] if kind == "bi-level" else ["dot-gain=40"])))

    def test_tones_are_set_by_job_by_queue_and_for_all(self):
        default = "*DefaulthalftonedDotGain: "
        self.addCleanup(self.cups.conf.unlink)
        self.cups.conf.write_text("[filter]\nbrightness = 11\ndot-gain = 7\n"
                                  'text-edges = "off"\n')
        self.print_exactly(
            "htcups", self.pdf,
            [*SMALL, "toner-save=30", "halftone-contrast=-20"],
            [(default + "auto", default + "40")],
            ("toner-save=30", "contrast=-20", "dot-gain=40", "brightness=11",
             "text-edges=off"))
        job, _ = self.print_exactly(
            "htcups", self.pdf,
            [*SMALL, "dot-gain=much", "text-edges=crisp"],
            recipe=("dot-gain=7", "brightness=11", "text-edges=crisp"))
        self.assertIn("dot-gain of the job is ignored: it is not a number from "
                      "0 to 45", self.cups.job_log(job))

    def test_options_of_other_filters_are_not_ours(self):
        self.print_exactly("htcups", self.pdf,
                           [*SMALL, "brightness=50", "gamma=1500"])

    def test_black_text_of_cmyk_is_solid(self):
        source = self.made / "cmyk.ps"
        source.write_text("%!PS\n0 0 0 1 setcmykcolor\n"
                          "/Times-Roman findfont 24 scalefont setfont\n"
                          "40 300 moveto (Solid black) show\n"
                          "40 200 120 60 rectfill showpage\n")
        document = self.made / "cmyk.pdf"
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sPAPERSIZE=a6", "-sDEVICE=pdfwrite",
                        f"-sOutputFile={document}", source], check=True)
        queue = self.add_queue("htcups")
        job = self.assert_completes(queue, document,
                                    ["Resolution=600dpi", "media=A6"])
        gray = cups_raster.read_pages(
            (self.cups.out / f"{job}.gray").read_bytes())[0][1]
        header, bits = cups_raster.read_pages(
            self.output(queue).read_bytes())[0]
        self.assertEqual(self.assert_exact(queue, job), 1)
        # The renderer's black is none, and paper is all else.
        self.assertEqual(set(gray), {32, 255})
        width = header["cupsWidth"]
        for row in range(header["cupsHeight"]):
            light = gray[row * width:(row + 1) * width]
            ink = "".join("1" if a == 32 else "0" for a in light)
            line = bits[row * header["cupsBytesPerLine"]:]
            self.assertEqual(
                line[:(width + 7) // 8].hex(),
                int(ink.ljust((width + 7) // 8 * 8, "0"), 2).to_bytes(
                    (width + 7) // 8, "big").hex(), row)

    def test_every_engine_gives_the_same_bits(self):
        for engine in ("scalar", "auto"):
            for threads in ("1", "2", "5"):
                with self.subTest(engine=engine, threads=threads):
                    self.print_exactly(
                        "htcups", self.pdf,
                        ["Resolution=300dpi", "media=A6",
                         "halftone-type=floyd-steinberg", "text-edges=off",
                         f"halftone-engine={engine}",
                         f"halftone-threads={threads}"],
                        recipe=("halftone-type=floyd-steinberg", "text-edges=off"))

    def test_models_are_listed_and_print(self):
        models = self.cups.command("lpinfo", "-m").stdout
        for model, makes in (("htpwg", b"RaS2"), ("htcups", b"3SaR")):
            with self.subTest(model=model):
                source = f"drv:///halftoned.drv/{model}.ppd"
                self.assertIn(source, models)
                self.cups.add_queue_of_model(f"m-{model}", source,
                                             f"file:{self.output(model)}")
                self.assert_completes(f"m-{model}", self.pdf)
                out = self.output(model).read_bytes()
                self.assertEqual(out[:4], makes)
                self.assertEqual(len(cups_raster.read_pages(out)), 1)

    # How a job ends.

    def test_a_job_of_bad_raster_is_stopped_and_says_why(self):
        path = self.made / "bad.ras"
        header = cups_raster.page_header(64, 5, HWResolution0=0)
        path.write_bytes(cups_raster.sync_word(3) +
                         cups_raster.pack_page(header, bytes(64 * 5)))
        queue = self.add_queue("htcups")
        job = self.cups.print_file(
            queue, path, ["document-format=application/vnd.cups-raster"])
        self.assertEqual(self.cups.wait(job), "stopped")
        errors = [line for line in self.cups.job_log(job)
                  if line.startswith("cannot print")]
        self.assertEqual(errors, ["cannot print: page 1: resolution 0 is not "
                                  "in 1 … 19200 dpi"])

    def test_canceled_in_mid_page(self):
        queue = self.add_queue("htcups", uri="stuck:/")
        stuck = self.cups.out / "stuck"
        stuck.unlink(missing_ok=True)
        job = self.cups.print_file(queue, self.pdf,
                                   ["Resolution=600dpi", "media=A4"])
        wait_until(stuck.exists, "the printer is stuck")
        self.cups.cancel(job)
        self.assertEqual(self.cups.wait(job, 30), "canceled")

        def ended():
            return [line for line in self.cups.job_log(job)
                    if "/rastertohalftone) " in line]
        line = wait_until(ended, "the filter ends", 30)[0]
        # Not by cupsd's SIGKILL, which comes after JobKillDelay.
        self.assertIn("stopped with status 1", line)

    # In front of others.

    def test_a_driver_behind_gets_the_bits_and_counts_the_pages(self):
        drivers = self.cups.root / "drivers"
        subprocess.run(["ppdc", "-d", drivers,
                        "/usr/share/cups/drv/sample.drv"], check=True,
                       stdout=subprocess.DEVNULL)
        text = (drivers / "laserjet.ppd").read_text()
        text, count = re.subn(
            r'\*cupsFilter: *"application/vnd.cups-raster [0-9]+ rastertohp"',
            '*cupsFilter2: "application/x-halftoned-raster '
            'application/octet-stream 0 rastertohp"\n'
            '*halftonedOutput: "cups-raster"', text)
        self.assertEqual(count, 1)
        text, count = re.subn(r"cupsBitsPerColor 1\b", "cupsBitsPerColor 8",
                              text)
        ppd = self.made / "adopted.ppd"
        ppd.write_text(text)
        self.cups.add_queue("adopted", ppd, f"file:{self.output('adopted')}")
        job = self.assert_completes("adopted", self.pdf3,
                                    ["Resolution=300dpi"])
        log = "\n".join(self.cups.job_log(job))
        self.assertIn("/rastertohalftone (PID", log)
        self.assertEqual(self.pages_counted(job),
                         ["PAGE: 1 1", "PAGE: 2 1", "PAGE: 3 1"])
        self.assertEqual(self.printed_by_pcl(job, "adopted"), 3)

    def printed_by_pcl(self, job, queue):
        """A driver's output as the raster that it was given, exactly."""
        gray = cups_raster.read_pages(
            (self.cups.out / f"{job}.gray").read_bytes())
        printed = pcl.read_pages(self.output(queue).read_bytes())
        raster = cups_raster.sync_word(3)
        self.assertEqual(len(printed), len(gray))
        for (header, _), (width, rows) in zip(gray, printed):
            line = (header["cupsWidth"] + 7) // 8
            self.assertEqual(width, header["cupsWidth"])
            header = dict(header, cupsBitsPerColor=1, cupsBitsPerPixel=1,
                          cupsBytesPerLine=line, cupsColorSpace=3,
                          cupsNumColors=1)
            raster += cups_raster.pack_page(
                header, b"".join(rows).ljust(line * header["cupsHeight"],
                                             b"\0"))
        self.output(queue).write_bytes(raster)
        return self.assert_exact(queue, job)


if __name__ == "__main__":
    cups_case.main()

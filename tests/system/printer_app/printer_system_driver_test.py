#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Raster drivers of the system below halftone-printer-app: what a printer gets is
what rastertohalftone and the driver make with the same adopted PPD file, of the
same gray sheet. The header of the driver's page is that of CUPS' own renderer.

HALFTONE_ADOPT and RASTERTOHALFTONE are programs; application.py says what
else there is."""

import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

from kit import application as base
import cups_raster
from kit.ipp_client import GET_PRINTER, Client
from kit.server import until
from kit.web import Form

FILTERS = pathlib.Path("/usr/lib/cups/filter")
RENDERER = FILTERS / "gstoraster"
DRV = pathlib.Path("/usr/share/cups/drv")
# By name: its source, its PPD file, the driver, dpi, the paper, and what
# CUPS would say of the page.
MODELS = {
    "laserjet": ("sample.drv", "laserjet.ppd", "rastertohp", 300,
                 "iso_a4_210x297mm", "PageSize=A4 Resolution=300dpi"),
    "zebra": ("sample.drv", "zebra.ppd", "rastertolabel", 203,
              "na_index-4x6_4x6in", "PageSize=w288h432 Resolution=203dpi"),
    "brother": ("brlaser.drv", "br2030.ppd", "rastertobrlaser", 600,
                "iso_a4_210x297mm", "PageSize=A4 Resolution=600dpi"),
}
BLANK = (b"%!PS-Adobe-3.0\n%%Pages: 1\n%%EndComments\n%%Page: 1 1\nshowpage\n"
         b"%%EOF\n")
# By name: a job's options, and what CUPS would say.
CHOSEN = {
    "laserjet": (("media-source=upper", "sides=two-sided-short-edge",
                  "Option1=True"),
                 "InputSlot=Upper Duplex=DuplexTumble Option1=True"),
    "zebra": (("zeMediaTracking=Mark", "media-type=direct", "Darkness=20",
               "zePrintRate=4", "zeLabelTop=-30", "zePrintMode=Cutter",
               "zeTearOffPosition=25", "zeErrorReprint=Always"),
              "zeMediaTracking=Mark MediaType=Direct Darkness=20 zePrintRate=4 "
              "zeLabelTop=-30 zePrintMode=Cutter zeTearOffPosition=25 "
              "zeErrorReprint=Always"),
    "brother": (("media-source=tray-2", "media-type=env-thick",
                 "brlaserEconomode=True"),
                "InputSlot=Tray2 MediaType=ENV-THICK brlaserEconomode=True"),
}
LOOK = ("halftone-type=clustered", "halftone-black-point=32",
        "halftone-text-edges=off")
# Does not read its raster.
FAILS = """#!/bin/sh
echo "ERROR: no ribbon" >&2
exit 3
"""
# A warning: drivers of other tests use up the limit of lines at level info.
HANGS = """#!/bin/sh
head -c 100000 /dev/zero
exec sleep 1000
"""
# Leaves a process in a session of its own, which keeps the output open.
ESCAPES = """#!/bin/sh
setsid sh -c 'trap "" TERM; echo "WARNING: left $$" >&2; sleep 1000' &
exec sleep 1000
"""
# Ends before its output does, and leaves a process that prints nothing.
HURRIES = """#!/bin/sh
cat >/dev/null
setsid sh -c 'echo "WARNING: left $$" >&2; exec sleep 1000 >/dev/null' &
(sleep 0.3; echo late) &
echo early
"""


def gray_sheet(width, height):
    """Tones to the edges of the sheet."""
    line = bytes((x * 5 // 7) % 256 for x in range(width + 256))
    return b"".join(line[y // 100 * 9 % 256:][:width] for y in range(height))


def raster_of(pixels, width, height, dpi):
    header = cups_raster.page_header(width, height, "SW", dpi=(dpi, dpi),
                                     MediaClass=b"PwgRaster")
    return b"".join([cups_raster.sync_word(2, ">"), cups_raster.pack_header(header, 2, ">")]
                    + [cups_raster.pack_bits(pixels[at:at + width], 1)
                       for at in range(0, len(pixels), width)])


def run(words, data, **environment):
    return subprocess.run(words, input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True, timeout=60,
                          env=dict(os.environ, **environment)).stdout


def upside_down(rows, row_bytes, width):
    """Rows of bits from the last pixel to the first."""
    beyond = 8 * row_bytes - width
    return b"".join(
        (int(f"{int.from_bytes(rows[at:at + row_bytes], 'big') >> beyond:0{width}b}"
             [::-1], 2) << beyond).to_bytes(row_bytes, "big")
        for at in range(len(rows) - row_bytes, -1, -row_bytes))


def cropped(rows, row_bytes, left, top, width, height):
    """Part of rows of bits."""
    out, size = [], (width + 7) // 8
    for y in range(top, top + height):
        bits = int.from_bytes(rows[y * row_bytes:(y + 1) * row_bytes], "big")
        # Paper beyond the sheet's last column is white.
        bits = (bits << width) >> (8 * row_bytes - left)
        out.append(((bits & (1 << width) - 1) << (8 * size - width))
                   .to_bytes(size, "big"))
    return b"".join(out)


class SystemDriverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="system-drivers-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.here = pathlib.Path(cls.folder.name)
        # The application takes the folder that its base makes.
        (cls.here / "ppd").mkdir(mode=0o755)
        for name, (source, ppd, program, *_) in MODELS.items():
            if not (DRV / source).exists() or not (FILTERS / program).exists():
                continue
            subprocess.run(["ppdc", "-d", cls.here / "made", DRV / source],
                           check=True, capture_output=True)
            cls.adopt(cls.here / "made" / ppd, name)
        # The system's drivers, and some that do not do what they should.
        filters = cls.here / "filter"
        filters.mkdir(mode=0o755)
        for each in FILTERS.iterdir():
            (filters / each.name).symlink_to(each)
        os.environ["CUPS_SERVERBIN"] = str(cls.here)
        cls.addClassCleanup(os.environ.pop, "CUPS_SERVERBIN")
        adopted = (cls.here / "ppd" / "laserjet.ppd").read_text()
        for name, script in (("fails", FAILS), ("hangs", HANGS), ("foreign", FAILS),
                             ("escapes", ESCAPES), ("hurries", HURRIES)):
            program = filters / name
            program.write_text(script)
            program.chmod(0o777 if name == "foreign" else 0o755)
            (cls.here / "ppd" / f"{name}.ppd").write_text(
                adopted.replace(" rastertohp", f" {name}"))
        for name, program in (("elsewhere", "/usr/bin/tee"),
                              ("above", "../../bin/tee"),
                              ("far", f"{filters}/../../../usr/bin/tee")):
            (cls.here / "ppd" / f"{name}.ppd").write_text(
                adopted.replace(" rastertohp", f" {program}"))
        normal = '*cupsBackSide: "Normal"'
        assert normal in adopted
        (cls.here / "ppd" / "turned.ppd").write_text(
            adopted.replace(normal, '*cupsBackSide: "Rotated"'))
        a4 = '*PaperDimension A4/A4: "595 842"'
        assert a4 in adopted
        (cls.here / "ppd" / "wide.ppd").write_text(
            adopted.replace(a4, a4.replace("595", "1191")))
        (cls.here / "ppd" / "plain.ppd").write_bytes(
            (cls.here / "made" / "laserjet.ppd").read_bytes())
        base.ApplicationTest.setUpClass(cls.folder.name)
        cls.addClassCleanup(base.ApplicationTest.tearDownClass)
        cls.app = base.ApplicationTest("run_app")

    @classmethod
    def adopt(cls, ppd, name):
        subprocess.run([os.environ["HALFTONE_ADOPT"], "adopt", "--ppd", ppd,
                        cls.here / "ppd" / f"{name}.ppd"], check=True,
                       capture_output=True)

    def sheet(self, name):
        """Its size in dots, and what to submit."""
        dpi, paper = MODELS[name][3:5]
        size = paper.split("_")[-1]
        per_inch = 25.4 if size.endswith("mm") else 1
        width, height = (round(float(each) / per_inch * dpi)
                         for each in size.rstrip("min").split("x"))
        pixels = gray_sheet(width, height)
        return width, height, pixels, raster_of(pixels, width, height, dpi)

    def submit(self, name, raster, model=None, *options):
        dpi, paper = MODELS[model or name][3:5]
        self.app.submit(name, raster, f"media={paper}",
                        f"printer-resolution={dpi}dpi", *LOOK, *options)

    def bytes_of_chain(self, name, job, chosen, pages=(False,)):
        """What rastertohalftone and the driver make of the sheet, as many times as
        there are pages; of those that are True, upside down."""
        _, _, program, dpi, _, options = MODELS[name]
        options += " " + chosen
        ppd = str(self.here / "ppd" / f"{name}.ppd")
        words = (str(job), "anonymous", "print", "1", options + " " + " ".join(LOOK))
        width, height, pixels, _ = self.sheet(name)
        blank = run([RENDERER, *words], BLANK, PPD=ppd,
                    CONTENT_TYPE="application/postscript")
        (header, _), = cups_raster.read_pages(blank)
        whole = dict(header, cupsWidth=width, cupsHeight=height,
                     cupsBytesPerLine=width)
        dots = run([os.environ["RASTERTOHALFTONE"], *words],
                   cups_raster.sync_word(3)
                   + cups_raster.pack_page(whole, pixels), PPD=ppd)
        (made, rows), = cups_raster.read_pages(dots)
        left = round(header["cupsImagingBBox0"] * dpi / 72)
        top = round((header["cupsPageSize1"] - header["cupsImagingBBox3"])
                    * dpi / 72)
        row_bytes = made["cupsBytesPerLine"]
        made = dict(made, cupsWidth=header["cupsWidth"],
                    cupsHeight=header["cupsHeight"],
                    cupsBytesPerLine=(header["cupsWidth"] + 7) // 8)
        raster = cups_raster.sync_word(3)
        for is_turned in pages:
            sheet = upside_down(bytes(rows), row_bytes, width) if is_turned \
                else bytes(rows)
            raster += cups_raster.pack_page(made, cropped(
                sheet, row_bytes, left, top, made["cupsWidth"],
                made["cupsHeight"]))
        return run([FILTERS / program, *words], raster, PPD=ppd)

    def check(self, name):
        """Without options and with them."""
        if not (self.here / "ppd" / f"{name}.ppd").exists():
            self.skipTest(f"{MODELS[name][2]} is not installed")
        printer = self.app.add(name, "ppd-" + name)
        outputs = []
        for options, chosen in (((), ""), CHOSEN[name]):
            self.submit(name, self.sheet(name)[3], None, *options)
            outputs.append(printer.job(len(outputs)))
            expected = self.bytes_of_chain(name, len(outputs), chosen)
            self.assertGreater(len(expected), 10000)
            self.assertTrue(outputs[-1] == expected, options)
        self.assertNotEqual(*outputs)

    def test_rastertohp(self):
        self.check("laserjet")

    def test_rastertolabel(self):
        self.check("zebra")

    def test_rastertobrlaser(self):
        self.check("brother")

    def test_backs_are_turned(self):
        """Where the sheet is bound at the long edge alone."""
        printer = self.app.add("turned", "ppd-turned")
        sheet = self.sheet("laserjet")[3]
        for number, (sides, duplex, is_turned) in enumerate((
                ("two-sided-long-edge", "DuplexNoTumble", True),
                ("two-sided-short-edge", "DuplexTumble", False)), 1):
            self.submit("turned", sheet + 2 * sheet[4:], "laserjet",
                        f"sides={sides}", "Option1=True")
            self.assertTrue(printer.job(number - 1) == self.bytes_of_chain(
                "laserjet", number, f"Duplex={duplex} Option1=True",
                (False, is_turned, False)), sides)

    def test_clients_see_options_of_the_driver(self):
        self.app.add("seen", "ppd-zebra")
        _, groups = Client(self.app.server.port).say("seen", GET_PRINTER)
        seen = groups[1]
        for name, default, *others in (
                ("zeMediaTracking", b"Web", b"Continuous", b"Mark"),
                ("zeErrorReprint", b"Saved", b"Always", b"Never"),
                ("media-type", None, b"saved", b"thermal", b"direct")):
            self.assertEqual(sorted(seen[name + "-supported"]),
                             sorted(filter(None, [default, *others])))
            self.assertEqual(seen.get(name + "-default"),
                             default and [default])
            self.assertIn(name.encode() if default else b"media-col",
                          seen["job-creation-attributes-supported"])

    def test_web_pages_have_the_words_of_the_file(self):
        self.app.add("worded", "ppd-zebra")
        page = urllib.request.urlopen(
            f"http://localhost:{self.app.server.port}/worded/printing").read().decode()
        self.assertIn("<th>Media Tracking:</th>", page)
        texts = Form(page).texts
        self.assertEqual(texts["zeMediaTracking"]["Web"],
                         "Non-continuous (Web sensing)")
        self.assertEqual(texts["Darkness"]["-1"], "Printer Default")
        # Where PAPPL has words, they stay.
        self.assertEqual(texts["halftone-type"]["auto"], "Automatic")

    def test_papers_may_be_wide(self):
        printer = self.app.add("wide", "ppd-wide")
        size = 4961, 3508
        self.submit("wide", raster_of(gray_sheet(*size), *size, 300), "laserjet")
        self.assertGreater(len(printer.job(0)), 10000)

    def test_options_have_the_printer_s_defaults(self):
        """They are changed as PAPPL's own."""
        printer = self.app.add("changed", "ppd-zebra")
        self.app.run_app("modify", "-d", "changed", "-o", "zePrintMode=Peel")
        self.submit("changed", self.sheet("zebra")[3], "zebra")
        self.submit("changed", self.sheet("zebra")[3], "zebra",
                    "zePrintMode=Saved")
        self.assertIn(b"^MMP", printer.job(0))
        self.assertNotIn(b"^MM", printer.job(1))

    def test_choices_that_exclude_each_other_abort_the_job(self):
        printer = self.app.add("excludes", "ppd-laserjet")
        self.submit("excludes", self.sheet("laserjet")[3], "laserjet",
                    "media-source=envelope")
        self.app.wait_for_log("the printer cannot do InputSlot=Envelope "
                              "with PageSize=A4")
        self.submit("excludes", self.sheet("laserjet")[3], "laserjet",
                    "sides=two-sided-long-edge")
        self.app.wait_for_log("the printer cannot do Duplex=DuplexNoTumble "
                              "with Option1=False")
        # No driver has begun.
        self.assertEqual(printer.job(0) + printer.job(1), b"")

    def test_a_driver_that_fails_aborts_the_job(self):
        self.app.add("fails", "ppd-fails")
        self.submit("fails", self.sheet("laserjet")[3], "laserjet")
        self.app.wait_for_log("no ribbon")
        self.app.wait_for_log("the driver failed with status 3")
        self.app.wait_for_log("Aborted")

    def test_cancel_ends_the_driver(self):
        printer = self.app.add("hangs", "ppd-hangs")
        # The client is answered when the job has read its raster.
        client = threading.Thread(target=self.submit, args=(
            "hangs", self.sheet("laserjet")[3], "laserjet"))
        client.start()
        until(lambda: any(printer.streams))
        self.app.run_app("cancel", "-d", "hangs", "-a")
        self.assertEqual(printer.job(0), bytes(100000))
        client.join()
        self.app.wait_for_log("Canceled")

    def test_what_the_driver_has_started_ends_with_it(self):
        self.app.add("escapes", "ppd-escapes")
        client = threading.Thread(target=self.submit, args=(
            "escapes", self.sheet("laserjet")[3], "laserjet"))
        client.start()
        left = self.left(1)
        self.assertTrue(os.path.exists(f"/proc/{left}"))
        self.app.run_app("cancel", "-d", "escapes", "-a")
        client.join()
        self.wait_for_end(left)
        printer = self.app.add("hurries", "ppd-hurries")
        self.submit("hurries", self.sheet("laserjet")[3], "laserjet")
        self.assertEqual(printer.job(0), b"early\nlate\n")
        self.wait_for_end(self.left(2))

    def wait_for_end(self, process):
        for _ in range(100):
            if not os.path.exists(f"/proc/{process}"):
                return
            time.sleep(0.1)
        self.fail(f"process {process} does not end")

    def left(self, count):
        """The last of so many processes that drivers have left."""
        for _ in range(300):
            found = re.findall(r"WARNING: left (\d+)", self.app.server.log_text())
            if len(found) == count:
                return int(found[-1])
            time.sleep(0.1)
        self.fail(f"{len(found)} processes are left")

    def test_a_file_that_is_not_adopted_is_no_driver(self):
        drivers = self.app.run_app("drivers")
        self.assertIn("ppd-laserjet", drivers)
        self.assertNotIn("ppd-plain", drivers)

    def test_a_program_that_others_can_change_is_no_driver(self):
        self.assertNotIn("ppd-foreign", self.app.run_app("drivers"))

    def test_other_programs_are_no_drivers(self):
        drivers = self.app.run_app("drivers")
        for name in ("elsewhere", "above", "far"):
            self.assertNotIn(f"ppd-{name}", drivers)


if __name__ == "__main__":
    unittest.main()

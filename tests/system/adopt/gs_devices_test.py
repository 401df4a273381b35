#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ghostscript's devices that we admit print our dots, each of them, as they are.

For each device and each resolution that models in foomatic-db ask of it:

- A page of our dots is, byte for byte, what the device prints of a document that
  paints the same dots one by one on the device's own grid. A device that scaled,
  moved, smoothed or halftoned our page would print another one.
- Pages that differ in one dot, in all phases of bytes and pins, and in noise,
  solid black, white and a checkerboard, are all printed differently: the device
  leaves out no dot and joins none. (Not at the finest resolutions.)
- Where we can read the device's language, the dots are those of the page.

Usage: gs_devices_test.py BUILD_FOLDER [unittest arguments]
"""

import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import tempfile

import adopt_case
import epson
import foomatic
import pxl
from adopt_case import SOURCE, AdoptCase
from labels import ink_of

import cups_raster
import pcl

WIDTH, HEIGHT = 128, 240
# In points; lj5mono sends what nothing has written behind rows whose bits do not
# fill 8 bytes.
PAPER = 307.2, 420
# Beside the device's own.
RESOLUTIONS = {
    "ap3250": "180x180 360x180",
    "bj10e": "180x180 180x360 360x180",
    "bj200": "180x180 180x360 360x180",
    "deskjet": "75x75 150x150",
    "djet500": "75x75 150x150",
    "eps9high": "60x180 60x216 120x180 120x216 240x180",
    "epson": "60x60 60x216 120x60 120x216 180x180 240x60 240x216 360x180",
    "escpage": "600x600",
    "gdi": "300x300",
    "hl1250": "75x75 150x150 300x300 600x600 2400x600",
    "ibmpro": "60x72 120x72",
    "imagen": "75x75 150x150",
    "laserjet": "75x75 150x150",
    "lbp310": "300x300",
    "lbp320": "300x300",
    "lips4": "300x300 1200x1200",
    "lj5mono": "300x300 1200x600 1200x1200",
    "ljet2p": "75x75 150x150 600x600",
    "ljet3": "75x75 150x150",
    "ljet3d": "75x75 150x150",
    "ljet4": "75x75 150x150 300x300 1200x600 2400x600 1200x1200",
    "ljet4d": "75x75 150x150 300x300 2400x600",
    "ljetplus": "75x75 150x150",
    "lp2000": "240x240",
    "lp2563": "75x75 150x150",
    "ml600": "300x300 600x1200",
    "npdl": "400x400 600x600",
    "oce9050": "75x75 150x150 300x300",
    "oki182": "144x144",
    "oki4w": "150x150 600x600",
    "okiibm": "60x72 60x144 120x144 240x72 240x144",
    "pbmraw": "300x300",
    "pxlmono": "300x300 1200x600 1200x1200",
    "rpdl": "400x400 600x600",
    "sj48": "180x180 180x360 360x180",
}
# Hundreds of pages would take minutes.
FINEST = "1200x1200", "2400x600"
# These lose dots, or move them (m8510), which shows that the test finds it.
LOSING = "eps9mid", "lq850", "m8510", "necp6"
# Do not print a bitmap, or put words of their own before it.
NOT_COMPARED = "cups", "pxlmono"
# Leaves out all that is white above a page.
MOVES_UP = "oce9050"


def read_cups(data):
    (header, rows), = cups_raster.read_pages(data)
    line = header["cupsBytesPerLine"]
    return [rows[at:at + line] for at in range(0, len(rows), line)]


def read_plain_pbm(data):
    _, size, dots = re.sub(rb"#.*\n", b"", data).split(b"\n", 2)
    dots, width = b"".join(dots.split()).decode(), int(size.split()[0])
    return [int(dots[at:at + width], 2).to_bytes((width + 7) // 8, "big")
            for at in range(0, len(dots), width)]


def read_epson(data):
    """24 pins in the modes from 32 on, else 9."""
    has_more = re.search(rb"\x1b\*[^\0-\x1f]", data)
    lines, feeds = (180, 180) if has_more else (72, 216)
    return epson.read_pages(data, lines, feeds)[0]


# Languages that we read, to the rows of a page.
READERS = {
    **dict.fromkeys(
        "deskjet djet500 hl1240 hl1250 laserjet ljet2p ljet3 ljet3d ljet4 ljet4d "
        "ljet4pjl ljetplus lp2563 oce9050".split(),
        lambda data: pcl.read_pages(data, 8 * 2000)[0][1]),
    "lj5mono": lambda data: pxl.read_pages(data)[0][1],
    "pxlmono": lambda data: pxl.read_pages(data)[0][1],
    "epson": read_epson,
    "eps9high": lambda data: epson.read_pages(data, 216, 216, pitch=3)[0],
    "ibmpro": read_epson,
    "okiibm": lambda data: epson.read_pages(data, 72, 216)[0],
    "cups": read_cups,
    "pbm": read_plain_pbm,
    "pbmraw": lambda data: foomatic.read_pbm(data)[0][1],
}
# A compression of Brother's; rows that are not a whole number of steps apart.
NOT_READ = {("hl1250", ""), *(("okiibm", f"{across}x144")
                              for across in (60, 120, 240))}


def make_picture(seed=1):
    """Rows of 0 and 1: noise; black, white and a checkerboard; then single dots
    with more and more white rows between."""
    dice = random.Random(seed)
    lonely = {96 + gap * (gap + 1) // 2 for gap in range(11)} | {HEIGHT - 1}

    def dot(x, y):
        if y < 48:
            return int(dice.random() < 0.4)
        if y < 96:
            return 1 if x < 40 else 0 if x < 80 else (x + y) % 2
        return int(y in lonely and x == y % WIDTH)
    return [[dot(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]


def make_flips(seed=2):
    """Dots in all phases of 8 columns and 24 rows in noise, and of 8 and 8 in
    black, white and the checkerboard; then one in each row below, and in every
    third column of the last row."""
    dice = random.Random(seed)
    flips = [(8 * dice.randrange(WIDTH // 8) + phase % 8,
              24 * dice.randrange(2) + phase // 8) for phase in range(192)]
    for left in 0, 40, 80:
        flips += [(left + 8 * dice.randrange(5) + phase % 8,
                   48 + 8 * dice.randrange(6) + phase // 8)
                  for phase in range(64)]
    flips += [(WIDTH // 2, y) for y in range(96, HEIGHT - 1)]
    return flips + [(x, HEIGHT - 1) for x in range(0, WIDTH, 3)]


PICTURE, FLIPS = make_picture(), make_flips()
PICTURE_INK = ["".join(map(str, row)).rstrip("0") for row in PICTURE]

# One unit is a dot; the picture begins 1.5 inches from the sheet's corner, beyond
# the margins of all devices.
PROLOG = f"""\
%!PS
currentpagedevice /HWResolution get aload pop /down exch def /across exch def
/place {{ initmatrix 0 {PAPER[1]} transform round down 1.5 mul round add exch
  round across 1.5 mul round add exch [1 0 0 1 7 -2 roll] setmatrix }} def
/dot {{ setgray 1 1 rectfill }} def
"""


def document():
    """The picture, painted dot by dot."""
    ink = [f"{x} {y} 0 dot" for y, row in enumerate(PICTURE)
           for x, bit in enumerate(row) if bit]
    return "\n".join([PROLOG, "place", *ink, "showpage"])


def variants():
    """The picture four times, then with each dot of FLIPS the other way, then
    moved by a dot to the right, and down."""
    data = b"".join(int("".join(map(str, row)), 2).to_bytes(WIDTH // 8, "big")
                    for row in PICTURE).hex()
    pages = [""] * 4 + [f"{x} {y} {PICTURE[y][x]} dot" for x, y in FLIPS]
    return "\n".join(
        [PROLOG, f"/picture <{data}> def",
         "<< /Duplex false >> setpagedevice",
         "/base { place translate 0 setgray "
         f"{WIDTH} {HEIGHT} true [1 0 0 1 0 0] {{ picture }} imagemask }} def",
         *(f"0 0 base {page} showpage" for page in pages),
         "1 0 base showpage 0 1 base showpage"])


class GhostscriptDevices(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        driver, adopted = cls.folder / "driver.ppd", cls.folder / "adopted.ppd"
        driver.write_text(foomatic.ppd("ljet4", foomatic.device("ljet4")))
        assert cls.halftone("adopt", "--ppd", driver, adopted).returncode == 0
        stand_in = cls.folder / "stand-in"
        stand_in.mkdir()
        (stand_in / "gs").symlink_to(cls.build / "filter/halftone-rip")
        cls.ours = dict(os.environ, PPD=str(adopted),
                        PATH=f"{stand_in}:{os.environ['PATH']}")
        (cls.folder / "document.ps").write_text(document())
        (cls.folder / "variants.ps").write_text(variants())
        source = (SOURCE / "print/render/devices.cc").read_text()
        known = subprocess.run(["gs", "-h"], stdout=subprocess.PIPE,
                               text=True).stdout.split()
        cls.admitted = set(re.findall(r'{"(\w+)",\s*"\d+x\d+"}', source))
        cls.admitted &= set(known)
        assert len(cls.admitted) > 50
        cls.losing = set(LOSING) & set(known)
        # By device: the one that prints in its place.
        cls.siblings = dict(re.findall(
            r'{"(\w+)",\s*"(\w+)",\s*(?:true|false)}', source))
        assert cls.siblings

    def ghostscript(self, device, resolution, output, program, **options):
        words = ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dNOINTERPOLATE",
                 f"-dDEVICEWIDTHPOINTS={PAPER[0]}",
                 f"-dDEVICEHEIGHTPOINTS={PAPER[1]}", f"-sDEVICE={device}",
                 *([f"-r{resolution}"] if resolution else []),
                 f"-sOutputFile={output}", self.folder / program]
        run = subprocess.run(["gs", *words], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, **options)
        self.assertEqual(run.returncode, 0, run.stderr[-2000:])
        return run.stdout

    def for_each(self, check, devices):
        """Calls `check` with all devices that are here, and resolutions."""
        work = [(device, resolution) for device in sorted(devices)
                for resolution in ["", *RESOLUTIONS.get(device, "").split()]]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            done = [(way, pool.submit(check, *way)) for way in work]
            for (device, resolution), result in done:
                with self.subTest(device, resolution=resolution):
                    result.result()

    def test_pages_of_our_dots_are_those_of_a_document_of_dots(self):
        def check(device, resolution):
            theirs = self.ghostscript(self.siblings.get(device, device),
                                      resolution, "-", "document.ps")
            ours = self.ghostscript(device, resolution, "-", "document.ps",
                                    env=self.ours)
            self.assertEqual(ours, theirs)
        self.for_each(check, {*self.admitted, *self.siblings} -
                      set(NOT_COMPARED))

    def test_the_dots_are_read_back(self):
        def check(device, resolution):
            if (device, resolution) in NOT_READ:
                return
            rows = READERS[device](self.ghostscript(
                device, resolution, "-", "document.ps", env=self.ours))
            self.assertEqual(ink_of(rows), PICTURE_INK)
        self.for_each(check, set(READERS) & self.admitted)

    def lost(self, device, resolution=""):
        """How many of the variants are printed like another page."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            self.ghostscript(device, resolution, f"{folder}/%04d", "variants.ps")
            # The first has the job's beginning; more than the pages its end.
            pages = [path.read_bytes() for path in
                     sorted(pathlib.Path(folder).iterdir())[1:len(FLIPS) + 6]]
        self.assertEqual(len(pages), len(FLIPS) + 5)
        self.assertEqual(pages[1], pages[0])
        self.assertEqual(pages[2], pages[0])
        return len(pages) - len(set(pages)) - 2

    def test_every_dot_is_printed(self):
        def check(device, resolution):
            if resolution not in FINEST:
                self.assertEqual(self.lost(device, resolution),
                                 int(device == MOVES_UP))
        self.for_each(check, self.admitted)

    def test_devices_that_lose_dots_are_found_out(self):
        for device in self.losing:
            with self.subTest(device):
                self.assertNotIn(device, self.admitted)
                self.assertGreater(self.lost(device), 20)


if __name__ == "__main__":
    adopt_case.main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gutenprint's EvenTone, through its CUPS filter, for an HP LaserJet 4.

    gutenprint.py IN.pgm OUT.pbm     prints the filter's seconds

The filter gets raster of the printer's whole imageable area at 600 dpi (which
it takes for granted only if cupsCompression says so too, as its PPD has it),
white around the page, and no correction of color; of the PCL that comes out
the rows are read back. Its options come from the PPD, whose defaults are
changed here."""

import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import pages

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tests/system/cups"))
import cups_raster  # noqa: E402
import pcl  # noqa: E402

DRIVER = "/usr/lib/cups/driver/gutenprint.5.3"
FILTER = "/usr/lib/cups/filter/rastertogutenprint.5.3"
MODEL = "gutenprint.5.3://pcl-4/expert"
# A4's imageable area: 18 … 577 and 12 … 830 points.
WIDTH, HEIGHT = (577 - 18) * 600 // 72, (830 - 12) * 600 // 72
CHOICES = {"StpDitherAlgorithm": "EvenTone", "StpColorCorrection": "Raw",
           "StpImageType": "None", "Resolution": "600dpi", "PageSize": "A4",
           "PageRegion": "A4", "StpQuality": "None"}


def write_ppd(path):
    ppd = subprocess.run([DRIVER, "cat", MODEL], check=True,
                         stdout=subprocess.PIPE).stdout.decode("latin-1")
    for option, choice in CHOICES.items():
        ppd = re.sub(r"(?m)^\*Default%s:.*$" % option,
                     "*Default%s: %s" % (option, choice), ppd)
    with open(path, "w", encoding="latin-1") as file:
        file.write(ppd)


def write_raster(path, gray):
    page = np.full((HEIGHT, WIDTH), 255, np.uint8)
    height, width = min(HEIGHT, gray.shape[0]), min(WIDTH, gray.shape[1])
    page[:height, :width] = gray[:height, :width]
    header = cups_raster.page_header(
        WIDTH, HEIGHT, space="W", cupsCompression=4, cupsRowFeed=1,
        PageSize0=595, PageSize1=842, ImagingBoundingBox0=18,
        ImagingBoundingBox1=12, ImagingBoundingBox2=577,
        ImagingBoundingBox3=830, cupsPageSize0=595.0, cupsPageSize1=842.0,
        cupsImagingBBox0=18.0, cupsImagingBBox1=12.0, cupsImagingBBox2=577.0,
        cupsImagingBBox3=830.0, NumCopies=1, cupsPageSizeName=b"A4")
    with open(path, "wb") as file:
        file.write(cups_raster.sync_word(3))
        file.write(cups_raster.pack_header(header))
        file.write(page.tobytes())
    return height, width


def main():
    source, target = sys.argv[1:]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        ppd, raster, printed = (os.path.join(folder, name)
                                for name in ("ppd", "raster", "pcl"))
        write_ppd(ppd)
        height, width = write_raster(raster, pages.read_gray(source))
        with open(raster, "rb") as page, open(printed, "wb") as out:
            begun = time.perf_counter()
            subprocess.run([FILTER, "1", "user", "page", "1", ""], stdin=page,
                           stdout=out, stderr=subprocess.DEVNULL, check=True,
                           env=dict(os.environ, PPD=ppd))
            seconds = time.perf_counter() - begun
        with open(printed, "rb") as file:
            (_, rows), = pcl.read_pages(file.read())
    ink = np.zeros((HEIGHT, (WIDTH + 7) // 8), np.uint8)
    for i, row in enumerate(rows[:HEIGHT]):
        ink[i] = np.frombuffer(row, np.uint8)
    dots = 1 - np.unpackbits(ink, axis=1)[:height, :width]
    pages.write_dots(target, dots)
    print(seconds)


if __name__ == "__main__":
    main()

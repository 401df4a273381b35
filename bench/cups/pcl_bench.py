#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How large and how quick the printer application's PCL 5e is beside that of CUPS'
rastertohp: the same bits of A4 pages at 600 dpi through both.

rastertohp writes rows as they are with laserjet.ppd, which asks for no compression,
and PackBits where a page's header asks for it; both are shown. Bytes are exact; times
are medians of processor time from a file in memory to /dev/null.

    bench/cups/pcl_bench.py [--runs N]    needs the targets pcl_encode and
                                          halftone_shared
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import chains
import cups_raster
import documents
import numpy
import pcl
from chains import record

PARSER = record.parser(__doc__)
PARSER.add_argument("--runs", type=int, default=7)
GIVEN = PARSER.parse_args()
os.environ.setdefault("LIBHALFTONE",
                      str(GIVEN.build / "engine/library/libhalftone.so"))
sys.path.append(str(record.ROOT / "packaging/python"))
import halftoned  # noqa: E402

TYPES = ("fine", "clustered", "screen")
PAGES = ("text", "mixed", "photo")


def gray_page(document, folder):
    """Width and samples of its first page."""
    pdf, page = folder / "page.pdf", folder / "page.pgm"
    pdf.write_bytes(document)
    chains.ghostscript(pdf, page, "pgmraw", "-dTextAlphaBits=4",
                       "-dGraphicsAlphaBits=4", "-dLastPage=1")
    data = page.read_bytes()
    width, height = map(int, re.search(rb"(\d+) (\d+)\s255\s", data).groups())
    return width, data[-width * height:]


def ink_of(width, gray, halftone_type):
    recipe = halftoned.Recipe(halftone_type=halftone_type, dpi=600, tone_aim="display",
                              text_edges="soft")
    ink = ~recipe.halftone(numpy.frombuffer(gray, numpy.uint8).reshape(-1, width))
    if width % 8:
        ink[:, -1] &= 0xff00 >> width % 8 & 0xff
    return ink.tobytes()


def write_raster(path, width, ink, compression):
    size = (width + 7) // 8
    path.write_bytes(
        cups_raster.sync_word(3) + cups_raster.pack_header(
            cups_raster.page_header(
                width, len(ink) // size, "K", bits=1, cupsBytesPerLine=size,
                cupsCompression=compression, NumCopies=1,
                PageSize0=595, PageSize1=842)) + ink)


def compare(name, width, ink, folder):
    plain, packed = folder / "plain", folder / "packed"
    write_raster(plain, width, ink, 0)
    write_raster(packed, width, ink, 2)
    hp = [chains.FILTERS / "rastertohp", "1", "user", "title", "1", ""]
    cases = {"ours": ([GIVEN.build / "bench/pcl_encode"], plain),
             "rastertohp": (hp, plain), "PackBits": (hp, packed)}
    ppd = str(folder / "laserjet.ppd")
    sizes, times = {}, {}
    for case, (words, source) in cases.items():
        with open(source, "rb") as raster:
            made = subprocess.run(words, stdin=raster, check=True,
                                  stdout=subprocess.PIPE, env={"PPD": ppd},
                                  stderr=subprocess.DEVNULL).stdout
        sizes[case] = len(made)
        if case == "ours":
            check_rows(made, width, ink)
        times[case] = 1e3 * statistics.median(
            chains.spend(words, source, PPD=ppd)[1] for _ in range(GIVEN.runs))
    print(f"| {name} | " + " | ".join(
        f"{size:,}" for size in sizes.values()) +
        f" | {sizes['ours'] / sizes['PackBits']:.3f} | " + " | ".join(
            f"{each:.0f}" for each in times.values()) + " |", flush=True)


def check_rows(made, width, ink):
    size = (width + 7) // 8
    (wide, rows), = pcl.read_pages(made)
    skip = size - wide // 8
    for number, row in enumerate(rows):
        assert row == ink[number * size + skip:(number + 1) * size], number
    assert not any(ink[len(rows) * size:])


def main():
    print("| page | ours, bytes | rastertohp | its PackBits | ours to "
          "PackBits | ours, ms | rastertohp | its PackBits |\n|---|" + "---:|" * 7)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        chains.compiled(folder, chains.DRV / "sample.drv")
        for page in PAGES:
            width, gray = gray_page(getattr(documents, page)(), folder)
            for kind in TYPES:
                compare(f"{page}, `{kind}`", width,
                        ink_of(width, gray, kind), folder)


if __name__ == "__main__":
    main()

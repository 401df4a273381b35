#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of what drivers that halftone for themselves print, before and after
adoption: each dot that the printer gets, 2 x 2 screen pixels.

    bench/pictures/adopted_pictures.py [--save FOLDER]

Makes gutenprint.png (pcl-5 at 600 dpi) and dymo.png (LabelWriter 450 at 300 dpi): left
before, right after; a piece of tests/system/cups/sample.ps, and of a label with a wedge.
Needs the targets halftone, halftone-adopt and rastertohalftone, and the Debian packages
printer-driver-gutenprint, printer-driver-dymo, cups-filters and python3-pil.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(SOURCE / "bench/cups"), str(SOURCE / "tests/system/adopt")]
import chains  # noqa: E402
import dymo  # noqa: E402
import jobs_bench  # noqa: E402
import pcl  # noqa: E402
from chains import record  # noqa: E402

SCALE, GAP = 2, 8  # screen pixels
SIZE = 208, 240    # dots of a piece
LABEL = """%!PS
<</PageSize [167 288]>> setpagedevice
0 1 99 {dup 100 div setgray 30 exch 1.5 mul 60 add 100 1.5 rectfill} for
0 setgray /Helvetica findfont 20 scalefont setfont 30 30 moveto (Label) show
showpage
"""
# A printer of jobs_bench, how to read it, and the corner of the piece in dots.
PICTURES = {
    "gutenprint": ("Gutenprint", lambda data: pcl.read_pages(data)[0][1],
                   (2200, 1700)),
    "dymo": ("DYMO", dymo.read_rows, (170, 500)),
}


def document(folder, name):
    source = SOURCE / "tests/system/cups/sample.ps"
    if name == "dymo":
        source = folder / "label.ps"
        source.write_text(LABEL)
    pdf = folder / f"{name}.pdf"
    chains.ghostscript(source, pdf, "pdfwrite", "-dLastPage=1", dpi=720)
    return pdf


def print_through(chain, pdf):
    data = pdf.read_bytes()
    for program in chain.programs:
        data = subprocess.run(
            [program, *chain.words], input=data, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=chain.environment).stdout
    return data


def piece(rows, corner):
    left, top = corner
    picture = Image.new("1", SIZE, 1)
    for y, row in enumerate(rows[top:top + SIZE[1]]):
        dots = f"{int.from_bytes(row, 'big'):0{8 * len(row)}b}" if row else ""
        for x, dot in enumerate(dots[left:left + SIZE[0]]):
            picture.putpixel((x, y), dot == "0")
    return picture.resize((SIZE[0] * SCALE, SIZE[1] * SCALE))


def main():
    arguments = record.parser(__doc__).parse_args()
    out = arguments.save or SOURCE / "bench/results/pictures"
    printers = {printer[0]: printer[1:] for printer in jobs_bench.PRINTERS}
    for name, (printer, read, corner) in PICTURES.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            pdf = document(folder, name)
            ways = jobs_bench.all_chains(arguments.build, folder, *printers[printer])
            both = Image.new("1", (2 * SIZE[0] * SCALE + GAP, SIZE[1] * SCALE), 1)
            for place, when in enumerate(("before", "adopted")):
                rows = read(print_through(ways[when], pdf))
                both.paste(piece(rows, corner),
                           (place * (SIZE[0] * SCALE + GAP), 0))
            both.save(out / f"{name}.png", optimize=True)
            print(out / f"{name}.png", os.path.getsize(out / f"{name}.png"), "bytes")


if __name__ == "__main__":
    main()

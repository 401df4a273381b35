# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages that are halftoned and printed, as gray at any resolution: 0 is black.

Sizes are in 1/600 inch. RAMPS and PHOTOGRAPHS have those for tuning and those for
judging; flats have every code. Photographs for judging are those of collection.py,
where they are installed."""

import functools
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

import pages

FLAT = 432, 352            # rows, columns
FLAT_MARGIN = 64, 16, 16   # above, below, beside: not looked at
LIGHT_FILLS = 254, 253, 252, 251, 250, 248, 246, 242, 236, 230, 220, 204, 187, 170, 150
FILL = 160, 384
FILL_AT = 24               # the first row of a fill
RAMPS = {"tuning": ((60, 95), (110, 145)),
         "judging": ((70, 90), (118, 137), (176, 196), (230, 252))}
RAMP = 384, 1024
LINE_CODES = 51, 102, 153, 204
LINE_WIDTHS = 1, 2, 3, 4, 6
LINE_LENGTH, LINE_APART, LINE_SLANT = 320, 48, 1 / 8
DIRECTIONS = "vertical", "horizontal", "slanted"
TEXT_CODE = 51
TEXT_POINTS = 6, 7, 8
PHOTOGRAPH = 768, 1024
TEXT = """%%!
<< /PageSize [132 %(height)f] >> setpagedevice
%(ground)f setgray 0 0 132 %(height)f rectfill %(ink)f setgray
/%(font)s findfont %(points)d scalefont setfont
0 1 2 { /i exch def 5 %(height)f 4 sub i 1 add %(points)d 1.2 mul mul sub moveto
  [(Hamburgefonstiv 0123456789 and) (the quick brown fox jumps over)
   (3333 %%&@ Waltz, nymph, jig vex)] i get show } for showpage
"""


def scaled(length, dots_per_inch):
    return length * dots_per_inch // 600


def flat(code, dots_per_inch):
    return np.full([scaled(side, dots_per_inch) for side in FLAT], code, np.uint8)


def fill(code, dots_per_inch):
    page = np.full([scaled(side, dots_per_inch) for side in FILL], 255, np.uint8)
    page[scaled(FILL_AT, dots_per_inch):] = code
    return page


def ramp(first, last, dots_per_inch):
    """Across, each code as wide as the others."""
    rows, columns = (scaled(side, dots_per_inch) for side in RAMP)
    codes = first + np.arange(columns) * (last - first + 1) // columns
    return np.tile(codes.astype(np.uint8), (rows, 1))


def line_places():
    """The middle of each line on its first row, without slant, by its width."""
    return {width: LINE_APART // 2 + n * LINE_APART + width / 2
            for n, width in enumerate(LINE_WIDTHS)}


def lines(code, direction, dots_per_inch):
    """Lines of all widths, without smoothing: a pixel is gray if its middle is."""
    scale = dots_per_inch / 600
    columns = LINE_APART * len(LINE_WIDTHS) + (
        int(LINE_LENGTH * LINE_SLANT) if direction == "slanted" else 0)
    y, x = ((np.arange(round(length * scale)) + 0.5) / scale
            for length in (LINE_LENGTH, columns // 2 * 2))
    across = x[None, :] - y[:, None] * (LINE_SLANT if direction == "slanted" else 0)
    page = np.full(across.shape, 255, np.uint8)
    for width, middle in line_places().items():
        away = across - middle
        page[(away >= -width / 2) & (away < width / 2)] = code
    return np.ascontiguousarray(page.T) if direction == "horizontal" else page


@functools.lru_cache(maxsize=32)
def text(points, dots_per_inch, ink=TEXT_CODE, ground=255, font="Helvetica"):
    """Three lines, as Ghostscript renders them."""
    height = math.ceil(points * 4.8 + 4) // 3 * 3  # whole 1/24 inch: even rows
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        path, out = pathlib.Path(name, "text.ps"), pathlib.Path(name, "text.pgm")
        path.write_text(TEXT % {
            "height": height, "points": points, "font": font,
            "ink": ink / 255, "ground": ground / 255}, encoding="ascii")
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        f"-r{dots_per_inch}", "-sDEVICE=pgmraw",
                        f"-sOutputFile={out}", path], check=True)
        return np.asarray(Image.open(out))


def made_photograph():
    """Soft shapes, grain and edges: for tuning, and where no other is installed."""
    page = pages.photo(1024, 960)
    return page[:PHOTOGRAPH[0]]


def photograph_files():
    """Those for judging; ends the program where they are not installed."""
    import collection
    for path in (*(collection.NATURE / f"{name}.jpg" for name in
                   ("LadyBird", "Dune", "Storm", "Wood")),
                 *(collection.LOMIRI / f"{name}.jpg" for name in
                   ("Bridge_by_Sander_Klootwijk", "Wine_by_Jakkub_Mede"))):
        if not path.exists():  # a mean of others would compare with nothing
            sys.exit(f"{path} is missing: install mate-backgrounds and "
                     "lomiri-wallpapers-16.04")
        yield path


def photographs(use):
    """Names and gray of 600 dpi, one by one."""
    if use == "tuning":
        yield "made", made_photograph()
        return
    import collection
    for path in photograph_files():
        gray = collection.background(path)
        top, left = ((side - part) // 2 for side, part in zip(gray.shape, PHOTOGRAPH))
        yield path.stem.split("_by_")[0], gray[top:top + PHOTOGRAPH[0],
                                               left:left + PHOTOGRAPH[1]]


def at_resolution(gray, dots_per_inch):
    """A photograph of 600 dpi at another resolution, as large on paper."""
    rows, columns = (scaled(side, dots_per_inch) for side in gray.shape)
    image = Image.fromarray(np.ascontiguousarray(gray))
    return np.asarray(image.resize((columns, rows), Image.BICUBIC))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages and photographs on which halftones are judged, as gray at 600 dpi.
None of them was used to find a table of `fine` or `best`.

Photographs are those of Debian's mate-backgrounds (GPL-2+; by Charles Barbin,
Marco Cogoni, Hylke Bons, Sergey Nazarov and Jean-François Fortin Tam), a pixel
a dot, and the one in python3-scipy (public domain), a pixel three dots. More are
those of lomiri-wallpapers-16.04 (CC0, CC-BY and CC-BY-SA; its copyright file names
the authors), a pixel a dot."""

import pathlib
import subprocess
import warnings

import numpy as np
from PIL import Image
from scipy import ndimage

import pages

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "tests/system/cups/sample.ps"
TEST_PAGE = pathlib.Path("/usr/share/cups/data/default-testpage.pdf")
LOMIRI = pathlib.Path("/usr/share/backgrounds")
NATURE = pathlib.Path("/usr/share/backgrounds/mate/nature")
LARGEST = (2048, 1536)


def rendered(document, folder):
    """The first page, A5, as Ghostscript renders it."""
    out = folder / "rendered.pgm"
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r600",
                    "-sPAPERSIZE=a5", "-dFIXEDMEDIA", "-dFitPage",
                    "-sDEVICE=pgmraw", f"-sOutputFile={out}", document],
                   check=True)
    return np.asarray(Image.open(out))


def background(path):
    """The middle of a photograph."""
    image = Image.open(path).convert("L")
    width, height = (min(pair) for pair in zip(image.size, LARGEST))
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return np.asarray(image.crop((left, top, left + width, top + height)))


def face():
    """The raccoon's."""
    import scipy.misc
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it moves to another package
        return Image.fromarray(scipy.misc.face()).convert("L")


def raccoon():
    part = face().crop((160, 60, 760, 560))
    return np.asarray(part.resize((1800, 1500), Image.LANCZOS))


def all_of_them(folder):
    """Names and arrays, one by one; pages first."""
    yield "sample page", rendered(SAMPLE, folder)
    yield "test page", rendered(TEST_PAGE, folder)
    yield "made page", pages.photo(3496, 2480)
    for name in ("LadyBird", "Dune", "Storm", "Wood"):
        yield name, background(NATURE / f"{name}.jpg")
    yield "raccoon", raccoon()


def zone_plate(side=1536):
    """Rings, from slow to fast."""
    y, x = np.mgrid[:side, :side] - side // 2
    rings = 127.5 + 110 * np.cos((x ** 2 + y ** 2) * np.pi / side * 0.5)
    return np.rint(rings).astype(np.uint8)


GRAY_TEXT = """%!
/Times-Roman findfont 6 scalefont setfont
0 1 70 { /i exch def
  i 9 mod 1 add 11 div setgray
  10 595 i 8 mul sub moveto
  (Gray text of 6 points: the quick brown fox jumps over the lazy dog, 0123456789.)
  dup show ( ) show show
} for showpage
"""
THIN_LINES = """%!
0 1 60 { /i exch def
  i 9 mod 1 add 11 div setgray  i 3 mod 1 add 0.12 mul setlinewidth
  210 300 moveto i 6 mul cos 290 mul i 6 mul sin 290 mul rlineto stroke
  i 7 mul 0 moveto 0 595 rlineto stroke  0 i 10 mul moveto 420 0 rlineto stroke
} for showpage
"""


def drawn(postscript, folder):
    """A part of a page of A5, as Ghostscript draws it."""
    path = folder / "drawn.ps"
    path.write_text(postscript, encoding="ascii")
    page = rendered(path, folder)
    return np.ascontiguousarray(page[1500:3036, 700:2748])


def scan(page):
    """A page as a scanner sees it: not quite sharp, on paper that is not quite
    white, with noise."""
    part = page[600:2136, 600:2648]
    seen = ndimage.gaussian_filter(part.astype(np.float32), 1.5) * 0.8 + 38
    noise = np.random.default_rng(2).normal(0, 3, seen.shape)
    return np.rint(seen + noise).clip(0, 255).astype(np.uint8)


def more_of_them(folder):
    """Names and arrays, one by one; pages first."""
    yield "zone plate", zone_plate()
    yield "gray text", drawn(GRAY_TEXT, folder)
    yield "thin lines", drawn(THIN_LINES, folder)
    yield "scan", scan(rendered(SAMPLE, folder))
    for name in ("Bridge_by_Sander_Klootwijk", "Dragonfly_by_Bolly",
                 "Picture_1A_by_freespace", "Wine_by_Jakkub_Mede",
                 "aitzgorri_by_Aitzol_Berasategi",
                 "life_by_Aitzol_Berasategi",
                 "picosdeeuropa_by_Aitzol_Berasategi",
                 "seeding_by_Clements_Engelhardt"):
        photograph = background(LOMIRI / f"{name}.jpg")
        yield name.split("_by_")[0], photograph

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages and photographs on which halftones are judged, as gray at 600 dots
an inch. None of them was used to find the table of `fine`.

Photographs are those of Debian's mate-backgrounds (GPL-2+; by Charles Barbin,
Marco Cogoni, Hylke Bons, Sergey Nazarov and Jean-François Fortin Tam), a pixel
a dot, and the one in python3-scipy (public domain), a pixel three dots."""

import pathlib
import subprocess
import warnings

import numpy as np
from PIL import Image

import pages

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "tests/system/cups/sample.ps"
TEST_PAGE = pathlib.Path("/usr/share/cups/data/default-testpage.pdf")
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


def background(name):
    """The middle of a photograph."""
    image = Image.open(NATURE / f"{name}.jpg").convert("L")
    width, height = (min(pair) for pair in zip(image.size, LARGEST))
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return np.asarray(image.crop((left, top, left + width, top + height)))


def raccoon():
    import scipy.misc
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it moves to another package
        face = Image.fromarray(scipy.misc.face()).convert("L")
    face = face.crop((160, 60, 760, 560))
    return np.asarray(face.resize((1800, 1500), Image.LANCZOS))


def all_of_them(folder):
    """Names and arrays, one by one; pages first."""
    yield "sample page", rendered(SAMPLE, folder)
    yield "test page", rendered(TEST_PAGE, folder)
    yield "made page", pages.photo(3496, 2480)
    for name in ("LadyBird", "Dune", "Storm", "Wood"):
        yield name, background(name)
    yield "raccoon", raccoon()

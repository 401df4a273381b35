# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who makes dots, and how. A maker's `dots(gray)` are 0 (black) or 1.

Ours are made by the C library, with its options: a type alone takes gray as light
without any correction; `default` is what a print job on a laser gets. Needs the
target halftone_shared, and Ghostscript for its screen."""

import importlib
import os
import pathlib
import subprocess
import tempfile

import numpy as np

import pages

GHOSTSCRIPT = "Ghostscript"
DEFAULTS = ("tone-aim=display,text-edges=soft,print-feedback=100,technology=laser,"
            "dpi=%d")
# Options of our makers, %d the resolution.
OURS = {
    "fine": "halftone-type=fine",
    "fine for print": "halftone-type=fine,print-feedback=100,dpi=%d,dot-gain=0",
    "best": "halftone-type=best",
    "best for print": "halftone-type=best,print-feedback=100,dpi=%d,dot-gain=0",
    "floyd-steinberg": "halftone-type=floyd-steinberg",
    "clustered": "halftone-type=clustered",
    "clustered 2": "halftone-type=clustered,cluster-size=2",
    "clustered 9": "halftone-type=clustered,cluster-size=9",
    "screen": "halftone-type=screen,dpi=%d,dot-gain=0",
    "default": DEFAULTS,
    "default, best": "halftone-type=best," + DEFAULTS,
}


class OfLibrary:
    """A recipe of the C library."""

    def __init__(self, options, build):
        os.environ.setdefault("LIBHALFTONE",
                              str(build / "engine/library/libhalftone.so.0"))
        self.recipe = importlib.import_module("halftoned").Recipe(options)

    def dots(self, gray):
        packed = self.recipe.halftone(gray)
        return np.unpackbits(packed, axis=1)[:, :gray.shape[1]]


class OfGhostscript:
    """Its default screen, without its transfer function, which lightens."""

    def __init__(self, dots_per_inch):
        self.dots_per_inch = dots_per_inch

    def dots(self, gray):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            page, out = pathlib.Path(name, "page.ps"), pathlib.Path(name, "out.pbm")
            pages.write_postscript(page, gray, self.dots_per_inch)
            subprocess.run(
                ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                 f"-r{self.dots_per_inch}", "-sDEVICE=pbmraw", f"-sOutputFile={out}",
                 "-c", "{} settransfer", "-f", page], check=True)
            return pages.read_dots(out)[:gray.shape[0], :gray.shape[1]]


def maker(name, dots_per_inch, build):
    """name: GHOSTSCRIPT, of OURS, or options of the C library."""
    if name == GHOSTSCRIPT:
        return OfGhostscript(dots_per_inch)
    options = OURS.get(name, name)
    return OfLibrary(options % dots_per_inch if "%d" in options else options, build)

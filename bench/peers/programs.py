# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers, and how each is called on a page."""

import dataclasses
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import typing

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import record  # noqa: E402, F401: for the scripts beside this

PYTHON = "/usr/bin/python3"
# The types of halftone convert, and notes on their quality.
HALFTONE_TYPES = {
    "fine": "",
    "best": "",
    "floyd-steinberg": "",
    "clustered": "",
    "screen": "dots in rows, coarser than all others",
    "blue-noise": "a fixed mask",
    "jarvis": "",
    "stucki": "",
    "burkes": "",
    "sierra": "",
    "atkinson": "drops a quarter of each error",
    "false-floyd-steinberg": "",
    "bi-level": "a threshold, for text and bar codes",
}

# Error diffusion of libdither, by the names of its matrices.
MATRICES = ("jarvis_judice_ninke", "stucki", "burkes", "sierra_3", "atkinson")
# Halftone types of libcupsfilters 2.2 and newer.
FILTER_TYPES = ("genordered", "genordered-106", "spot-106", "foo2zjs", "dithering",
                "stochastic")


@dataclasses.dataclass
class Peer:
    name: str
    package: str  # of Debian; empty: ours
    # A program's name or a path: tells whether the peer is installed.
    needs: str
    # From the paths of the page without its extension, and of the result.
    command: typing.Callable
    # What is timed: "process", from file to file; or, as the command itself prints
    # the seconds, "call", a library's on a page in memory, or "filter", a CUPS
    # filter's from raster to the printer's language.
    timed: str = "process"
    result: str = "pbm"
    pages: str = "pgm"  # what it reads: pgm, tif or ps
    # Why it does not take a page of this size, or None.
    refuses: typing.Callable = lambda width, height: None
    # Why it takes no page at all although it is installed, or None.
    objects: typing.Callable = lambda: None
    note: str = ""

    def missing(self):
        if os.path.exists(self.needs) or shutil.which(self.needs):
            return self.objects()
        return "not installed (%s)" % (self.package or self.needs)


def shell(words):
    return lambda page, out: ["sh", "-c", words.format(page=page, out=out)]


def call(name):
    return lambda page, out: [PYTHON, HERE / "library_call.py", name,
                              page + ".pgm", out]


def library(name):
    return "/usr/lib/x86_64-linux-gnu/" + name


def too_wide(width, height):
    if max(width, height) > 16000:
        return "refuses it: Debian's policy.xml allows 16,000 pixels a side"
    return None


def beyond_paper(width, height):
    if width > 4960 or height > 7016:
        return "the printer's driver ends at its paper"
    return None


@functools.cache
def objection(halftone, kind):
    """What halftone convert says against a type of halftone, or None."""
    done = subprocess.run(
        [halftone, "convert", "--halftone-type", kind, "--quiet",
         "--format", "pbm", "-", "-"], input=b"P5\n1 1\n255\n\177",
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return None
    return last_line(done.stderr) or "failed"


def last_line(said):
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def ours(build):
    halftone = str(pathlib.Path(build, "tools/halftone").resolve())
    page = str(pathlib.Path(build, "bench/library_page").resolve())
    threads = os.cpu_count() or 1

    def library_page(what, count):
        return lambda path, out: [page, what, str(count), path + ".pgm", out]

    def convert(*words):
        return lambda path, out: [halftone, "convert", path + ".tif", out,
                                  "--compression", "none", "--quiet", *words]

    def of_type(kind, note):
        return Peer("halftone convert, " + kind, "", halftone,
                    convert("--halftone-type", kind), result="tif",
                    pages="tif", note=note,
                    objects=lambda: objection(halftone, kind))

    return [
        *(Peer("library, %s, %d thread%s" % (kind, count, "s"[count < 2:]),
               "", page, library_page(kind, count), "call")
          for kind in ("fine", "floyd-steinberg")
          for count in sorted({1, threads})),
        *(of_type(*item) for item in HALFTONE_TYPES.items()),
        Peer("zimg", "libzimg-dev, and a build with it", page,
             library_page("zimg", 1), "call",
             note="output a byte a pixel"),
    ]


def built():
    """Those that Debian 12 does not have: the environment names their libraries."""
    script = HERE / "libcupsfilters2.py"
    dither, filters = (os.environ.get(name, name)
                       for name in ("LIBDITHER", "LIBCUPSFILTERS2"))
    return [
        *(Peer(f"libdither, {matrix}{note}", "built", dither,
               call(f"libdither:{matrix}{order}"), "call",
               note="output a byte a pixel")
          for matrix in MATRICES
          for order, note in (("", ""), (":serpentine", ", serpentine"))),
        *(Peer(f"libcupsfilters 2, {kind}", "built", filters,
               lambda page, out, kind=kind: [PYTHON, script, kind, page + ".pgm", out],
               "filter", note="its filter for Ghostscript, with a driver's raster")
          for kind in FILTER_TYPES)]


def all_peers(build):
    gs = ("gs -q -dNOPAUSE -dBATCH -dSAFER -r600 -sOutputFile={{out}} "
          "-sDEVICE={how} {{page}}.ps")
    return ours(build) + built() + [
        Peer("Pillow", "python3-pil", "/usr/lib/python3/dist-packages/PIL",
             call("Pillow"), "call"),
        Peer("leptonica", "liblept5", library("liblept.so.5"),
             call("leptonica"), "call"),
        Peer("libcupsfilters", "libcupsfilters1",
             library("libcupsfilters.so.1"), call("libcupsfilters"), "call",
             note="output a byte a pixel"),
        Peer("Gutenprint EvenTone", "printer-driver-gutenprint",
             "/usr/lib/cups/filter/rastertogutenprint.5.3",
             lambda page, out: [PYTHON, HERE / "gutenprint.py",
                                page + ".pgm", out], "filter",
             refuses=beyond_paper,
             note="its filter for a LaserJet 4; A4 without its margins"),
        Peer("Ghostscript, default halftone", "ghostscript", "gs",
             shell(gs.format(how="pbmraw")), pages="ps",
             note="with its default transfer function, which lightens"),
        Peer("Ghostscript, neutral transfer", "ghostscript", "gs",
             shell(gs.format(how="pbmraw -c '{{}} settransfer' -f")),
             pages="ps", note="its default halftone without that function"),
        Peer("Ghostscript tiffscaled", "ghostscript", "gs",
             shell(gs.format(how="tiffscaled -sCompression=none")),
             pages="ps", result="tif"),
        Peer("netpbm pgmtopbm", "netpbm", "pgmtopbm",
             shell("pgmtopbm -floyd -randomseed=1 {page}.pgm > {out}")),
        Peer("netpbm pamditherbw", "netpbm", "pamditherbw",
             shell("pamditherbw -floyd -randomseed=1 "
                   "{page}.pgm | pamtopnm > {out}"),
             note="dithers in linear light, so its tones are not ours"),
        Peer("tiffdither", "libtiff-tools", "tiffdither",
             shell("tiffdither -c none {page}.tif {out}"), pages="tif",
             result="tif", note="leaves out the last row"),
        Peer("GraphicsMagick", "graphicsmagick", "gm",
             shell("printf 'P1 2 1 0 1' > {page}.pbm && "
                   "gm convert {page}.pgm -dither -map {page}.pbm {out}"),
             note="-map to black and white; its -monochrome is a threshold"),
        Peer("ImageMagick", "imagemagick", "convert",
             shell("convert {page}.pgm -dither FloydSteinberg "
                   "-remap pattern:gray50 {out}"), refuses=too_wide),
        Peer("libvips", "libvips-tools", "vips",
             shell("vips pngsave {page}.pgm {out} --palette --bitdepth 1 "
                   "--dither 1 --compression 0"), result="png",
             note="its only dithering: to a palette of its own choice"),
    ]

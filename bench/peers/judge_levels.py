#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How close halftones of 4 and 16 gray levels are to the gray, ours and others.

    bench/peers/judge_levels.py [--libdither LIBRARY] [--save FILE.json]
    bench/peers/judge_levels.py --show FILE.json

Judges `fine`, `best` and `floyd-steinberg` of our target halftone, those of ImageMagick,
GraphicsMagick and netpbm that are installed, and error diffusion of libdither
(github.com/robertkist/libdither, linear gray, serpentine) if a shared library of it
is given. Pages are those of collection.py, 2048 x 1536 pixels out of their middle,
and noise and slow ramps, figures those of quality.py at 600 dpi. For flat
pages of 256 x 256, every third tone that is no level: what an eye sees from 30 cm of
the difference, as a root of the mean square, and the error of tone. Nothing is timed.
"""

import ctypes
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

import collection
import pages
import quality
import verdict
from programs import record

LEVELS = verdict.LEVELS
# Programs that they need, and how they make out.pgm from page.pgm and a palette of
# the levels in palette.pgm.
OTHERS = {
    "ImageMagick": ("convert", "convert page.pgm -dither FloydSteinberg "
                    "-remap palette.pgm -depth 8 out.pgm"),
    "GraphicsMagick": ("gm", "gm convert page.pgm -dither -map palette.pgm out.pgm"),
    "netpbm pnmremap": ("pnmremap", "pnmremap -floyd -norandom -mapfile=palette.pgm "
                        "page.pgm | ppmtopgm > out.pgm")}
# The matrices of libdither.
MATRICES = ("floyd_steinberg", "jarvis_judice_ninke", "stucki", "sierra_3", "atkinson")


def by_program(words):
    def dots(gray, levels, folder):
        """0 … 1."""
        pages.write(folder / "page.pgm", gray)
        palette = np.arange(levels) * 255 // (levels - 1)
        pages.write(folder / "palette.pgm", palette.astype(np.uint8)[None])
        subprocess.run(["sh", "-c", words.format(levels=levels)], cwd=folder,
                       check=True, stderr=subprocess.PIPE)
        made = pages.read_gray(folder / "out.pgm")
        return made.astype(np.float32) / (255 if made.dtype == np.uint8 else 65535)
    return dots


class ColorImage(ctypes.Structure):
    _fields_ = [("linear", ctypes.POINTER(ctypes.c_double)),
                ("srgb", ctypes.POINTER(ctypes.c_uint8)),
                ("width", ctypes.c_int), ("height", ctypes.c_int)]


class LibDither:
    """Error diffusion to a palette, in the gray of the page."""
    SRGB = 1  # distances without a conversion

    def __init__(self, path, matrix):
        self.library = ctypes.CDLL(str(record.resolved(path)))
        for maker in ("ColorImage_new", "BytePalette_new", "CachedPalette_new",
                      f"get_{matrix}_matrix"):
            getattr(self.library, maker).restype = ctypes.c_void_p
        self.matrix = ctypes.c_void_p(
            getattr(self.library, f"get_{matrix}_matrix")())

    def __call__(self, gray, levels, _):
        height, width = gray.shape
        address = self.library.ColorImage_new(width, height)
        image = ColorImage.from_address(address)
        np.ctypeslib.as_array(image.linear, (height, width, 3))[:] = (
            gray[:, :, None] / 255)
        np.ctypeslib.as_array(image.srgb, (height, width, 4))[:] = 255
        palette = self.palette(levels)
        out = np.zeros((height, width), np.int32)
        self.library.error_diffusion_dither_color(
            ctypes.c_void_p(address), self.matrix, palette, True,
            out.ctypes.data_as(ctypes.c_void_p))
        self.library.CachedPalette_free(palette)
        self.library.ColorImage_free(ctypes.c_void_p(address))
        return out.astype(np.float32) / (levels - 1)

    def palette(self, levels):
        made = ctypes.c_void_p(self.library.BytePalette_new(
            ctypes.c_size_t(levels)))
        for k in range(levels):
            tone = (k * 255 + (levels - 1) // 2) // (levels - 1)
            color = (ctypes.c_uint8 * 4)(tone, tone, tone, 255)
            self.library.BytePalette_set(made, ctypes.c_size_t(k), color)
        cached = ctypes.c_void_p(self.library.CachedPalette_new())
        self.library.CachedPalette_from_BytePalette(cached, made)
        self.library.CachedPalette_set_shift(cached, 0, 0, 0)
        self.library.CachedPalette_update_cache(cached, self.SRGB, None)
        return cached


def peers(options):
    """{name: dots(gray, levels, folder)}"""
    halftone = options.build / "tools/halftone"
    found = {kind: by_program(
        f"{halftone} convert --quiet --levels {{levels}} --halftone-type {kind} "
        "page.pgm out.pgm") for kind in ("fine", "best", "floyd-steinberg")}
    found.update({name: by_program(words) for name, (needs, words) in OTHERS.items()
                  if shutil.which(needs)})
    if options.libdither:
        found.update({f"libdither, {matrix}": LibDither(options.libdither, matrix)
                      for matrix in MATRICES})
    return found


def all_pages(folder):
    width, height = collection.LARGEST
    for name, gray in collection.all_of_them(folder):
        top, left = (max((side - most) // 2, 0)
                     for side, most in zip(gray.shape, (height, width)))
        yield name, gray[top:top + height, left:left + width].copy()
    ramp = np.linspace(0, 255, 1536).round().astype(np.uint8)
    yield "ramp across", np.tile(ramp, (512, 1))
    yield "ramp down", np.tile(ramp[:, None], (1, 512))
    yield "noise", np.random.default_rng(1).integers(
        0, 256, (512, 512)).astype(np.uint8)


def judge_pages(who, folder):
    for name, gray in all_pages(folder):
        for levels in LEVELS:
            for by, dots in who.items():
                yield {"by": by, "levels": levels, "page": name,
                       **quality.of_page(dots(gray, levels, folder), gray)}
        print(name, flush=True)


def judge_flats(who, folder):
    for levels in LEVELS:
        tones = [tone for tone in range(1, 255, 3)
                 if tone * (levels - 1) % 255 != 0]
        for by, dots in who.items():
            off = [(dots(pages.flat(tone, 256), levels, folder) * 255 - tone)
                   [32:-32, 32:-32] for tone in tones]
            seen = [quality.seen_rms(each) for each in off]
            yield {"by": by, "levels": levels, "seen_mean": float(np.mean(seen)),
                   "seen_worst": max(seen),
                   "tone_error_worst": max(abs(float(each.mean())) for each in off)}


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--libdither", metavar="LIBRARY")
    options = parser.parse_args()
    if options.show:
        results = record.read(options.show)
    else:
        who = peers(options)
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            folder = pathlib.Path(name)
            results = {**record.machine("judge_levels.py"),
                       "pages": list(judge_pages(who, folder)),
                       "flats": list(judge_flats(who, folder))}
    if options.save:
        record.save(results, options.save)
    verdict.show_rows(results)
    print(verdict.levels(results))


if __name__ == "__main__":
    main()

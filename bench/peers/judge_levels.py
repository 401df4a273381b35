#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How close halftones of 4 and 16 gray levels are to the gray, ours and others.

    bench/peers/judge_levels.py [--build build/release] [--libdither LIBRARY]
        [--save FILE.json]
    bench/peers/judge_levels.py --show FILE.json

Judges `fine` and `floyd-steinberg` of our target halftone, those of ImageMagick,
GraphicsMagick and netpbm that are installed, and error diffusion of libdither
(github.com/robertkist/libdither, linear gray, serpentine) if a shared library of it
is given. Pages are those of collection.py, 2048 x 1536 pixels out of their middle,
and noise and slow ramps, figures those of quality.py at 600 dots an inch. Of flat
pages of 256 x 256, every third tone that is no level: what an eye sees from 30 cm of
the difference, as a root of the mean square, and the error of tone. Nothing is timed.
"""

import argparse
import ctypes
import datetime
import json
import pathlib
import shutil
import subprocess
import tempfile

from verdict import FIGURES

LEVELS = (4, 16)
OURS = ("fine", "floyd-steinberg")
SIZE = (2048, 1536)
# Of libdither's matrices.
MATRICES = ("floyd_steinberg", "jarvis_judice_ninke", "stucki", "sierra_3",
            "atkinson")


def read_gray(path):
    """0 … 1."""
    import numpy as np
    with open(path, "rb") as file:
        kind, size, top = (file.readline().split() for _ in range(3))
        assert kind == [b"P5"], "a PGM"
        shape = int(size[1]), int(size[0])
        wide = int(top[0]) > 255
        samples = np.fromfile(file, ">u2" if wide else np.uint8)
        return samples.reshape(shape).astype(np.float32) / int(top[0])


class Program:
    """From page.pgm, with a palette of the levels in palette.pgm, to out.pgm."""

    def __init__(self, name, needs, words):
        self.name, self.needs, self.words = name, needs, words

    def is_here(self):
        return shutil.which(self.needs) is not None

    def dots(self, gray, levels, folder):
        import numpy as np
        import pages
        pages.write_pgm(folder / "page.pgm", gray)
        palette = np.arange(levels) * 255 // (levels - 1)
        pages.write_pgm(folder / "palette.pgm",
                        palette.astype(np.uint8)[None])
        subprocess.run(["sh", "-c", self.words.format(levels=levels)],
                       cwd=folder, check=True, stderr=subprocess.PIPE)
        return read_gray(folder / "out.pgm")


class FloatColor(ctypes.Structure):
    _fields_ = [("r", ctypes.c_double), ("g", ctypes.c_double),
                ("b", ctypes.c_double)]


class ColorImage(ctypes.Structure):
    _fields_ = [("linear", ctypes.POINTER(FloatColor)),
                ("srgb", ctypes.POINTER(ctypes.c_uint8)),
                ("width", ctypes.c_int), ("height", ctypes.c_int)]


class LibDither:
    """Error diffusion to a palette, in the gray of the page."""
    SRGB = 1  # distances without a conversion

    def __init__(self, path, matrix):
        self.name = "libdither, " + matrix
        self.library = ctypes.CDLL(str(pathlib.Path(path).resolve()))
        for maker in ("ColorImage_new", "BytePalette_new", "CachedPalette_new",
                      f"get_{matrix}_matrix"):
            getattr(self.library, maker).restype = ctypes.c_void_p
        self.matrix = ctypes.c_void_p(
            getattr(self.library, f"get_{matrix}_matrix")())

    def is_here(self):
        return True

    def dots(self, gray, levels, folder):
        import numpy as np
        del folder
        height, width = gray.shape
        address = self.library.ColorImage_new(width, height)
        image = ColorImage.from_address(address)
        linear = np.ctypeslib.as_array(
            ctypes.cast(image.linear, ctypes.POINTER(ctypes.c_double)),
            (height, width, 3))
        linear[:] = gray[:, :, None] / 255
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
    halftone = pathlib.Path(options.build, "tools/halftone").resolve()
    ours = [Program(kind, halftone, f"{halftone} convert --quiet --levels "
                    "{levels} --halftone-type " + kind + " page.pgm out.pgm")
            for kind in OURS]
    others = [
        Program("ImageMagick", "convert", "convert page.pgm -dither "
                "FloydSteinberg -remap palette.pgm -depth 8 out.pgm"),
        Program("GraphicsMagick", "gm",
                "gm convert page.pgm -dither -map palette.pgm out.pgm"),
        Program("netpbm pnmremap", "pnmremap", "pnmremap -floyd -norandom "
                "-mapfile=palette.pgm page.pgm | ppmtopgm > out.pgm"),
    ]
    library = [LibDither(options.libdither, matrix) for matrix in MATRICES
               if options.libdither]
    return [peer for peer in ours + others + library if peer.is_here()]


def middle(gray):
    height, width = gray.shape
    top = max((height - SIZE[1]) // 2, 0)
    left = max((width - SIZE[0]) // 2, 0)
    return gray[top:top + SIZE[1], left:left + SIZE[0]].copy()


def all_pages(folder):
    import collection
    import numpy as np
    for name, gray in collection.all_of_them(folder):
        yield name, middle(gray)
    ramp = np.linspace(0, 255, 1536).round().astype(np.uint8)
    yield "ramp across", np.tile(ramp, (512, 1))
    yield "ramp down", np.tile(ramp[:, None], (1, 512))
    yield "noise", np.random.default_rng(1).integers(
        0, 256, (512, 512)).astype(np.uint8)


def judge_pages(who, folder):
    import quality
    for name, gray in all_pages(folder):
        for levels in LEVELS:
            for peer in who:
                dots = peer.dots(gray, levels, folder)
                yield {"by": peer.name, "levels": levels, "page": name,
                       **quality.of_page(dots, gray)}
        print(name, flush=True)


def judge_flats(who, folder):
    import numpy as np
    import pages
    import quality
    for levels in LEVELS:
        tones = [tone for tone in range(1, 255, 3)
                 if tone * (levels - 1) % 255 != 0]
        for peer in who:
            seen, errors = [], []
            for tone in tones:
                dots = peer.dots(pages.flat(tone, 256), levels, folder)
                off = (dots * 255 - tone)[32:-32, 32:-32]
                seen.append(quality.seen_rms(off))
                errors.append(abs(float(off.mean())))
            yield {"by": peer.name, "levels": levels,
                   "seen_mean": float(np.mean(seen)),
                   "seen_worst": max(seen), "tone_error_worst": max(errors)}


def show(results):
    print(f"{results['command']}, {results['date']}")
    for levels in LEVELS:
        rows = [row for row in results["pages"] if row["levels"] == levels]
        names = list(dict.fromkeys(row["page"] for row in rows))
        who = list(dict.fromkeys(row["by"] for row in rows))
        at = {(row["by"], row["page"]): row for row in rows}
        for key, title, form in FIGURES:
            print(f"\n{levels} levels: {title}\n  {'':30}" +
                  "".join(f"{name[:11]:>12}" for name in names))
            for by in who:
                print(f"  {by:30}" + "".join(f"{form % at[by, name][key]:>12}"
                                             for name in names))
        print(f"\n{levels} levels: what an eye sees of flat pages, of 255: mean, "
              "worst; largest error of tone")
        for row in results["flats"]:
            if row["levels"] == levels:
                print(f"  {row['by']:30}{row['seen_mean']:12.3f}"
                      f"{row['seen_worst']:12.3f}"
                      f"{row['tone_error_worst']:12.3f}")


def digest(results):
    """Means of all pages, the worst tile of all, and flat pages, as Markdown."""
    columns = (("eye", "psnr_csf", "%.1f"), ("Gaussian", "psnr_gauss", "%.1f"))
    titles = [f"{levels}: {title}" for levels in LEVELS for title in
              (*(column[0] for column in columns), "worst tile", "flat")]
    lines = ["| | " + " | ".join(titles) + " |",
             "|---|" + "---:|" * len(titles)]
    for by in dict.fromkeys(row["by"] for row in results["pages"]):
        cells = []
        for levels in LEVELS:
            pages, flats = ([row for row in results[kind]
                             if row["by"] == by and row["levels"] == levels]
                            for kind in ("pages", "flats"))
            cells += [form % (sum(row[key] for row in pages) / len(pages))
                      for _, key, form in columns]
            cells += ["%.2f" % max(row["tone_worst_tile"] for row in pages),
                      "%.2f" % flats[0]["seen_mean"]]
        name = f"`{by}`" if by in OURS else by
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--libdither", metavar="LIBRARY")
    parser.add_argument("--save", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--show", metavar="FILE", type=pathlib.Path)
    options = parser.parse_args()
    if options.show:
        results = json.loads(options.show.read_text(encoding="utf-8"))
    else:
        import judge
        who = peers(options)
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            folder = pathlib.Path(name)
            results = {"command": "judge_levels.py",
                       "date": datetime.date.today().isoformat(),
                       "pages": list(judge_pages(who, folder)),
                       "flats": list(judge_flats(who, folder))}
        if options.save:
            judge.save(results, options.save)
    show(results)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages that engines and their peers halftone, as files, and their results, as
arrays: gray 0 … 255, and dots 0 (black) or 1."""

import subprocess

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
LINE_AT = 100


def photo(width, height):
    """A smooth scene with grain, a wedge of tones, and text-like strokes."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    grain = np.random.default_rng(1)
    page = np.empty((height, width), np.uint8)
    for top in range(0, height, 512):
        yy = y[top:top + 512]
        tone = (0.5 + 0.2 * np.sin(7 * x + 3 * np.sin(5 * yy)) +
                0.2 * np.cos(11 * yy - 2 * np.cos(3 * x)))
        tone += 0.04 * (grain.random(tone.shape, np.float32) - 0.5)
        page[top:top + 512] = np.clip(tone * 255 + 0.5, 0, 255)
    wedge = slice(height * 8 // 10, height * 9 // 10)
    page[wedge] = np.arange(width) * 256 // width
    text = slice(height * 9 // 10, height * 95 // 100)
    rows = np.arange(height)[text, None]
    columns = np.arange(width)[None, :]
    strokes = (rows % 100 < 60) & ((columns % 45 < 8) |
                                   ((rows // 8 + columns // 45) % 5 == 0))
    page[text] = np.where(strokes, 5, 255)
    return page


def flat(tone, side=512):
    return np.full((side, side), tone, np.uint8)


def line(tone, across):
    """One pixel wide, from edge to edge of white paper."""
    page = flat(255, 256)
    (page if across else page.T)[LINE_AT] = tone
    return page


def write(path, gray):
    """As PGM, TIFF (uncompressed, in one strip) or PostScript, by the path's end."""
    if str(path).endswith(".ps"):
        write_postscript(path, gray)
    else:
        Image.fromarray(gray).save(path, dpi=(600, 600))


def write_postscript(path, gray, dots_per_inch=600):
    """A page with the gray as its only mark."""
    height, width = gray.shape
    pitch = 72 / dots_per_inch
    with open(path, "wb") as file:
        file.write(b"%%!PS\n<< /PageSize [%f %f] >> setpagedevice\n"
                   b"%f %f scale /DeviceGray setcolorspace\n"
                   b"<< /ImageType 1 /Width %d /Height %d\n"
                   b"/BitsPerComponent 8 /Decode [0 1]\n"
                   b"/ImageMatrix [%d 0 0 %d 0 %d]\n"
                   b"/DataSource currentfile >> image\n" % (
                       width * pitch, height * pitch, width * pitch, height * pitch,
                       width, height, width, -height, height))
        file.write(gray.tobytes() + b"\nshowpage\n")


def read_gray(path):
    return np.asarray(Image.open(path))


def write_dots(path, dots):
    """As PBM."""
    Image.fromarray(dots.astype(bool)).save(path)


def read_dots(path):
    return (np.asarray(Image.open(path).convert("L")) > 127).astype(np.uint8)


def by_us(halftone, gray, folder, *words):
    """Dots of `halftone convert`."""
    page, out = folder / "page.pgm", folder / "page.pbm"
    write(page, gray)
    subprocess.run([halftone, "convert", "--quiet", *words, page, out], check=True)
    return read_dots(out)

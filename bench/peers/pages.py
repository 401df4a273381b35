# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages that engines and their peers halftone, as files, and their results, as
arrays: gray 0 … 255, and dots 0 (black) or 1."""

import struct

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None


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


LINE_AT = 100


def line(tone, across):
    """One pixel wide, from edge to edge of white paper."""
    page = flat(255, 256)
    if across:
        page[LINE_AT] = tone
    else:
        page[:, LINE_AT] = tone
    return page


def write_pgm(path, gray):
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (gray.shape[1], gray.shape[0]))
        file.write(gray.tobytes())


def write_tiff(path, gray):
    """Uncompressed, 600 dpi, in one strip: what every reader reads at once."""
    height, width = gray.shape
    size = gray.size
    even = size + size % 2
    fields = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1),
              (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 4, height),
              (279, 4, size), (282, 5, 8 + even), (283, 5, 8 + even),
              (296, 3, 2)]
    with open(path, "wb") as file:
        file.write(b"II*\0" + struct.pack("<I", 8 + even + 8))
        file.write(gray.tobytes().ljust(even, b"\0"))
        file.write(struct.pack("<II", 600, 1))
        file.write(struct.pack("<H", len(fields)))
        for tag, kind, value in fields:
            file.write(struct.pack("<HHII", tag, kind, 1, value))
        file.write(struct.pack("<I", 0))


def write_postscript(path, gray):
    """A page of 600 dpi with the gray as its only mark."""
    height, width = gray.shape
    with open(path, "wb") as file:
        file.write(b"%%!PS\n<< /PageSize [%f %f] >> setpagedevice\n"
                   b"%f %f scale /DeviceGray setcolorspace\n"
                   b"<< /ImageType 1 /Width %d /Height %d\n"
                   b"/BitsPerComponent 8 /Decode [0 1]\n"
                   b"/ImageMatrix [%d 0 0 %d 0 %d]\n"
                   b"/DataSource currentfile >> image\n" % (
                       width * .12, height * .12, width * .12, height * .12,
                       width, height, width, -height, height))
        file.write(gray.tobytes() + b"\nshowpage\n")


def read_pgm(path):
    with open(path, "rb") as file:
        words = file.readline().split()
        words += file.readline().split()
        words += file.readline().split()
        assert words[0] == b"P5", "a PGM"
        width, height = int(words[1]), int(words[2])
        return np.fromfile(file, np.uint8).reshape(height, width)


def write_dots(path, dots):
    """As PBM, in which 1 is ink."""
    with open(path, "wb") as file:
        file.write(b"P4\n%d %d\n" % (dots.shape[1], dots.shape[0]))
        file.write(np.packbits(dots == 0, axis=1).tobytes())


def read_dots(path):
    image = Image.open(path)
    return (np.asarray(image.convert("L")) > 127).astype(np.uint8)

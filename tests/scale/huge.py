#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts a gray image of SIDE × SIDE pixels, 200,000 if not given, and one as wide
and a tenth as high: both take the same memory, and the first rows of both are
the same. The image is a BigTIFF file of one strip, sparse but for bands of noise.
Prints seconds and memory.

Usage: huge.py HALFTONE FOLDER [SIDE]
"""

import os
import pathlib
import random
import struct
import subprocess
import sys
import time

BAND_ROWS = 16
BANDS = 20
# What the system's allocator and threads may differ by.
SLACK = 8 << 20


def make_image(path, width, height):
    """The strip comes first, so that images of one width begin alike."""
    noise = random.Random(1).randbytes(width * BAND_ROWS)
    start, pixels = 16, width * height
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHHHQ", b"II", 43, 8, 0, start + pixels))
        for row in range(0, height, max(height // BANDS, BAND_ROWS)):
            file.seek(start + row * width)
            file.write(noise[:(height - row) * width])
        fields = ((256, width), (257, height), (258, 8), (259, 1), (262, 1),
                  (273, start), (277, 1), (278, height), (279, pixels))
        file.seek(start + pixels)
        file.write(struct.pack("<Q", len(fields)))
        for tag, value in fields:
            file.write(struct.pack("<HHQQ", tag, 16, 1, value))
        file.write(struct.pack("<Q", 0))


def convert(halftone, image, out):
    """Returns seconds and the most memory that it had, in bytes."""
    began = time.monotonic()
    child = subprocess.Popen([halftone, "convert", "--quiet", image, out])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, "halftone failed"
    return time.monotonic() - began, usage.ru_maxrss * 1024


def first_rows(out, width, rows):
    """The first rows of an output without compression, whose first strip comes first."""
    with open(out, "rb") as file:
        is_big = file.read(4)[2] == 43
        file.seek(16 if is_big else 8)
        return file.read((width + 7) // 8 * rows)


def main():
    halftone, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    side = int(sys.argv[3]) if len(sys.argv) > 3 else 200_000
    places = [folder / name for name in ("huge.tif", "huge-bits.tif",
                                         "low.tif", "low-bits.tif")]
    huge, huge_bits, low, low_bits = places
    try:
        make_image(huge, side, side)
        make_image(low, side, side // 10)
        _, low_memory = convert(halftone, low, low_bits)
        seconds, memory = convert(halftone, huge, huge_bits)
        rows = BAND_ROWS
        assert first_rows(huge_bits, side, rows) == \
            first_rows(low_bits, side, rows), "the first rows differ"
        assert os.path.getsize(huge_bits) >= (side + 7) // 8 * side
        print(f"{side} x {side} pixels: {seconds:.1f} s, "
              f"{side * side / seconds / 1e6:.0f} million pixels a second, at most "
              f"{memory / 1e6:.0f} MB; a tenth of its rows: "
              f"{low_memory / 1e6:.0f} MB")
        assert memory < low_memory + SLACK, "memory grew with the rows"
    finally:
        for place in places:
            place.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

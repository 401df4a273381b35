# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of halftone convert have in common: images, the definition of their
halftones, and running the program that HALFTONE names.
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

HALFTONE = os.environ["HALFTONE"]
WHITE = 4080


def halftone_types():
    """Those that the program has."""
    text = subprocess.run([HALFTONE, "convert", "--help"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    listed = re.search(r"How dots are placed: auto, (.*?)\n +--", text, re.DOTALL)
    return re.split(r", | or ", " ".join(listed[1].split()))


def noise(width, height, seed=1):
    state = seed
    out = bytearray()
    for _ in range(width * height):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 16 & 255)
    return bytes(out)


def pgm(width, height, pixels):
    return b"P5\n%d %d\n255\n" % (width, height) + pixels


def halftone(width, height, pixels, curve=lambda v: v, pure=False):
    """The definition, two levels: rows of PBM bytes. With `pure`, black and white
    pixels take no error and give none."""
    above = [0] * width
    rows = b""
    for y in range(height):
        errors = []
        bits = bytearray((width + 7) // 8)
        for x in range(width):
            left = errors[x - 1] if x else 0
            above_left = above[x - 1] if x else 0
            above_right = above[x + 1] if x + 1 < width else 0
            v = curve(16 * pixels[y * width + x])
            s = v if pure and v in (0, WHITE) else v + (
                (7 * left + above_left + 5 * above[x] + 3 * above_right + 8)
                >> 4)
            white = s > 2040
            errors.append(s - (WHITE if white else 0))
            if not white:
                bits[x // 8] |= 128 >> x % 8
        above = errors
        rows += bytes(bits)
    return rows


def crisp(width, height, pixels):
    """Gray beside both black and white made one of them."""
    out = bytearray(pixels)
    for y in range(height):
        for x in range(width):
            around = {pixels[v * width + u]
                      for v in range(max(y - 1, 0), min(y + 2, height))
                      for u in range(max(x - 1, 0), min(x + 2, width))}
            if {0, 255} <= around:
                out[y * width + x] = 255 * (pixels[y * width + x] > 127)
    return bytes(out)


def pbm(width, height, rows):
    return b"P4\n%d %d\n" % (width, height) + rows


def tiff_tags(data):
    """Tag values of each page, numbers and texts, of a little-endian TIFF."""
    pages = []
    at, = struct.unpack_from("<I", data, 4)
    sizes = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
    while at:
        count, = struct.unpack_from("<H", data, at)
        page = {}
        for i in range(count):
            tag, kind, n, value = struct.unpack_from("<HHII", data,
                                                     at + 2 + 12 * i)
            size = sizes[kind] * n
            place = value if size > 4 else at + 2 + 12 * i + 8
            raw = data[place:place + size]
            if kind == 2:
                page[tag] = raw.rstrip(b"\0").decode()
            elif kind == 5:
                page[tag] = [a / b for a, b in struct.iter_unpack("<II", raw)]
            else:
                page[tag] = list(
                    struct.unpack("<%d%s" % (n, "BBHI"[kind - 1]), raw))
        pages.append(page)
        at, = struct.unpack_from("<I", data, at + 2 + 12 * count)
    return pages


def tiff_rows(data, page=0):
    """The bytes of all strips of an uncompressed page."""
    tags = tiff_tags(data)[page]
    return b"".join(data[o:o + n] for o, n in zip(tags[273], tags[279]))


def make_tiff(width, height, pixels, entries=(), texts=()):
    """A little-endian 8-bit gray TIFF of one strip. entries: (tag, kind,
    value); texts: (tag, bytes)."""
    body = bytearray(b"II*\0\0\0\0\0") + pixels
    fields = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1),
              (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 4, height),
              (279, 4, len(pixels))]
    packed = {tag: struct.pack("<HHII", tag, kind, 1, value)
              for tag, kind, value in fields}
    for tag, kind, value in entries:
        if kind == 5:
            place = len(body)
            body += struct.pack("<II", *value)
            packed[tag] = struct.pack("<HHII", tag, 5, 1, place)
        else:
            packed[tag] = struct.pack("<HHII", tag, kind, 1, value)
    for tag, text in texts:
        packed[tag] = struct.pack("<HHII", tag, 2, len(text) + 1, len(body))
        body += text + b"\0"
    body += b"\0" * (len(body) % 2)
    struct.pack_into("<I", body, 4, len(body))
    body += struct.pack("<H", len(packed))
    body += b"".join(packed[tag] for tag in sorted(packed))
    return bytes(body + b"\0\0\0\0")


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="halftone-test-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, name, data=None):
        path = self.dir / name
        if data is not None:
            path.write_bytes(data)
        return str(path)

    def run_halftone(self, *args, **kwargs):
        return subprocess.run([HALFTONE, *args], capture_output=True,
                              timeout=60, **kwargs)

    def convert(self, *args, **kwargs):
        """Floyd and Steinberg's bits, which the tests spell out in plain loops,
        unless another type is named."""
        if "--halftone-type" not in args:
            args += ("--halftone-type", "floyd-steinberg")
        run = self.run_halftone("convert", *args, **kwargs)
        self.assertEqual((run.returncode, run.stderr), (0, b""), args)
        return run.stdout

    def fails(self, *args, status=1, says="", **kwargs):
        """Converting fails with one line, and leaves the folder as it was."""
        before = sorted(os.listdir(self.dir))
        run = self.run_halftone("convert", *args, **kwargs)
        error = run.stderr.decode()
        self.assertEqual(run.returncode, status, (args, error))
        self.assertEqual(error.count("\n"), 1, error)
        self.assertTrue(error.startswith("halftone: "), error)
        self.assertIn(says, error)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

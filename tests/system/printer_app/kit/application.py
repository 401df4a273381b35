# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of halftone-printer-app as a server, and the rows of ink that the definition
has. PRINTER_APP is the program, LIBHALFTONE the C library, whose
engine `scalar` is the definition."""

import ctypes
import os
import pathlib
import sys
import time
import unittest

from kit.server import Application

TESTS = pathlib.Path(__file__).resolve().parents[2]
# The part of the Python package that needs no NumPy.
sys.path += [str(TESTS / "cups"), str(TESTS.parents[1] / "packaging/python/halftoned")]
import _library as library  # noqa: E402
import cups_raster  # noqa: E402

PROGRAM = os.environ["PRINTER_APP"]
WIDTH, HEIGHT = 1203, 700


def gray_rows():
    """Tones, and text with edges of gray, within the margins."""
    rows = bytearray(b"\xff" * (WIDTH * HEIGHT))
    for y in range(100, HEIGHT - 80):
        for x in range(300, WIDTH - 203):
            rows[y * WIDTH + x] = ((0, 128, 255, 255)[x // 3 % 4] if y < 300
                                   else (x * y // 300 + x) % 256)
    return bytes(rows)


def light_of(gray, options, width):
    """The definition's packed rows, 1 for light."""
    engine = library.Handle("engine_new", "engine", b"scalar", 1)
    recipe = library.Handle("recipe_new", "recipe", options.encode(), None)
    rows = len(gray) // width
    light = (ctypes.c_ubyte * (rows * ((width + 7) // 8)))()
    library.call("halftone", engine.handle, recipe.handle,
                 library.Layout(width, 8, 0, 0, 0), gray, 0, rows, light, 0)
    return bytes(light)


def ink_of(gray, options, width=WIDTH):
    """The definition's rows, 1 for ink."""
    prints = "text-edges=soft,tone-aim=display,print-feedback=100,"
    light = light_of(gray, prints + options, width)
    size = (width + 7) // 8
    last = 0xff00 >> width % 8 & 0xff if width % 8 else 0xff
    rows = [bytearray(~each & 0xff for each in light[at:at + size])
            for at in range(0, len(light), size)]
    for row in rows:
        row[-1] &= last
    return [bytes(row) for row in rows]


class ApplicationTest(unittest.TestCase):
    """Tests of a server of their own."""

    @classmethod
    def setUpClass(cls, folder=None):
        """folder: for all that it keeps, if it is not to be a new one."""
        cls.server = Application(PROGRAM, folder)
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def run_app(self, *words, status=0):
        return self.server.run(*words, status=status)

    def wait_for_log(self, text):
        """A job goes on after its client was answered."""
        for _ in range(100):
            if text in self.server.log_text():
                return
            time.sleep(0.1)
        self.fail(f"{text!r} is not in the log:\n" + self.server.log_text()[-2000:])

    def add(self, name, driver):
        return self.server.add(name, driver)

    def page(self, dpi, gray, width=WIDTH, size=(595, 842), **fields):
        header = cups_raster.page_header(
            width, len(gray) // width, "SW", dpi=(dpi, dpi),
            MediaClass=b"PwgRaster", PageSize0=size[0], PageSize1=size[1],
            **fields)
        return cups_raster.pack_page(header, gray, 2, ">")

    def raster(self, dpi, *grays, **fields):
        return cups_raster.sync_word(2, ">") + b"".join(
            self.page(dpi, gray, **fields) for gray in grays)

    def submit(self, name, data, *options, suffix=".pwg", status=0):
        file = self.server.folder / (name + suffix)
        file.write_bytes(data)
        kind = {".pwg": "image/pwg-raster"}[suffix]
        words = [word for option in options for word in ("-o", option)]
        return self.run_app("submit", "-d", name, "-o",
                            f"document-format={kind}", *words, str(file),
                            status=status)

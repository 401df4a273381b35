#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libhalftone for Python, by ctypes: copy this file into your program.

    import halftone
    recipe = halftone.Recipe("halftone-type=fine,dpi=600")
    bits = recipe.halftone(gray)              # a numpy array, rows x columns
    bits = recipe.halftone(gray, width=800)   # bytes, a row after the other

Gray is light: 0 is black, 255 (or 65535) white. numpy is used if the caller
uses it. As a program it converts: halftone.py OPTIONS <in.pgm >out.pbm
"""

import ctypes
import os
import re
import sys

_lib = ctypes.CDLL(os.environ.get("LIBHALFTONE", "libhalftone.so.0"))


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 252)]


class _Layout(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int32), ("bits_per_sample", ctypes.c_int32),
                ("first_row", ctypes.c_int64),
                ("rows_per_band", ctypes.c_int32), ("reserved", ctypes.c_int32)]


def _declare(name, result, *arguments):
    function = getattr(_lib, name)
    function.restype = result
    function.argtypes = arguments


_handle, _place = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
_declare("ht_version", ctypes.c_char_p)
_declare("ht_recipe_new", ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p,
         _place, ctypes.POINTER(_Error))
_declare("ht_recipe_free", None, _handle)
_declare("ht_recipe_levels", ctypes.c_int, _handle)
_declare("ht_recipe_row_bytes", ctypes.c_size_t, _handle, ctypes.c_int32)
_declare("ht_engine_new", ctypes.c_int, ctypes.c_char_p, ctypes.c_int, _place,
         ctypes.POINTER(_Error))
_declare("ht_engine_free", None, _handle)
_declare("ht_halftone", ctypes.c_int, _handle, _handle,
         ctypes.POINTER(_Layout), ctypes.c_void_p, ctypes.c_size_t,
         ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t,
         ctypes.POINTER(_Error))


class HalftoneError(Exception):
    """What libhalftone says; `status` is its HT_BAD_INPUT and so on."""

    def __init__(self, error):
        super().__init__(error.text.decode())
        self.status = error.status


def _call(function, *arguments):
    error = _Error()
    if function(*arguments, ctypes.byref(error)):
        raise HalftoneError(error)


def version():
    return _lib.ht_version().decode()


class Engine:
    """name: None for the fastest; threads: 0 for one per CPU core."""

    def __init__(self, name=None, threads=0):
        self.handle = ctypes.c_void_p()
        _call(_lib.ht_engine_new, name and name.encode(), threads,
              ctypes.byref(self.handle))

    def __del__(self):
        _lib.ht_engine_free(self.handle)


class Recipe:
    """options: as halftone.h has them; tone_curve: the text of a curve."""

    def __init__(self, options="", tone_curve=None):
        self.handle = ctypes.c_void_p()
        _call(_lib.ht_recipe_new, options.encode(),
              tone_curve and tone_curve.encode(), ctypes.byref(self.handle))

    def __del__(self):
        _lib.ht_recipe_free(self.handle)

    @property
    def levels(self):
        return _lib.ht_recipe_levels(self.handle)

    def row_bytes(self, width):
        return _lib.ht_recipe_row_bytes(self.handle, width)

    def halftone(self, gray, width=None, depth=8, engine=None):
        """The packed rows. gray: an array of numpy with two dimensions, of
        uint8 or uint16; or bytes of rows of `width` samples, of 8 bits or of 16
        in the machine's order. The result is of the same kind."""
        if width is not None:
            return bytes(self._halftone(bytes(gray), width, depth, engine))
        import numpy
        if gray.ndim != 2 or gray.dtype not in (numpy.uint8, numpy.uint16):
            raise ValueError("gray is not a uint8 or uint16 array of rows")
        rows, width = gray.shape
        bits = self._halftone(gray.tobytes(), width, 8 * gray.itemsize, engine)
        return numpy.frombuffer(bits, numpy.uint8).reshape(rows, -1)

    def _halftone(self, gray, width, depth, engine):
        rows = len(gray) // max(width * depth // 8, 1)
        if rows * width * depth // 8 != len(gray):
            raise ValueError("gray is not a whole number of rows")
        bits = bytearray(self.row_bytes(width) * rows)
        # from_buffer of nothing is refused.
        place = (ctypes.c_char * len(bits)).from_buffer(bits) if bits else None
        _call(_lib.ht_halftone, engine and engine.handle, self.handle,
              _Layout(width, depth, 0, 0, 0), gray, 0, rows, place, 0)
        return bits


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: halftone.py OPTIONS <in.pgm >out.pbm")
    data = sys.stdin.buffer.read()
    blank = rb"(?:\s|#.*\n)+"
    header = re.match(rb"P5%b(\d+)%b(\d+)%b255\s" % (blank, blank, blank), data)
    if not header:
        sys.exit("halftone.py: standard input is not an 8-bit PGM file")
    width, height = int(header[1]), int(header[2])
    pixels = data[header.end():]
    try:
        recipe = Recipe(sys.argv[1])
        if recipe.levels != 2:
            sys.exit("halftone.py: PBM has two levels")
        if len(pixels) != width * height:
            sys.exit(f"halftone.py: standard input has {len(pixels)} pixels, "
                     f"{width * height} expected")
        bits = recipe.halftone(pixels, width=width)
    except (HalftoneError, ValueError) as error:
        sys.exit(f"halftone.py: {error}")
    # In PBM 1 is black, so all bits are inverted but those beyond the width.
    ink = bytearray(bits.translate(bytes(range(255, -1, -1))))
    row_bytes = recipe.row_bytes(width)
    for last in range(row_bytes - 1, len(ink), row_bytes):
        ink[last] &= 0xff << -width % 8
    sys.stdout.buffer.write(b"P4 %d %d\n" % (width, height) + ink)


if __name__ == "__main__":
    main()

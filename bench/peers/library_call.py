#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One call of a library on a page in memory; prints the call's seconds.

    library_call.py leptonica|libcupsfilters|Pillow IN.pgm OUT.pbm
    library_call.py libdither:MATRIX[:serpentine] IN.pgm OUT.pbm

LIBDITHER in the environment names a shared library of
github.com/robertkist/libdither.
"""

import ctypes
import os
import sys
import time

import numpy as np

import pages


def leptonica(gray):
    lib = ctypes.CDLL("liblept.so.5")
    lib.pixCreate.restype = lib.pixDitherToBinary.restype = ctypes.c_void_p
    lib.pixGetData.restype = ctypes.c_void_p
    for function in (lib.pixDitherToBinary, lib.pixGetData, lib.pixGetWpl):
        function.argtypes = [ctypes.c_void_p]

    def words(pix, height):
        wpl = lib.pixGetWpl(pix)
        data = ctypes.cast(lib.pixGetData(pix),
                           ctypes.POINTER(ctypes.c_uint32 * (wpl * height)))
        return np.frombuffer(data.contents, np.uint32).reshape(height, wpl)

    height, width = gray.shape
    pix = lib.pixCreate(width, height, 8)
    there = words(pix, height)
    padded = np.zeros((height, there.shape[1] * 4), np.uint8)
    padded[:, :width] = gray
    there[:] = padded.view(">u4")
    begun = time.perf_counter()
    dithered = lib.pixDitherToBinary(pix)
    seconds = time.perf_counter() - begun
    ink = words(dithered, height).astype(">u4").view(np.uint8)
    return seconds, 1 - np.unpackbits(ink, axis=1)[:, :width]


def libcupsfilters(gray):
    """The dithering of its drivers; rows of 12-bit ink, made beforehand."""
    lib = ctypes.CDLL("libcupsfilters.so.1")
    lib.cupsDitherNew.restype = lib.cupsLutNew.restype = ctypes.c_void_p
    lib.cupsDitherLine.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
                                   ctypes.c_void_p, ctypes.c_int,
                                   ctypes.c_void_p]
    height, width = gray.shape
    ink = ((255 - gray.astype(np.int32)) * 4095 // 255).astype(np.int16)
    dots = np.zeros((height, width), np.uint8)
    dither = lib.cupsDitherNew(width)
    lut = lib.cupsLutNew(2, (ctypes.c_float * 2)(0, 1))
    rows = [(ink[i].ctypes.data, dots[i].ctypes.data) for i in range(height)]
    begun = time.perf_counter()
    for row, out in rows:
        lib.cupsDitherLine(dither, lut, row, 1, out)
    return time.perf_counter() - begun, 1 - np.minimum(dots, 1)


def pillow(gray):
    image = pages.Image.fromarray(gray)
    begun = time.perf_counter()
    dithered = image.convert("1")
    return time.perf_counter() - begun, np.asarray(dithered).astype(np.uint8)


class DitherImage(ctypes.Structure):
    _fields_ = [("gray", ctypes.POINTER(ctypes.c_double)),
                ("opacity", ctypes.POINTER(ctypes.c_uint8)),
                ("width", ctypes.c_int), ("height", ctypes.c_int)]


def libdither(gray, matrix, order=""):
    """Error diffusion in the gray of the page, in floating point."""
    lib = ctypes.CDLL(os.environ["LIBDITHER"])
    lib.DitherImage_new.restype = ctypes.POINTER(DitherImage)
    get = getattr(lib, f"get_{matrix}_matrix")
    get.restype = ctypes.c_void_p
    height, width = gray.shape
    image = lib.DitherImage_new(width, height)
    np.ctypeslib.as_array(image[0].gray, gray.shape)[:] = gray / 255
    np.ctypeslib.as_array(image[0].opacity, gray.shape)[:] = 255
    weights = ctypes.c_void_p(get())
    dots = np.zeros(gray.shape, np.uint8)
    begun = time.perf_counter()
    lib.error_diffusion_dither(image, weights, order == "serpentine",
                               ctypes.c_double(0), ctypes.c_void_p(dots.ctypes.data))
    return time.perf_counter() - begun, np.minimum(dots, 1)


CALLS = {"leptonica": leptonica, "libcupsfilters": libcupsfilters,
         "Pillow": pillow, "libdither": libdither}

if __name__ == "__main__":
    call, source, target = sys.argv[1:]
    name, *how = call.split(":")
    taken, result = CALLS[name](pages.read_gray(source), *how)
    pages.write_dots(target, result)
    print(taken)

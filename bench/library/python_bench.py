# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: LIBHALFTONE=libhalftone.so PYTHONPATH=packaging/python python_bench.py

The cost of the Python package: an A4 page at 600 dpi in `fine`, a picture of 1600 × 1200
pixels in spectra6, and a page of 8 × 1 pixels, by the C function alone, with its arguments
ready, and by each way of the package; medians of the thread's CPU time of interleaved
runs. The C function is called through ctypes too, whose own time is that of `ctypes`."""

import statistics
import time
from ctypes import byref

import numpy as np

import halftoned
from halftoned import _library

RUNS = 25


def photo(rows, width, channels):
    """Ramps with noise, in which no pixel equals the one before."""
    random = np.random.default_rng(1)
    ramp = np.add.outer(np.linspace(0, 160, rows), np.linspace(0, 90, width))
    samples = ramp[..., np.newaxis] + random.integers(-6, 7, (rows, width, channels))
    return np.squeeze(samples.clip(0, 255).astype(np.uint8))


def by_c(name, *arguments):
    """Calls with the place for the result, and into new memory."""
    function, failure = getattr(_library.LIBRARY, name), byref(_library._Failure())
    *arguments, out = arguments

    def into_new_memory():
        made = np.empty(out.shape, np.uint8)
        function(*arguments, made.ctypes.data, 0, failure)

    arguments_of_c = *arguments, out.ctypes.data, 0, failure
    return {"C": lambda: function(*arguments_of_c), "C, into new memory": into_new_memory}


def compare(title, ways, calls=1):
    seconds = {way: [] for way in ways}
    for run in range(-2, RUNS):
        for way, call in ways.items():
            start = time.thread_time()
            for _ in range(calls):
                call()
            if run >= 0:
                seconds[way].append((time.thread_time() - start) / calls)
    first = statistics.median(next(iter(seconds.values())))
    for way, times in seconds.items():
        median = statistics.median(times)
        print(f"{title:34} {way:24} {1e3 * median:9.4f} ms, at best {1e3 * min(times):9.4f}, "
              f"{median / first:.3f} times")


def compare_pages(title, rows, width, calls=1):
    recipe, gray = halftoned.Recipe("halftone-type=fine"), photo(rows, width, 1)
    gray = gray.reshape(rows, width)
    out, again = (np.empty((rows, recipe.row_bytes(width)), np.uint8) for _ in range(2))
    layout = byref(_library.Layout(width, 8, 0, 0, 0))
    ways = {**by_c("ht_halftone", None, recipe._own.handle, layout, gray.ctypes.data, 0,
                   rows, out),
            "halftone(gray, out=out)": lambda: recipe.halftone(gray, out=again),
            "halftone(gray)": lambda: recipe.halftone(gray),
            "rows(bands of 64)": lambda: list(recipe.rows(
                gray[at:at + 64] for at in range(0, rows, 64)))}
    compare(title, ways, calls)
    assert np.array_equal(out, again)


def compare_pictures():
    palette, rgb = halftoned.Palette("spectra6"), photo(1200, 1600, 3)
    out, again = (np.empty((1200, 1600), np.uint8) for _ in range(2))
    ways = {**by_c("ht_palette_halftone", None, palette._own.handle, 1600,
                   rgb.ctypes.data, 0, 1200, out),
            "halftone(rgb, out=out)": lambda: palette.halftone(rgb, out=again),
            "halftone(rgb)": lambda: palette.halftone(rgb),
            "rows(bands of 32)": lambda: list(palette.rows(
                rgb[at:at + 32] for at in range(0, 1200, 32)))}
    compare("spectra6, 1600 × 1200", ways)
    assert np.array_equal(out, again)


compare_pages("fine, A4 at 600 dpi", 7016, 4960)
compare_pictures()
compare_pages("fine, 8 × 1", 1, 8, calls=200)
recipe = halftoned.Recipe()
compare("a function that does nothing", {"ctypes": lambda: _library.get(
    "recipe_levels", recipe._own.handle)}, calls=1000)

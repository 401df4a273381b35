# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Palettes: indices against the second definition and the engine `scalar`; memory."""

import sys
import tracemalloc

import numpy as np
import pytest

import halftoned
from pages import LAYOUTS, TESTS, ramps

sys.path.insert(0, str(TESTS / "system/convert"))
from palette_definition import Palette as Definition

PALETTES = ("bw", "bwr", "spectra6", "gray16", "#191c20=#000000 #c4ccce #a01814=#ff0000")


def picture(rows, width, seed=0):
    return np.stack([ramps(rows, width, seed=seed + c)[:, ::1 - 2 * (c % 2)]
                     for c in range(3)], axis=-1)


@pytest.mark.parametrize("name", PALETTES)
def test_gives_the_indices_of_the_second_definition(name):
    palette, rgb = halftoned.Palette(name), picture(20, 31)
    rgb[8:12, 5:9] = palette.measured[-1]
    definition = Definition(*([tuple(map(int, color)) for color in colors]
                              for colors in (palette.measured, palette.sent)))
    rows = [[tuple(map(int, pixel)) for pixel in row] for row in rgb]
    assert np.array_equal(palette.halftone(rgb), definition.halftone(31, rows))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_engines_and_bands_change_nothing(layout):
    palette, rgb = halftoned.Palette("spectra6"), picture(75, 101)
    expected = palette.halftone(rgb, engine=halftoned.Engine("scalar"))
    laid = LAYOUTS[layout](rgb)
    assert np.array_equal(palette.halftone(laid), expected)
    array = np.asarray(laid)
    bands = [array[:1], array[1], array[2:40], array[40:40], array[40:]]
    assert np.array_equal(np.concatenate(list(palette.rows(bands))), expected)


def test_does_not_copy_pictures_in_rows():
    palette, rgb = halftoned.Palette("bwr"), picture(400, 500)
    out = np.empty((400, 500), np.uint8)
    tracemalloc.start()
    assert palette.halftone(rgb, out=out) is out
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < rgb.nbytes / 10


def test_tells_its_colors():
    palette = halftoned.Palette(PALETTES[-1])
    assert len(palette) == 3
    assert palette.sent.tolist() == [[0, 0, 0], [0xc4, 0xcc, 0xce], [255, 0, 0]]
    assert palette.measured.tolist() == [[0x19, 0x1c, 0x20], [0xc4, 0xcc, 0xce],
                                         [0xa0, 0x18, 0x14]]


def test_colors_can_be_a_list():
    for colors in PALETTES[-1].split(), ("bwr", "tone-compression=0"):
        listed = halftoned.Palette(colors)
        assert repr(listed) == repr(halftoned.Palette(" ".join(colors)))
        assert len(listed) == 3


def test_flat_areas_of_its_colors_are_flat():
    palette = halftoned.Palette("acep7")
    for colors in palette.sent, palette.measured:
        bars = np.repeat(np.repeat(colors[np.newaxis], 9, axis=0), 5, axis=1)
        assert np.array_equal(palette.halftone(bars),
                              np.broadcast_to(np.repeat(np.arange(7), 5), (9, 35)))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input that is refused, and with which message."""

import numpy as np
import pytest

import halftoned

GRAY = np.zeros((4, 16), np.uint8)
RGB = np.zeros((4, 16, 3), np.uint8)
RECIPE = halftoned.Recipe()
PALETTE = halftoned.Palette("bwr")


@pytest.mark.parametrize("options, message", (
    ({"halftone_type": "round"}, "option 'halftone-type': 'round' is not auto, "),
    ({"gamma": float("nan")}, "option 'gamma': 'nan' is not a number from 0.1 to 10"),
    ({"gamma": -1}, "'-1' is not"),
    ({"gamma": "2,5"}, "has a comma or a blank"),
    ({"gamma": "2 levels=4"}, "has a comma or a blank"),
    ({"gamma": ""}, "option 'gamma': '' is not"),
    ({"levels": 3}, "option 'levels': '3' is not"),
    ({"levels": True}, "'True' is not"),
    ({"dpi": 10 ** 30}, "option 'dpi'"),
    ({"gama": 2}, "unknown option 'gama'"),
    ({"options": "gamma=2\0"}, "embedded null character"),
    ({"tone_curve": "0 0\n255 255\0"}, "embedded null character"),
    ({"tone_curve": ""}, "tone curve: "),
    ({"tone_curve": "nan nan"}, "tone curve: "),
    ({"options": "x" * 10 ** 6 + "\n\x1b[31m"}, "option 'xxx")))
def test_options(options, message):
    with pytest.raises(ValueError) as raised:
        halftoned.Recipe(**options)
    assert message in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("colors", (
    "", "#000000", "#00000", "spectra7", "#000000 #000000", "#000000 #gggggg",
    "#000000 #ffffff\0", " ".join(f"#0000{n:02x}" for n in range(17))))
def test_palettes(colors):
    with pytest.raises(ValueError):
        halftoned.Palette(colors)


@pytest.mark.parametrize("arguments, error", (
    (("sse9",), halftoned.BadInput), (("auto", 257), halftoned.BadInput),
    (("auto", -1), ValueError), (("auto", 2 ** 32 + 1), ValueError),
    (("auto", 1.5), TypeError), (("au\0to",), ValueError)))
def test_engines(arguments, error):
    with pytest.raises(error):
        halftoned.Engine(*arguments)


@pytest.mark.parametrize("make, message", (
    (lambda: halftoned.Recipe(None), "options has the type NoneType, not str"),
    (lambda: halftoned.Recipe({"levels": 4}, gamma=2), "options has the type dict"),
    (lambda: halftoned.Recipe(tone_curve=b""), "tone_curve has the type bytes"),
    (lambda: halftoned.Palette(None), "colors has the type NoneType, not str or list"),
    (lambda: halftoned.Palette(["#000000", 3]), "a color has the type int, not str"),
    (lambda: halftoned.Engine(None), "name has the type NoneType, not str"),
    (lambda: RECIPE.halftone(GRAY, engine="avx2"), "engine has the type str, not half"),
    (lambda: PALETTE.halftone(RGB, engine="avx2"), "engine has the type str"),
    (lambda: list(RECIPE.rows([GRAY], engine="avx2")), "engine has the type str"),
    (lambda: RECIPE.image(GRAY), "image has the type ndarray, not PIL.Image.Image"),
    (lambda: PALETTE.image(RGB), "image has the type ndarray, not PIL.Image.Image")))
def test_types_of_arguments(make, message):
    with pytest.raises(TypeError) as raised:
        make()
    assert message in str(raised.value)


def page(make, array):
    """Whole; by rows, the same is refused."""
    with pytest.raises((TypeError, ValueError)):
        list(make.rows([array]))
    return make.halftone(array)


@pytest.mark.parametrize("gray", (
    GRAY.astype(float), np.full((4, 4), np.nan), GRAY.astype(bool), GRAY.astype(np.int8),
    GRAY.astype(np.uint32), GRAY.astype(object), [[0, 255]], None, "gray",
    np.zeros((4, 4), [("gray", np.uint8)])), ids=repr)
def test_types_of_gray(gray):
    with pytest.raises(TypeError, match="gray is .*, not uint8 or uint16"):
        page(RECIPE, gray)


def test_shapes_of_gray():
    for shape in (), (16,), (4, 16, 1), (2, 2, 2, 2):
        with pytest.raises(ValueError, match="gray has the shape"):
            RECIPE.halftone(np.zeros(shape, np.uint8))
    for bands in ([RGB], [GRAY, GRAY[:, 1:]], [GRAY, GRAY.astype(np.uint16)],
                  [GRAY, GRAY[0, :0]], [np.uint8(3)]):
        with pytest.raises(ValueError):
            list(RECIPE.rows(bands))


def test_pixels_of_palettes():
    for pixels in RGB.astype(np.uint16), RGB.astype(float), RGB * np.nan, None:
        with pytest.raises(TypeError, match="the pixels are .*, not uint8"):
            page(PALETTE, pixels)
    for shape in (16,), (4, 16), (4, 16, 4), (4, 16, 3, 1):
        with pytest.raises(ValueError, match="the pixels have the shape"):
            PALETTE.halftone(np.zeros(shape, np.uint8))
    with pytest.raises(ValueError, match="one width"):
        list(PALETTE.rows([RGB, RGB[:, 1:]]))


@pytest.mark.parametrize("width, error", (
    (0, halftoned.BadInput), (262145, halftoned.BadInput), (2 ** 31, ValueError),
    (2 ** 32 + 16, ValueError), (2 ** 50, ValueError)))
def test_widths(width, error):
    with pytest.raises(error, match=str(width)):
        page(RECIPE, np.broadcast_to(np.uint8(7), (1, width)))
    with pytest.raises(error, match=str(width)):
        page(PALETTE, np.broadcast_to(np.uint8(7), (1, width, 3)))


def test_rows_that_no_memory_holds():
    endless = np.broadcast_to(np.uint8(7), (2 ** 50, 16))
    with pytest.raises(MemoryError):
        RECIPE.halftone(endless)
    with pytest.raises(MemoryError):
        PALETTE.halftone(np.broadcast_to(np.uint8(7), (2 ** 50, 16, 3)))


def test_row_bytes():
    assert RECIPE.row_bytes(0) == RECIPE.row_bytes(262145) == 0
    for width in -1, 2 ** 31, 2 ** 32 + 8:
        with pytest.raises(ValueError):
            RECIPE.row_bytes(width)
    with pytest.raises(TypeError):
        RECIPE.row_bytes(8.0)


@pytest.mark.parametrize("out", (
    np.zeros((4, 3), np.uint8), np.zeros((3, 2), np.uint8), np.zeros(8, np.uint8),
    np.zeros((4, 2), np.int8), np.zeros((4, 2)), np.zeros((2, 4), np.uint8).T,
    np.zeros((4, 4), np.uint8)[:, ::2], np.zeros((4, 2), np.uint8)[::-1],
    np.broadcast_to(np.uint8(0), (4, 2)), bytearray(8)), ids=repr)
def test_places_for_the_result(out):
    with pytest.raises(ValueError, match="out"):
        RECIPE.halftone(GRAY, out=out)

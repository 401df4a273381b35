# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pillow images in and out."""

import io

import numpy as np
import pytest
from PIL import Image

import halftoned
from pages import ramps, unpacked

GRAY = ramps(40, 61)


@pytest.mark.parametrize("levels", (2, 4, 8, 16))
def test_images_show_the_samples(levels):
    recipe = halftoned.Recipe(levels=levels)
    made = recipe.image(Image.fromarray(GRAY))
    assert made.mode == ("1" if levels == 2 else "L")
    samples = unpacked(recipe.halftone(GRAY), 61, recipe.bits_per_sample)
    shown = np.asarray(made.convert("L"))
    assert np.array_equal(shown, samples * 255 // (2 ** recipe.bits_per_sample - 1))


def test_images_of_16_bits_keep_them():
    recipe, deep = halftoned.Recipe(levels=16), ramps(40, 61, np.uint16)
    expected = recipe.image(Image.fromarray(deep))
    assert expected != recipe.image(Image.fromarray((deep >> 8).astype(np.uint8)))
    for image in (Image.fromarray(deep.astype(np.int32)),
                  Image.frombytes("I;16B", (61, 40), deep.astype(">u2").tobytes())):
        assert recipe.image(image) == expected
    file = io.BytesIO()
    Image.fromarray(deep).save(file, "PNG")
    assert recipe.image(Image.open(file)) == expected


def test_palettes_round_16_bits_to_8():
    deep, palette = ramps(40, 61, np.uint16), halftoned.Palette("spectra6")
    rounded = np.rint(deep / 257).astype(np.uint8)
    expected = palette.image(Image.merge("RGB", [Image.fromarray(rounded)] * 3))
    assert len(set(expected.tobytes())) > 1
    for image in (Image.fromarray(deep), Image.fromarray(deep.astype(np.int32)),
                  Image.frombytes("I;16B", (61, 40), deep.astype(">u2").tobytes())):
        assert palette.image(image) == expected


def test_images_are_turned_as_their_exif_data_says():
    turned, upright = Image.fromarray(GRAY), Image.fromarray(np.rot90(GRAY, -1).copy())
    exif = turned.getexif()
    exif[0x0112] = 6
    for kind in "PNG", "TIFF":
        file = io.BytesIO()
        turned.save(file, kind, exif=exif)
        for made in halftoned.Recipe(), halftoned.Palette("gray4"):
            assert made.image(Image.open(file)).size == (40, 61)
            assert made.image(Image.open(file)) == made.image(upright)


def test_transparent_pixels_are_white():
    clear = Image.new("RGBA", (9, 4), (0, 0, 0, 0))
    gray = Image.new("LA", (9, 4), (0, 0))
    indexed = Image.new("P", (9, 4), 1)
    indexed.info["transparency"] = 1
    for image in clear, gray, indexed:
        assert halftoned.Recipe().image(image).tobytes() == b"\xff\x80" * 4
        assert set(halftoned.Palette("bwr").image(image).tobytes()) == {1}


def test_other_modes_become_gray_or_rgb():
    rgb = Image.merge("RGB", [Image.fromarray(GRAY)] * 3)
    recipe, palette = halftoned.Recipe(), halftoned.Palette("spectra6")
    for mode in "L", "RGB", "RGBX", "YCbCr", "1", "P":
        assert recipe.image(rgb.convert(mode)).mode == "1"
        assert palette.image(rgb.convert(mode)).mode == "P"
    assert recipe.image(rgb) == recipe.image(Image.fromarray(GRAY))


def test_images_that_have_no_black_and_white():
    for image in (Image.fromarray(GRAY.astype(np.float32)),
                  Image.fromarray(np.full((2, 2), 65536, np.int32)),
                  Image.fromarray(np.full((2, 2), -1, np.int32))):
        with pytest.raises(ValueError):
            halftoned.Recipe().image(image)


def test_images_without_pixels():
    with pytest.raises(ValueError):
        halftoned.Recipe().image(Image.new("L", (0, 0)))
    for levels in 2, 4:
        made = halftoned.Recipe(levels=levels).image(Image.new("L", (5, 0)))
        assert made.size == (5, 0)
    assert halftoned.Palette("bw").image(Image.new("L", (5, 0))).size == (5, 0)


def test_palettes_show_colors_as_sent_or_as_measured():
    palette, rgb = halftoned.Palette("spectra6"), np.stack([GRAY, GRAY.T[:40, :40].repeat(
        2, axis=1)[:, :61], GRAY[:, ::-1]], axis=-1)
    indices = palette.halftone(rgb)
    for measured in False, True:
        made = palette.image(Image.fromarray(rgb), measured=measured)
        colors = palette.measured if measured else palette.sent
        assert np.array_equal(np.asarray(made), indices)
        assert np.array_equal(np.asarray(made.convert("RGB")), colors[indices])


def test_pillow_images_are_arrays():
    recipe = halftoned.Recipe()
    assert np.array_equal(recipe.halftone(Image.fromarray(GRAY)), recipe.halftone(GRAY))

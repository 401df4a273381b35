# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes: from gray to packed bits."""

import ctypes
import re
from collections.abc import Iterable, Iterator
from ctypes import byref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._engine import Bytes, Engine, InMemory, Pixels, handle_of, room_for
from ._library import Handle, Layout, Room, Rows, call, get, text, whole, wrong_type

if TYPE_CHECKING:
    from PIL import Image


class Recipe:
    """Everything that determines the bits, except the pixels.

    Options are settings of halftone-settings(7), by keyword or as a string:

        Recipe(halftone_type="best", levels=4, gamma=0.8)
        Recipe("halftone-type=best,levels=4,gamma=0.8")

    `dpi` is one more: 600 or "1200x600". A keyword overrides the same option in the
    string. tone_curve is the text of a measured curve, which replaces dot_gain: lines
    "input output", light in 0 … 255. Raises BadInput, a ValueError.
    """

    def __init__(self, options: str = "", tone_curve: str | None = None,
                 **settings: str | float) -> None:
        text("options", options)
        for name, value in settings.items():
            option = f"{name.replace('_', '-')}={value}"
            if re.search(r"[,\s]", option):
                raise ValueError(f"option {option!r} has a comma or a blank")
            options += f",{option}" if options else option
        self._made_by = options, tone_curve
        self._own = Handle("recipe_new", "recipe", text("options", options),
                           None if tone_curve is None else text("tone_curve", tone_curve))

    def __reduce__(self) -> tuple[Any, ...]:
        return Recipe, self._made_by

    def __repr__(self) -> str:
        return f"halftoned.Recipe{self._made_by}"

    @property
    def type(self) -> str:
        """The halftone type, such as "fine"."""
        return str(get("recipe_type", self._own.handle), "ascii")

    @property
    def type_version(self) -> int:
        """Other versions of the type can give other bits."""
        return int(get("recipe_type_version", self._own.handle))

    @property
    def levels(self) -> int:
        """2, 4, 8 or 16."""
        return int(get("recipe_levels", self._own.handle))

    @property
    def bits_per_sample(self) -> int:
        """Of the output: 1 for 2 levels, 2 for 4, 4 for 8 and 16."""
        return int(get("recipe_bits_per_sample", self._own.handle))

    def row_bytes(self, width: int) -> int:
        """The bytes per row of output; 0 if the width is invalid."""
        return int(get("recipe_row_bytes", self._own.handle, whole("width", width)))

    def halftone(self, gray: Pixels, *, out: Bytes | None = None,
                 engine: Engine | None = None) -> Bytes:
        """Halftones a page in memory.

        gray: rows × columns, uint8 or uint16. It is not copied if the samples of each
            row are contiguous.
        out: an array for the result; new by default.

        Returns rows × row_bytes: packed samples, the first in the most significant bits,
        0 for black. The unused bits of a row's last byte are 0.
        """
        page = _gray(gray)
        out = room_for(out, (len(page), self.row_bytes(page.shape[1])))
        rows, bits = InMemory(page, apart=out), InMemory(out)
        call("halftone", handle_of(engine), self._own.handle, byref(_layout(page)),
             rows.address, rows.stride, rows.rows, bits.address, bits.stride)
        return out

    def rows(self, bands: Iterable[Pixels], *,
             engine: Engine | None = None) -> Iterator[Bytes]:
        """Halftones a page of any height in little memory.

        bands: arrays of successive rows, or single rows, of the same width and type.

        Yields arrays of finished rows, as halftone() returns them, up to some hundred
        rows after their gray was read.
        """
        page = None
        for each in bands:
            band = np.asarray(each)
            band = _gray(band[np.newaxis] if band.ndim == 1 else band)
            if page is None:
                page = _Page(self, _layout(band), engine)
            if not page.suits(band):
                raise ValueError("the rows of a page have one width and one type")
            yield from page.put(band)
        if page is not None:
            yield from page.end()

    def image(self, image: "Image.Image", *,
              engine: Engine | None = None) -> "Image.Image":
        """Halftones a Pillow image. Returns one of mode "1" for two levels, else "L".

        The image is turned as its Exif data says. Pillow converts colors to gray;
        transparent pixels are blended over white.
        """
        image = upright(image)
        bits = self.halftone(_gray_of_image(image), engine=engine)
        if self.levels == 2:
            return image_of("1", image.size, bits)
        return image_of("L", image.size, bits, "raw", f"L;{self.bits_per_sample}")


class _Page:
    """A page by bands. Only the generator that makes it uses it."""

    def __init__(self, recipe: Recipe, layout: Layout, engine: Engine | None) -> None:
        self._own = Handle("page_open", "page", handle_of(engine), recipe._own.handle,
                           byref(layout), None, 0)
        self._engine = engine
        self._shape = layout.width, layout.bits_per_sample
        self._row_bytes = recipe.row_bytes(layout.width)
        self._lent: npt.NDArray[Any] | None = None
        self._filled = 0
        self._in_flight = 0

    def suits(self, gray: npt.NDArray[Any]) -> bool:
        return (gray.shape[1], 8 * gray.itemsize) == self._shape

    def put(self, gray: npt.NDArray[Any]) -> Iterator[Bytes]:
        handle_of(self._engine)  # refuses forked children
        while len(gray) > 0:
            while self._lent is None and not self._lend():
                yield self._take()
            filled = self._fill(gray)
            gray = gray[filled:]
            while self._in_flight > 0 and get("page_ready", self._own.handle):
                yield self._take()

    def end(self) -> Iterator[Bytes]:
        handle_of(self._engine)
        while self._lent is None and not self._lend():
            yield self._take()
        self._submit(is_last=True)
        while self._in_flight > 0:
            yield self._take()

    def _lend(self) -> bool:
        room = Room()
        call("page_lend", self._own.handle, byref(room))
        if room.rows == 0:
            return False
        width, bits = self._shape
        memory = _bytes_at(room.gray, room.rows, room.bytes_per_row)
        self._lent = memory.view(f"u{bits // 8}")[:, :width]
        return True

    def _fill(self, gray: npt.NDArray[Any]) -> int:
        """Copies rows; returns how many fitted."""
        assert self._lent is not None
        rows = min(len(self._lent) - self._filled, len(gray))
        self._lent[self._filled:self._filled + rows] = gray[:rows]
        self._filled += rows
        if self._filled == len(self._lent):
            self._submit(is_last=False)
        return rows

    def _submit(self, is_last: bool) -> None:
        call("page_submit", self._own.handle, self._filled, is_last)
        self._lent, self._filled = None, 0
        self._in_flight += 1

    def _take(self) -> Bytes:
        done = Rows()
        call("page_take", self._own.handle, byref(done))
        self._in_flight -= 1
        if done.rows == 0:
            return np.empty((0, self._row_bytes), np.uint8)
        memory = _bytes_at(done.bits, done.rows, done.bytes_per_row)
        return memory[:, :self._row_bytes].copy()


def _bytes_at(address: int, rows: int, row_bytes: int) -> Bytes:
    memory = (ctypes.c_ubyte * (rows * row_bytes)).from_address(address)
    return np.frombuffer(memoryview(memory), np.uint8).reshape(rows, row_bytes)


def _layout(gray: npt.NDArray[Any]) -> Layout:
    return Layout(whole("width", gray.shape[1]), 8 * gray.itemsize, 0, 0, 0)


def _gray(gray: Pixels) -> npt.NDArray[Any]:
    array = np.asarray(gray)
    if array.dtype.kind != "u" or array.itemsize > 2:
        raise TypeError(f"gray is {array.dtype}, not uint8 or uint16")
    if array.ndim != 2:
        raise ValueError(f"gray has the shape {array.shape}, not (rows, columns)")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def over_white(image: "Image.Image", mode: str) -> "Image.Image":
    """In this mode, without transparency."""
    from PIL import Image

    if {"A", "a"} & set(image.getbands()) or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return image if image.mode == mode else image.convert(mode)


def image_of(mode: str, size: tuple[int, int], data: Bytes,
             *decoder: str) -> "Image.Image":
    from PIL import Image

    if 0 in size:  # frombytes() refuses it
        return Image.new(mode, size)
    return Image.frombytes(mode, size, data.tobytes(), *decoder)


def upright(image: "Image.Image") -> "Image.Image":
    """Turned as its Exif data says, like pictures for `halftone convert`."""
    from PIL import Image, ImageOps

    if not isinstance(image, Image.Image):
        raise wrong_type("image", image, "PIL.Image.Image")
    if image.format == "TIFF":  # Pillow turns these itself when it loads them
        image.load()
        return image
    turned = ImageOps.exif_transpose(image)
    return image if turned is None else turned


def deep_gray_of(image: "Image.Image") -> npt.NDArray[Any] | None:
    """The samples of 16-bit gray, or None if they have 8 bits."""
    if image.mode.startswith("I;16"):
        return np.asarray(image).astype(np.uint16)
    if image.mode == "I":  # what older versions of Pillow make of 16-bit PNG files
        samples = np.asarray(image)
        if samples.size and not 0 <= samples.min() <= samples.max() <= 65535:
            raise ValueError("samples of mode I are not all in 0 … 65535")
        return samples.astype(np.uint16)
    if image.mode == "F":
        raise ValueError("mode F has no black and white: convert the image")
    return None


def _gray_of_image(image: "Image.Image") -> npt.NDArray[Any]:
    gray = deep_gray_of(image)
    return np.asarray(over_white(image, "L")) if gray is None else gray

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Palettes: from sRGB to indices of an e-paper panel's colors."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._engine import Bytes, Engine, InMemory, Pixels, handle_of, room_for
from ._library import Handle, call, get, text, whole, wrong_type
from ._recipe import deep_gray_of, image_of, over_white, upright

if TYPE_CHECKING:
    from PIL import Image


class Palette:
    """The 2 … 16 colors of a panel.

    colors: a name, such as "spectra6" (halftone-convert(1) lists them); or colors as they
        look on the panel, each with the one that its driver expects if that differs:
        "#0a070e=#000000 #adb2ae=#ffffff #55180e=#ff0000", or a list of these. A semicolon
        begins a comment, which ends with the line. "tone-compression=0" keeps the light
        of tones that the panel has; 100 is the default. Raises BadInput, a ValueError.
    """

    def __init__(self, colors: str | list[str] | tuple[str, ...]) -> None:
        self._made_by = _joined(colors)
        self._own = Handle("palette_new", "palette", text("colors", self._made_by))

    def __reduce__(self) -> tuple[Any, ...]:
        return Palette, (self._made_by,)

    def __repr__(self) -> str:
        return f"halftoned.Palette({self._made_by!r})"

    def __len__(self) -> int:
        return int(get("palette_count", self._own.handle))

    @property
    def sent(self) -> Bytes:
        """The colors as the driver expects them: an array of len() × 3 samples."""
        return self._colors("palette_sent")

    @property
    def measured(self) -> Bytes:
        """The same, as the panel shows them. measured[indices] is the picture there."""
        return self._colors("palette_measured")

    def _colors(self, function: str) -> Bytes:
        colors = [get(function, self._own.handle, index) for index in range(len(self))]
        return np.array([tuple(color.to_bytes(3, "big")) for color in colors], np.uint8)

    def halftone(self, rgb: Pixels, *, out: Bytes | None = None,
                 engine: Engine | None = None) -> Bytes:
        """Halftones a picture in memory, on the caller's thread.

        rgb: rows × columns × 3, uint8, sRGB. It is not copied if the samples of each row
            are contiguous.
        out: an array for the result; new by default.

        Returns the indices: rows × columns. Black and white of the pixels become the
        panel's darkest and lightest color. A color of the palette, as sent or as
        measured, becomes its index, without dots.
        """
        pixels = _rgb(rgb)
        width = whole("width", pixels.shape[1])
        out = room_for(out, (len(pixels), width))
        rows, indices = InMemory(pixels, apart=out), InMemory(out)
        call("palette_halftone", handle_of(engine), self._own.handle, width, rows.address,
             rows.stride, rows.rows, indices.address, indices.stride)
        return out

    def rows(self, bands: Iterable[Pixels], *,
             engine: Engine | None = None) -> Iterator[Bytes]:
        """Halftones a picture of any height in little memory.

        bands: arrays of successive rows, or single rows, of the same width; 32 rows at a
            time are the fastest.

        Yields the indices of each.
        """
        page = None
        for each in bands:
            band = np.asarray(each)
            band = _rgb(band[np.newaxis] if band.ndim == 2 else band)
            if page is None:
                width = whole("width", band.shape[1])
                page = Handle("palette_page_open", "palette_page", handle_of(engine),
                              self._own.handle, width)
            if band.shape[1] != width:
                raise ValueError("the rows of a picture have one width")
            rows, out = InMemory(band), np.empty(band.shape[:2], np.uint8)
            call("palette_page_put", page.handle, rows.address, rows.stride, rows.rows,
                 out.ctypes.data, 0)
            yield out

    def image(self, image: "Image.Image", *, measured: bool = False,
              engine: Engine | None = None) -> "Image.Image":
        """Halftones a Pillow image. Returns one of mode "P", with the colors as sent, or
        as measured. The image is turned as its Exif data says; transparent pixels are
        blended over white."""
        image = upright(image)
        indices = self.halftone(_rgb_of_image(image), engine=engine)
        made = image_of("P", image.size, indices)
        made.putpalette((self.measured if measured else self.sent).tobytes())
        return made


def _joined(colors: str | list[str] | tuple[str, ...]) -> str:
    if isinstance(colors, str):
        return colors
    if not isinstance(colors, list | tuple):
        raise wrong_type("colors", colors, "str or list")
    for color in colors:
        text("a color", color)
    return " ".join(colors)


def _rgb_of_image(image: "Image.Image") -> npt.NDArray[Any]:
    gray = deep_gray_of(image)
    if gray is None:
        return np.asarray(over_white(image, "RGB"))
    samples = (gray.astype(np.uint32) * 255 + 32767) // 65535
    return np.repeat(samples.astype(np.uint8)[..., None], 3, axis=2)


def _rgb(rgb: Pixels) -> npt.NDArray[Any]:
    array = np.asarray(rgb)
    if array.dtype != np.uint8:
        raise TypeError(f"the pixels are {array.dtype}, not uint8")
    if array.ndim != 3 or array.shape[2] != 3:
        raise ValueError(f"the pixels have the shape {array.shape}, "
                         "not (rows, columns, 3)")
    return array

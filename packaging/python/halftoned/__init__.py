# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Halftoning of NumPy arrays and Pillow images, with the same bits as the command
`halftone convert`.

    import halftoned
    bits = halftoned.Recipe(halftone_type="fine", dpi=600).halftone(gray)
    indices = halftoned.Palette("spectra6").halftone(rgb)

Arrays are anything that numpy.asarray accepts without a copy: arrays, images, and other
objects with the buffer protocol. Gray values are amounts of light: 0 is black, and 255
(or 65535) is white.

Any number of threads can use an object of this module at the same time. The GIL is
released while pages are halftoned. Objects can be copied and pickled.
"""

from ._engine import Engine
from ._library import BadInput, Error, Unavailable, get
from ._palette import Palette
from ._recipe import Recipe

__all__ = ["BadInput", "Engine", "Error", "Palette", "Recipe", "Unavailable"]
__version__: str = get("version").decode()

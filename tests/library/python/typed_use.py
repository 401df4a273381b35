# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that mypy checks (run.py mypy). A comment to ignore an error is an error if there
is none."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from PIL import Image

import halftoned


def use(gray: npt.NDArray[np.uint16], memory: memoryview, image: Image.Image) -> None:
    recipe = halftoned.Recipe("gamma=2", halftone_type="fine", dpi=600, dot_gain=12.5)
    engine = halftoned.Engine(threads=0)
    bits: npt.NDArray[np.uint8] = recipe.halftone(gray, engine=engine)
    recipe.halftone(memory, out=bits)
    recipe.halftone(image)
    bands: Iterator[npt.NDArray[np.uint8]] = recipe.rows([gray[:4], memory, image])
    assert recipe.levels + recipe.row_bytes(3) > len(next(bands)) + len(recipe.type)
    made: Image.Image = recipe.image(image, engine=None)
    palette = halftoned.Palette(["#000000", "#ffffff"])
    made = palette.image(made, measured=True)
    assert len(palette) == palette.sent.shape[0]

    recipe.gamma  # type: ignore[attr-defined]
    recipe.halftone(gray, out=gray)  # type: ignore[arg-type]
    halftoned.Recipe(levels=[2])  # type: ignore[arg-type]
    halftoned.Engine("auto", "2")  # type: ignore[arg-type]
    halftoned.Palette(3)  # type: ignore[arg-type]
    text: str = halftoned.__version__
    number: int = text  # type: ignore[assignment]

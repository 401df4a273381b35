# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Engines, and the rows of arrays as C sees them."""

import os
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._library import Handle, text, whole, wrong_type

if TYPE_CHECKING:
    from PIL import Image

Bytes: TypeAlias = npt.NDArray[np.uint8]
Pixels: TypeAlias = "npt.ArrayLike | Image.Image"


class Engine:
    """An implementation for a kind of CPU, and its threads. All give the same bits.

    name: "avx512", "avx2", "ssse3", "neon" or "scalar"; "auto" selects the fastest one.
    threads: 1 … 256, shared by all pages that use the engine; 0: one per CPU core. With
        1, calls do the work on the caller's thread. Palettes always do.

    Without an engine, pages use "auto" with one thread.
    """

    def __init__(self, name: str = "auto", threads: int = 1) -> None:
        self._made_by = name, threads
        self._own = Handle("engine_new", "engine", text("name", name),
                           whole("threads", threads))
        self._started_in: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Engine, self._made_by

    def __repr__(self) -> str:
        return f"halftoned.Engine{self._made_by}"


def handle_of(engine: Engine | None) -> Any:
    """For a page, which starts the engine's threads."""
    if engine is None:
        return None
    if not isinstance(engine, Engine):
        raise wrong_type("engine", engine, "halftoned.Engine")
    if engine._made_by[1] != 1:
        if engine._started_in not in (None, os.getpid()):
            raise RuntimeError("a forked child cannot use the threads of its parent's "
                               "engine: make an engine in the child")
        engine._started_in = os.getpid()
    return engine._own.handle


class InMemory:
    """The rows of an array for C: copied only if they lie in memory in another way."""

    def __init__(self, array: npt.NDArray[Any], apart: Bytes | None = None) -> None:
        if not _is_in_rows(array) or (apart is not None and
                                      np.may_share_memory(array, apart)):
            array = np.array(array, order="C")
        self.array = array  # C has only its address
        self.address = array.ctypes.data
        self.stride = array.strides[0] if len(array) > 1 else 0
        self.rows = len(array)


def _is_in_rows(array: npt.NDArray[Any]) -> bool:
    if len(array) < 2:
        return bool(array.flags.aligned and array.flags.c_contiguous)
    row = array[0]
    return bool(array.flags.aligned and row.flags.c_contiguous and
                array.strides[0] >= row.nbytes)


def room_for(out: Bytes | None, shape: tuple[int, int]) -> Bytes:
    """The array for a result: a new one, or the caller's, if it suits."""
    if out is None:
        return np.empty(shape, np.uint8)
    if (not isinstance(out, np.ndarray) or out.dtype != np.uint8 or out.shape != shape or
            not out.flags.writeable):
        raise ValueError(f"out must be a writable uint8 array of shape {shape}")
    if not _is_in_rows(out):
        raise ValueError("the bytes of each row of out must be contiguous")
    return out

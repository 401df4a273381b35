# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libhalftone, through ctypes: its functions, structs and errors. Knows no arrays.

The library is the one that LIBHALFTONE names, else the one in the package, else the
system's. ctypes releases the GIL while a function runs.
"""

import ctypes
import operator
import os
import pathlib
import weakref
from ctypes import POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_void_p
from typing import Any

_BUNDLED = pathlib.Path(__file__).with_name("libhalftone.so")
LIBRARY = ctypes.CDLL(os.environ.get("LIBHALFTONE") or
                      (str(_BUNDLED) if _BUNDLED.exists() else "libhalftone.so.0"))


class Error(Exception):
    """The library's message."""


class BadInput(Error, ValueError):
    """An option or an argument is invalid: change it."""


class Unavailable(Error, RuntimeError):
    """This machine cannot do it, or not now: try another engine, or try later."""


class _Failure(ctypes.Structure):
    _fields_ = [("status", c_int), ("text", ctypes.c_char * 252)]


class Layout(ctypes.Structure):
    _fields_ = [("width", c_int32), ("bits_per_sample", c_int32), ("first_row", c_int64),
                ("rows_per_band", c_int32), ("reserved", c_int32)]


class Room(ctypes.Structure):
    _fields_ = [("gray", c_void_p), ("bytes_per_row", c_size_t), ("rows", c_int32),
                ("reserved", c_int32)]


class Rows(ctypes.Structure):
    _fields_ = [("bits", c_void_p), ("bytes_per_row", c_size_t), ("first_row", c_int64),
                ("rows", c_int32), ("reserved", c_int32)]


def _declare(result: Any, **functions: tuple[Any, ...]) -> None:
    for name, arguments in functions.items():
        function = getattr(LIBRARY, "ht_" + name)
        function.restype, function.argtypes = result, arguments


_NEW, _FAILURE = POINTER(c_void_p), POINTER(_Failure)
_IN_MEMORY = (c_void_p, c_size_t, c_int64, c_void_p, c_size_t, _FAILURE)
_declare(c_char_p, version=(), recipe_type=(c_void_p,))
_declare(None, **{kind + "_free": (c_void_p,) for kind in
                  ("engine", "page", "palette", "palette_page", "recipe")})
_declare(c_size_t, recipe_row_bytes=(c_void_p, c_int32))
_declare(ctypes.c_uint32, palette_measured=(c_void_p, c_int),
         palette_sent=(c_void_p, c_int))
_declare(
    c_int,
    # Plain numbers.
    page_ready=(c_void_p,), palette_count=(c_void_p,),
    recipe_bits_per_sample=(c_void_p,), recipe_levels=(c_void_p,),
    recipe_type_version=(c_void_p,),
    # A status; call() raises it.
    engine_new=(c_char_p, c_int, _NEW, _FAILURE),
    halftone=(c_void_p, c_void_p, POINTER(Layout), *_IN_MEMORY),
    page_lend=(c_void_p, POINTER(Room), _FAILURE),
    page_open=(c_void_p, c_void_p, POINTER(Layout), c_void_p, c_size_t, _NEW, _FAILURE),
    page_submit=(c_void_p, c_int32, c_int, _FAILURE),
    page_take=(c_void_p, POINTER(Rows), _FAILURE),
    palette_halftone=(c_void_p, c_void_p, c_int32, *_IN_MEMORY),
    palette_new=(c_char_p, _NEW, _FAILURE),
    palette_page_open=(c_void_p, c_void_p, c_int32, _NEW, _FAILURE),
    palette_page_put=(c_void_p, *_IN_MEMORY),
    recipe_new=(c_char_p, c_char_p, _NEW, _FAILURE))


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status, and raises its error."""
    failure = _Failure()
    status = getattr(LIBRARY, "ht_" + name)(*arguments, byref(failure))
    if status != 0:
        kinds: dict[int, type[Error]] = {1: BadInput, 2: Unavailable}
        raise kinds.get(status, Error)(failure.text.decode())


def get(name: str, *arguments: Any) -> Any:
    """Calls a function that cannot fail."""
    return getattr(LIBRARY, "ht_" + name)(*arguments)


def wrong_type(name: str, value: object, wanted: str) -> TypeError:
    return TypeError(f"{name} has the type {type(value).__name__}, not {wanted}")


def text(name: str, value: str) -> bytes:
    """A string of C, which ends at the first null character."""
    if not isinstance(value, str):
        raise wrong_type(name, value, "str")
    if "\0" in value:
        raise ValueError("embedded null character")
    return value.encode()


def whole(name: str, value: int) -> int:
    """A number that C takes as it is; ctypes would drop its upper bits."""
    value = operator.index(value)
    if not 0 <= value < 2 ** 31:
        raise ValueError(f"{name} is {value}, which is not in 0 … 2147483647")
    return value


class Handle:
    """A handle of the library, which lives as long as this object."""

    def __init__(self, make: str, kind: str, *arguments: Any) -> None:
        self.handle = c_void_p()
        call(make, *arguments, byref(self.handle))
        # Not at exit: threads may still use it then.
        weakref.finalize(self, _free, kind, self.handle, os.getpid()).atexit = False


def _free(kind: str, handle: c_void_p, process: int) -> None:
    # A forked child has handles, but not the threads of its parent's engines.
    if os.getpid() == process:
        get(kind + "_free", handle)

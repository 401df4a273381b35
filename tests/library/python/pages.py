# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages and pictures for the tests, and layouts of them in memory."""

import pathlib
import re

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = TESTS / "golden/pages"


def read_pnm(path):
    """Samples: 1 is white in PBM too."""
    data = path.read_bytes()
    header = re.match(rb"(P[45])\s(\d+)\s(\d+)\s(?:(\d+)\s)?", data)
    kind, width, rows, most = header.groups()
    width, rows, raster = int(width), int(rows), data[header.end():]
    if kind == b"P4":
        ink = np.frombuffer(raster, np.uint8).reshape(rows, -1)
        return 1 - np.unpackbits(ink, axis=1, count=width)
    return np.frombuffer(raster, ">u2" if int(most) > 255 else "u1").reshape(rows, width)


def unpacked(bits, width, bits_per_sample):
    """The samples; fails if a bit beyond the width is set."""
    places = np.unpackbits(bits, axis=1)
    end = width * bits_per_sample
    assert not places[:, end:].any()
    samples = places[:, :end].reshape(len(bits), width, bits_per_sample)
    return samples @ (1 << np.arange(bits_per_sample)[::-1])


def ramps(rows, width, dtype=np.uint8, seed=0):
    """Tones, noise, and areas of black and white."""
    random = np.random.default_rng(seed)
    most = np.iinfo(dtype).max
    gray = np.linspace(0, most, max(rows * width, 1))[:rows * width].reshape(rows, width)
    gray = gray + random.integers(-most // 8, most // 8 + 1, (rows, width))
    gray[rows // 3:rows // 2, width // 4:] = random.choice((0, most))
    return gray.clip(0, most).astype(dtype)


def _padded(array):
    rows, columns = array.shape[:2]
    wide = np.full((rows, columns + 5, *array.shape[2:]), 77, array.dtype)
    wide[:, 3:-2] = array
    return wide[:, 3:-2]


def _every_third(array):
    sparse = np.full((array.shape[0], 3 * array.shape[1], *array.shape[2:]), 77,
                     array.dtype)
    sparse[:, ::3] = array
    return sparse[:, ::3]


def _unaligned(array):
    memory = np.zeros(array.nbytes + 1, np.uint8)
    moved = memory[1:].view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def _read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


# The same pixels, laid out in another way.
LAYOUTS = {
    "contiguous": np.ascontiguousarray,
    "columns first": np.asfortranarray,
    "padded": _padded,
    "every third column": _every_third,
    "upside down": lambda array: array[::-1].copy()[::-1],
    "mirrored": lambda array: array[:, ::-1].copy()[:, ::-1],
    "the other byte order": lambda array: array.astype(array.dtype.newbyteorder("S")),
    "unaligned": _unaligned,
    "read-only": _read_only,
    "a memoryview": lambda array: memoryview(np.ascontiguousarray(array)),
}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""URF, the raster of AirPrint, back to gray."""

import struct

import cups_raster

PAGE = struct.Struct(">BBBB8xIII8x")  # bits, space, sides, quality, size, dpi
SPACES = {0: 18, 4: 0}  # as CUPS has them


def read_pages(data):
    """[(header, rows)] of gray as light, as cups_raster.read_pages has them."""
    magic, count = struct.unpack_from(">8sI", data)
    assert magic == b"UNIRAST\0", magic
    at, pages = 12, []
    while at < len(data):
        bits, space, sides, _, width, height, dpi = PAGE.unpack_from(data, at)
        assert bits == 8 and space in SPACES, "not gray of 8 bits"
        header = {"cupsWidth": width, "cupsHeight": height, "cupsBitsPerPixel": 8,
                  "cupsBytesPerLine": width, "cupsColorSpace": SPACES[space],
                  "HWResolution0": dpi, "sides": sides}
        # Rows are packed as in PWG raster.
        rows, at = cups_raster.unpack_rows(data, at + PAGE.size, header)
        pages.append((header, rows))
    assert count in (0, len(pages))
    return pages

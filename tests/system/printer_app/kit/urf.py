# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""URF, the raster of AirPrint, back to gray."""

import struct

import cups_raster

PAGE = struct.Struct(">BBBB8xIII8x")  # bits, space, sides, quality, size, dpi


def read_pages(data):
    """Each page: its width, its dpi, its gray samples as light."""
    magic, count = struct.unpack_from(">8sI", data)
    assert magic == b"UNIRAST\0", magic
    at, pages = 12, []
    while at < len(data):
        bits, space, _, _, width, height, dpi = PAGE.unpack_from(data, at)
        assert (bits, space) in ((8, 0), (8, 4)), "not gray of 8 bits"
        rows, at = cups_raster.unpack_rows(data, at + PAGE.size, {
            "cupsBytesPerLine": width, "cupsBitsPerPixel": 8,
            "cupsHeight": height, "cupsColorSpace": 18})
        pages.append((width, dpi, rows))
    assert count in (0, len(pages))
    return pages

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rastertosag-gdi writes, back to rows of ink: after a page's header, runs of
dots of one color, which go on over ends of rows and of blocks."""

import struct

SIGNATURE, PAGE, BLOCK = 84, 0x000F0011, 0x0012
BLACK, IS_LONG, SHORT = 0x40, 0x80, 0x3F


def read_pages(data):
    """[[bytes]] of each page."""
    at = SIGNATURE + 2
    pages = []
    while at + 6 <= len(data):
        if struct.unpack_from("<I", data, at)[0] == PAGE:
            width, height = struct.unpack_from("<HH", data, at + 12)
            at += 21
            dots = bytearray()
        elif struct.unpack_from("<H", data, at)[0] == BLOCK:
            size, = struct.unpack_from("<H", data, at + 2)
            dots += _dots(data[at + 6:at + 6 + size])
            at += 6 + size
        elif data[at] == 0x13:  # a page's end
            assert len(dots) == width * height
            pages.append([_packed(dots[i:i + width])
                          for i in range(0, len(dots), width)])
            at += 6
        else:  # the document's
            at += 6
    return pages


def _dots(runs):
    """A byte for each."""
    dots, at = bytearray(), 0
    while at < len(runs):
        code = runs[at]
        length, at = code & SHORT, at + 1
        if code & IS_LONG:
            length, at = length + 64 * runs[at], at + 1
        dots += (b"1" if code & BLACK else b"0") * length
    return dots


def _packed(dots):
    text = bytes(dots).ljust(-(-len(dots) // 8) * 8, b"0")
    return int(text, 2).to_bytes(len(text) // 8, "big")

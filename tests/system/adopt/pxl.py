# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bitmaps of PCL XL as Ghostscript's pxlmono and lj5mono write it, back to rows
of ink. An image must go to as many dots as it has pixels, at a whole dot; of
everything else in a print job only the lengths are known."""

import struct

import pcl

NUMBERS = {0: "B", 1: "H", 2: "I", 3: "h", 4: "i", 5: "f"}
BEGIN_PAGE, END_PAGE, SET_CURSOR = 0x43, 0x44, 0x6B
BEGIN_IMAGE, READ_IMAGE = 0xB0, 0xB1
DEPTH, HEIGHT, METHOD = 0x62, 0x63, 0x65
DESTINATION, SOURCE_HEIGHT, SOURCE_WIDTH, POINT = 0x67, 0x6B, 0x6C, 0x4C
START_LINE = 0x6D


class _Stream:
    def __init__(self, data):
        self.data = data
        self.at = data.index(b"\n", data.index(b") HP-PCL XL;")) + 1

    def take(self, kinds):
        values = struct.unpack_from("<" + kinds, self.data, self.at)
        self.at += struct.calcsize("<" + kinds)
        return values

    def bytes(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def value(self, tag):
        kind = NUMBERS[tag & 7]
        if tag & 0x38 == 0x08:  # an array, whose length is a number
            (count,) = self.take(NUMBERS[self.take("B")[0] & 7])
            return self.take(kind * count)
        return self.take(kind * {0: 1, 0x10: 2, 0x20: 4}[tag & 0x38])


def operators(data):
    """(operator, its attributes, the bytes that follow it) of the first job."""
    stream, attributes, value, found = _Stream(data), {}, None, []
    while not found or found[-1][0] != 0x42:  # the session's end
        (tag,) = stream.take("B")
        if 0xC0 <= tag <= 0xEF:
            value = stream.value(tag)
        elif tag == 0xF8:
            attributes[stream.take("B")[0]] = value
        elif tag in (0xFA, 0xFB):
            (size,) = stream.take("I" if tag == 0xFA else "B")
            found[-1] = (*found[-1][:2], stream.bytes(size))
        else:
            assert 0x41 <= tag <= 0xBF, f"tag {tag:#x} at {stream.at}"
            found.append((tag, attributes, b""))
            attributes = {}
    return found


def _rows(attributes, data, width):
    (method,), (height,) = attributes[METHOD], attributes[HEIGHT]
    assert method in (0, 1)
    flat = pcl.METHODS[2](data, b"") if method else data
    # Rows fill 4 bytes; those of lj5mono, 8.
    sizes = [(width + bits - 1) // bits * bits // 8 for bits in (32, 64)]
    size, rest = divmod(len(flat), height)
    assert size in sizes and rest == 0
    return [flat[at:at + size][:(width + 7) // 8]
            for at in range(0, len(flat), size)]


def read_pages(data):
    """[(width, rows)]: 1 is black, as in the palette of white and black."""
    pages, cursor, image = [], None, None
    for operator, attributes, sent in operators(data):
        if operator == BEGIN_PAGE:
            pages.append((0, []))
        elif operator == SET_CURSOR:
            cursor = attributes[POINT]
        elif operator == BEGIN_IMAGE:
            image = attributes
            size = (*image[SOURCE_WIDTH], *image[SOURCE_HEIGHT])
            assert image[DESTINATION] == size and image[DEPTH] == (0,)
        elif operator == READ_IMAGE:
            width, rows = image[SOURCE_WIDTH][0], pages[-1][1]
            (line,) = attributes[START_LINE]
            assert cursor == (0, len(rows) - line), "a gap between images"
            rows += _rows(attributes, sent, width)
            pages[-1] = (width, rows)
    return pages

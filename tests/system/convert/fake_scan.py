# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A simulated print of bits and a scan of it: dots grow to the right and down, and
light is blurred, coded by a power and read in half the printer's resolution."""

GROWTH = 0.3  # of a dot
BLACK = 0.035  # light
PAPER = 0.85
GAMMA = 2.2
# For each byte, how many of each two neighboring dots are black.
PAIRS = [bytes((byte >> shift & 1) + (byte >> shift + 1 & 1)
               for shift in (6, 4, 2, 0)) for byte in range(256)]


def pairs(row):
    return b"".join(map(PAIRS.__getitem__, row))


def ink_of(rows):
    """Rows of ink, 0 … 1, a number for two by two dots."""
    above = 0
    lines = []
    for row in rows:
        dots = int.from_bytes(row, "big")
        grown = (dots | dots >> 1 | above).to_bytes(len(row), "big")
        above = dots
        lines.append([(1 - GROWTH) * a + GROWTH * b
                      for a, b in zip(pairs(row), pairs(grown))])
    return [[(a + b) / 4 for a, b in zip(upper, lower)]
            for upper, lower in zip(lines[::2], lines[1::2])]


def blurred(rows):
    """By quarters, halves and quarters of three rows."""
    return [[(a + 2 * b + c) / 4 for a, b, c in zip(above, row, below)]
            for above, row, below in zip(rows, rows[1:], rows[2:])]


def code_of(ink):
    light = PAPER * (1 - (1 - BLACK) * min(max(ink, 0), 1))
    return round(255 * light ** (1 / GAMMA))


def scan(rows):
    """The PGM image of a scan. rows: bytes of dots, 1 is black."""
    ink = blurred(ink_of(rows))
    ink = blurred([list(column) for column in zip(*ink)])
    codes = [code_of(i / 1000) for i in range(1001)]
    # The rows are columns now: the page is turned and mirrored; the reader
    # takes only one of them.
    ink = [list(reversed(row)) for row in ink]
    pixels = b"".join(bytes(codes[int(1000 * value + 0.5)] for value in row)
                      for row in ink)
    return b"P5\n%d %d\n255\n" % (len(ink[0]), len(ink)) + pixels


def cropped(rows, dots_per_inch, width, height):
    """The middle of a page, in millimeters."""
    across = int(width / 25.4 * dots_per_inch) // 8
    down = int(height / 25.4 * dots_per_inch)
    left = max((len(rows[0]) - across) // 2, 0)
    top = max((len(rows) - down) // 2, 0)
    return [row[left:left + across] for row in rows[top:top + down]]

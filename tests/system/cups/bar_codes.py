# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbols of bar codes as modules, 1 for a bar, and how PostScript draws them:
as rectangles, or as a picture whose edges are smoothed."""

import itertools
import math
import random

# Widths of bars and spaces by value; from 103 on three starts and the stop.
CODE_128 = """
212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312
231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212
223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121
111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331
132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123
311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124
121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114
413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112
421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311
113141 114131 311141 411131 211412 211214 211232 2331112""".split()
START_B, STOP = 104, 106

EAN_LEFT = """0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011
0110111 0001011""".split()
# Which digits of the left half are mirrored complements, by the first digit.
EAN_SIDES = """000000 001011 001101 001110 010011 011001 011100 010101 010110
011010""".split()


def _complement(modules):
    return modules.translate(str.maketrans("01", "10"))


def code_128(text):
    values = [START_B] + [ord(letter) - 32 for letter in text]
    check = values[0] + sum(at * value for at, value in enumerate(values))
    widths = "".join(CODE_128[value]
                     for value in [*values, check % 103, STOP])
    return "".join(str(1 - at % 2) * int(width)
                   for at, width in enumerate(widths))


def ean_13(digits):
    """The bars of the first twelve digits."""
    weighted = sum((1, 3)[at % 2] * int(digit)
                   for at, digit in enumerate(digits))
    digits += str(-weighted % 10)
    left = "".join(
        EAN_LEFT[int(digit)] if side == "0"
        else _complement(EAN_LEFT[int(digit)])[::-1]
        for digit, side in zip(digits[1:7], EAN_SIDES[int(digits[0])]))
    right = "".join(_complement(EAN_LEFT[int(digit)]) for digit in digits[7:])
    return f"101{left}01010{right}101"


def matrix(side):
    """Rows from above, as Data Matrix has them: solid at the left and below,
    every other module above and at the right, and inside anything."""
    chance = random.Random(5)
    rows = ["1" + "".join(chance.choices("01", k=side - 2)) +
            "01"[row % 2] for row in range(side)]
    return ["10" * (side // 2), *rows[1:-1], "1" * side]


def upright(modules, height):
    return [modules] * height


def lying(rows):
    return ["".join(column) for column in zip(*rows)]


def run_count(modules):
    """The number of bars and of the spaces between them."""
    return len(list(itertools.groupby(modules.strip("0"))))


def draw_rectangles(rows, left, bottom, module):
    """`rows` from above, of square modules; all lengths in points."""
    lines = []
    for up, modules in enumerate(reversed(rows)):
        at = 0
        for bit, run in itertools.groupby(modules):
            length = len(list(run))
            if bit == "1":
                lines.append(f"{left + at * module:.4f} "
                             f"{bottom + up * module:.4f} "
                             f"{length * module:.4f} {module:.4f} rectfill")
            at += length
    return "\n".join(lines)


def _resampled(values, count):
    """So many means of what each new pixel covers of `values`."""
    step = len(values) / count
    means = []
    for at in range(count):
        begin, end = at * step, (at + 1) * step
        means.append(sum(
            values[k] * (min(end, k + 1) - max(begin, k))
            for k in range(int(begin), min(math.ceil(end), len(values)))) / step)
    return means


def draw_picture(rows, left, bottom, module, dots_per_inch):
    """As a picture of this resolution, smoothed, with four modules of white all
    around."""
    quiet = 4
    space = "0" * (len(rows[0]) + 2 * quiet)
    padded = [space] * quiet + ["0" * quiet + row + "0" * quiet
                                for row in rows] + [space] * quiet
    light = [[255 * (bit == "0") for bit in row] for row in padded]
    for _ in range(2):  # along the rows, then along the columns
        count = round(len(light[0]) * module * dots_per_inch / 72)
        light = list(zip(*(_resampled(row, count) for row in light)))
    width, height = len(light[0]), len(light)
    data = "\n".join("".join(f"{round(value):02x}" for value in row)
                     for row in light)
    return (f"gsave {left - quiet * module:.4f} {bottom - quiet * module:.4f} "
            f"translate {len(space) * module:.4f} {len(padded) * module:.4f} "
            "scale /DeviceGray setcolorspace << /ImageType 1 "
            "/BitsPerComponent 8 /Decode [0 1] "
            f"/Width {width} /Height {height} /ImageMatrix "
            f"[{width} 0 0 {-height} 0 {height}] "
            "/DataSource currentfile /ASCIIHexDecode filter >> image\n"
            f"{data}>\ngrestore")

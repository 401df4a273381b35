# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classic kernels for methods.py, with their weights as pictures."""

import math

WHITE = 4080

JARVIS = """
        *  7  5
  3  5  7  5  3
  1  3  5  3  1"""
STUCKI = """
        *  8  4
  2  4  8  4  2
  1  2  4  2  1"""
BURKES = """
        *  8  4
  2  4  8  4  2"""
SIERRA = """
        *  5  3
  2  4  5  4  2
  0  2  3  2  0"""
ATKINSON = """
        *  1  1
  0  1  1  1  0
  0  0  1  0  0"""
FALSE_FLOYD_STEINBERG = """
        *  3  0
  0  0  3  2  0"""

# Pictures of the kernels, and the denominators of their weights.
KERNELS = {
    "jarvis": (JARVIS, 48),
    "stucki": (STUCKI, 42),
    "burkes": (BURKES, 32),
    "sierra": (SIERRA, 32),
    "atkinson": (ATKINSON, 8),
    "false-floyd-steinberg": (FALSE_FLOYD_STEINBERG, 8),
}


def rounded(number):
    return math.floor(number + 0.5)


def factors(name):
    """By rows down and columns to the right; None for the share that is dropped."""
    picture, of = KERNELS[name]
    first, *others = picture.strip().splitlines()
    lines = [[0, 0, 0, *first.split()[1:]]] + [line.split() for line in others]
    weights = {(down, column - 2): int(weight)
               for down, line in enumerate(lines)
               for column, weight in enumerate(line)}
    weights[None] = of - sum(weights.values())
    return {place: rounded(32768 * weight / of)
            for place, weight in weights.items() if weight and place != (1, 0)}


def classic(name, rows, levels, pure, *others):
    width, height = len(rows[0]), len(rows)
    numbers = factors(name)
    run = others[-1] + 1 if others else 1
    far_off = 0 if name == "atkinson" else 128 * (run - 1)
    # What each pixel gets from its own row and the row above, and what it gets from
    # two rows above unless a pure pixel is between the two.
    near = [[0] * width for _ in range(height + 2)]
    far = [[0] * width for _ in range(height + 2)]
    for i, row in enumerate(rows):
        near[i] = [max(-8000, min(8000, a)) for a in near[i]]
        for j, value in enumerate(row):
            lower = min(value * (levels - 1) // WHITE, levels - 2)
            v = value * (levels - 1) - lower * WHITE
            if pure and value in (0, WHITE):
                row[j] = lower + (v > 2040)
                continue
            s = v + near[i][j]
            so_far = row[max(0, j - run):j]  # the last pixels, as they are printed
            if not so_far:
                white = s > 2040
            elif len(set(so_far)) > 1 or len(so_far) < run or width - j < run:
                white = so_far[-1] == 1
            else:
                white = s > (2040 - far_off if so_far[-1] == 1 else 2040 + far_off)
            e = s - WHITE if white else s
            rest = e
            for place, factor in numbers.items():
                part = (factor * e + 16384) // 32768
                rest -= part
                if place and 0 <= j + place[1] < width:
                    sums = far if place[0] == 2 else near
                    sums[i + place[0]][j + place[1]] += part
            near[i + 1][j] += rest + far[i + 1][j]
            row[j] = lower + white
        yield row

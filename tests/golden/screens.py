# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Screens and masks: a pixel's place alone decides how dark it must be for a dot."""

import math

import blue_noise

WHITE = 4080


def order_of_cells(count):
    """By cell, row after row: each is the farthest from those before it."""
    def apart(a, b):
        return min(abs(a - b), count - abs(a - b))

    order = {}
    near = {(x, y): 0 for y in range(count) for x in range(count)}
    while len(order) < count * count:
        x, y = min((cell for cell in near if cell not in order), key=near.get)
        order[x, y] = len(order)
        for m, n in near:
            distance = 1 + apart(m, x) ** 2 + apart(n, y) ** 2
            near[m, n] += 2 ** 24 // distance ** 2
    return order


# What the ways across and along a dot count: round, ellipse, line, diamond.
OUTLINES = (1, 1), (4, 3), (1, 0), (20, 17)


def distance(outline, area, m, n):
    """From the middle of a dot or hole, m across it and n along it."""
    wide, long = OUTLINES[outline]
    if outline >= 2:
        return wide * m + long * n
    excess = wide * m + long * n - long * area
    if excess <= 0:
        return (wide * m) ** 2 + (long * n) ** 2
    return (long * area) ** 2 + long * area + excess


class Screen:
    """The offsets of a screen: those of one supercell, by the place in it."""

    def __init__(self, a, b, c, d, cells, outline=0, turned=0):
        self.sides = a, b, c, d
        self.area = a * d + b * c
        order = order_of_cells(cells)
        wide, long = OUTLINES[outline]
        spots = {}
        pixels = sorted({self.place(x, y) for y in range(b + d)
                         for x in range(-c, a)}, key=lambda at: at[::-1])
        for x, y in pixels:
            u = cells * (d * (2 * x + 1) + c * (2 * y + 1))
            v = cells * (a * (2 * y + 1) - b * (2 * x + 1))
            m = abs(u % (2 * self.area) - self.area)
            n = abs(v % (2 * self.area) - self.area)
            if turned:
                m, n = n, m
            # The hole is as far away as the dot where both have half the ink.
            hole = 2 * (m * wide + n * long) > self.area * (wide + long)
            if hole:
                u, v = u + self.area, v + self.area
                m, n = self.area - m, self.area - n
            cell = (u // (2 * self.area) % cells, v // (2 * self.area) % cells)
            spots.setdefault((hole, cell), []).append(
                (distance(outline, self.area, m, n),
                 v % (2 * self.area), u % (2 * self.area), y, x))
        ranks = []
        for (hole, cell), members in spots.items():
            steps = len(members) * cells ** 2
            for i, (*_, y, x) in enumerate(sorted(members)):
                key = (2 * (i * cells ** 2 + order[cell]) + 1) * 2 ** 32 // (
                    2 * steps)
                ranks.append((hole, -key if hole else key, y, x))
        self.offsets = {
            (x, y): (2 * rank + 1) * 2040 // self.area
            for rank, (_, _, y, x) in enumerate(sorted(ranks))}
        assert len(self.offsets) == self.area

    def place(self, x, y):
        """In the first row of bricks, from the column of the first one on."""
        a, b, c, d = self.sides
        height = math.gcd(b, d)
        width = self.area // height
        up = y // height
        shift = next(s for s in range(width)
                     if (c * height - d * s) % self.area == 0
                     and (a * height + b * s) % self.area == 0)
        return (x + up * shift) % width, y % height

    def at(self, x, y):
        return self.offsets[self.place(x, y)]


def screen(rows, levels, sides):
    dots = Screen(*sides)
    for y, row in enumerate(rows):
        yield [((levels - 1) * v + dots.at(x, y)) // WHITE
               for x, v in enumerate(row)]


def by_mask(rows, levels):
    ranks = blue_noise.ranks()
    for y, row in enumerate(rows):
        yield [((levels - 1) * v + (2 * ranks[y % 256, x % 256] + 1) * 2040 // 65536)
               // WHITE for x, v in enumerate(row)]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mask of blue-noise for methods.py, by void and cluster. Takes half a minute."""

import functools

SIDE = 256
REACH = 9
FIRST = SIDE * SIDE // 10
NEVER = 2 ** 60


def weights():
    numbers = [2 ** 24]
    while len(numbers) <= 2 * REACH ** 2:
        numbers.append(numbers[-1] * 55124 // 65536)
    return [[numbers[x * x + y * y] for x in range(-REACH, REACH + 1)]
            for y in range(-REACH, REACH + 1)]


class Plane:
    """The crowds of all pixels, row by row; NEVER is subtracted from those of dots."""

    def __init__(self):
        self.weights = weights()
        self.crowds = [[0] * SIDE for _ in range(SIDE)]
        self.least = [0] * SIDE
        self.most_of_dots = [None] * SIDE

    def copy(self):
        other = Plane()
        other.crowds = [row[:] for row in self.crowds]
        other.least = self.least[:]
        other.most_of_dots = self.most_of_dots[:]
        return other

    def change(self, y, x, sign):
        for number, line in enumerate(self.weights):
            at = (y + number - REACH) % SIDE
            row = self.crowds[at]
            for m, weight in enumerate(line, x - REACH):
                row[m % SIDE] += sign * weight
        self.crowds[y][x] -= sign * NEVER
        for number in range(y - REACH, y + REACH + 1):
            self.least[number % SIDE] = self.most_of_dots[number % SIDE] = None

    def dot(self):
        """The place of the most crowded dot."""
        for y, row in enumerate(self.crowds):
            if self.most_of_dots[y] is None:
                self.most_of_dots[y] = max(
                    (a for a in row if a < 0), default=-2 * NEVER)
        most = max(self.most_of_dots)
        y = self.most_of_dots.index(most)
        return y, self.crowds[y].index(most)

    def gap(self):
        """The place of the least crowded gap."""
        for y, row in enumerate(self.crowds):
            if self.least[y] is None:
                self.least[y] = min((a for a in row if a >= 0), default=NEVER)
        least = min(self.least)
        y = self.least.index(least)
        return y, self.crowds[y].index(least)


@functools.cache
def ranks():
    """By row and column."""
    plane = Plane()
    number, chosen = 1, set()
    while len(chosen) < FIRST:
        number = (number * 1664525 + 1013904223) % 2 ** 32
        at = divmod(number >> 16, SIDE)
        if at not in chosen:
            chosen.add(at)
            plane.change(*at, 1)
    while True:
        dot = plane.dot()
        plane.change(*dot, -1)
        gap = plane.gap()
        plane.change(*gap, 1)
        if gap == dot:
            break
    result = {}
    fewer = plane.copy()
    for rank in reversed(range(FIRST)):
        result[dot] = rank
        fewer.change(*dot, -1)
        dot = fewer.dot() if rank else None
    for rank in range(FIRST, SIDE * SIDE):
        gap = plane.gap()
        result[gap] = rank
        plane.change(*gap, 1)
    return result

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The methods once more. It follows the bit contract of docs/reference/bits.md and
shares no code with the engine, so that a mistake would have to be made twice.
"""

import math

import classic
from paper import best_on_paper
from screens import by_mask, screen
from spread import Spread, table

WHITE = 4080


def curve_of(gamma):
    if gamma is None:
        return list(range(WHITE + 1))
    # math.floor(x + 0.5) rounds as lround does for positive numbers.
    return [math.floor((i / WHITE) ** (1 / gamma) * WHITE + 0.5)
            for i in range(WHITE + 1)]


def values(rows, maxval, curve):
    """The curved value of every pixel."""
    return [[curve[16 * a if maxval == 255 else (a * WHITE + 32768) >> 16]
             for a in row] for row in rows]


def floyd_steinberg(rows, levels, pure):
    steps = levels - 1
    value = [(k * WHITE + steps // 2) // steps for k in range(levels)]
    middle = [(value[k] + value[k + 1]) // 2 for k in range(steps)]
    width = len(rows[0])
    above = [0] * (width + 2)
    result = []
    for row in rows:
        errors = [0] * (width + 2)
        line = []
        for j, v in enumerate(row):
            s = v + ((7 * errors[j] + above[j] + 5 * above[j + 1]
                      + 3 * above[j + 2] + 8) >> 4)
            if pure and v in (0, WHITE):
                s = v
            k = sum(s > m for m in middle)
            errors[j + 1] = s - value[k]
            line.append(k)
        above = errors
        result.append(line)
    return result


FINE = table("fine")
FEEDBACK = table("feedback")
CLUSTERED = table("clustered")
FIRST_OF_BEST = table("best_first")


def fine(rows, levels, pure, numbers=FINE):
    width = len(rows[0])
    spread = Spread(width)
    above = [1000] * (width + 2)
    for row in rows:
        far = [1000] * (width + 2)
        line = []
        for j, value in enumerate(row):
            lower = min(value * (levels - 1) // WHITE, levels - 2)
            v = value * (levels - 1) - lower * WHITE
            tone = (v + 8) // 16
            u = min(tone, 255 - tone)
            *weights, gain, onset, lift = numbers[min(u, (u + 48) // 4)]
            s = v + spread.row[j]
            if pure and value in (0, WHITE):
                s = v
            d = min(far[j] + 5, above[j + 1] + 5, above[j] + 7, above[j + 2] + 7,
                    1000)
            shift = min(gain * (d - onset) // 16, 2040) + lift
            if tone < 128:
                white = s + shift > 2040
                rare = white
            else:
                white = s - shift > 2040
                rare = not white
            e = s - WHITE if white else s
            if u == 0:
                e -= (e + 4) // 8
            if pure and value in (0, WHITE):
                far[j + 1] = 1000
            else:
                far[j + 1] = 0 if rare else d
            spread.give(j, e, *weights)
            line.append(lower + white)
        spread.end_row()
        above = far
        yield line


def noise_of_row(row):
    number = row * 0x9E3779B1 % 2 ** 32
    number = (number ^ number >> 15) * 0x85EBCA77 % 2 ** 32
    return (number ^ number >> 13) % 2 ** 16 | 1


def printed_light(left, up, across, bit):
    """The light of a window of 2 x 2 whose last pixel is `bit`."""
    if left + up + across + bit == 2:
        return 166 if across == bit else 127
    return (0, 167, None, 45, 0)[left + up + across + bit]


def fine_on_paper(rows, pure, full):
    """Print feedback of full / 256."""
    numbers = [[(number * full + 128) // 256 for number in row] for row in FEEDBACK]
    width = len(rows[0])
    spread = Spread(width)
    above = [1000] * (width + 2)
    bits = [1] * (width + 2)
    for i, row in enumerate(rows):
        far = [1000] * (width + 2)
        dots = [1] * (width + 2)
        number = noise_of_row(i)
        for j, v in enumerate(row):
            tone = (v + 8) // 16
            u = min(tone, 255 - tone)
            *weights, gain, onset, lift = FINE[min(u, (u + 48) // 4)]
            from_above = min(above[j + 1] + 5, above[j] + 7, above[j + 2] + 7)
            d = min(far[j] + 5, from_above, 1000)
            shift = min(gain * (d - onset) // 16, 2040) + lift
            strength, noise, _ = numbers[tone]
            signed = number - 65536 if number > 32767 else number
            moved = (signed * noise + 16384) // 32768 * 8
            white = v
            if not pure or 0 < v < WHITE:
                s = v + spread.row[j]
                if from_above >= 1005:
                    x = min(v, WHITE - v)
                    delay = number * max(6 * min(x, 160 - x), 0) // 65536
                    s += delay if v >= 2040 else -delay
                white = s + moved + (shift if tone < 128 else -shift) > 2040
                left, right = (FEEDBACK[min(v // 16 + k, 255)][2] for k in (0, 1))
                bias = left + (right - left) * (v % 16) // 16
                e = (s - WHITE * white + (bias * full + 128) // 256 +
                     strength * printed_light(dots[j], bits[j + 1], bits[j], white)
                     // 16)
                if u == 0:
                    e -= (e + 4) // 8
                far[j + 1] = 0 if white == (tone < 128) else d
                dots[j + 1] = int(white)
                spread.give(j, e, *weights)
            row[j] = int(white > 0)
            number = number * 0x6255 % 65536
        spread.end_row()
        above, bits = far, dots
        yield row


def clustered(rows, pure, size):
    """A state is ("far", distance) or ("dot", color, dots to come below)."""
    width = len(rows[0])
    columns = math.ceil(math.sqrt(size))
    height = math.ceil(size / columns)
    first = 44 * [2, 4, 6, 9].index(min(n for n in (2, 4, 6, 9) if n >= size))
    spread = Spread(width)

    def far(state):
        return state[1] if state[0] == "far" else 0

    above = [("far", 1000)] * (width + 2)
    for i, row in enumerate(rows):
        states = [("far", 1000)] * (width + 2)
        beside = None  # color, and columns to come
        number = noise_of_row(i)
        for j, v in enumerate(row):
            tone = (v + 8) // 16
            u = min(tone, 255 - tone)
            *weights, gain, onset, lift = CLUSTERED[
                first + min(u, (u + 48) // 4)]
            is_pure = pure and v in (0, WHITE)
            s = v if is_pure else v + spread.row[j]
            d = min(far(states[j]) + 10, far(above[j + 1]) + 10,
                    far(above[j]) + 14, far(above[j + 2]) + 14, 1000)
            up = above[j + 1]
            grows_down = up[0] == "dot" and up[2] > 0
            signed = number - 65536 if number > 32767 else number
            rare = v + (signed * 48 + 16384) // 32768 * 8 < 2040
            shift = lift + min(gain * (d - onset) // 16, 4080)
            if u > 0 and (grows_down or beside):
                rare = up[1] if grows_down else beside[0]
                shift = 11000
            white = s + (shift if rare else -shift) > 2040
            e = s - WHITE if white else s
            if u == 0:
                e -= (e + 4) // 8
            if is_pure:
                states[j + 1], beside = ("far", 1000), None
            elif white != rare:
                states[j + 1], beside = ("far", d), None
            elif grows_down:
                states[j + 1], beside = ("dot", up[1], up[2] - 1), None
            else:
                left = (beside[1] if beside else columns) - 1
                beside = (white, left) if left else None
                to_come = height - 1 - (0 if left else columns * height - size)
                states[j + 1] = "dot", white, to_come
            spread.give(j, e, *weights)
            row[j] = int(white)
            number = number * 0x6255 % 65536
        spread.end_row()
        above = states
        yield row


BEST = table("best")


class Sweep:
    """A sweep of the second pass of best: p is what is seen of the error at each pixel.
    rows: what a value has above the level below it, on the scale of the next level."""

    def __init__(self, rows, dots, gray, kernel):
        self.dots = dots
        self.kernel = kernel
        self.height, self.width = len(rows), len(rows[0])
        self.gray = gray
        self.p = [[0] * self.width for _ in rows]
        for i, row in enumerate(rows):
            for j, v in enumerate(row):
                self.add(i, j, 255 * dots[i][j] - (v + 8) // 16)

    def add(self, i, j, error):
        for k in range(max(i - 8, 0), min(i + 9, self.height)):
            weights = self.kernel[abs(k - i)]
            line = self.p[k]
            for m in range(max(j - 8, 0), min(j + 9, self.width)):
                line[m] += weights[abs(m - j)] * error

    def block(self, top, left):
        def inside(i, j):
            return (max(top, 0) <= i < min(top + 8, self.height) and
                    max(left, 0) <= j < min(left + 8, self.width))

        for _ in range(2):
            for i in range(top, top + 8):
                for j in range(left, left + 8):
                    if inside(i, j) and self.gray[i][j]:
                        self.pixel(i, j, inside)

    def pixel(self, i, j, inside):
        dot = self.dots[i][j]
        found = []
        for order, (di, dj) in enumerate((
                (-1, -1), (-1, 0), (-1, 1), (0, -1),
                (0, 1), (1, -1), (1, 0), (1, 1))):
            k, m = i + di, j + dj
            if inside(k, m) and self.gray[k][m] and self.dots[k][m] != dot:
                apart = self.p[i][j] - self.p[k][m]
                change = (255 * (self.kernel[0][0] -
                                 self.kernel[abs(di)][abs(dj)]) +
                          (-apart if dot else apart))
                found.append((change, order, k, m))
        if not found or min(found)[0] >= 0:
            return
        _, _, k, m = min(found)
        self.dots[i][j], self.dots[k][m] = 1 - dot, dot
        self.add(i, j, -255 if dot else 255)
        self.add(k, m, 255 if dot else -255)

    def run(self, shift):
        for down in (0, 8):
            for right in (0, 8):
                for top in range(shift + down - 16, self.height, 16):
                    for left in range(shift + right - 16, self.width, 16):
                        self.block(top, left)
        return self.dots


def best(rows, levels, pure):
    def difference(many, few):
        return [[a - b for a, b in zip(*both)] for both in zip(many, few)]

    lower = [[min(v * (levels - 1) // WHITE, levels - 2) for v in row]
             for row in rows]
    above = difference([[v * (levels - 1) for v in row] for row in rows],
                       [[k * WHITE for k in row] for row in lower])
    dots = difference(fine(rows, levels, pure, FIRST_OF_BEST), lower)
    gray = [[not pure or v not in (0, WHITE) for v in row] for row in rows]
    for shift, kernel in ((4, BEST[:9]), (0, BEST[9:])):
        dots = Sweep(above, dots, gray, kernel).run(shift)
    return [[k + dot for k, dot in zip(*both)] for both in zip(lower, dots)]


def fine_by_recipe(rows, levels, pure, _=0, feedback=None):
    if feedback is None:
        return fine(rows, levels, pure)
    return fine_on_paper(rows, pure, feedback)


def best_by_recipe(rows, levels, pure, _=0, feedback=None):
    if feedback is None:
        return best(rows, levels, pure)
    first = list(fine_on_paper([list(row) for row in rows], pure, feedback))
    return best_on_paper(rows, first, pure, feedback)


def by_kernel(name):
    return lambda *recipe: classic.classic(name, *recipe)


# Each function returns the rows of levels of a page, from its rows of values, the
# number of levels and the recipe's parameters. make_golden.py writes pages of each.
METHODS = {
    "fine": fine_by_recipe,
    "best": best_by_recipe,
    "clustered": lambda rows, _, pure, size: clustered(rows, pure, size),
    "bi-level": lambda rows, *_: [[int(v > 2040) for v in row] for row in rows],
    "screen": lambda rows, levels, _, *sides: screen(rows, levels, sides),
    "blue-noise": lambda rows, levels, _: by_mask(rows, levels),
    "floyd-steinberg": floyd_steinberg,
    **{name: by_kernel(name) for name in classic.KERNELS},
}


def halftone(rows, levels, algorithm, parameters):
    return list(METHODS[algorithm](rows, levels, *parameters))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the golden pages of this folder: gray pages and their expected output.

It follows the bit contract of docs/bits.md and shares no code with the
engine, so that a mistake would have to be made twice. Run it only when the
contract changes; a page that differs from the committed one is a break of it.
"""

import math
import pathlib

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


class Spread:
    """Errors given to the right and to the row below, in 256ths."""

    def __init__(self, width):
        self.width = width
        self.row = [0] * width
        self.below = [0] * width

    def give(self, j, error, right, down_right, down_left, down_left_left):
        rest = error
        for to, at, weight in ((self.row, j + 1, right),
                               (self.below, j + 1, down_right),
                               (self.below, j - 1, down_left),
                               (self.below, j - 2, down_left_left)):
            part = (weight * error + 128) // 256
            rest -= part
            if 0 <= at < self.width:
                to[at] += part
        self.below[j] += rest

    def end_row(self):
        self.row = [max(-8000, min(8000, total)) for total in self.below]
        self.below = [0] * self.width


# right, down right, down left, down left left, gain, onset, lift
def table(name):
    text = (pathlib.Path(__file__).parent / name).read_text()
    return [tuple(map(int, line.split()))
            for line in text.splitlines() if not line.startswith("#")]


FINE = table("fine_table.txt")
CLUSTERED = table("clustered_table.txt")
FIRST_OF_BEST = table("best_first_table.txt")


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


def clustered(rows, pure, size):
    width = len(rows[0])
    columns = math.ceil(math.sqrt(size))
    height = math.ceil(size / columns)
    first = 44 * [2, 4, 6, 9].index(min(n for n in (2, 4, 6, 9) if n >= size))
    spread = Spread(width)
    above = [1000] * (width + 2)
    for row in rows:
        state = [1000] * (width + 2)
        to_come = 0
        line = []
        for j, v in enumerate(row):
            tone = (v + 8) // 16
            u = min(tone, 255 - tone)
            *weights, gain, onset, lift = CLUSTERED[
                first + min(u, (u + 48) // 4)]
            s = v + spread.row[j]
            if pure and v in (0, WHITE):
                s = v
            d = min(max(state[j], 0) + 10, max(above[j + 1], 0) + 10,
                    max(above[j], 0) + 14, max(above[j + 2], 0) + 14, 1000)
            shift = lift + min(gain * (d - onset) // 16, 4080)
            if u > 0 and (above[j + 1] < 0 or to_come > 0):
                shift = 11000
            white = s + (shift if tone < 128 else -shift) > 2040
            e = s - WHITE if white else s
            if u == 0:
                e -= (e + 4) // 8
            if pure and v in (0, WHITE):
                state[j + 1], to_come = 1000, 0
            elif white != (tone < 128):
                state[j + 1], to_come = d, 0
            elif above[j + 1] < 0:
                state[j + 1], to_come = above[j + 1] + 1, 0
            else:
                to_come = (to_come or columns) - 1
                state[j + 1] = 1 - height
                if to_come == 0:
                    state[j + 1] += columns * height - size
            spread.give(j, e, *weights)
            line.append(int(white))
        spread.end_row()
        above = state
        yield line


def printer_model(rows, pure, ink, overlap):
    width = len(rows[0])
    spread = Spread(width)
    above = [0] * width
    for row in rows:
        left = 0
        line = []
        for j, v in enumerate(row):
            dot = ink - overlap * (left + above[j])
            s = max(v, WHITE - ink + 2 * overlap) + spread.row[j]
            white = s > WHITE - dot // 2
            e = s - WHITE if white else s - (WHITE - dot)
            if pure and v in (0, WHITE):
                white, e = v == WHITE, 0
            left = above[j] = 0 if white else 1
            spread.give(j, e, 112, 16, 48, 0)
            line.append(int(white))
        spread.end_row()
        yield line


BEST = table("best_table.txt")


class Sweep:
    """Of the second pass of best: p is what is seen of the error at each pixel."""

    def __init__(self, rows, dots, pure, kernel):
        self.dots = dots
        self.kernel = kernel
        self.height, self.width = len(rows), len(rows[0])
        self.gray = [[not pure or v not in (0, WHITE) for v in row]
                     for row in rows]
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


def best(rows, pure):
    dots = list(fine(rows, 2, pure, FIRST_OF_BEST))
    for shift, kernel in ((4, BEST[:9]), (0, BEST[9:])):
        dots = Sweep(rows, dots, pure, kernel).run(shift)
    return dots


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


class Screen:
    """The offsets of a screen: those of one supercell, by the place in it."""

    def __init__(self, a, b, c, d, cells):
        self.sides = a, b, c, d
        self.area = a * d + b * c
        order = order_of_cells(cells)
        spots = {}
        pixels = sorted({self.place(x, y) for y in range(b + d)
                         for x in range(-c, a)}, key=lambda at: at[::-1])
        for x, y in pixels:
            u = cells * (d * (2 * x + 1) + c * (2 * y + 1))
            v = cells * (a * (2 * y + 1) - b * (2 * x + 1))
            m = abs(u % (2 * self.area) - self.area)
            n = abs(v % (2 * self.area) - self.area)
            hole = m + n > self.area
            if hole:
                u, v = u + self.area, v + self.area
                m, n = self.area - m, self.area - n
            cell = (u // (2 * self.area) % cells, v // (2 * self.area) % cells)
            spots.setdefault((hole, cell), []).append(
                (m * m + n * n, v % (2 * self.area), u % (2 * self.area),
                 y, x))
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


def halftone(rows, levels, algorithm, parameters):
    pure = parameters[0]
    if algorithm == "fine":
        return list(fine(rows, levels, pure))
    if algorithm == "best":
        return best(rows, pure)
    if algorithm == "clustered":
        return list(clustered(rows, pure, parameters[1]))
    if algorithm == "printer-model":
        return list(printer_model(rows, pure, parameters[1], parameters[2]))
    if algorithm == "bi-level":
        return [[int(v > 2040) for v in row] for row in rows]
    if algorithm == "screen":
        return list(screen(rows, levels, parameters[1:]))
    if algorithm == "floyd-steinberg":
        return floyd_steinberg(rows, levels, pure)
    raise ValueError(f"{algorithm} is not known here")


def noise(count, seed):
    """A linear congruential generator; 16-bit numbers."""
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed >> 15


def pages():
    """Name, rows, maxval, levels, gamma, and what the recipe is if it is not
    plain Floyd–Steinberg: algorithm and parameters."""
    def ramp(width, height, top):
        return [[(j * top + i) // width % (top + 1) for j in range(width)]
                for i in range(height)]

    def noisy(width, height, top):
        numbers = noise(width * height, width)
        return [[next(numbers) % (top + 1) for _ in range(width)]
                for _ in range(height)]

    def disc(size):
        middle = (size - 1) / 2
        return [[max(0, 255 - int(6 * math.hypot(i - middle, j - middle)))
                 for j in range(size)] for i in range(size)]

    yield "ramp", ramp(129, 40, 255), 255, 2, None
    yield "ramp16", ramp(100, 40, 65535), 65535, 2, None
    yield "noise", noisy(77, 50, 255), 255, 2, None
    yield "noise16", noisy(65, 33, 65535), 65535, 2, 1.8
    yield "disc", disc(64), 255, 2, 0.6
    yield "light", [[250] * 90] * 60, 255, 2, None
    yield "dark", [[3] * 90] * 60, 255, 2, None
    yield "middle", [[127] * 31] * 31, 255, 2, None
    yield "column", [[a] for a in range(256)], 255, 2, None
    yield "row", [list(range(256))], 255, 2, None
    yield "levels4", ramp(150, 30, 255), 255, 4, None
    yield "levels8", disc(50), 255, 8, 2.2
    yield "levels16", ramp(99, 30, 65535), 65535, 16, None

    # Line art, with tint beside it.
    mixed = [[[0, 255, 200, 30, a][(i // 5 + j // 7) % 5]
              for j, a in enumerate(row)]
             for i, row in enumerate(noisy(83, 45, 255))]
    yield "pure", mixed, 255, 2, None, "floyd-steinberg", 1
    yield "pure4", mixed, 255, 4, None, "floyd-steinberg", 1
    yield "fine", ramp(256, 60, 255), 255, 2, None, "fine", 0
    yield "fine_noise", noisy(75, 50, 255), 255, 2, None, "fine", 0
    yield "fine16", ramp(100, 40, 65535), 65535, 2, 1.8, "fine", 0
    yield "fine_light", [[252] * 90] * 60, 255, 2, None, "fine", 0
    yield "fine_pure", mixed, 255, 2, None, "fine", 1
    yield "fine_levels4", ramp(256, 60, 255), 255, 4, None, "fine", 0
    yield "fine_levels4_pure", mixed, 255, 4, None, "fine", 1
    yield "fine_levels8", ramp(100, 40, 65535), 65535, 8, 1.8, "fine", 0
    yield "fine_levels16", noisy(75, 50, 255), 255, 16, None, "fine", 0
    yield "fine_levels16_deep", ramp(99, 60, 65535), 65535, 16, None, "fine", 1
    yield "best", ramp(128, 70, 255), 255, 2, None, "best", 0
    yield "best_noise", noisy(75, 50, 255), 255, 2, None, "best", 0
    yield "best16", ramp(100, 40, 65535), 65535, 2, 1.8, "best", 0
    yield "best_light", [[252] * 90] * 60, 255, 2, None, "best", 0
    yield "best_pure", mixed, 255, 2, None, "best", 1
    yield "clustered", ramp(150, 60, 255), 255, 2, None, "clustered", 0, 4
    yield "clustered_noise", noisy(75, 50, 255), 255, 2, None, "clustered", 0, 9
    yield "clustered16", ramp(100, 40, 65535), 65535, 2, 1.8, "clustered", 0, 5
    yield "clustered_pure", mixed, 255, 2, None, "clustered", 1, 2
    yield ("printer", ramp(150, 60, 255), 255, 2, None,
           "printer-model", 0, 5007, 521)
    yield ("printer16", ramp(77, 30, 65535), 65535, 2, 0.7,
           "printer-model", 0, 6409, 1164)
    yield "printer_pure", mixed, 255, 2, None, "printer-model", 1, 5007, 521
    yield "bi_level", noisy(61, 40, 255), 255, 2, 1.5, "bi-level", 0
    yield "bi_level16", noisy(61, 20, 65535), 65535, 2, None, "bi-level", 0
    # 45 and 15 degrees, dots that are not square, one cell.
    yield ("screen", ramp(256, 60, 255), 255, 2, None,
           "screen", 0, 46, 46, 46, 46, 13)
    yield ("screen_noise", noisy(75, 50, 255), 255, 2, 1.8,
           "screen", 1, 62, 17, 17, 62, 9)
    yield ("screen16", ramp(100, 40, 65535), 65535, 2, None,
           "screen", 0, 12, 31, 7, 50, 4)
    yield ("screen_levels4", ramp(150, 60, 255), 255, 4, None,
           "screen", 0, 21, 5, 5, 21, 3)
    yield ("screen_levels8", mixed, 255, 8, None,
           "screen", 1, 9, 0, 0, 6, 1)
    yield ("screen_levels16", noisy(75, 50, 65535), 65535, 16, 1.8,
           "screen", 0, 24, 24, 24, 24, 2)


def write_gray(path, rows, maxval):
    size = 1 if maxval == 255 else 2
    head = f"P5\n{len(rows[0])} {len(rows)}\n{maxval}\n".encode()
    body = b"".join(a.to_bytes(size, "big") for row in rows for a in row)
    path.write_bytes(head + body)


def write_bits(path, lines):
    head = f"P4\n{len(lines[0])} {len(lines)}\n".encode()
    body = bytearray()
    for line in lines:
        # PBM has 1 for black; level 1 is white.
        for at in range(0, len(line), 8):
            byte = 0
            for bit, level in enumerate(line[at:at + 8]):
                byte |= (1 - level) << (7 - bit)
            body.append(byte)
    path.write_bytes(head + bytes(body))


def write_levels(path, lines, levels):
    bits = 2 if levels == 4 else 4
    top = (1 << bits) - 1
    body = bytes((2 * k * top + levels - 1) // (2 * (levels - 1))
                 for line in lines for k in line)
    head = f"P5\n{len(lines[0])} {len(lines)}\n{top}\n".encode()
    path.write_bytes(head + body)


def main():
    folder = pathlib.Path(__file__).parent
    table = []
    for name, rows, maxval, levels, gamma, *recipe in pages():
        algorithm, *parameters = recipe or ("floyd-steinberg", 0)
        write_gray(folder / f"{name}.pgm", rows, maxval)
        lines = halftone(values(rows, maxval, curve_of(gamma)), levels,
                         algorithm, parameters)
        if levels == 2:
            write_bits(folder / f"{name}.expected.pbm", lines)
        else:
            write_levels(folder / f"{name}.expected.pgm", lines, levels)
        numbers = " ".join(map(str, parameters))
        table.append(f"{name} {levels} {gamma or 1.0} {algorithm} {numbers}\n")
    (folder / "pages.txt").write_text(
        "# page levels gamma algorithm parameters\n" + "".join(table))


if __name__ == "__main__":
    main()

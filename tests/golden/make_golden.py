#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the golden pages of this folder: gray pages and what they must become.

It follows the bit contract of ARCHITECTURE.md and shares no code with the
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


def halftone(rows, maxval, levels, curve):
    steps = levels - 1
    value = [(k * WHITE + steps // 2) // steps for k in range(levels)]
    middle = [(value[k] + value[k + 1]) // 2 for k in range(steps)]
    width = len(rows[0])
    above = [0] * (width + 2)
    result = []
    for row in rows:
        errors = [0] * (width + 2)
        line = []
        for j, a in enumerate(row):
            step = 16 * a if maxval == 255 else (a * WHITE + 32768) >> 16
            collected = (7 * errors[j] + above[j] + 5 * above[j + 1]
                         + 3 * above[j + 2] + 8) >> 4
            s = curve[step] + collected
            k = sum(s > m for m in middle)
            errors[j + 1] = s - value[k]
            line.append(k)
        above = errors
        result.append(line)
    return result


def noise(count, seed):
    """A linear congruential generator; 16-bit numbers."""
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed >> 15


def pages():
    """Name, rows, maxval, levels, gamma."""
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
    for name, rows, maxval, levels, gamma in pages():
        write_gray(folder / f"{name}.pgm", rows, maxval)
        lines = halftone(rows, maxval, levels, curve_of(gamma))
        if levels == 2:
            write_bits(folder / f"{name}.expected.pbm", lines)
        else:
            write_levels(folder / f"{name}.expected.pgm", lines, levels)
        table.append(f"{name} {levels} {gamma or 1.0}\n")
    (folder / "pages.txt").write_text(
        "# page levels gamma\n" + "".join(table))


if __name__ == "__main__":
    main()

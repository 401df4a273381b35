#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes pages/: gray pages and their expected output.

Run it only when the bit contract changes; a page that differs from the committed
one is a break of it.
"""

import math
import pathlib

import classic
import methods


def noise(count, seed):
    """A linear congruential generator; 16-bit numbers."""
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed >> 15


def ramp(width, height, top):
    return [[(j * top + i) // width % (top + 1) for j in range(width)]
            for i in range(height)]


def noisy(width, height, top):
    numbers = noise(width * height, width)
    return [[next(numbers) % (top + 1) for _ in range(width)]
            for _ in range(height)]


def runs(least):
    """The parameters of a kernel whose rows have runs of at least so many pixels."""
    return 0, 0, 0, 0, 0, 0, least - 1


def chosen_pages():
    """Name, rows, maxval, levels, gamma, and what the recipe is if it is not
    plain Floyd–Steinberg: algorithm and parameters."""
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
    yield "paper", ramp(256, 60, 255), 255, 2, None, "fine", 0, 0, 256
    yield "paper_middle", [[j // 2 + 64 for j in range(254)]] * 60, 255, 2, None, \
        "fine", 0, 0, 256
    yield "paper_noise", noisy(75, 50, 255), 255, 2, 1.8, "fine", 0, 0, 100
    yield "paper16", ramp(100, 60, 65535), 65535, 2, 1.4, "fine", 0, 0, 200
    yield "paper_pure", mixed, 255, 2, None, "fine", 1, 0, 256
    yield "paper_islands", [[a if 20 < i < 40 and 60 < j < 190 else 0 for j, a in
                             enumerate(row)] for i, row in
                            enumerate(ramp(256, 60, 255))], \
        255, 2, None, "fine", 1, 0, 256
    yield "best", ramp(128, 70, 255), 255, 2, None, "best", 0
    yield "best_noise", noisy(75, 50, 255), 255, 2, None, "best", 0
    yield "best16", ramp(100, 40, 65535), 65535, 2, 1.8, "best", 0
    yield "best_light", [[252] * 90] * 60, 255, 2, None, "best", 0
    yield "best_pure", mixed, 255, 2, None, "best", 1
    yield "best_paper", ramp(128, 70, 255), 255, 2, None, "best", 0, 0, 256
    yield "best_paper_noise", noisy(75, 50, 255), 255, 2, None, "best", 0, 0, 256
    yield "best_paper16", ramp(100, 40, 65535), 65535, 2, 1.8, "best", 0, 0, 100
    yield "best_paper_pure", mixed, 255, 2, None, "best", 1, 0, 256
    yield "clustered", ramp(150, 60, 255), 255, 2, None, "clustered", 0, 4
    yield "clustered_noise", noisy(75, 50, 255), 255, 2, None, "clustered", 0, 9
    yield "clustered16", ramp(100, 40, 65535), 65535, 2, 1.8, "clustered", 0, 5
    yield "clustered_pure", mixed, 255, 2, None, "clustered", 1, 2
    yield "clustered_middle", [[j // 2 + 98 for j in range(120)]] * 60, 255, 2, \
        None, "clustered", 0, 6
    yield "clustered_islands", [[a if 20 < i < 50 and 60 < j < 190 else 255 for j, a
                                 in enumerate(row)] for i, row in
                                enumerate(ramp(256, 60, 255))], \
        255, 2, None, "clustered", 1, 9
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
    yield "blue_noise", ramp(300, 270, 255), 255, 2, None, "blue-noise", 0
    yield "blue_noise_levels4", noisy(75, 50, 255), 255, 4, 1.8, "blue-noise", 1
    yield ("blue_noise_levels16", ramp(100, 40, 65535), 65535, 16, None,
           "blue-noise", 0)
    for name in classic.KERNELS:
        page = name.replace("-", "_")
        yield page, ramp(150, 60, 255), 255, 2, None, name, 0
        yield f"{page}_pure", mixed, 255, 2, None, name, 1
    yield "jarvis16", ramp(100, 40, 65535), 65535, 2, 1.8, "jarvis", 0
    yield "stucki_levels4", noisy(75, 50, 255), 255, 4, None, "stucki", 1
    yield "sierra_levels8", ramp(100, 40, 65535), 65535, 8, None, "sierra", 0
    yield "atkinson_levels16", noisy(75, 50, 255), 255, 16, 1.8, "atkinson", 1
    # Runs of at least 3, 6, 2, 3 and 5 pixels.
    yield "jarvis_runs", ramp(150, 60, 255), 255, 2, None, "jarvis", *runs(3)
    yield "stucki_runs", noisy(75, 50, 255), 255, 2, None, "stucki", *runs(6)
    yield "atkinson_runs", disc(64), 255, 2, None, "atkinson", *runs(2)
    yield ("false_floyd_steinberg_runs", mixed, 255, 2, None,
           "false-floyd-steinberg", *runs(3))
    yield "burkes_runs", noisy(9, 40, 65535), 65535, 2, 1.8, "burkes", *runs(5)


def pages():
    """Those chosen, and pages of each method that has none of its own."""
    chosen = list(chosen_pages())
    yield from chosen
    for name in sorted(methods.METHODS.keys() -
                       {page[5] for page in chosen if len(page) > 5}):
        page = name.replace("-", "_")
        yield page, ramp(150, 60, 255), 255, 2, None, name, 0
        yield f"{page}_noise", noisy(75, 50, 255), 255, 2, 1.8, name, 1
        yield f"{page}16", ramp(100, 40, 65535), 65535, 2, None, name, 0


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
    folder = pathlib.Path(__file__).parent / "pages"
    table = []
    for name, rows, maxval, levels, gamma, *recipe in pages():
        algorithm, *parameters = recipe or ("floyd-steinberg", 0)
        write_gray(folder / f"{name}.pgm", rows, maxval)
        lines = methods.halftone(
            methods.values(rows, maxval, methods.curve_of(gamma)), levels,
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

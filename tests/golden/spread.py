# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What methods.py knows of spread errors, and its tables."""

import pathlib

TABLES = pathlib.Path(__file__).parent / "tables"


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


def table(name):
    text = (TABLES / f"{name}.txt").read_text()
    return [tuple(map(int, line.split()))
            for line in text.splitlines() if not line.startswith("#")]

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the kernel of `best` in the form of best_table.h.

The second pass of `best` makes the sum of squares of what is seen of the error
smaller. What is seen is that of quality.py: a Gaussian of 2 pixels, and an eye
30 cm from a page of 600 dpi; of their squares the first counts thrice. The kernel
is the autocorrelation of both filters, cut off at 8 rows and columns after a
slope that avoids a hard rim, and scaled to 1024 in its middle: then 17 x 17
products with errors of 255 stay below 2^24, so that floats add them exactly too.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
import quality  # noqa: E402

REACH = 8
MIDDLE = 1024
WEIGHT_OF_GAUSS = 3
SLOPE = 7, 10  # from one distance to the other
SIDE = 256


def kernel():
    frequency = np.hypot(np.fft.fftfreq(SIDE)[:, None],
                         np.fft.fftfreq(SIDE)[None, :])
    gauss = np.exp(-2 * (np.pi * quality.SIGMA * frequency) ** 2)
    power = (WEIGHT_OF_GAUSS * gauss ** 2 +
             quality.sensitivity(frequency).astype(float) ** 2)
    quarter = np.fft.ifft2(power).real[:REACH + 1, :REACH + 1]
    distance = np.hypot(*np.mgrid[:REACH + 1, :REACH + 1])
    slope = np.clip((SLOPE[1] - distance) / (SLOPE[1] - SLOPE[0]), 0, 1)
    return np.rint(quarter * slope / quarter[0, 0] * MIDDLE).astype(int)


def main():
    for row in kernel():
        print("    {" + ", ".join(map(str, row)) + "},")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the kernels of `best` in the form of best_table.h.

The second pass of `best` makes the sum of squares of what is seen of the error
smaller. What is seen is that of quality.py: a Gaussian of 2 pixels, and an eye
30 cm from a page of 600 dpi. In the first sweep the squares of both count the
same, in the second the Gaussian's counts 3.5 times as much. A kernel is the
autocorrelation of both filters, cut off at 8 rows and columns after a slope that
avoids a hard rim, and scaled to 1024 in its middle: then 17 x 17 products with
errors of 255 stay below 2^24, so that floats add them exactly too.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
import quality  # noqa: E402

REACH = 8
MIDDLE = 1024
WEIGHTS_OF_GAUSS = 1, 3.5  # of each sweep
SLOPE = 7, 10  # from one distance to the other
SIDE = 256


def kernel(weight_of_gauss):
    frequency = np.hypot(np.fft.fftfreq(SIDE)[:, None],
                         np.fft.fftfreq(SIDE)[None, :])
    gauss = np.exp(-2 * (np.pi * quality.SIGMA * frequency) ** 2)
    power = (weight_of_gauss * gauss ** 2 +
             quality.sensitivity(frequency).astype(float) ** 2)
    quarter = np.fft.ifft2(power).real[:REACH + 1, :REACH + 1]
    distance = np.hypot(*np.mgrid[:REACH + 1, :REACH + 1])
    slope = np.clip((SLOPE[1] - distance) / (SLOPE[1] - SLOPE[0]), 0, 1)
    return np.rint(quarter * slope / quarter[0, 0] * MIDDLE).astype(int)


def main():
    for weight in WEIGHTS_OF_GAUSS:
        print("    {{")
        for row in kernel(weight):
            print("        {" + ", ".join(map(str, row)) + "},")
        print("    }},")


if __name__ == "__main__":
    main()

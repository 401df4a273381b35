# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulated prints, as in tone/print_model.h: discs with soft edges whose densities
add up; and what is out of focus."""

import numpy as np

REACH, FULL_DENSITY = 1, 1.5
# Diameter of a dot and the width of its edge, in pitches.
PRINTERS = {("thermal", 203): (1.10, 0.10), ("thermal", 300): (1.15, 0.15),
            ("laser", 300): (1.22, 0.15), ("laser", 600): (1.30, 0.25)}


def discs(printer, parts):
    """The density of each neighbor of a dot, at places of the dot."""
    diameter, edge = PRINTERS[printer]
    place = (np.arange(parts) + 0.5) / parts - 0.5
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            distance = np.hypot(place[:, None] - dy, place[None, :] - dx)
            t = np.clip((diameter / 2 - distance) / edge + 0.5, 0, 1)
            yield FULL_DENSITY * t * t * (3 - 2 * t)


def neighbours(dots):
    """Those of every dot, in the same order; beside the page is paper, 0."""
    height, width = dots.shape
    padded = np.pad(dots, REACH)
    for dy in range(2 * REACH + 1):
        for dx in range(2 * REACH + 1):
            yield padded[dy:, dx:][:height, :width]


def light(dots, printer, parts):
    """The light of a print, 0 … 1, at so many parts of each dot; 0 is a black dot."""
    height, width = dots.shape
    density = np.zeros((height, parts, width, parts), np.float32)
    for disc, near in zip(discs(printer, parts), neighbours(dots == 0)):
        density += near[:, None, :, None] * disc[None, :, None, :].astype(np.float32)
    return (10 ** -density).reshape(height * parts, width * parts)


def blurred(image, sigma):
    """By a Gaussian of four SIGMA to each side, the edges mirrored. The type stays,
    also between rows and columns."""
    reach = int(4 * sigma + 0.5)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis, length in enumerate(image.shape):
        beside = [(reach, reach) if axis == each else (0, 0) for each in (0, 1)]
        padded = np.pad(image, beside, mode="symmetric").swapaxes(0, axis)
        image = sum(weight * padded[at:at + length] for at, weight in
                    enumerate(weights)).astype(image.dtype).swapaxes(0, axis)
    return image

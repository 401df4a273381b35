# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is out of focus."""

import numpy as np


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

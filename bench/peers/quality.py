# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near dots come to the gray that they stand for.

Dots are 0 (black) to 1. Every figure compares 255 · dots with the gray, in gray
levels. The contrast-sensitivity filter is that of Mannos and Sakrison,
(0.0192 + 0.114 f) exp(-(0.114 f)^1.1) with f in cycles a degree, scaled to 1 at
its peak and kept at 1 below it, for 600 dpi seen from 30 cm: a degree is 123.7
pixels. The other filter of an eye is Näsänen's, exp(-f / (0.525 ln L + 3.91)) with
a luminance L of 11 cd/m², which the literature of direct binary search uses."""

import numpy as np
from scipy import fft, ndimage

import pages

SIGMA = 2.0
PIXELS_PER_DEGREE = 300 * np.tan(np.pi / 180) / 25.4 * 600
TONES = (16, 51, 85, 110, 150, 204, 239)


def sensitivity(frequency):
    """frequency: in cycles per pixel."""
    at = 0.114 * frequency * PIXELS_PER_DEGREE
    curve = (0.0192 + at) * np.exp(-at ** 1.1)
    # The peak is where the derivative is 0, near 8 cycles a degree.
    grid = np.linspace(0, 4, 4001)
    values = (0.0192 + grid) * np.exp(-grid ** 1.1)
    peak = grid[values.argmax()]
    return np.where(at < peak, 1.0, curve / values.max()).astype(np.float32)


def nasanen(frequency):
    """frequency: in cycles per pixel."""
    slope = 0.525 * np.log(11) + 3.91
    return np.exp(-frequency * PIXELS_PER_DEGREE / slope).astype(np.float32)


def psnr(square_error):
    return 10 * np.log10(255 ** 2 / square_error) if square_error else np.inf


def _blur(image):
    return ndimage.gaussian_filter(image, SIGMA, mode="mirror", truncate=4)


def _ssim(one, other):
    """Structural similarity, windows of 7 × 7."""
    def mean(image):
        return ndimage.uniform_filter(image, 7, mode="mirror")
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    m1, m2 = mean(one), mean(other)
    v1 = mean(one * one) - m1 * m1
    v2 = mean(other * other) - m2 * m2
    both = mean(one * other) - m1 * m2
    index = ((2 * m1 * m2 + c1) * (2 * both + c2) /
             ((m1 * m1 + m2 * m2 + c1) * (v1 + v2 + c2)))
    return float(index.mean())


def _seen_error(difference, eye=sensitivity):
    """The mean square of what an eye sees of the difference."""
    height, width = difference.shape
    spectrum = fft.rfft2(difference)
    fy = fft.fftfreq(height).astype(np.float32)[:, None]
    fx = fft.rfftfreq(width).astype(np.float32)[None, :]
    spectrum *= eye(np.hypot(fy, fx))
    return float(np.mean(fft.irfft2(spectrum, difference.shape) ** 2))


def seen_rms(difference):
    """What an eye sees of a difference, in gray levels."""
    return _seen_error(difference.astype(np.float32)) ** 0.5


def of_page(dots, gray):
    height, width = (side // 64 * 64 for side in gray.shape)
    printed = dots.astype(np.float32) * 255
    wanted = gray.astype(np.float32)
    difference = printed - wanted
    tiles = difference[:height, :width].reshape(
        height // 64, 64, width // 64, 64).mean(axis=(1, 3))
    blurred, blurred_gray = _blur(printed), _blur(wanted)
    return {
        "tone_mean": float(difference.mean()),
        "tone_worst_tile": float(np.abs(tiles).max()),
        "psnr_gauss": float(psnr(np.mean((blurred - blurred_gray) ** 2))),
        "psnr_csf": float(psnr(_seen_error(difference))),
        "psnr_nasanen": float(psnr(_seen_error(difference, nasanen))),
        "ssim": _ssim(blurred, blurred_gray),
    }


def first_row_with_a_dot(dots, tone):
    """A dot is what the flat page is not made of; None if there is none."""
    rows = np.flatnonzero((dots == (tone < 128)).any(axis=1))
    return int(rows[0]) if rows.size else None


def low_frequency_power(dots):
    """Mean power below 1/16 cycle a pixel; white noise of the same variance has
    1. None if the page is flat black or white."""
    part = dots.astype(np.float64) - dots.mean()
    if not part.any():
        return None
    power = np.abs(fft.fft2(part)) ** 2 / (part.size * np.mean(part ** 2))
    frequency = np.hypot(fft.fftfreq(part.shape[0])[:, None],
                         fft.fftfreq(part.shape[1])[None, :])
    return float(power[(frequency > 0) & (frequency < 1 / 16)].mean())


def start_of_ink(dots, tone):
    """How many rows from above, and columns from the left, a flat page takes until the part
    so far has half of its ink (light, of a dark page), and keeps it."""
    rare = dots == (tone < 128)
    wanted = min(tone, 255 - tone) / 255

    def late(shares):
        so_far = np.cumsum(shares) / np.arange(1, shares.size + 1)
        short = np.flatnonzero(so_far < wanted / 2)
        return int(short[-1]) + 1 if short.size else 0

    return late(rare.mean(axis=1)), late(rare.mean(axis=0))


def ink_of_line(dots, tone, across):
    """The ink within two pixels of the line of pages.line(), as a fraction of the
    correct ink."""
    near = slice(pages.LINE_AT - 2, pages.LINE_AT + 3)
    ink = 255 * (1 - (dots[near] if across else dots[:, near]).astype(float))
    return float(ink.sum() / (dots.shape[0] * (255 - tone)))


def light_of_discs(dots, diameter):
    """0 … 255: of paper with a round black dot, of a diameter in pixels, on each
    black pixel; edges are left out."""
    parts = (np.arange(16) + 0.5) / 16 - 0.5
    covered = np.zeros((*(side - 2 for side in dots.shape), 16, 16), bool)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            reaches = np.hypot(parts[:, None] - dy,
                               parts[None, :] - dx) <= diameter / 2
            black = dots[1 + dy:dots.shape[0] - 1 + dy,
                         1 + dx:dots.shape[1] - 1 + dx] == 0
            covered |= black[:, :, None, None] & reaches
    return float(255 * (1 - covered.mean()))

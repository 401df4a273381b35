# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulated lasers, and the light that their prints reflect.

A beam with a Gaussian spot exposes the page line by line. Lines are displaced by the
facets of a mirror, which repeat, and by a gear. A dot without neighbors loses some of
its exposure, which differs from dot to dot. Toner develops along a sigmoid of the
exposure. Paper scatters light exponentially between the toner that it passes on its
way in and on its way out. Solid black has a density of 1.5.

Tables of halftone types are tuned on the lasers for tuning alone, and judged on those
for judging alone."""

import dataclasses
import functools
import math

import numpy as np

DENSITY = 1.5
BLACK = 10 ** -DENSITY
PARTS_PER_INCH = 2400  # toner
GRID = 1200            # of the light that is returned, per inch
FACETS = 0.6, -1.0, 0.2, 0.8, -0.4, -0.2
GEAR_MM = 1.1
DOT = 25400 / 600      # micrometers


@dataclasses.dataclass(frozen=True)
class Laser:
    name: str
    use: str
    spot: float       # micrometers, the standard deviation of the beam
    threshold: float  # the exposure for half of the toner; 1 is a solid area's
    softness: float   # of that threshold, in exposure
    scatter: float    # micrometers, over which scattered light falls to 1/e
    loss: float       # the share of its exposure that a lone dot of 1/600 inch loses
    register: float   # the largest displacement of a line, of 1/600 inch


LASERS = (
    Laser("office", "tuning", 17, 0.43, 0.060, 38, 0.00, 0.03),
    Laser("keen", "tuning", 14, 0.46, 0.050, 27, 0.00, 0.02),
    Laser("worn", "tuning", 25, 0.39, 0.100, 65, 0.10, 0.10),
    Laser("crisp", "judging", 13, 0.48, 0.045, 22, 0.25, 0.05),
    Laser("broad", "judging", 20, 0.41, 0.070, 50, 0.05, 0.10),
)


def for_use(use):
    return [laser for laser in LASERS if use in (laser.use, laser.name, "all")]


def _below(distance, deviation):
    """The share of a Gaussian below a distance."""
    each = np.vectorize(lambda at: 0.5 + 0.5 * math.erf(at))
    return each(distance / (deviation * math.sqrt(2)))


@functools.lru_cache(maxsize=64)
def _weights(spot, dots_per_inch, shifts=(0.0,)):
    """What the part `p` of a row takes from the row `k - reach` below it:
    [p, k, row]. shifts: of the rows, in micrometers."""
    pitch = 25400 / dots_per_inch
    parts = PARTS_PER_INCH // dots_per_inch
    reach = math.ceil(3 * spot / pitch + 0.5)
    place = ((np.arange(parts) + 0.5) / parts - 0.5) * pitch
    taps = np.arange(-reach, reach + 1)
    rows = np.arange(len(shifts))[None, :] + taps[:, None]
    moved = np.array(shifts)[np.clip(rows, 0, len(shifts) - 1)]
    away = place[:, None, None] - taps[None, :, None] * pitch - moved[None]
    return (_below(away + pitch / 2, spot) -
            _below(away - pitch / 2, spot)).astype(np.float32)


def _shifts(laser, rows, dots_per_inch):
    """The shift of each line, in micrometers."""
    at = np.arange(rows)
    facets = np.array(FACETS)[at % len(FACETS)]
    gear = np.sin(2 * np.pi * at * 25.4 / dots_per_inch / GEAR_MM)
    return tuple(laser.register * DOT * (0.6 * facets + 0.4 * gear))


def _exposing(black, dots_per_inch, laser):
    """The dots, without what lone ones lose. Beside the page it goes on."""
    ink = black.astype(np.float32)
    near = round(dots_per_inch / 600)
    if not laser.loss:
        return ink
    padded = np.pad(ink, near, mode="edge").cumsum(0).cumsum(1)
    padded = np.pad(padded, ((1, 0), (1, 0)))
    side = 2 * near + 1
    dots = (padded[side:, side:] - padded[:-side, side:] - padded[side:, :-side] +
            padded[:-side, :-side]) * (600 / dots_per_inch) ** 2
    alone = np.clip((2.5 - dots) / 1.5, 0, 1)
    differs = 0.5 + np.random.default_rng(7).random(ink.shape, np.float32)
    return ink * (1 - laser.loss * alone * differs)


def _exposure(ink, dots_per_inch, laser):
    """1 in a solid area, by parts."""
    rows, columns = ink.shape
    across = _weights(laser.spot, dots_per_inch)[:, :, 0]
    parts, taps = across.shape
    padded = np.pad(ink, ((0, 0), (taps // 2, taps // 2)), mode="edge")
    wide = np.empty((rows, columns, parts), np.float32)
    for part in range(parts):
        wide[:, :, part] = sum(across[part, k] * padded[:, k:k + columns]
                               for k in range(taps))
    wide = wide.reshape(rows, -1)
    down = _weights(laser.spot, dots_per_inch, _shifts(laser, rows, dots_per_inch))
    padded = np.pad(wide, ((taps // 2, taps // 2), (0, 0)), mode="edge")
    tall = np.empty((rows, parts, wide.shape[1]), np.float32)
    for part in range(parts):
        tall[:, part] = sum(down[part, k][:, None] * padded[k:k + rows]
                            for k in range(taps))
    return tall.reshape(rows * parts, -1)


def _developed(laser, exposure):
    def toner(at):
        return 1 / (1 + np.exp((laser.threshold - at) / laser.softness))
    return (toner(exposure) - toner(0)) / (toner(1) - toner(0))


@functools.lru_cache(maxsize=32)
def _scattering(scatter, shape):
    """The spectrum of exp(-distance / scatter), with a sum of 1."""
    step = 25400 / GRID
    frequency = np.hypot(np.fft.fftfreq(shape[0])[:, None],
                         np.fft.rfftfreq(shape[1])[None, :]) / step
    return (1 + (2 * np.pi * scatter * frequency) ** 2) ** -1.5


def coarser(image, times):
    """Means of times x times."""
    rows, columns = (side // times for side in image.shape)
    return image[:rows * times, :columns * times].reshape(
        rows, times, columns, times).mean(axis=(1, 3))


def printed(dots, dots_per_inch, laser):
    """The light of a print on a grid of GRID, 0 … 1: 1 is paper. dots: 0 is black;
    300, 600 or 1200 per inch, and an even number each way at 600 or less."""
    exposure = _exposure(_exposing(dots == 0, dots_per_inch, laser), dots_per_inch,
                         laser)
    passing = np.exp(-DENSITY / 2 * math.log(10) * _developed(laser, exposure))
    passing = coarser(passing, PARTS_PER_INCH // GRID)
    spectrum = np.fft.rfft2(passing) * _scattering(laser.scatter, passing.shape)
    scattered = np.fft.irfft2(spectrum, passing.shape)
    return (passing * scattered).astype(np.float32)

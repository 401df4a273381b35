# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an eye sees of a print at 40 cm, in L*, and how uneven that is.

Light comes on lasers.GRID. An eye's field has 600 pixels per inch. As in ISO/IEC 24790,
what changes over less than 2.5 mm (more than 0.4 cycles a millimeter) is grain, and
what changes more slowly is mottle. The visual transfer function is that of Dooley and
Shaw, exp(-0.138 f) (1 - exp(-0.1 f)) with f in cycles a degree, scaled to 1 at its peak
and kept at 1 below it.

That eye sees alike in all directions. With OBLIQUE, it sees less of what is diagonal, as
most eyes do: at 45 degrees as little as of a frequency higher by 1 / 0.7, the model of
Sullivan, Ray and Miller (1991)."""

import math

import numpy as np

import lasers

PER_MM = 600 / 25.4         # of an eye's field
GRID_PER_MM = lasers.GRID / 25.4
MM_PER_DEGREE = 400 * math.tan(math.pi / 180)
MOTTLE = 0.4                # cycles a millimeter, and less
OBLIQUE = False


def frequencies(shape, per_mm=PER_MM):
    """The frequencies of a spectrum of rfft2, in cycles per millimeter."""
    return np.hypot(np.fft.fftfreq(shape[0])[:, None],
                    np.fft.rfftfreq(shape[1])[None, :]) * per_mm


def sensitivity(cycles):
    """cycles: per degree."""
    def curve(at):
        return np.exp(-0.138 * at) * (1 - np.exp(-0.1 * at))
    peak = math.log(1 + 0.1 / 0.138) / 0.1
    return np.where(cycles < peak, 1, curve(cycles) / curve(peak))


def lightness(light):
    """L* of CIE 1976. light: 1 is paper."""
    return np.where(light > 216 / 24389, 116 * np.cbrt(light) - 16,
                    light * 24389 / 27)


def light_of_lightness(tone):
    return ((tone + 16) / 116) ** 3 if tone > 8 else tone * 27 / 24389


def light_of_field(light):
    """By an eye's field: sharp."""
    return lasers.coarser(light, lasers.GRID // 600)


def direction(shape):
    """What frequencies are divided by, by their direction: 1 across and down."""
    angle = np.arctan2(np.fft.fftfreq(shape[0])[:, None],
                       np.fft.rfftfreq(shape[1])[None, :])
    return 0.85 + 0.15 * np.cos(4 * angle)


def filtered(field):
    """As an eye's filter leaves it; it goes on at its opposite edge."""
    cycles = frequencies(field.shape) * MM_PER_DEGREE
    response = sensitivity(cycles / direction(field.shape) if OBLIQUE else cycles)
    return np.fft.irfft2(np.fft.rfft2(field) * response, field.shape)


def lightness_of_field(light):
    """The L* that an eye sees of a print."""
    return lightness(filtered(light_of_field(light)))


def tone(light):
    """L* of the mean light."""
    return float(lightness(light.mean()))


def slow(field):
    """What is mottle of a field that has a mean of 0."""
    spectrum = np.fft.rfft2(field)
    spectrum[frequencies(field.shape) >= MOTTLE] = 0
    return np.fft.irfft2(spectrum, field.shape)


def unevenness(field):
    """The unevenness of a field of L*: all that is seen, and its parts."""
    off = field - field.mean()
    mottle = slow(off)
    return {"noise": float(off.std()), "grain": float((off - mottle).std()),
            "mottle": float(mottle.std()),
            "banding": float(max(off.mean(axis=way).std() for way in (0, 1)))}


def gauss(image, sigma_mm, per_mm=GRID_PER_MM):
    """Through a round soft aperture; the edges go on."""
    sigma = sigma_mm * per_mm
    reach = math.ceil(3 * sigma)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    for axis in (0, 1):
        beside = [(reach, reach) if axis == each else (0, 0) for each in (0, 1)]
        padded = np.pad(image, beside, mode="edge").swapaxes(0, axis)
        image = sum(weight * padded[at:at + image.shape[axis]]
                    for at, weight in enumerate(weights)).swapaxes(0, axis)
    return image


def reversal(tones):
    """The deepest fall of L* while the code rises, and the codes around it.
    tones: of codes 1, 2, 3 …"""
    tones = np.asarray(tones)
    highest = np.maximum.accumulate(tones)
    low = int((highest - tones).argmax())
    high = int(tones[:low + 1].argmax())
    return float(highest[low] - tones[low]), high + 1, low + 1

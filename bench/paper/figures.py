# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of prints. Each function takes a Printer and returns rows of figures.

Ink is 1 - light. A line or a letter is compared with one that prints evenly in the
tone that a flat area of its code has on this printer, through the same aperture."""

import numpy as np

import lasers
import seen
import sheets

APERTURE_MM = 0.06       # through which lines are looked at: a keen eye
CLOSE_MM = 0.03          # and letters: a magnifier
FIRST_ROWS = 8           # of 1/600 inch
LEAST_INK = 1e-4         # of a fill: with less it is paper
LEAST_OF_LINE = 0.1      # of its ink: with less a line is missing
CONTOUR_MM = 1           # a step over less than this is a contour


class Printer:
    """A maker of dots and a laser."""

    def __init__(self, maker, laser, dots_per_inch):
        self.maker, self.laser = maker, laser
        self.dots_per_inch = dots_per_inch

    def printed(self, gray):
        return lasers.printed(self.maker.dots(gray), self.dots_per_inch, self.laser)


def on_grid(length):
    """length: in 1/600 inch."""
    return round(length * lasers.GRID / 600)


def looked_at(light):
    """Without the margins of a flat page."""
    above, below, beside = map(on_grid, sheets.FLAT_MARGIN)
    return light[above:-below, beside:-beside]


def of_flat(light):
    """light: of a whole flat page."""
    part = looked_at(light)
    return {"lightness": seen.tone(part), "light": float(part.mean()),
            **seen.unevenness(seen.lightness_of_field(part))}


def of_ramp(printer, first, last):
    """Noise and mottle beside the tones; the largest step over 1 mm beyond the slope
    (contour), and the deepest fall of tone."""
    light = printer.printed(sheets.ramp(first, last, printer.dots_per_inch))
    field = seen.lightness_of_field(light)[64:-16, 32:-32]
    profile = field.mean(axis=0)
    off = field - profile
    wide = round(CONTOUR_MM * seen.PER_MM)
    smooth = np.convolve(profile, np.full(wide, 1 / wide), "valid")
    steps = smooth[wide:] - smooth[:-wide]
    slope = (smooth[-1] - smooth[0]) / (smooth.size - 1) * wide
    fall = np.maximum.accumulate(smooth) - smooth
    return {"ramp": f"{first}-{last}", "noise": float(off.std()),
            "mottle": float(seen.slow(off).std()),
            "contour": float(np.abs(steps - slope).max()), "fall": float(fall.max())}


def of_fill(printer, code):
    """The ink above the ninth row of a fill, where 1 is right; None without ink."""
    light = printer.printed(sheets.fill(code, printer.dots_per_inch))
    beside = on_grid(16)
    ink = (1 - light)[:, beside:-beside].mean(axis=1)
    begin, end = on_grid(sheets.FILL_AT), on_grid(sheets.FILL_AT + FIRST_ROWS)
    settled = ink[on_grid(sheets.FILL_AT + 48):-on_grid(16)].mean()
    if settled < LEAST_INK:
        return None
    return float(ink[:end].sum() / (settled * (end - begin)))


def straightened(light, direction):
    """Lines run down."""
    if direction == "horizontal":
        return light.T
    if direction == "slanted":
        return np.array([np.roll(row, -round((at + 0.5) * sheets.LINE_SLANT))
                         for at, row in enumerate(light)])
    return light


def half_width(profiles, half):
    """Where rows of ink are above `half`: left and right edges, in parts of the
    grid; NaN in rows that do not reach it."""
    above = profiles > half
    found = above.any(axis=1)
    columns = profiles.shape[1]
    left = np.clip(above.argmax(axis=1), 1, columns - 1)
    right = np.clip(columns - 1 - above[:, ::-1].argmax(axis=1), 0, columns - 2)
    row = np.arange(len(profiles))

    def crossing(out, into):
        low, high = profiles[row, out], profiles[row, into]
        return out + (into - out) * (half - low) / np.where(high == low, 1, high - low)

    return (np.where(found, crossing(left - 1, left), np.nan),
            np.where(found, crossing(right + 1, right), np.nan))


def even_line(width, middle, at, reach, ink):
    """The profile of a line that prints evenly, through the aperture."""
    profile = np.zeros((1, 2 * reach))
    away = np.abs(np.arange(2 * reach) + 0.5 + at - reach - middle * 2) / 2
    profile[0, away < width / 2] = ink
    return seen.gauss(profile, APERTURE_MM)


def of_line(part, even):
    """part: the ink along the line, row by row; even: the profile of an even line."""
    mean = part.mean(axis=0)
    ink = float(max(mean.sum(), 0) / even.sum())
    contrast = float(seen.lightness(1 - even.max()) - seen.lightness(1 - mean.max()))
    if ink < LEAST_OF_LINE:
        return {"ink": ink, "relative_width": None, "ragged": None,
                "contrast": contrast, "missing": 1}
    edges = half_width(part, mean.max() / 2)
    own, right = (np.diff(half_width(each, each.max() / 2), axis=0)[0, 0]
                  for each in (mean[None], even))
    step = 25400 / lasers.GRID
    return {"ink": ink, "relative_width": float(own / right),
            "ragged": float(np.mean([np.nanstd(each) for each in edges]) * step),
            "contrast": contrast,
            "missing": float((part.max(axis=1) < mean.max() / 2).mean())}


def of_lines(printer, code, direction, tone_light):
    """For each width: ink and width (an even line's: 1), raggedness of the edges in
    micrometers, contrast to paper beyond an even line's in L*, and the share of the line
    that is missing. tone_light: of a flat page of this code."""
    light = printer.printed(sheets.lines(code, direction, printer.dots_per_inch))
    ink = seen.gauss(1 - straightened(light, direction), APERTURE_MM)
    reach = on_grid(20)
    rows = slice(on_grid(16), -on_grid(16))
    for width, middle in sheets.line_places().items():
        at = on_grid(middle)
        even = even_line(width, middle, at, reach, 1 - tone_light)
        yield {"code": code, "direction": direction, "width": width,
               **of_line(ink[rows, at - reach:at + reach], even)}


def compensated(code):
    """The L* aimed at: black-point compensation in XYZ."""
    share = code / 255
    light = share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
    return float(seen.lightness(lasers.BLACK + (1 - lasers.BLACK) * light))


def of_text(printer, points, tone_light):
    """For gray letters: how much lighter their strokes are, in L*, than letters that print
    evenly in their tone, and in the tone aimed at; the share of the strokes that is void,
    with less than half of its ink, and that of their outlines."""
    gray = sheets.text(points, printer.dots_per_inch)
    ink = seen.gauss(1 - printer.printed(gray), CLOSE_MM)
    stroke = gray < 255
    inside = (stroke[1:-1, 1:-1] & stroke[:-2, 1:-1] & stroke[2:, 1:-1] &
              stroke[1:-1, :-2] & stroke[1:-1, 2:])
    outline = stroke.copy()
    outline[1:-1, 1:-1] &= ~inside
    stroke, outline = (spread(each, ink.shape) for each in (stroke, outline))
    aims = {"own": tone_light,
            "aim": seen.light_of_lightness(compensated(sheets.TEXT_CODE))}
    even = {name: seen.gauss(stroke * np.float32(1 - light), CLOSE_MM)
            for name, light in aims.items()}
    void = ink < even["own"] / 2
    darkness = {f"pale_{name}": float(
        seen.lightness(1 - ink[stroke].mean()) -
        seen.lightness(1 - each[stroke].mean())) for name, each in even.items()}
    return {"points": points, **darkness, "void": float(void[stroke].mean()),
            "open": float(void[outline].mean())}


def spread(mask, shape):
    """A mask of dots, on the grid."""
    rows, columns = (np.arange(side) * dots // side
                     for side, dots in zip(shape, mask.shape))
    return mask[rows[:, None], columns[None, :]]


def of_photograph(printer, gray, curve):
    """dB of 100 L*, as an eye sees it, to the photograph in the printer's own tones.
    curve: light by code."""
    gray = sheets.at_resolution(gray, printer.dots_per_inch)
    light = printer.printed(gray)
    wanted = spread(curve[gray].astype(np.float32), light.shape)
    off = seen.lightness_of_field(light) - seen.lightness_of_field(wanted)
    off = off[32:-16, 16:-16]
    return float(20 * np.log10(100 / np.sqrt(np.mean(off ** 2))))

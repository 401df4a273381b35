# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of simulated prints with a scale: a row of each maker, resolution and laser;
columns are a slow ramp, text, lines and a light fill. A ramp is shown with CONTRAST
times its own contrast about its mean, all else as the print is."""

import pathlib

import numpy as np
from PIL import Image, ImageDraw

import figures
import lasers
import makers
import seen
import sheets

CONTRAST = 3
RAMP = 118, 137
RAMP_SHOWN = slice(100, 900)
SCALE_MM = 1
GAP, LABEL = 8, 16   # pixels of lasers.GRID
HEIGHT, WIDTH = 240, 480
GRAY_STEP = 8      # fewer grays make smaller files
BAR = 20            # of the scale


def shown(lightness):
    """L* as gray of a screen."""
    light = np.vectorize(seen.light_of_lightness)(np.arange(0, 100.5, 0.5))
    coded = np.where(light <= 0.0031308, 12.92 * light,
                     1.055 * light ** (1 / 2.4) - 0.055) * 255
    return coded[np.clip(2 * lightness, 0, 200).astype(int)].astype(np.uint8)


def ramp(printer):
    light = printer.printed(sheets.ramp(*RAMP, printer.dots_per_inch))
    field = seen.lightness_of_field(light)[64:-16]
    middle = field.mean()
    return (middle + CONTRAST * (field - middle))[:HEIGHT, RAMP_SHOWN]


def panels(printer):
    dots = printer.dots_per_inch
    yield ramp(printer)
    for gray in (sheets.text(7, dots), sheets.lines(153, "slanted", dots),
                 sheets.fill(250, dots)):
        light = printer.printed(gray)
        yield seen.lightness(light)[:HEIGHT, :WIDTH]


def row(printer, title):
    """Panels beside one another, below their title."""
    found = [shown(panel) for panel in panels(printer)]
    width = sum(panel.shape[1] + GAP for panel in found)
    image = Image.new("L", (width, HEIGHT + LABEL), 255)
    at = 0
    for panel in found:
        image.paste(Image.fromarray(panel), (at, LABEL))
        at += panel.shape[1] + GAP
    draw = ImageDraw.Draw(image)
    draw.text((2, 2), title, fill=0)
    return image


def with_scale(image):
    """A bar below: of the ramp, and of all else, which is shown twice as large."""
    draw = ImageDraw.Draw(image)
    below = image.height - 6
    beside_ramp = RAMP_SHOWN.stop - RAMP_SHOWN.start + GAP
    for at, per_mm in ((4, seen.PER_MM), (beside_ramp, seen.GRID_PER_MM)):
        draw.line((at, below, at + SCALE_MM * per_mm, below), fill=0, width=3)
        draw.text((at + SCALE_MM * per_mm + 6, below - 6), f"{SCALE_MM} mm", fill=0)
    return image


def save(options):
    """One picture for each laser."""
    options.pictures.mkdir(parents=True, exist_ok=True)
    for laser in lasers.for_use(options.use):
        rows = [row(figures.Printer(makers.maker(name, dots, options.build), laser,
                                    dots), f"{name}, {dots} dpi, {laser.name}")
                for name in options.by for dots in options.dpi]
        sheet = Image.new("L", (max(each.width for each in rows),
                                sum(each.height + GAP for each in rows) + BAR), 255)
        top = 0
        for each in rows:
            sheet.paste(each, (0, top))
            top += each.height + GAP
        with_scale(sheet).point(lambda gray: gray | (GRAY_STEP - 1)).save(
            pathlib.Path(options.pictures, f"{laser.name}.png"), optimize=True)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws both prints of demo_print.py side by side, as `halftone preview` simulates a
laser, whose input is the very bits here: the piece of the page with the most tones
at reading distance, and below it 4 mm of that with the most to see, enlarged. Both
have a scale.

Usage: demo_picture.py HALFTONE PRINTS PICTURE
"""

import pathlib
import subprocess
import sys
import tarfile
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import cups_raster  # noqa: E402

# Sizes are (width, height) in dots of 600 dpi, and whole pixels of the view. A pixel of
# a view is 4 x 4 dots; a dot of a magnifier is 8 x 8 pixels.
DPI = 600
PAGE_PIECE, DOTS_OF_PIXEL = (3072, 3024), 4
ENLARGED_PIECE, PIXELS_OF_DOT, MAGNIFIER = (96, 40), 8, 64
AROUND = 32  # dots beyond a piece that shine into it
CELL = 24    # dots that are one tone for the choice of a piece

# How `halftone preview` places its pictures: below one another, with gaps.
STRIP_GAP, STRIP_NAME = 16, 15

BORDER, GAP, LINE = 16, 32, 30  # pixels
FONT = "/usr/share/fonts/opentype/urw-base35/NimbusSans-%s.otf"
# What makes the black dots where we do not.
SCREENS = {"gstoraster": "Ghostscript's screen"}
OTHER_SCREEN = "the dots of CUPS' own filters"
# A bar of each scale: its text, and its length in pixels.
VIEW_SCALE = "at reading distance, 10 mm", DPI / 25.4 * 10 / DOTS_OF_PIXEL
ENLARGED_SCALE = "1 mm", DPI / 25.4 * PIXELS_OF_DOT
UNDER_VIEW = (f"Simulated {DPI} dpi laser. Below: "
              f"{ENLARGED_PIECE[0] * 25.4 / DPI:.0f} mm of it, enlarged.")


def read_prints(path):
    """[(dots, stages)] before and after; a dot of toner is 1."""
    prints = []
    with tarfile.open(path) as archive:
        for name in ("before", "after"):
            raster = archive.extractfile(f"{name}.ras").read()
            stages = archive.extractfile(f"{name}.stages").read().decode()
            header, rows = cups_raster.read_pages(raster)[0]
            rows = np.frombuffer(rows, np.uint8).reshape(header["cupsHeight"], -1)
            dots = np.unpackbits(rows, axis=1)[:, :header["cupsWidth"]]
            prints.append((dots, [line.split() for line in stages.splitlines()]))
    return prints


def cut(dots, corner, size, around=0):
    """A piece at (left, top), with what is around; beyond the page is paper."""
    left, top = (at - around for at in corner)
    width, height = (length + 2 * around for length in size)
    piece = np.zeros((height, width), np.uint8)
    part = dots[max(top, 0):top + height, max(left, 0):left + width]
    piece[max(-top, 0):, max(-left, 0):][:part.shape[0], :part.shape[1]] = part
    return piece


def preview(halftone, dots, *options):
    """What `halftone preview` shows of dots: nothing between 0 and 1 is left to
    halftone."""
    with tempfile.TemporaryDirectory() as folder:
        bits, shown = f"{folder}/bits.pbm", f"{folder}/shown.png"
        Image.fromarray(255 * (1 - dots)).convert("1").save(bits)
        subprocess.run([halftone, "preview", "--halftone-type", "bi-level", "--text-edges",
                        "off", "--dpi", "600", *options, bits, "-o", shown],
                       check=True, stdout=subprocess.DEVNULL)
        strip = Image.open(shown).convert("L")
    top = 2 * STRIP_GAP + STRIP_NAME
    return strip.crop((STRIP_GAP, top, strip.width - STRIP_GAP,
                       strip.height - STRIP_GAP))


def at_reading_distance(halftone, dots, corner):
    view = preview(halftone, cut(dots, corner, PAGE_PIECE, AROUND))
    edge = AROUND // DOTS_OF_PIXEL
    width, height = (length // DOTS_OF_PIXEL for length in PAGE_PIECE)
    return view.crop((edge, edge, edge + width, edge + height))


def enlarged(halftone, dots, corner):
    """Magnifiers, one beside the other."""
    width, height = (PIXELS_OF_DOT * length for length in ENLARGED_PIECE)
    side = PIXELS_OF_DOT * MAGNIFIER
    picture = Image.new("L", (width, height))
    for left in range(0, ENLARGED_PIECE[0], MAGNIFIER):
        piece = cut(dots, (corner[0] + left, corner[1]), (MAGNIFIER, MAGNIFIER), AROUND)
        magnifier = preview(halftone, piece, "--magnify")
        # The bits are above, the print is below.
        magnifier = magnifier.crop((0, magnifier.height - magnifier.width, magnifier.width,
                            magnifier.height)).resize((side, side), Image.LANCZOS)
        picture.paste(magnifier, (PIXELS_OF_DOT * left, 0))
    return picture


def means(values, width, height):
    """The mean of each piece of such a size."""
    sums = np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    sums = sums[height:] - sums[:-height]
    return (sums[:, width:] - sums[:, :-width]) / (width * height)


def most_toned(dots):
    """The corner of the piece of the page with the most tones, or of several as
    good the one in the middle."""
    rows, columns = (length // CELL * CELL for length in dots.shape)
    ink = dots[:rows, :columns].reshape(rows // CELL, CELL, -1, CELL).mean((1, 3))
    tones = means(ink * (1 - ink), *(length // CELL for length in PAGE_PIECE))
    best = np.argwhere(tones >= tones.max() - 1e-9).mean(0)
    return int(best[1]) * CELL, int(best[0]) * CELL


def most_changed(before, after):
    """The corner of the piece of two views whose shapes are the least alike: where
    the one explains the least of the other."""
    before, after = (np.asarray(view, float) for view in (before, after))
    size = [length // DOTS_OF_PIXEL for length in ENLARGED_PIECE]
    mean_before, mean_after = means(before, *size), means(after, *size)
    variance = means(before * before, *size) - mean_before ** 2
    explains = means(after * after, *size) - mean_after ** 2
    common = means(before * after, *size) - mean_before * mean_after
    unlike = variance - common ** 2 / (explains + 1)
    top, left = np.unravel_index(unlike.argmax(), unlike.shape)
    return int(left), int(top)


def frame(draw, left, top, size):
    draw.rectangle((left, top, left + size[0] - 1, top + size[1] - 1), outline=96)


def scale(draw, right, line, text, length):
    """A bar that ends at the right, with its text beside it."""
    left, middle = right - round(length), line - 15
    draw.line((left, middle, right, middle), fill=0, width=2)
    for end in (left, right):
        draw.line((end, middle - 5, end, middle + 5), fill=0, width=2)
    draw.text((left - 8, line - 10), text, fill=0, anchor="rs",
              font=ImageFont.truetype(FONT % "Regular", 17))


def side_picture(title, view, place, enlargement):
    """One half of the picture; `place` in the view is enlarged."""
    top, below = LINE, 2 * LINE + view.height
    side = Image.new("L", (view.width, below + enlargement.height), 255)
    side.paste(view, (0, top))
    side.paste(enlargement, (0, below))
    draw = ImageDraw.Draw(side)
    frame(draw, 0, top, view.size)
    frame(draw, 0, below, enlargement.size)
    # Around what is enlarged, and no more.
    frame(draw, place[0] - 1, top + place[1] - 1,
          [length // DOTS_OF_PIXEL + 2 for length in ENLARGED_PIECE])
    for text, weight, size, line in ((title, "Bold", 22, top),
                                     (UNDER_VIEW, "Regular", 17, below)):
        draw.text((0, line - 10), text, fill=0, anchor="ls",
                  font=ImageFont.truetype(FONT % weight, size))
    scale(draw, view.width - 2, top, *VIEW_SCALE)
    scale(draw, view.width - 2, below, *ENLARGED_SCALE)
    return side


def side_by_side(sides):
    width, height = sides[0].size
    picture = Image.new("L", (2 * (BORDER + width) + GAP, height + 2 * BORDER), 255)
    for number, side in enumerate(sides):
        picture.paste(side, (BORDER + number * (width + GAP), BORDER))
    return picture


def titles(stages):
    screen = next((SCREENS[name] for name, _ in stages if name in SCREENS),
                  OTHER_SCREEN)
    return f"Without halftoned: {screen}", "With halftoned"


def main():
    halftone, prints, picture = sys.argv[1:]
    both = read_prints(prints)
    corner = most_toned(both[1][0])
    views = [at_reading_distance(halftone, dots, corner) for dots, _ in both]
    place = most_changed(*views)
    enlarge_at = [at + DOTS_OF_PIXEL * more for at, more in zip(corner, place)]
    sides = []
    for title, view, (dots, stages) in zip(titles(both[0][1]), views, both):
        sides.append(side_picture(title, view, place,
                                  enlarged(halftone, dots, enlarge_at)))
        print(f"{title.split(':')[0]}:",
              ", ".join(f"{name} {time} ms" for name, time in stages))
    side_by_side(sides).save(picture, optimize=True)


if __name__ == "__main__":
    main()

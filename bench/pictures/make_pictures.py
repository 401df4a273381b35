#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of all halftone types, beside Ghostscript's default.

    bench/pictures/make_pictures.py [--save FILE]

Makes types.png, simulated prints of a laser of 600 dpi (prints.py) with a scale, shown
without any correction for the screen. Each shows a detail of ./demo's picture, two light
tints, a gradient, gray and black text. Ours have the tone options of the print filter for
a laser of 600 dpi; Ghostscript has its default settings. Needs the target halftone, and
the Debian packages python3-numpy, python3-pil, fonts-dejavu-core and ghostscript.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(BENCH), str(BENCH / "peers"), str(BENCH.parent / "tests/system/cups/demo")]
import demo_still_life  # noqa: E402
import pages  # noqa: E402
import prints  # noqa: E402
import record  # noqa: E402

SCALE = 3  # screen pixels per dot, each way
ROWS = 64
COLUMNS = {"photo": 112, "tints": 32, "ramp": 32, "text": 58}
BALLS = 110, 190, 400, 448  # of the picture: a light one, and a dark one before it
GAP = 8     # screen pixels between columns
LABEL = 28  # and of the line above a print
ACROSS = 2  # prints beside one another
FONTS = "/usr/share/fonts/truetype/dejavu/"

PRINTER = "laser", 600

# Halftone types, and options of halftone convert. The dot gain suits the simulated
# prints. Files have no print feedback by default, print jobs on such a laser all of it.
DOT_GAIN = "--dot-gain", "20"
TYPES = {
    "fine": ("fine", *DOT_GAIN),
    "fine in print jobs": ("fine", "--print-feedback", "100", *DOT_GAIN),
    "best": ("best", *DOT_GAIN),
    "clustered": ("clustered", *DOT_GAIN),
    "screen": ("screen", *DOT_GAIN),
    "floyd-steinberg": ("floyd-steinberg", *DOT_GAIN),
    "bi-level": ("bi-level",),
}


def photo(width, height):
    picture = Image.fromarray(demo_still_life.picture())
    return np.asarray(picture.crop(BALLS).resize((width, height), Image.LANCZOS))


def label(draw, place, text):
    draw.fontmode = "1"
    draw.text(place, text, fill=0, anchor="ls",
              font=ImageFont.truetype(FONTS + "DejaVuSans.ttf", 15))


def text(width, height):
    """Not smoothed: all that is gray is meant."""
    image = Image.new("L", (width, height), 255)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    font = ImageFont.truetype(FONTS + "DejaVuSerif.ttf", 39)
    draw.text((1, 30), "Ra", fill=110, font=font, anchor="ls")
    draw.text((1, height - 1), "Ra", fill=0, font=font, anchor="ls")
    return np.asarray(image)


def page_and_crops():
    """A page on which each panel has room around it, and where they are."""
    page = np.full((192, 576), 255, np.uint8)
    page[:128, :144] = photo(144, 128)
    page[:ROWS, 192:288], page[ROWS:160, 192:288] = 245, 220
    ramp = 255 - np.arange(ROWS) * 255 // (ROWS - 1)
    top = 32
    page[top:top + ROWS, 320:352] = ramp[:, None]
    page[top:top + ROWS, 384:384 + COLUMNS["text"]] = text(COLUMNS["text"],
                                                           ROWS)
    lefts = {"photo": 16, "tints": 224, "ramp": 320, "text": 384}
    return page, {name: np.s_[top:top + ROWS, left:left + COLUMNS[name]]
                  for name, left in lefts.items()}


def by_ghostscript(page, folder):
    pages.write_postscript(folder / "page.ps", page)
    out = folder / "page.pbm"
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r600",
                    "-sDEVICE=pbmraw", "-sOutputFile=%s" % out,
                    folder / "page.ps"], check=True)
    return pages.read_dots(out)


def by_us(halftone, options, page, folder):
    return pages.by_us(halftone, page, folder, "--halftone-type", *options,
                       "--black-point", "32", "--text-edges", "crisp")


def enlarged(image):
    return image.repeat(SCALE, axis=0).repeat(SCALE, axis=1)


def printed(dots):
    """Gray of a print, from its black to paper, at SCALE times the resolution."""
    light = prints.light(dots, PRINTER, SCALE)
    black = prints.light(np.zeros((3, 3)), PRINTER, SCALE)[SCALE:-SCALE, SCALE:-SCALE]
    light = (light - black.mean()) / (1 - black.mean())
    return (light.clip(0, 1) * 255 + 0.5).astype(np.uint8)


def scaled(crop, scale):
    return tuple(slice(at.start * scale, at.stop * scale) for at in crop)


def scale(draw, right, line):
    """A bar of a millimeter that ends at the right."""
    left, middle = right - round(SCALE * PRINTER[1] / 25.4), line - 6
    draw.line((left, middle, right, middle), fill=0, width=2)
    for end in (left, right):
        draw.line((end, middle - 4, end, middle + 4), fill=0, width=2)
    label(draw, (left - 50, line), "1 mm")


def grid(prints_of):
    """Labeled prints, each a row of panels, all of them enlarged already."""
    width = sum(COLUMNS.values()) * SCALE + GAP * (len(COLUMNS) - 1)
    height = LABEL + ROWS * SCALE
    rows = -(-len(prints_of) // ACROSS)
    image = Image.new("L", (ACROSS * (width + 3 * GAP) - 3 * GAP, rows * height), 255)
    draw = ImageDraw.Draw(image)
    for number, (name, panels) in enumerate(prints_of):
        down, across = divmod(number, ACROSS)
        left, line = across * (width + 3 * GAP), down * height + LABEL - 6
        label(draw, (left, line), name)
        scale(draw, left + width - 2, line)
        for panel in panels:
            image.paste(Image.fromarray(panel), (left, line + 6))
            left += panel.shape[1] + GAP
    return image


def main():
    options = record.parser(__doc__).parse_args()
    halftone = options.build / "tools/halftone"
    page, crops = page_and_crops()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = {"Ghostscript's default": by_ghostscript(page, folder)}
        made.update({name: by_us(halftone, options, page, folder)
                     for name, options in TYPES.items()})
    shown = [("the page", [enlarged(page[crop]) for crop in crops.values()])]
    shown += [(name, [printed(dots)[scaled(crop, SCALE)] for crop in crops.values()])
              for name, dots in made.items()]
    grid(shown).save(options.save or BENCH / "results/pictures/types.png", optimize=True)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the halftone types, beside Ghostscript's default.

    bench/pictures/make_pictures.py [--save FOLDER]

Makes types-bits.png, each dot as 4 x 4 screen pixels, and types-print.png, a simulated
print of a laser of 600 dpi (prints.py), shown without any correction for the screen.
All rows have the same columns: a photograph (the one in python3-scipy, in the public
domain), two light tints, a ramp, gray and black text. Ours have the tone options of the print filter for a laser of 600 dpi;
Ghostscript has its default settings. Needs the target halftone, and the Debian
packages python3-numpy, python3-scipy, python3-pil, fonts-dejavu-core and ghostscript.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(BENCH), str(BENCH / "peers")]
import collection  # noqa: E402
import pages  # noqa: E402
import prints  # noqa: E402
import record  # noqa: E402

SCALE = 4  # screen pixels a dot, each way
ROWS = 64
COLUMNS = {"photo": 80, "tints": 32, "ramp": 32, "text": 58}
GAP = 8     # screen pixels between columns
LABEL = 24  # and of the line above a row
FONTS = "/usr/share/fonts/truetype/dejavu/"

PRINTER = "laser", 600

# Options of halftone convert. The dot gain suits the simulated prints.
TYPES = {
    "fine": ["--dot-gain", "20"],
    "best": ["--dot-gain", "20"],
    "clustered": ["--dot-gain", "20"],
    "printer-model": ["--dot-diameter", str(prints.PRINTERS[PRINTER][0])],
    "floyd-steinberg": ["--dot-gain", "20"],
    "bi-level": [],
}


def photo(side):
    """As gray, with an eye in the middle."""
    eye = collection.face().crop((360, 110, 860, 610))
    return np.asarray(eye.resize((side, side), Image.LANCZOS))


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
    page = np.full((192, 512), 255, np.uint8)
    page[:160, :160] = photo(160)
    page[:ROWS, 192:288], page[ROWS:160, 192:288] = 245, 220
    ramp = 255 - np.arange(ROWS) * 255 // (ROWS - 1)
    top = 32
    page[top:top + ROWS, 320:352] = ramp[:, None]
    page[top:top + ROWS, 384:384 + COLUMNS["text"]] = text(COLUMNS["text"],
                                                           ROWS)
    lefts = {"photo": 40, "tints": 224, "ramp": 320, "text": 384}
    return page, {name: np.s_[top:top + ROWS, left:left + COLUMNS[name]]
                  for name, left in lefts.items()}


def by_ghostscript(page, folder):
    pages.write_postscript(folder / "page.ps", page)
    out = folder / "page.pbm"
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r600",
                    "-sDEVICE=pbmraw", "-sOutputFile=%s" % out,
                    folder / "page.ps"], check=True)
    return pages.read_dots(out)


def by_us(halftone, kind, page, folder):
    return pages.by_us(halftone, page, folder, "--halftone-type", kind,
                       "--black-point", "32", "--text-edges", "crisp", *TYPES[kind])


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


def sheet(rows):
    """Labelled rows of panels, all of them enlarged already."""
    width = sum(COLUMNS.values()) * SCALE + GAP * (len(COLUMNS) - 1)
    image = Image.new("L", (width, len(rows) * (LABEL + ROWS * SCALE)), 255)
    draw, top = ImageDraw.Draw(image), 0
    for name, panels in rows:
        label(draw, (0, top + LABEL - 6), name)
        top += LABEL
        left = 0
        for panel in panels:
            image.paste(Image.fromarray(panel), (left, top))
            left += panel.shape[1] + GAP
        top += ROWS * SCALE
    return image


def main():
    options = record.parser(__doc__).parse_args()
    out = options.save or BENCH / "results/pictures"
    halftone = options.build / "tools/halftone"
    page, crops = page_and_crops()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = {"Ghostscript's default": by_ghostscript(page, folder)}
        made.update({kind: by_us(halftone, kind, page, folder) for kind in TYPES})
    bits = [(name, [enlarged(dots[crop] * np.uint8(255)) for crop in crops.values()])
            for name, dots in made.items()]
    papers = [("the page", [enlarged(page[crop]) for crop in crops.values()])]
    papers += [(name, [printed(dots)[scaled(crop, SCALE)] for crop in crops.values()])
               for name, dots in made.items()]
    sheet(bits).convert("1", dither=Image.Dither.NONE).save(
        out / "types-bits.png", optimize=True)
    sheet(papers).save(out / "types-print.png", optimize=True)


if __name__ == "__main__":
    main()

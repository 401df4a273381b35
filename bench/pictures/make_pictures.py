#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the halftone types, beside Ghostscript's default.

    bench/pictures/make_pictures.py [--build build/release] [--out FOLDER]

Makes before-after.png, a photograph, a ramp, text and a tint with Ghostscript's
default and with fine as simulated prints; types-bits.png, each dot as 4 x 4 screen
pixels, and types-print.png, a simulated print of a laser of 600 dpi: with the model and the dots of bench/tone,
overlapping discs with soft edges, shown without any correction for the screen. All
rows have the same columns: a photograph (the one in
python3-scipy, in the public domain), two light tints, a ramp, gray and black
text. Ours have the tone options of the print filter for a laser of 600 dpi;
Ghostscript has its default settings. Needs the target halftone, and the Debian
packages python3-numpy, python3-scipy, python3-pil, fonts-dejavu-core and
ghostscript.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from PIL import Image, ImageDraw, ImageFont

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
import pages  # noqa: E402

SCALE = 4  # screen pixels a dot, each way
ROWS = 64
COLUMNS = {"photo": 80, "tints": 32, "ramp": 32, "text": 58}
# Of before-after.png, in dots; a dot is 2 x 2 screen pixels.
PIECE = {"width": 208, "height": 312, "margin": 24}
GAP = 8     # screen pixels between columns
LABEL = 24  # and of the line above a row
FONTS = "/usr/share/fonts/truetype/dejavu/"

# Of a printer of 600 dpi, as in wedge_bench.cc; in pitches.
DIAMETER, EDGE, FULL_DENSITY, REACH = 1.30, 0.25, 1.5, 3

# Options of halftone convert. The dot gain suits the simulated prints.
TYPES = {
    "fine": ["--dot-gain", "20"],
    "best": ["--dot-gain", "20"],
    "clustered": ["--dot-gain", "20"],
    "printer-model": ["--dot-diameter", str(DIAMETER)],
    "floyd-steinberg": ["--dot-gain", "20"],
    "bi-level": [],
}


def photo(side):
    """As gray, with an eye in the middle."""
    import scipy.misc
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it moves to another package
        face = Image.fromarray(scipy.misc.face()).convert("L")
    eye = face.crop((360, 110, 860, 610))
    return np.asarray(eye.resize((side, side), Image.LANCZOS))


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
    pages.write_pgm(folder / "page.pgm", page)
    out = folder / "page.pbm"
    subprocess.run([halftone, "convert", "--quiet", "--halftone-type", kind,
                    "--black-point", "32", "--text-edges", "crisp",
                    *TYPES[kind], folder / "page.pgm", out], check=True)
    return pages.read_dots(out)


def enlarged(image):
    return image.repeat(SCALE, axis=0).repeat(SCALE, axis=1)


def printed(dots):
    """Light that comes back, 0 … 1, at SCALE times the resolution."""
    black = np.pad(dots == 0, REACH).astype(np.float32)
    height, width = dots.shape
    density = np.zeros((height, SCALE, width, SCALE), np.float32)
    part = (np.arange(SCALE) + 0.5) / SCALE - 0.5
    around = [(dy, dx) for dy in range(-REACH, REACH + 1)
              for dx in range(-REACH, REACH + 1)]
    solid = 0
    for dy, dx in around:
        distance = np.hypot(part[:, None] - dy, part[None, :] - dx)
        t = np.clip((DIAMETER / 2 - distance) / EDGE + 0.5, 0, 1)
        disc = FULL_DENSITY * t * t * (3 - 2 * t)
        solid = solid + disc
        near = black[REACH + dy:, REACH + dx:][:height, :width]
        density += near[:, None, :, None] * disc[None, :, None, :]
    paper_black = np.mean(10 ** -solid)
    light = (10 ** -density - paper_black) / (1 - paper_black)
    return np.clip(light, 0, 1).reshape(height * SCALE, width * SCALE)


def sheet(rows):
    """Labelled rows of panels, all of them enlarged already."""
    width = sum(COLUMNS.values()) * SCALE + GAP * (len(COLUMNS) - 1)
    image = Image.new("L", (width, len(rows) * (LABEL + ROWS * SCALE)), 255)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    font = ImageFont.truetype(FONTS + "DejaVuSans.ttf", 15)
    top = 0
    for label, panels in rows:
        draw.text((0, top + LABEL - 6), label, fill=0, font=font, anchor="ls")
        top += LABEL
        left = 0
        for panel in panels:
            image.paste(Image.fromarray(panel), (left, top))
            left += panel.shape[1] + GAP
        top += ROWS * SCALE
    return image


def piece():
    """A page for before-after.png, and where the piece is on it."""
    width, height, margin = PIECE.values()
    page = np.full((height + 2 * margin, width + 2 * margin), 255, np.uint8)
    crop = np.s_[margin:margin + height, margin:margin + width]
    part = page[crop]
    part[:width] = photo(width)
    part[width + 8:width + 32] = 255 - np.arange(width) * 255 // (width - 1)
    part[-ROWS:, 8:8 + COLUMNS["text"]] = text(COLUMNS["text"], ROWS)
    part[-ROWS:, width // 2:] = 220
    return page, crop


def before_and_after(halftone, folder):
    page, crop = piece()
    panels = {"the page": page[crop].repeat(2, axis=0).repeat(2, axis=1)}
    for label, dots in (("Ghostscript's screen", by_ghostscript(page, folder)),
                        ("halftoned", by_us(halftone, "fine", page, folder))):
        light = Image.fromarray((printed(dots) * 255 + 0.5).astype(np.uint8))
        half = light.resize((light.width // 2, light.height // 2), Image.BOX)
        panels[label] = np.asarray(half)[
            tuple(slice(2 * at.start, 2 * at.stop) for at in crop)]
    width, height = 2 * PIECE["width"], 2 * PIECE["height"]
    image = Image.new("L", (3 * width + 4 * GAP, LABEL + height), 255)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    font = ImageFont.truetype(FONTS + "DejaVuSans.ttf", 15)
    for i, (label, panel) in enumerate(panels.items()):
        left = i * (width + 2 * GAP)
        draw.text((left, LABEL - 6), label, fill=0, font=font, anchor="ls")
        image.paste(Image.fromarray(panel), (left, LABEL))
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--out", default=HERE.parent / "results/pictures",
                        type=pathlib.Path)
    options = parser.parse_args()
    halftone = pathlib.Path(options.build, "tools/halftone")
    page, crops = page_and_crops()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = {"Ghostscript's default": by_ghostscript(page, folder)}
        for kind in TYPES:
            made[kind] = by_us(halftone, kind, page, folder)
        compared = before_and_after(halftone, folder)
    wanted = ("the page", [enlarged(page[crop]) for crop in crops.values()])
    bits, prints = [], [wanted]
    for label, dots in made.items():
        light = (printed(dots) * 255 + 0.5).astype(np.uint8)
        bits.append((label, [enlarged(dots[crop] * np.uint8(255))
                             for crop in crops.values()]))
        prints.append((label, [
            light[tuple(slice(at.start * SCALE, at.stop * SCALE)
                        for at in crop)] for crop in crops.values()]))
    options.out.mkdir(parents=True, exist_ok=True)
    compared.quantize(64).save(options.out / "before-after.png", optimize=True)
    sheet(bits).convert("1", dither=Image.Dither.NONE).save(
        options.out / "types-bits.png", optimize=True)
    sheet(prints).save(options.out / "types-print.png", optimize=True)


if __name__ == "__main__":
    main()

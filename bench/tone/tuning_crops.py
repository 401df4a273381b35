#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the crops on which find_first_table tries tables.

    bench/tone/tuning_crops.py OUT.pgm

They are 256 x 256 pixels, one PGM behind another: of photographs of Debian's
mate-backgrounds and lomiri-wallpapers-16.04, none of which judge.py has, a pixel a
dot and enlarged as prints of small pictures are; of a zone plate, of gray text with
lines, and of a page as a scanner sees it. Needs python3-numpy, python3-scipy,
python3-pil and fonts-dejavu-core.
"""

import pathlib
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

SIDE = 256
PAGE = 1024
MATE = pathlib.Path("/usr/share/backgrounds/mate")
LOMIRI = pathlib.Path("/usr/share/backgrounds")
PHOTOGRAPHS = (
    *(MATE / f"nature/{name}.jpg" for name in
      ("Aqua", "Blinds", "FreshFlower", "Garden", "GreenMeadow", "RainDrops",
       "TwoWings", "YellowFlower")),
    MATE / "abstract/Elephants_3840x2160.jpg",
    *(LOMIRI / f"{name}.jpg" for name in
      ("Picture_0B_by_freespace", "free_by_Peter_Nerlich",
       "friends_by_Aitzol_Berasategi", "greentock_by_Peter_Nerlich",
       "sunset_by_Aitzol_Berasategi", "umang_by_Abhishek_Mudgal")))
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
ENLARGED = (1440, 960)  # widths; from a third of it


def rounded(page):
    return np.rint(page).clip(0, 255).astype(np.uint8)


def zone_plate():
    y, x = np.mgrid[:PAGE, :PAGE] - PAGE // 2
    return rounded(127.5 + 100 * np.cos((x ** 2 + y ** 2) * np.pi / PAGE * .35))


def gray_text():
    image = Image.new("L", (PAGE, PAGE), 225)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, 22)
    for i in range(0, PAGE, 28):
        draw.text((5, i), "Swap dots within small blocks, 0123456789 " * 3,
                  fill=90 if i % 56 else 160, font=font)
    for i in range(0, PAGE, 64):
        draw.line((0, i, PAGE - 1, i * 7 % PAGE), fill=140)
    return np.asarray(image)


def scan(random):
    marks = np.where(random.random((64, 64)) < .3, 30, 240)
    page = marks.repeat(16, 0).repeat(16, 1).astype(float)
    return rounded(ndimage.gaussian_filter(page, 1.2) +
                   random.normal(0, 4, page.shape))


def crops(page, count, random):
    for _ in range(count):
        top, left = (random.integers(0, side - SIDE + 1) for side in page.shape)
        yield page[top:top + SIDE, left:left + SIDE]


def all_of_them():
    random = np.random.default_rng(5)
    for page in (zone_plate(), gray_text(), scan(random)):
        yield from crops(page, 16, random)
    for path in PHOTOGRAPHS:
        image = Image.open(path).convert("L")
        yield from crops(np.asarray(image), 12, random)
        for width in ENLARGED:
            height = width * image.height // image.width
            small = image.resize((width // 3, height // 3))
            enlarged = small.resize((width, height), Image.Resampling.LANCZOS)
            yield from crops(np.asarray(enlarged), 8, random)


def main():
    with open(sys.argv[1], "wb") as out:
        for crop in all_of_them():
            out.write(b"P5\n%d %d\n255\n" % (SIDE, SIDE) + crop.tobytes())


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On how many pages without bar codes two builds of `halftone` differ.

    bench/codes/no_codes.py --before HALFTONE [--pages 520] [--seed 1] [--threads 2]
        [--edges soft]

A build that finds codes and one that looks for none must make the same dots.
The pages are text in all fonts of the system, in 5 to 60 points; narrow letters
(l, I, |, 1); bitmap fonts, enlarged; tables; staves; hatched maps; rulers; bar charts;
keyboards; checks and stripes that repeat, and others that do not; nested squares;
crosswords; photographs from mate-backgrounds, also as a printed screen; and pictures
from this repository. Drawings are gray and smoothed, with random inks and backgrounds,
and straight or skewed by up to 4 degrees. Every page is rotated by a random multiple of
90 degrees.

Needs the target halftone, and the Debian packages python3-numpy, python3-pil, any
fonts, and mate-backgrounds.
"""

import argparse
import collections
import glob
import multiprocessing
import pathlib
import random
import subprocess
import tempfile

from PIL import Image, ImageDraw, ImageFont

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build/release"
WIDTH, HEIGHT = 1240, 1000
FONTS = sorted(glob.glob("/usr/share/fonts/**/*.[to]tf", recursive=True))
PICTURES = sorted(path for path in (BUILD.parents[1] / "bench/results/pictures").glob(
    "*.png") if "code" not in path.name)
PHOTOGRAPHS = sorted(glob.glob("/usr/share/backgrounds/mate/**/*.jpg", recursive=True))
QUARTERS = (None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180,
            Image.Transpose.ROTATE_270)
WORDS = ("the invoice of little millimetres illimitable minimum Hill III 1111 |||| "
         "HIHI total 4711 EUR unit quantity will fill ill nil mill").split()


def words_of(r, letters=None):
    if letters:
        return "".join(r.choice(letters) for _ in range(120))
    return " ".join(r.choice(WORDS) for _ in range(40))


def text(r, draw, ink, letters=None):
    y = 10
    while y < HEIGHT:
        size = r.randint(20, 250 if r.random() < 0.2 else 70)
        font = ImageFont.truetype(r.choice(FONTS), size)
        draw.text((r.randint(0, 90), y), words_of(r, letters), fill=ink, font=font)
        y += int(size * 1.2)


def narrow(r, draw, ink):
    text(r, draw, ink, r.choice(("lI|1", "|", "Il1i!", "HIM|", "mnulr ", "l ")))


def bitmap(r, draw, ink):
    font, y = ImageFont.load_default(), 0
    while y < HEIGHT:
        scale = r.randint(1, 12)
        line = Image.new("L", (WIDTH // scale + 1, 12), 0)
        ImageDraw.Draw(line).text((2, 0), words_of(r), fill=255, font=font)
        draw.bitmap((0, y), line.resize((line.width * scale, 12 * scale)), fill=ink)
        y += 14 * scale


def table(r, draw, ink):
    x, wide, font = 20, r.randint(1, 6), ImageFont.truetype(r.choice(FONTS), 24)
    while x < WIDTH - 30:
        draw.rectangle((x, 30, x + wide - 1, HEIGHT - 40), fill=ink)
        x += r.choice((8, 12, 20, 40, 90))
    for y in range(30, HEIGHT - 39, r.randint(30, 120)):
        draw.rectangle((20, y, WIDTH - 20, y + wide - 1), fill=ink)
        draw.text((30, y + 4), words_of(r), fill=ink, font=font)


def staves(r, draw, ink):
    space = r.randint(8, 24)
    for top in range(30, HEIGHT - 8 * space, 9 * space):
        for line in range(5):
            y = top + line * space
            draw.rectangle((30, y, WIDTH - 30, y + space // 8), fill=ink)
        x = 60
        while x < WIDTH - 60:
            y = top + r.randint(-2, 9) * space // 2
            draw.ellipse((x, y, x + space * 5 // 4, y + space), fill=ink)
            draw.rectangle((x, y - 3 * space, x + space // 8, y), fill=ink)
            x += r.choice((2, 3, 4)) * space


def hatched(r, draw, ink):
    for _ in range(12):
        left, top = r.randint(0, WIDTH), r.randint(0, HEIGHT)
        right, bottom = left + r.randint(100, 600), top + r.randint(100, 400)
        lean, step = r.choice((0, 0, 0, 30, 90)), r.randint(4, 24)
        for x in range(left, right, step):
            draw.line((x, top, x + lean, bottom), fill=ink, width=r.choice((1, 2, 3)))


def ruler(r, draw, ink):
    for top in range(20, HEIGHT - 150, 170):
        step = r.randint(3, 14)
        for n, x in enumerate(range(20, WIDTH - 20, step)):
            high = 120 if n % 10 == 0 else 90 if n % 5 == 0 else 60
            draw.rectangle((x, top, x + step // 3, top + high), fill=ink)


def chart(r, draw, ink):
    for bottom in range(240, HEIGHT, 250):
        x, widths = 30, [r.randint(4, 40) for _ in range(r.randint(1, 3))]
        while x < WIDTH - 60:
            for wide in widths:
                draw.rectangle((x, bottom - r.randint(10, 220), x + wide, bottom),
                               fill=ink)
                x += wide + r.choice((2, 4, 8))
            x += r.choice((4, 10, 20))


def keyboard(r, draw, ink):
    for top in range(20, HEIGHT - 200, 220):
        key, x = r.randint(8, 40), 20
        for n in range(WIDTH // key - 2):
            draw.rectangle((x, top, x + 1, top + 180), fill=ink)
            if n % 7 not in (2, 6):
                draw.rectangle((x + key * 2 // 3, top, x + key * 4 // 3, top + 110),
                               fill=ink)
            x += key


def stripes(r, draw, ink):
    """Whole modules, in a sequence that repeats or not, 30 to 250 rows high."""
    y = 20
    while y < HEIGHT - 260:
        module, x, high = r.randint(2, 8), r.randint(60, 120), r.randint(30, 250)
        once = [r.randint(1, 4) for _ in range(2 * r.choice((1, 2, 3, 4, 5, 50)))]
        count = r.randint(30, 120)
        for n in range(count):
            wide = once[n % len(once)] * module
            if x + wide > WIDTH - 100:
                break
            if n % 2 == 0:
                draw.rectangle((x, y, x + wide - 1, y + high), fill=ink)
            x += wide
        y += high + 10


def checks(r, draw, ink):
    side = r.randint(3, 40)
    for y in range(0, HEIGHT, side):
        for x in range(y // side % 2 * side, WIDTH, 2 * side):
            draw.rectangle((x, y, x + side - 1, y + side - 1), fill=ink)


def nested(r, draw, ink):
    """Squares in squares, as icons and boxes of forms are, some with text beside."""
    font = ImageFont.truetype(r.choice(FONTS), 24)
    for y in range(20, HEIGHT - 130, 140):
        x = 20
        while x < WIDTH - 140:
            part, left = r.randint(2, 16), x
            for ring in range(r.randint(1, 4)):
                inset = ring * part
                draw.rectangle((left + inset, y + inset, left + 7 * part - inset - 1,
                                y + 7 * part - inset - 1),
                               fill=ink if ring % 2 == 0 else draw.im.getpixel((0, 0)))
            x += 7 * part + r.choice((part, 2 * part, 60))
            if r.random() < 0.3:
                draw.text((x, y), "ill " * r.randint(1, 5), fill=ink, font=font)
                x += 200


def crossword(r, draw, ink):
    """Squares on a grid, dark or light, in blocks of odd and even sizes."""
    y = 30
    while y < HEIGHT - 200:
        side, x = r.randint(3, 16), 30
        count = r.choice((11, 13, 15, 17, 21, 25))
        while x + side * count < WIDTH - 60:
            for at in range(count * count):
                if r.random() < 0.5:
                    left = x + at % count * side
                    top = y + at // count * side
                    draw.rectangle((left, top, left + side - 1, top + side - 1),
                                   fill=ink)
            x += side * (count + 6)
        y += side * (count + 6)


def shipped(r, page):
    """A part of a picture of this repository."""
    picture = Image.open(r.choice(PICTURES)).convert("L")
    each = r.choice((1, 1, r.uniform(0.5, 3)))
    wide = min(int(WIDTH / each), picture.width)
    high = min(int(HEIGHT / each), picture.height)
    left = r.randint(0, picture.width - wide)
    top = r.randint(0, picture.height - high)
    part = picture.crop((left, top, left + wide, top + high))
    return part.resize((int(wide * each), int(high * each)), Image.BICUBIC)


DRAWN = (nested, crossword, text, text, narrow, bitmap, table, staves, hatched, ruler, chart, keyboard,
         stripes, stripes, checks)


def photograph(r, page):
    photo = Image.open(r.choice(PHOTOGRAPHS)).convert("L")
    each = r.uniform(0.3, 2)
    wide, high = min(int(WIDTH / each), photo.width), min(int(HEIGHT / each),
                                                         photo.height)
    left, top = r.randint(0, photo.width - wide), r.randint(0, photo.height - high)
    return photo.crop((left, top, left + wide, top + high)).resize(page.size)


def screen(r, page):
    small = photograph(r, page).resize((WIDTH // 3, HEIGHT // 3))
    return small.convert("1").convert("L").resize(page.size, Image.BICUBIC)


def page_of(r):
    """Its kind, and the page."""
    ground = r.choice((255, 255, r.randint(160, 254)))
    ink = r.choice((0, r.randint(0, ground - 100)))
    page = Image.new("L", (WIDTH, HEIGHT), ground)
    makers = DRAWN + ((photograph, screen) * 2 if PHOTOGRAPHS else ()) + (shipped,)
    make = r.choice(makers)
    quarter = r.choice(QUARTERS)
    if make in (photograph, screen, shipped):
        page = make(r, page)
        return make.__name__, page.transpose(quarter) if quarter is not None else page
    make(r, ImageDraw.Draw(page), ink)
    if r.random() < 0.5:
        page = page.rotate(r.uniform(-4, 4), Image.BICUBIC, fillcolor=ground)
    if r.random() < 0.5:
        each = r.uniform(1.05, 2.5)
        page = page.crop((0, 0, int(WIDTH / each), int(HEIGHT / each))).resize(
            page.size, Image.BICUBIC)
    return make.__name__, page.transpose(quarter) if quarter is not None else page


def dots(halftone, edges, path, out):
    subprocess.run([halftone, "convert", "--quiet", "--threads", "1", "--format", "pbm",
                    "--text-edges", edges, path, "-o", out], check=True)
    return out.read_bytes()


def run_page(work):
    seed, options = work
    kind, page = page_of(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        page.save(folder / "page.pgm")
        made = [dots(halftone, options.edges, folder / "page.pgm", folder / name)
                for name, halftone in (("now", options.build / "tools/halftone"),
                                       ("before", options.before))]
    return seed, kind, made[0] != made[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=BUILD)
    parser.add_argument("--pages", type=int, default=520)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--edges", default="soft")
    options = parser.parse_args()
    made, differ = collections.Counter(), collections.Counter()
    with multiprocessing.Pool(options.threads) as pool:
        for seed, kind, is_other in pool.imap(
                run_page, [(f"{options.seed}/{n}", options)
                           for n in range(options.pages)]):
            made[kind] += 1
            differ[kind] += is_other
            if is_other:
                print("differs:", seed, kind)
    for kind, count in sorted(made.items()):
        print(f"{kind}: {differ[kind]} of {count} pages differ")
    print(f"all: {differ.total()} of {made.total()} pages differ")


if __name__ == "__main__":
    main()

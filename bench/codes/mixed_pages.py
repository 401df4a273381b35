#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages with bar codes and tints: whether codes scan, and what tints keep.

    bench/codes/mixed_pages.py [--pages 56] [--save FILE.json]

Invoices have a photograph, text and two codes; labels have a code, maybe on a gray
ground, close to a logo: a disc of gray shades and a small photograph. Codes are
smoothed, blurred, or scaled pictures and JPEGs, with modules of 2.2 to 4 dots. Pages
are halftoned with `fine` and black point 32, without dot gain, and with `bi-level`;
each code is printed and read as in codes_bench.py. `printed` is gray through the
same printer. For photographs and logos it tells the PSNR (dB) to the gray after a
Gaussian of 2 dots: the median, and the worst.

Needs the target halftone, and the Debian packages of codes_bench.py,
fonts-liberation and mate-backgrounds.
"""

import dataclasses
import multiprocessing
import pathlib
import random
import statistics
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(BENCH), str(BENCH / "tone"), str(BENCH / "peers")]
import labels as making  # noqa: E402
import pages  # noqa: E402
import reading  # noqa: E402
import record  # noqa: E402
import soft_text  # noqa: E402

PHOTOGRAPHS = ("LadyBird", "Garden", "TwoWings", "RainDrops", "Wood", "Storm", "Dune")
COLUMNS = ("barcode", "soft", "bi-level")
WAYS = ("smoothed", "blurred", "picture", "jpeg")
WIDTH, HEIGHT = 1500, 1000


def photograph(name, width, height):
    return Image.open(soft_text.NATURE % name).convert("L").resize(
        (width, height), Image.LANCZOS)


def code(r, symbols, ground):
    way = r.choice(WAYS)
    label = dataclasses.replace(
        making.random_label(r), way=way, module=round(r.uniform(2.2, 4), 2),
        angle=r.choice((0, 90)), black=0, white=ground,
        quality=r.randint(60, 90) if way == "jpeg" else 0,
        scaled=round(r.uniform(1.05, 3), 2) if way in ("picture", "jpeg") else 1)
    return label, making.render(symbols, label)


def invoice(r, symbols, name):
    """The page, its codes with their places, and the places of its tints."""
    page = Image.new("L", (WIDTH, HEIGHT), 255)
    page.paste(photograph(name, 640, 430), (30, 30))
    draw, font = ImageDraw.Draw(page), ImageFont.truetype(soft_text.FONT, 34)
    for k in range(10):
        draw.text((30, 500 + 46 * k), soft_text.LINES[k % 4], fill=0, font=font)
    found, top = [], 20
    for _ in range(2):
        label, gray = code(r, symbols, 255)
        if top + gray.shape[0] > HEIGHT or gray.shape[1] > WIDTH - 710:
            continue
        page.paste(Image.fromarray(gray), (710, top))
        found.append((label, (710, top, 710 + gray.shape[1], top + gray.shape[0])))
        top += gray.shape[0]
    return page, found, [(30, 30, 670, 460)]


def label_with_logo(r, symbols, name):
    label, gray = code(r, symbols, r.choice((255, 255, 235, 200)))
    height, width = gray.shape
    page = Image.new("L", (width + 280, max(height, 460) + 20), label.white)
    page.paste(Image.fromarray(gray), (260, 10))
    y, x = np.mgrid[-1:1:220j, -1:1:220j]
    disc = np.where(np.hypot(x, y) < 1, 150 + 80 * x, label.white)
    page.paste(Image.fromarray(disc.astype(np.uint8)), (10, 10))
    page.paste(photograph(name, 220, 200), (10, 250))
    return page, [(label, (260, 10, 260 + width, 10 + height))], [
        (10, 10, 230, 230), (10, 250, 230, 450)]


def halftoned(halftone, gray, column, folder):
    if column != "bi-level":
        return soft_text.halftoned(halftone, gray, column, folder)
    return pages.by_us(halftone, gray, folder, "--threads", "1", "--halftone-type",
                       "bi-level", "--text-edges", "off")


def cut(array, place):
    left, top, right, bottom = place
    return array[top:bottom, left:right]


def run_page(work):
    """What of the page's codes was read, and its tints' PSNR, by column."""
    seed, kind, name, halftone = work
    r, readers = random.Random(seed), reading.Readers()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make = invoice if kind == "invoice" else label_with_logo
        page, codes, tints = make(r, making.Symbols(folder), name)
        gray = np.asarray(page)
        dots = {column: halftoned(halftone, gray, column, folder)
                for column in COLUMNS}
    read = []
    for label, place in codes:
        printer = (label.printer, label.dots_per_inch)
        seen = {"printed": reading.printed_gray(cut(gray, place), printer)}
        seen.update((column, reading.printed(cut(dots[column], place), printer))
                    for column in COLUMNS)
        read.append({column: label.text in set().union(
            *readers.read(image, label.kind).values())
            for column, image in seen.items()})
    decibels = [{column: soft_text.changes(
        cut(dots[column], place), cut(dots[column], place), cut(gray, place))[1]
        for column in COLUMNS} for place in tints]
    return kind, read, decibels


def summary(results):
    tables = {}
    for kind in ("invoice", "label"):
        codes = [one for which, read, _ in results if which == kind for one in read]
        codes = [one for one in codes if one["printed"]]
        tints = [one for which, _, made in results if which == kind for one in made]
        tables[kind] = {"codes": len(codes), **{column: {
            "read": sum(one[column] for one in codes),
            "median dB": round(statistics.median(one[column] for one in tints), 2),
            "worst dB": min(one[column] for one in tints)} for column in COLUMNS}}
    return tables


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--pages", type=int, default=56, help="of each kind")
    options = parser.parse_args()
    count = len(PHOTOGRAPHS)
    work = [(f"{kind}/{name}/{n // count}", kind, name,
             options.build / "tools/halftone") for n in range(options.pages)
            for name in [PHOTOGRAPHS[n % count]] for kind in ("invoice", "label")]
    if options.show:
        tables = record.read(options.show)
    else:
        with multiprocessing.Pool() as pool:
            tables = summary(pool.map(run_page, work))
    for kind, found in tables.items():
        print(kind, found)
    if options.save:
        record.save(tables, options.save)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Labels with bar codes as gray dots, as programs and renderers make them: drawn
by Ghostscript, drawn with smoothed edges, or a picture that was scaled, maybe after
JPEG; at 0° or another multiple of 90°, or skewed; black on white, or gray on gray.

A module is `module` dots. zint makes the symbols."""

import dataclasses
import io
import pathlib
import string
import subprocess

import numpy as np
from PIL import Image

from reading import blurred

# zint's number, and a function that makes a text. ITF has 14 digits, as on cartons.
# GS1 DataBar Expanded has an article number and a batch.
KINDS = {
    "Code 128": (20, lambda r: text(r, string.ascii_letters, 6, 14)),
    "EAN-13": (13, lambda r: ean(r)),
    "ITF": (3, lambda r: digits(r, 14)),
    "QR": (58, lambda r: text(r, string.ascii_letters, 8, 40)),
    "DataMatrix": (71, lambda r: text(r, string.ascii_letters, 8, 40)),
    "PDF417": (55, lambda r: text(r, string.ascii_letters, 10, 40)),
    "DataBar": (29, lambda r: gtin(r)),
    "DataBar Expanded": (31, lambda r: "01" + gtin(r) + "10" + text(
        r, string.ascii_uppercase, 4, 10)),
    "Aztec": (92, lambda r: text(r, string.ascii_letters, 8, 40)),
}
LINEAR = ("Code 128", "EAN-13", "ITF", "DataBar", "DataBar Expanded")
# Those of codes_bench.py --check, with barcode and with soft, which always draws the
# same labels.
CHECKED = ["Code 128", "EAN-13", "ITF", "QR", "DataMatrix", "PDF417"]
CHECKED_SOFT = CHECKED[:5]
QUIET = 10  # modules around a symbol

FILTERS = {
    "nearest": Image.NEAREST, "box": Image.BOX, "bilinear": Image.BILINEAR,
    "hamming": Image.HAMMING, "bicubic": Image.BICUBIC,
    "lanczos": Image.LANCZOS,
}
WAYS = ("ghostscript", "smoothed", "blurred", "picture", "jpeg")


def text(r, letters, least, most):
    length = r.randint(least, most)
    return "".join(r.choice(letters + string.digits) for _ in range(length))


def digits(r, count):
    return "".join(r.choice(string.digits) for _ in range(count))


def ean(r):
    return with_check(digits(r, 12))


def gtin(r):
    return with_check(digits(r, 13))


def with_check(number):
    check = -sum(int(digit) * (1 if at % 2 else 3)
                 for at, digit in enumerate(reversed(number))) % 10
    return number + str(check)


def zint_data(kind, data):
    if kind == "EAN-13" or kind == "DataBar":
        return data[:-1]
    if kind == "DataBar Expanded":
        return f"[01]{data[2:16]}[10]{data[18:]}"
    return data


@dataclasses.dataclass(frozen=True)
class Label:
    kind: str
    text: str
    way: str
    module: float   # dots
    angle: float    # degrees
    black: int      # light of the bars and of the ground
    white: int
    quality: int    # of JPEG; 0: none
    scaled: float   # of a picture: how much it is enlarged
    filter: str
    blur: float     # dots
    dots_per_inch: int
    printer: str


def random_label(r, kinds=None):
    kind = r.choice(kinds or list(KINDS))
    way = r.choice(WAYS)
    black, white = 0, 255
    if r.random() < 0.3:
        black = r.randint(0, 100)
        white = r.randint(min(black + 128, 255), 255)
    turned = r.random() < 0.3
    return Label(
        kind, KINDS[kind][1](r), way, round(r.uniform(1.5, 6), 2),
        round(r.choice((-1, 1)) * r.uniform(1, 2), 2) if turned
        else r.choice((0, 90)), black, white,
        r.randint(60, 90) if way == "jpeg" else 0,
        round(r.uniform(1.05, 3), 2) if way in ("picture", "jpeg") else 1,
        r.choice(list(FILTERS)), round(r.uniform(0.25, 0.6), 2),
        *r.choice(((203, "thermal"), (300, "thermal"), (300, "laser"),
                   (600, "laser"))))


def found_label(r, kinds=None):
    """A label, rotated by any multiple of 90 degrees. Modules
    have 1.7 to 9 dots. Half of the labels are gray, half are skewed by up to 4 degrees."""
    kind = r.choice(kinds or list(KINDS))
    dots_per_inch, printer = r.choice(((203, "thermal"), (300, "thermal"),
                                       (300, "laser"), (600, "laser")))
    black, white = 0, 255
    if r.random() < 0.5:
        black = r.randint(0, 100)
        white = r.randint(min(black + 110, 255), 255)
    angle = r.choice((0, 90, 180, 270)) + r.choice((0, round(r.uniform(-4, 4), 2)))
    return dataclasses.replace(
        random_label(r, kinds and CHECKED), kind=kind, text=KINDS[kind][1](r), angle=angle,
        module=round(r.uniform(1.7, 9 if dots_per_inch == 600 else 5), 2),
        black=black, white=white, dots_per_inch=dots_per_inch, printer=printer)


class Symbols:
    """Modules of symbols, with their quiet zone: 1 is a bar."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.made = {}

    def modules(self, kind, data):
        if (kind, data) not in self.made:
            out = self.folder / "symbol.png"
            subprocess.run(
                ["zint", "-b", str(KINDS[kind][0]), "--scale=0.5",
                 *(["--notext", "--height=12"] if kind in LINEAR else []),
                 *(["--square"] if kind == "DataMatrix" else []),
                 "-d", zint_data(kind, data), "-o", out],
                check=True)
            dark = np.asarray(Image.open(out).convert("L")) < 128
            rows, columns = np.flatnonzero(dark.any(1)), np.flatnonzero(dark.any(0))
            dark = dark[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
            if kind in LINEAR:
                dark = np.repeat(dark[:1], 24, axis=0)
            self.made[kind, data] = np.pad(dark, QUIET).astype(np.uint8)
        return self.made[kind, data]


def shape_of(modules, label):
    return tuple(int(np.ceil(side * label.module)) for side in modules.shape)


def exact(modules, label):
    """How much of each dot bars cover, upright: its light, 0 … 1."""
    height, width = shape_of(modules, label)

    def coverage(count, side):
        edges = np.minimum(np.arange(count + 1) * label.module, side)
        at = np.arange(side)
        return np.clip(np.minimum(edges[1:, None], at + 1) -
                       np.maximum(edges[:-1, None], at), 0, 1)
    rows = coverage(modules.shape[0], height)
    columns = coverage(modules.shape[1], width)
    return 1 - rows.T @ modules.astype(float) @ columns


def turned(light, label):
    """Light 0 … 255, rotated by the label's angle."""
    if label.angle % 90 == 0:
        return np.rot90(light, label.angle // 90)
    image = Image.fromarray(light)
    return np.asarray(image.rotate(label.angle, Image.BICUBIC, expand=True,
                                   fillcolor=int(light[0, 0])))


def toned(light, label):
    return np.clip(label.black + light * (label.white - label.black) + 0.5, 0,
                   255).astype(np.uint8)


def picture(modules, label):
    """A picture of whole dots a module at first, then scaled."""
    each = max(1, round(label.module / label.scaled))
    whole = toned(1 - np.kron(modules, np.ones((each, each))), label)
    image = Image.fromarray(whole)
    if label.quality:
        file = io.BytesIO()
        image.save(file, "JPEG", quality=label.quality)
        image = Image.open(file).convert("L")
    height, width = shape_of(modules, label)
    return np.asarray(image.resize((width, height), FILTERS[label.filter]))


def render(symbols, label):
    """Light of each dot; Ghostscript's are made in one go, by drawn()."""
    modules = symbols.modules(label.kind, label.text)
    if label.way in ("picture", "jpeg"):
        return turned(picture(modules, label), label)
    light = exact(modules, label)
    if label.way == "blurred":
        light = blurred(light, label.blur)
    return turned(toned(light, label), label)


def postscript_page(modules, label):
    """Bars as rectangles, on a page a dot a point."""
    height, width = shape_of(modules, label)
    side = int(np.ceil(np.hypot(height, width))) + 2
    words = [f"<< /PageSize [{side} {side}] >> setpagedevice",
             f"{label.white / 255:.5f} setgray 0 0 {side} {side} rectfill",
             f"{label.black / 255:.5f} setgray",
             f"{side / 2} {side / 2} translate {label.angle} rotate",
             f"{-width / 2:.3f} {-height / 2:.3f} translate"]
    rows, first = list(modules), 0
    while first < len(rows):
        end = first + 1
        while end < len(rows) and (rows[end] == rows[first]).all():
            end += 1
        steps = np.flatnonzero(np.diff(np.concatenate(([0], rows[first], [0]))))
        for left, right in zip(steps[::2], steps[1::2]):
            words.append("%.4f %.4f %.4f %.4f rectfill" % (
                left * label.module, (len(rows) - end) * label.module,
                (right - left) * label.module, (end - first) * label.module))
        first = end
    return "\n".join(words + ["showpage"])


def drawn(symbols, labels, folder):
    """Pages of labels as Ghostscript draws them."""
    folder = pathlib.Path(folder)
    script = folder / "labels.ps"
    script.write_text("%!PS\n" + "\n".join(
        postscript_page(symbols.modules(label.kind, label.text), label)
        for label in labels))
    return by_ghostscript(script, "pgmraw", folder)


def by_ghostscript(script, device, folder):
    """Its pages, a dot a point."""
    for old in folder.glob("drawn-*"):
        old.unlink()
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r72",
                    f"-sDEVICE={device}", f"-sOutputFile={folder}/drawn-%05d.pnm",
                    script], check=True)
    return [np.asarray(Image.open(path)) for path in sorted(folder.glob("drawn-*"))]


def grays_of(labels, symbols, folder):
    made = iter(drawn(symbols, [label for label in labels
                                if label.way == "ghostscript"], folder))
    return [next(made) if label.way == "ghostscript" else render(symbols, label)
            for label in labels]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints of labels (prints.py), and what zbar and ZXing read on them. A reader sees
two pixels a dot, each the mean of some places, a little out of focus. Gray that is
printed by the same discs is the mean of all prints whose dots are black as often as
they are dark."""

import functools
import pathlib
import sys

import numpy as np
import zbar
import zxingcpp

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import prints  # noqa: E402
from prints import blurred  # noqa: E402

PARTS = 2
PLACES = 3  # of a part, in rows and in columns
OUT_OF_FOCUS = 0.5  # pixels


def seen(light):
    """Light of parts, 0 … 1, as a reader sees it."""
    return blurred(255 * light, OUT_OF_FOCUS).astype(np.uint8)


@functools.cache
def patterns(printer):
    """The light of a dot's parts, for each pattern of its neighbors, each a bit."""
    densities = np.stack(list(prints.discs(printer, PARTS * PLACES)))
    count = len(densities)
    bits = np.arange(2 ** count)[:, None] >> np.arange(count) & 1
    light = 10 ** -np.tensordot(bits, densities, 1)
    return light.reshape(-1, PARTS, PLACES, PARTS, PLACES).mean((2, 4)).astype(
        np.float32)


def printed(dots, printer):
    """The light of a print of dots, of which 0 is black, as a reader sees it."""
    pattern = np.zeros(dots.shape, np.uint16)
    for at, near in enumerate(prints.neighbours((dots == 0).astype(np.uint16))):
        pattern |= near << at
    height, width = dots.shape
    return seen(patterns(printer)[pattern].transpose(0, 2, 1, 3).reshape(
        height * PARTS, width * PARTS))


def printed_gray(gray, printer):
    """The mean print of gray dots, as a reader sees it."""
    height, width = gray.shape
    black = [(1 - 10 ** -density, near) for density, near in zip(
        prints.discs(printer, PARTS * PLACES),
        prints.neighbours(1 - gray.astype(np.float32) / 255))]
    light = np.zeros((height, PARTS, width, PARTS), np.float32)
    for y, x in np.ndindex(PARTS * PLACES, PARTS * PLACES):
        here = np.ones((height, width), np.float32)
        for stopped, near in black:
            if stopped[y, x] > 0:
                here *= 1 - near * np.float32(stopped[y, x])
        light[:, y // PLACES, :, x // PLACES] += here / PLACES ** 2
    return seen(light.reshape(height * PARTS, width * PARTS))


def enlarged(gray):
    """Gray that is not printed, as a reader sees it."""
    return blurred(gray.repeat(PARTS, axis=0).repeat(PARTS, axis=1), OUT_OF_FOCUS)


class Readers:
    """Every symbology of the labels may be read, whatever is on the label."""

    def __init__(self):
        self.zbar, self.zbar_for_databar = zbar.ImageScanner(), zbar.ImageScanner()
        for scanner in (self.zbar, self.zbar_for_databar):
            scanner.parse_config("disable")
            for name in ("code128", "ean13", "i25", "qrcode"):
                scanner.parse_config(f"{name}.enable")
            # A part of an ITF looks like a shorter one: readers are told the length.
            scanner.parse_config("i25.min-length=14")
        # Its search for DataBar codes prints warnings.
        for name in ("databar", "databar-exp"):
            self.zbar_for_databar.parse_config(f"{name}.enable")
        # ZXing 1.4 aborts on some DataBar codes.
        self.formats = zxingcpp.barcode_formats_from_str(
            "Code128|EAN-13|ITF|QRCode|DataMatrix|PDF417|Aztec")

    def look(self, image, kind):
        """Texts that each reader finds at one look. Only ZXing knows DataMatrix, PDF417 and
        Aztec; only zbar reads DataBar."""
        # read_barcodes of ZXing 1.4 aborts on some pictures.
        found = zxingcpp.read_barcode(image, formats=self.formats)
        if found and found.format.name == "ITF" and len(found.text) != 14:
            found = None
        texts = {"zxing": {found.text} if found else set()}
        if kind not in ("DataMatrix", "PDF417", "Aztec"):
            picture = zbar.Image(image.shape[1], image.shape[0], "Y800",
                                 image.tobytes())
            scanner = self.zbar_for_databar if "DataBar" in kind else self.zbar
            scanner.scan(picture)
            # zbar writes that the number of a DataBar is one of an article.
            texts["zbar"] = {symbol.data[2 * (str(symbol.type) == "DATABAR"):]
                             for symbol in picture}
        return texts

    def read(self, image, kind):
        """What each reader finds at its first look that finds anything: as it is, less
        sharp, and from twice as far. {reader: texts}"""
        image = np.pad(np.ascontiguousarray(image), 8, mode="edge")
        texts = self.look(image, kind)
        for looks in (lambda: blurred(image, 1.5),
                      lambda: np.ascontiguousarray(
                          blurred(image, 1)[::2, ::2])):
            if all(texts.values()):
                break
            more = self.look(looks(), kind)
            texts = {name: texts[name] or more[name] for name in texts}
        return texts

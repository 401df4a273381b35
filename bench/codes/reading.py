# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints of labels, and what zbar and ZXing read on them.

A print is that of bench/tone/print_model.h: discs with soft edges whose densities
add up; a reader sees it at two pixels a dot, a little out of focus."""

import numpy as np
import zbar
import zxingcpp
from scipy import ndimage

# Diameter of a dot and the width of its edge, in pitches.
PRINTERS = {("thermal", 203): (1.10, 0.10), ("thermal", 300): (1.15, 0.15),
            ("laser", 300): (1.22, 0.15), ("laser", 600): (1.30, 0.25)}
PARTS, REACH, FULL_DENSITY = 2, 1, 1.5
OUT_OF_FOCUS = 0.5  # pixels


def printed(dots, printer):
    """The light of a print of dots, of which 0 is black, as a reader sees it."""
    diameter, edge = PRINTERS[printer]
    black = np.pad(dots == 0, REACH).astype(np.float32)
    height, width = dots.shape
    density = np.zeros((height, PARTS, width, PARTS), np.float32)
    part = (np.arange(PARTS) + 0.5) / PARTS - 0.5
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            distance = np.hypot(part[:, None] - dy, part[None, :] - dx)
            t = np.clip((diameter / 2 - distance) / edge + 0.5, 0, 1)
            disc = FULL_DENSITY * t * t * (3 - 2 * t)
            near = black[REACH + dy:, REACH + dx:][:height, :width]
            density += near[:, None, :, None] * disc[None, :, None, :]
    light = 255 * 10 ** -density.reshape(height * PARTS, width * PARTS)
    return ndimage.gaussian_filter(light, OUT_OF_FOCUS).astype(np.uint8)


def enlarged(gray):
    """Gray that is not printed, as a reader sees it."""
    light = gray.repeat(PARTS, axis=0).repeat(PARTS, axis=1)
    return ndimage.gaussian_filter(light, OUT_OF_FOCUS)


class Readers:
    """Every symbology of the labels may be read, whatever is on the label."""

    def __init__(self):
        self.zbar = zbar.ImageScanner()
        self.zbar.parse_config("disable")
        for name in ("code128", "ean13", "i25", "qrcode"):
            self.zbar.parse_config(f"{name}.enable")
        # A part of an ITF looks like a shorter one: readers are told the length.
        self.zbar.parse_config("i25.min-length=14")
        self.formats = zxingcpp.barcode_formats_from_str(
            "Code128|EAN-13|ITF|QRCode|DataMatrix|PDF417")

    def look(self, image, kind):
        """Texts that each reader finds at one look; zbar knows neither
        DataMatrix nor PDF417."""
        # read_barcodes of ZXing 1.4 aborts on some pictures.
        found = zxingcpp.read_barcode(image, formats=self.formats)
        if found and found.format.name == "ITF" and len(found.text) != 14:
            found = None
        texts = {"zxing": {found.text} if found else set()}
        if kind not in ("DataMatrix", "PDF417"):
            picture = zbar.Image(image.shape[1], image.shape[0], "Y800",
                                 image.tobytes())
            self.zbar.scan(picture)
            texts["zbar"] = {symbol.data for symbol in picture}
        return texts

    def read(self, image, kind):
        """What each reader finds at its first look that finds anything: as it
        is, less sharp, and from twice as far."""
        image = np.pad(np.ascontiguousarray(image), 8, mode="edge")
        texts = self.look(image, kind)
        for looks in (lambda: ndimage.gaussian_filter(image, 1.5),
                      lambda: np.ascontiguousarray(
                          ndimage.gaussian_filter(image, 1)[::2, ::2])):
            if all(texts.values()):
                break
            more = self.look(looks(), kind)
            texts = {name: texts[name] or more[name] for name in texts}
        return texts

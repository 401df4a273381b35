# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents as PDF: A4 pages of text, of a synthetic photograph (an image of 300 dpi
with smooth shapes and grain), and of both; a report, whose pages of text all
differ and some of which have a photograph; and a label."""

import functools
import math
import pathlib
import random
import sys
import zlib

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests/system/cups"))
from pdf_file import pdf_file  # noqa: E402

WIDTH, HEIGHT = 595, 842


def pdf_of(content, resources, *more, pages=1, size=(WIDTH, HEIGHT)):
    """A document of equal pages; `more`: objects from number 4 on."""
    return _pages([content] * pages, resources, more, size)


def _pages(contents, resources, more, size=(WIDTH, HEIGHT)):
    """A page for each content; equal ones are kept once."""
    kept = list(dict.fromkeys(contents))
    first = 3 + len(more) + len(kept)
    number = {content: 3 if i == 0 else 3 + len(more) + i
              for i, content in enumerate(kept)}
    streams = [b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)
               for content in kept]
    kids = b" ".join(b"%d 0 R" % (first + i) for i in range(len(contents)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>",
               b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(contents)),
               streams[0], *more, *streams[1:],
               *(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]"
                 b"/Contents %d 0 R/Resources<<%s>>>>"
                 % (*size, number[content], resources)
                 for content in contents)]
    return pdf_file(objects)


FONT = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>"


def _lines(seed=2):
    chance = random.Random(seed)
    letters = "aaabcdeeefghiiiklmnnnoooprrrssstttuuvwy"
    lines = []
    for _ in range(60):
        words = ("".join(chance.choices(letters, k=chance.randrange(2, 10)))
                 for _ in range(15))
        lines.append(f"({' '.join(words)[:85]}) Tj T*")
    return lines


def _text(lines):
    return ("BT /F 11 Tf 12.5 TL 50 790 Td " + " ".join(lines) + " ET").encode()


@functools.cache
def _image():
    columns, rows = WIDTH * 300 // 72, HEIGHT * 300 // 72
    chance = random.Random(3)
    across = [90 * math.sin(j / 170) for j in range(columns)]
    pixels = bytearray()
    for i in range(rows):
        down = 128 + 30 * math.cos(i / 230)
        grain = chance.randbytes(columns)
        pixels += bytes(min(255, max(0, int(down + x + g / 32)))
                        for x, g in zip(across, grain))
    image = zlib.compress(bytes(pixels), 1)
    return (b"<</Type/XObject/Subtype/Image/Width %d/Height %d"
            b"/ColorSpace/DeviceGray/BitsPerComponent 8"
            b"/Filter/FlateDecode/Length %d>>stream\n%s\nendstream"
            % (columns, rows, len(image), image))


def text(pages=1):
    return pdf_of(_text(_lines()), FONT, pages=pages)


def photo(pages=1):
    return pdf_of(b"%d 0 0 %d 0 0 cm /I Do" % (WIDTH, HEIGHT),
                b"/XObject<</I 4 0 R>>", _image(), pages=pages)


def mixed(pages=1):
    """Text above a photograph on a fifth of the page."""
    high = HEIGHT // 5
    return pdf_of(_text(_lines()[:46]) + b" q %d 0 0 %d 0 0 cm /I Do Q"
                % (WIDTH, high), FONT + b"/XObject<</I 4 0 R>>", _image(),
                pages=pages)


def report(pages=1, every=None):
    """Pages of text that all differ; each `every`th has a photograph on a fifth."""
    def content(page):
        lines = _lines(100 + page)
        if not every or page % every != every - 1:
            return _text(lines)
        return (_text(lines[:46]) +
                b" q %d 0 0 %d 0 0 cm /I Do Q" % (WIDTH, HEIGHT // 5))

    more = [_image()] if every else []
    return _pages([content(page) for page in range(pages)],
                  FONT + (b"/XObject<</I 4 0 R>>" if every else b""), more)


def label(pages=1):
    """An address and bars on four by five inches."""
    bars = b" ".join(b"%d 40 %d 60 re f" % (30 + 5 * i, 1 + i * 7 % 4)
                     for i in range(45))
    return pdf_of(b"BT /F 18 Tf 22 TL 30 300 Td (Ada Lovelace) Tj T* "
                b"(12 St James's Square) Tj T* (London) Tj ET " + bars, FONT,
                pages=pages, size=(288, 360))

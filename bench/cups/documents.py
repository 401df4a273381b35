# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two A4 pages as PDF: a page of text, and a synthetic photograph, an image of 300
dots an inch that fills the page with smooth shapes and grain."""

import math
import random
import zlib

WIDTH, HEIGHT = 595, 842


def _pdf(content, resources, *more):
    """A document of one page; `more`: objects from number 5 on."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>",
               b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R"
               b"/Resources<<%s>>>>" % (WIDTH, HEIGHT, resources),
               b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
               *more]
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return data + (b"xref\n0 %d\n0000000000 65535 f \n%s"
                   b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
                   % (len(offsets) + 1, table, len(offsets) + 1, len(data)))


def text():
    chance = random.Random(2)
    letters = "aaabcdeeefghiiiklmnnnoooprrrssstttuuvwy"
    lines = []
    for _ in range(60):
        words = ("".join(chance.choices(letters, k=chance.randrange(2, 10)))
                 for _ in range(15))
        lines.append(f"({' '.join(words)[:85]}) Tj T*")
    content = "BT /F 11 Tf 12.5 TL 50 790 Td " + " ".join(lines) + " ET"
    return _pdf(content.encode(),
                b"/Font<</F<</Type/Font/Subtype/Type1"
                b"/BaseFont/Times-Roman>>>>")


def photo():
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
    return _pdf(b"%d 0 0 %d 0 0 cm /I Do" % (WIDTH, HEIGHT),
                b"/XObject<</I 5 0 R>>",
                b"<</Type/XObject/Subtype/Image/Width %d/Height %d"
                b"/ColorSpace/DeviceGray/BitsPerComponent 8"
                b"/Filter/FlateDecode/Length %d>>stream\n%s\nendstream"
                % (columns, rows, len(image), image))

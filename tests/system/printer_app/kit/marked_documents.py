# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents of each format whose pages carry a number of 16 bits as 18 bands from top
to bottom: the first and the last are gray, and those between are gray where the number
has a one. Their number is read back from printed PCL."""

import os
import pathlib
import struct
import sys
import zlib

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(TESTS / "cups")]
import cups_raster  # noqa: E402
import pcl  # noqa: E402
from pdf_file import pdf_file  # noqa: E402

# What a file of the printer's own has around it, as what the application makes.
BEGIN = b"\x1b%-12345X@PJL ENTER LANGUAGE=PCL\r\n\x1bE"
END = b"\x1bE\x1b%-12345X"
PCL = "application/vnd.hp-pcl"


BITS = 16
BANDS = BITS + 2


def bands(number):
    return [True, *(bool(number >> bit & 1) for bit in range(BITS)), True]


def number_of(rows):
    """`rows`: of a page that was printed, each an integer's bytes of ink."""
    ink = [int.from_bytes(row, "big").bit_count() for row in rows]
    inked = [y for y, dots in enumerate(ink) if dots]
    first, height = inked[0], (inked[-1] + 1 - inked[0]) / BANDS
    dots = [sum(ink[round(first + height * (i + 0.25)):
                    round(first + height * (i + 0.75))]) for i in range(BANDS)]
    is_dark = [4 * each > dots[0] for each in dots]
    assert is_dark[0] and is_dark[-1], dots
    return sum(dark << bit for bit, dark in enumerate(is_dark[1:-1]))


def numbers_of(printed):
    """The numbers of all pages of a job in PCL."""
    return [number_of(rows) for _, rows in pcl.read_pages(printed)]


def png_of(width, height, pixels, kind=0, dpi=None, bits=8, interlaced=0):
    """dpi: a number, or those across and down."""
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
    size = len(pixels) // height
    rows = b"".join(b"\0" + pixels[at:at + size]
                    for at in range(0, len(pixels), size))
    metre = [round(each / 0.0254)
             for each in (dpi if isinstance(dpi, tuple) else (dpi or 0,) * 2)]
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind,
                                         0, 0, interlaced))
            + (chunk(b"pHYs", struct.pack(">IIB", *metre, 1)) if dpi else b"")
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def png(number):
    return png_of(80, 6 * BANDS, b"".join(bytes([128 if dark else 255]) * 480
                                          for dark in bands(number)))


def jpeg_part(mark, content):
    return b"\xff" + bytes([mark]) + struct.pack(">H", len(content) + 2) + content


def jpeg(number):
    """A block of 8 by 8 for each band. Codes: 0 and 10 for differences of no bits
    and of ten, 0 for the end of a block."""
    bits, last = "", 0
    for dark in bands(number):
        level = 0 if dark else 1023
        step, last = level - last, level
        bits += f"10{max(step, 0):010b}0" if step else "00"
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(
        b"\xff", b"\xff\0")

    return (b"\xff\xd8" + jpeg_part(0xdb, b"\0" + b"\1" * 64)
            + jpeg_part(0xc0, struct.pack(">BHHB", 8, 8 * BANDS, 8, 1) + b"\1\x11\0")
            + jpeg_part(0xc4, b"\0\1\1" + bytes(14) + b"\0\x0a")
            + jpeg_part(0xc4, b"\x10\1" + bytes(15) + b"\0")
            + jpeg_part(0xda, b"\1\1\0\0\x3f\0") + data + b"\xff\xd9")


def progressive_jpeg(width, height):
    """Gray, in 64 scans of few bytes. Codes: 0 for a difference of no bits, or for the
    ends of 16384 blocks and of as many more as the next 14 bits say."""
    blocks = -(-width // 8) * -(-height // 8)
    rest = blocks
    bits = ""
    while rest > 0:
        more = min(max(rest - 16384, 0), 16383)
        bits += f"0{more:014b}"
        rest -= 16384 + more
    bits += "1" * (-len(bits) % 8)
    ends = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    return (b"\xff\xd8" + jpeg_part(0xdb, b"\0" + b"\1" * 64)
            + jpeg_part(0xc2, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
            + jpeg_part(0xc4, b"\0\1" + bytes(15) + b"\0")
            + jpeg_part(0xc4, b"\x10\1" + bytes(15) + b"\xe0")
            + jpeg_part(0xda, b"\1\1\0\0\0\0") + bytes(-(-blocks // 8))
            + b"".join(jpeg_part(0xda, bytes([1, 1, 0, at, at, 0])) + ends
                       for at in range(1, 64)) + b"\xff\xd9")


def pdf_of(pages, boxes):
    """`pages`: what each draws, or the parts of that. boxes: the size of each."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"",
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for drawn, box in zip(pages, boxes):
        parts = (drawn,) if isinstance(drawn, str) else drawn
        first = len(objects) + 1
        objects += [b"<< /Length %d >>\nstream\n%s\nendstream"
                    % (len(part), part.encode()) for part in parts]
        contents = " ".join(f"{first + i} 0 R" for i in range(len(parts)))
        kids.append(len(objects) + 1)
        objects.append((
            "<< /Type /Page /Parent 2 0 R /Contents [%s] /MediaBox "
            "[%g %g %g %g] /Resources << /Font << /F 3 0 R >> >> >>"
            % (contents, *box)).encode())
    objects[1] = ("<< /Type /Pages /Kids [%s] /Count %d >>" % (
        " ".join(f"{kid} 0 R" for kid in kids), len(kids))).encode()
    return pdf_file(objects)


def pdf(*numbers):
    """A page for each."""
    pages = ["0.5 g " + " ".join(f"100 {710 - 36 * y} 400 36 re f"
                                 for y, dark in enumerate(bands(number)) if dark)
             for number in numbers]
    return pdf_of(pages, [(0, 0, 595, 842)] * len(pages))


def text(number):
    return "".join(("#" * 60 if dark else "") + "\n"
                   for dark in bands(number) for _ in range(3)).encode()


def raster(number, width=800, rows_each=60):
    header = cups_raster.page_header(
        width, BANDS * rows_each, dpi=(300, 300), MediaClass=b"PwgRaster",
        PageSize0=595, PageSize1=842)
    gray = b"".join(bytes([128 if dark else 255]) * (width * rows_each)
                    for dark in bands(number))
    return cups_raster.sync_word(2, ">") + cups_raster.pack_page(
        header, gray, 2, ">")


def own(number):
    return BEGIN + f"file {number}".encode() * 300000 + END


MAKERS = {"image/png": png, "image/jpeg": jpeg, "image/pwg-raster": raster,
          PCL: own,
          "application/pdf": lambda number: pdf(number, number ^ 255)}
if os.access("/usr/lib/cups/filter/texttopdf", os.X_OK):
    MAKERS["text/plain"] = text


def kind_of(number):
    return list(MAKERS)[number % len(MAKERS)]


def document(number):
    """The format and bytes of a document: number by number of another format."""
    kind = kind_of(number)
    return kind, MAKERS[kind](number)


def number_printed(printed):
    """The number of the document that this job printed completely; None if it printed
    none."""
    if printed.startswith(BEGIN + b"file "):
        number = int(printed[len(BEGIN):].split(b"file ", 2)[1])
        return number if printed == own(number) else None
    numbers = numbers_of(printed)
    number, is_pdf = numbers[0], len(numbers) == 2
    if is_pdf != (kind_of(number) == "application/pdf"):
        return None
    return number if numbers == [number, number ^ 255][:1 + is_pdf] else None


def raster(width, height, dpi=203, bits=8, space="SW", **fields):
    size = width * bits // 8
    header = cups_raster.page_header(
        width, height, space, bits=bits, dpi=(dpi, dpi),
        MediaClass=b"PwgRaster", cupsBytesPerLine=size, **fields)
    rows = bytes(range(256)) * (size * height // 256 + 1)
    return cups_raster.sync_word(2, ">") + cups_raster.pack_page(
        header, rows[:size * height], 2, ">")

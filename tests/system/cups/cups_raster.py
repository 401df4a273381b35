# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUPS and PWG raster as bytes, written and read without libcups, so that tests
can make any raster, malformed ones too, and do not trust the code they test.

A header is a dict of the fields that tests care about; every other field keeps
its place in `HEADER` and is zero.
"""

import struct

WORDS = (["AdvanceDistance", "AdvanceMedia", "Collate", "CutMedia", "Duplex",
          "HWResolution0", "HWResolution1"] +
         [f"ImagingBoundingBox{i}" for i in range(4)] +
         ["InsertSheet", "Jog", "LeadingEdge", "Margins0", "Margins1",
          "ManualFeed", "MediaPosition", "MediaWeight", "MirrorPrint",
          "NegativePrint", "NumCopies", "Orientation", "OutputFaceUp",
          "PageSize0", "PageSize1", "Separations", "TraySwitch", "Tumble",
          "cupsWidth", "cupsHeight", "cupsMediaType", "cupsBitsPerColor",
          "cupsBitsPerPixel", "cupsBytesPerLine", "cupsColorOrder",
          "cupsColorSpace", "cupsCompression", "cupsRowCount", "cupsRowFeed",
          "cupsRowStep"])
TEXTS = ["MediaClass", "MediaColor", "MediaType", "OutputType"]
WORDS2 = (["cupsNumColors", "cupsBorderlessScalingFactor"] +
          [f"cupsPageSize{i}" for i in range(2)] +
          [f"cupsImagingBBox{i}" for i in range(4)] +
          [f"cupsInteger{i}" for i in range(16)] +
          [f"cupsReal{i}" for i in range(16)])
TEXTS2 = ([f"cupsString{i}" for i in range(16)] +
          ["cupsMarkerType", "cupsRenderingIntent", "cupsPageSizeName"])
FLOATS = {name for name in WORDS2
          if name.startswith(("cupsReal", "cupsPageSize", "cupsImagingBBox",
                              "cupsBorderless"))}
V1_BYTES = 4 * 64 + 4 * len(WORDS)
V2_BYTES = V1_BYTES + 4 * len(WORDS2) + 64 * len(TEXTS2)
assert (V1_BYTES, V2_BYTES) == (420, 1796)

SPACES = {"W": 0, "RGB": 1, "K": 3, "CMY": 4, "CMYK": 6, "SW": 18, "SRGB": 19}
COLOURS = {0: 1, 1: 3, 3: 1, 4: 3, 6: 4, 18: 1, 19: 3}


def page_header(width, height, space="SW", bits=8, dpi=(600, 600), **fields):
    """The fields of a sound page; `fields` replaces or adds some."""
    number = SPACES[space]
    colours = COLOURS[number]
    header = {
        "HWResolution0": dpi[0], "HWResolution1": dpi[1],
        "cupsWidth": width, "cupsHeight": height,
        "cupsBitsPerColor": bits, "cupsBitsPerPixel": bits * colours,
        "cupsBytesPerLine": width * bits * colours // 8,
        "cupsColorSpace": number, "cupsNumColors": colours,
    }
    header.update(fields)
    return header


def pack_header(header, version=3, order="<"):
    unknown = set(header) - set(TEXTS + WORDS + WORDS2 + TEXTS2)
    assert not unknown, unknown

    def text(name):
        return header.get(name, b"").ljust(64, b"\0")

    def word(name):
        value = header.get(name, 0)
        return struct.pack(order + ("f" if name in FLOATS and
                                    isinstance(value, float) else "I"), value)

    packed = b"".join(map(text, TEXTS)) + b"".join(map(word, WORDS))
    if version > 1:
        packed += b"".join(map(word, WORDS2)) + b"".join(map(text, TEXTS2))
    return packed


def unpack_header(packed, order="<"):
    header, at = {}, 0
    for names, is_text in ((TEXTS, 1), (WORDS, 0), (WORDS2, 0), (TEXTS2, 1)):
        for name in names:
            size = 64 if is_text else 4
            field = packed[at:at + size]
            at += size
            if is_text:
                header[name] = field.split(b"\0")[0]
            else:
                kind = "f" if name in FLOATS else "I"
                header[name] = struct.unpack(order + kind, field)[0]
    return header


def sync_word(version, order="<"):
    word = {1: b"RaSt", 2: b"RaS2", 3: b"RaS3"}[version]
    return word if order == ">" else word[::-1]


def pack_bits(row, pixel_bytes):
    """One row, once: literal runs only, which every reader takes."""
    packed = b"\0"
    for at in range(0, len(row), 128 * pixel_bytes):
        run = row[at:at + 128 * pixel_bytes]
        pixels = len(run) // pixel_bytes
        packed += bytes([257 - pixels if pixels > 1 else 0]) + run
    return packed


def pack_page(header, rows, version=3, order="<"):
    """`rows`: the rows' bytes, one after another, 16-bit ones in `order`."""
    data = pack_header(header, version, order)
    if version != 2:
        return data + rows
    line = header["cupsBytesPerLine"]
    pixel = (header["cupsBitsPerPixel"] + 7) // 8
    for at in range(0, len(rows), line):
        data += pack_bits(rows[at:at + line], pixel)
    return data


def unpack_rows(data, at, header):
    """Rows of a version 2 page from `at` on: their bytes, and where they end."""
    line = header["cupsBytesPerLine"]
    pixel = max((header["cupsBitsPerPixel"] + 7) // 8, 1)
    rows = []
    while len(rows) < header["cupsHeight"]:
        repeat = data[at] + 1
        at += 1
        row = bytearray()
        while len(row) < line:
            code = data[at]
            at += 1
            if code == 128:
                white = header["cupsColorSpace"] in (0, 1, 18, 19)
                row += bytes([255 if white else 0]) * (line - len(row))
            elif code > 128:
                size = (257 - code) * pixel
                row += data[at:at + size]
                at += size
            else:
                row += data[at:at + pixel] * (code + 1)
                at += pixel
        assert len(row) == line, "a run passes the end of its row"
        rows += [bytes(row)] * repeat
    assert len(rows) == header["cupsHeight"], "a row is repeated past the page"
    return b"".join(rows), at


def read_pages(data):
    """All pages, [(header, rows)]; raises where the raster is not sound."""
    for version in (1, 2, 3):
        for order in "<>":
            if data[:4] == sync_word(version, order):
                return list(_read_pages(data, version, order))
    raise ValueError("not raster")


def _read_pages(data, version, order):
    at = 4
    header_bytes = V1_BYTES if version == 1 else V2_BYTES
    while at < len(data):
        packed = data[at:at + header_bytes].ljust(V2_BYTES, b"\0")
        assert len(data) - at >= header_bytes, "the raster ends in a header"
        header = unpack_header(packed, order)
        at += header_bytes
        if version == 2:
            rows, at = unpack_rows(data, at, header)
        else:
            size = header["cupsBytesPerLine"] * header["cupsHeight"]
            rows = data[at:at + size]
            assert len(rows) == size, "the raster ends in a row"
            at += size
        yield header, rows

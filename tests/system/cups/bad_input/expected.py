# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rastertohalftone must write, said a second time: from the bytes of a
raster, however broken, to the bytes of 1-bit CUPS raster as far as the input is
sound. Gray pages and the identity only; it shares no code with the filter or
libcups.
"""

import itertools
import pathlib
import struct
import sys

import cups_raster
from cups_raster import TEXTS, TEXTS2, V1_BYTES, V2_BYTES, WORDS, WORDS2

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "golden"))
import methods  # noqa: E402


def _native(packed, order):
    """A header as version 3 and as this machine orders bytes has it."""
    packed = packed.ljust(V2_BYTES, b"\0")
    if order == "<":
        return packed
    words = [(64 * len(TEXTS), len(WORDS)), (V1_BYTES, len(WORDS2))]
    for at, count in words:
        swapped = struct.pack(f"<{count}I",
                              *struct.unpack_from(f">{count}I", packed, at))
        packed = packed[:at] + swapped + packed[at + len(swapped):]
    assert len(packed) == V1_BYTES + 4 * len(WORDS2) + 64 * len(TEXTS2)
    return packed


def _with_words(packed, **words):
    """A native header with some words replaced, and every other byte kept."""
    packed = bytearray(packed)
    for name, value in words.items():
        at = (64 * len(TEXTS) + 4 * WORDS.index(name) if name in WORDS
              else V1_BYTES + 4 * WORDS2.index(name))
        struct.pack_into("<I", packed, at, value)
    return bytes(packed)


def _flat_rows(data, at, header):
    line = header["cupsBytesPerLine"]
    for i in range(header["cupsHeight"]):
        end = at + line
        yield (data[at:end], end) if end <= len(data) else (None, at)
        at = end


def _packed_rows(data, at, header):
    """Runs end with their rows, and repeated rows with their page."""
    line = header["cupsBytesPerLine"]
    pixel = header["cupsBitsPerPixel"] // 8
    white = b"\0" if header["cupsColorSpace"] == 3 else b"\xff"
    left = header["cupsHeight"]
    while left > 0:
        if at >= len(data):
            yield None, at
            return
        repeat = data[at] + 1
        at += 1
        if repeat > left:
            yield None, at
            return
        row = b""
        while len(row) < line:
            if at >= len(data):
                yield None, at
                return
            code = data[at]
            at += 1
            room = line - len(row)
            if code == 128:
                row += white * room
                continue
            literal = code > 128
            want = (257 - code if literal else 1) * pixel
            run = data[at:at + want] * (1 if literal else code + 1)
            if at + want > len(data) or len(run) > room:
                yield None, at
                return
            at += want
            row += run
        for _ in range(repeat):
            yield row, at
        left -= repeat


def _light(row, header, order):
    """The samples of a gray row, light."""
    assert header["cupsNumColors"] in (0, 1), "gray pages only"
    bits = header["cupsBitsPerColor"]
    samples = row if bits == 8 else struct.unpack(f"{order}{len(row) // 2}H",
                                                  row)
    if header["cupsColorSpace"] == 3:
        return [(1 << bits) - 1 - sample for sample in samples]
    return list(samples)


def _ink(levels):
    """A row of bits, 1 for black, in whole bytes."""
    bits = "".join("0" if level else "1" for level in levels)
    bits = bits.ljust((len(bits) + 7) // 8 * 8, "0")
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def pages(data):
    """For each page: the header as it came, packed and unpacked, and an iterator of its
    rows of ink, which ends early where the raster is truncated."""
    for version, order in itertools.product((1, 2, 3), "<>"):
        if data[:4] == cups_raster.sync_word(version, order):
            break
    else:
        return
    size = V1_BYTES if version == 1 else V2_BYTES
    read_rows = _packed_rows if version == 2 else _flat_rows
    at = [4]

    def ink(header):
        curve = methods.curve_of(None)
        maxval = (1 << header["cupsBitsPerColor"]) - 1
        light = []
        for row, end in read_rows(data, at[0], header):
            if row is None:
                at[0] = len(data)
                return
            at[0] = end
            light.append(_light(row, header, order))
            # A row depends on those above it alone; pages here are small.
            values = methods.values(light, maxval, curve)
            yield _ink(methods.floyd_steinberg(values, 2, False)[-1])

    while len(data) - at[0] >= size:
        packed = _native(data[at[0]:at[0] + size], order)
        header = cups_raster.unpack_header(packed)
        at[0] += size
        yield packed, header, ink(header)


def cups_output(data):
    """Pieces of what must be written; lazily, since a header may lie."""
    for number, (packed, header, rows) in enumerate(pages(data)):
        if number == 0:
            yield cups_raster.sync_word(3)
        width = header["cupsWidth"]
        yield _with_words(packed, cupsBitsPerColor=1, cupsBitsPerPixel=1,
                          cupsBytesPerLine=(width + 7) // 8, cupsColorSpace=3,
                          cupsNumColors=1)
        yield from rows


def assert_begins(out, data, is_all):
    """`out` is what must come of `data`: all of it, or its beginning, which
    ends with a row."""
    at = 0
    for piece in cups_output(data):
        if at == len(out) and not is_all:
            return
        assert out[at:at + len(piece)] == piece, (
            f"byte {at} … {at + len(piece)}: {out[at:at + len(piece)].hex()}, "
            f"not {piece.hex()}")
        at += len(piece)
    assert at == len(out), f"{len(out) - at} bytes too many"

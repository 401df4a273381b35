# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages as SpliX' rastertoqpdl writes them for most printers in black, back to
rows of ink. Bands are compressed with one of its methods: 0x11 repeats, in
columns of bytes, what stands at one of 64 distances; 0x0d tells where each run
of ink begins, and how long it is; 0x0e repeats bytes."""

import math
import struct

LIGHT_AND_DARK = bytes(range(255, -1, -1))
START = b"ENTER LANGUAGE = QPDL\n"


def _repeated_columns(data, line, height):
    first = struct.unpack_from("<I", data)[0]
    distances = struct.unpack_from("<64H", data, 4)
    at = 4 + 2 * len(distances)
    out = bytearray(data[at:at + first])
    at += first
    while at < len(data):
        code = data[at]
        if code & 0x80:
            count = (code & 0x7f | (data[at + 1] & 0xc0) << 1) + 3
            distance = distances[data[at + 1] & 0x3f]
            at += 2
            begin = len(out) - distance
            while count > 0:
                piece = out[begin:begin + count]
                out += piece
                begin += len(piece)
                count -= len(piece)
        else:
            out += data[at + 1:at + 2 + code]
            at += 2 + code
    assert len(out) == line * height, f"{len(out)} bytes"
    ink = out.translate(LIGHT_AND_DARK)
    return [bytes(ink[row::height]) for row in range(height)]


def _wrap(height):
    """The columns of the printer, at 600 or 300 dpi."""
    return 0x1360 if height == 128 else 0x9a0


def _runs(data, line, height):
    """Packets of 2, 4 and 6 bytes: rows down, columns to the right of where the
    last run began, and the columns of this one."""
    wrap = _wrap(height)
    rows = [0] * height
    at = row = column = 0
    while any(data[at:]):
        kind = data[at] >> 6
        if kind < 2:
            down, count = kind, data[at] & 63
            right = struct.unpack_from("b", data, at + 1)[0]
            at += 2
        elif kind == 2:
            right = (data[at] & 63) << 8 | data[at + 1]
            right -= (right & 0x2000) << 1
            down, count = data[at + 2] >> 4 & 3, (
                (data[at + 2] & 15) << 8 | data[at + 3])
            at += 4
        else:
            far = int.from_bytes(data[at + 1:at + 4], "big", signed=True)
            place = row * wrap + column + far
            down, right = place // wrap - row, place % wrap - column
            count = (data[at + 4] & 63) << 8 | data[at + 5]
            at += 6
        row, column = row + down, column + right
        rows[row] |= ((1 << count) - 1) << (8 * line - column - count)
    return [bits.to_bytes(line, "big") for bits in rows]


def _repeated_bytes(data, line, height):
    """Repeated bytes of rows that are as wide as the printer, whatever the page."""
    wide = _wrap(height) // 8
    out, at = bytearray(), 0
    while len(out) < wide * height:
        code = data[at]
        if code < 0x80:
            out += data[at + 1:at + 2] * (129 - code)
            at += 2
        elif code < 0xc0:
            count = ((code & 63) << 8 | data[at + 1]) + 1
            out += data[at + 2:at + 2 + count]
            at += 2 + count
        else:
            count = 0x10001 - (code << 8 | data[at + 1])
            out += data[at + 2:at + 3] * count
            at += 3
    assert len(out) == wide * height, f"{len(out)} bytes"
    ink = out.translate(LIGHT_AND_DARK)
    return [bytes(ink[wide * row:wide * row + line]) for row in range(height)]


def _read_band(data, at):
    number, width, height, method, size = struct.unpack_from(">BHHBI", data,
                                                             at + 1)
    begin, end = at + 11, at + 11 + size
    line = width // 8
    if method == 0x11:
        assert data[begin:begin + 4] == b"\xef\xcd\xab\x09"
        rows = _repeated_columns(data[begin + 4:end - 4], line, height)
    else:
        read = {0x0d: _runs, 0x0e: _repeated_bytes}[method]
        rows = read(data[begin:end - 4], line, height)
    return number, rows, end


def read_pages(data):
    """[{number of a band: its rows}], without bands that have no ink."""
    pages, at = [], data.index(START) + len(START)
    while data[at] != 9:
        if data[at] == 0:
            pages.append({})
            at += 17
        elif data[at] == 0x0c:
            number, rows, at = _read_band(data, at)
            pages[-1][number] = rows
        else:
            assert data[at] == 1, f"record {data[at]:#x}"
            at += 3
    return pages


def _dots(points, header, axis):
    return math.ceil(points * header[f"HWResolution{axis}"] / 72)


def _whole_sheet(header, rows):
    """The rows of a raster page on the sheet on which SpliX puts them: in its
    middle, cut to its margins, by whole bytes."""
    line = (_dots(header["PageSize0"], header, 0) + 7) // 8
    height = _dots(header["PageSize1"], header, 1)
    left = (_dots(header["Margins0"], header, 0) + 7) // 8
    top = _dots(header["Margins1"], header, 1)
    wide, high = line - 2 * left, height - 2 * top
    skip_left = max(len(rows[0]) - wide, 0) // 2
    skip_top = max(len(rows) - high, 0) // 2
    if len(rows[0]) <= wide:
        left = (line - len(rows[0])) // 2
    if len(rows) <= high:
        top = (height - len(rows)) // 2
    sheet = [bytes(line)] * top
    for row in rows[skip_top:skip_top + high]:
        sheet.append((bytes(left) + row[skip_left:skip_left + wide]).ljust(
            line, b"\0"))
    return sheet + [bytes(line)] * (height - len(sheet))


def bands_of(header, rows, margins):
    """The bands that must come of a raster page. `margins`: left and bottom of
    the PPD file's imageable area, at which a sheet begins for the printer."""
    sheet = _whole_sheet(header, rows)
    skip = (_dots(margins[0], header, 0) + 7) // 8
    sheet = [row[skip:] + bytes(skip)
             for row in sheet[_dots(margins[1], header, 1):]]
    bands = {}
    for number in range((len(sheet) + 127) // 128):
        band = sheet[128 * number:128 * number + 128]
        band += [bytes(len(sheet[0]))] * (128 - len(band))
        if any(map(any, band)):
            bands[number] = band
    return bands

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages as SpliX' rastertoqpdl writes them for most printers in black, back to
rows of ink: bands of columns of bytes, compressed with its method 0x11, which
repeats what stands at one of 64 distances."""

import math
import struct

START = b"ENTER LANGUAGE = QPDL\n"


def _decompress(data, size):
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
    assert len(out) == size, f"{len(out)} bytes of {size}"
    return out


def _read_band(data, at):
    number, width, height, method, size = struct.unpack_from(">BHHBI", data,
                                                             at + 1)
    assert method == 0x11, f"method {method:#x}"
    begin = at + 11
    assert data[begin:begin + 4] == b"\xef\xcd\xab\x09"
    line = width // 8
    columns = _decompress(data[begin + 4:begin + size - 4], line * height)
    ink = columns.translate(bytes(range(255, -1, -1)))
    rows = [bytes(ink[row::height]) for row in range(height)]
    return number, rows, begin + size


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

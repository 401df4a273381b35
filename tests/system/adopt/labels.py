# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes labels of CUPS' rastertolabel to rows of ink, and moves the rows that other
drivers print to their places on the page."""

import re

import cups_raster
import pcl

ZPL_COUNTS = {**{chr(ord("G") + i): i + 1 for i in range(19)},
              **{chr(ord("g") + i): 20 * (i + 1) for i in range(20)}}


def _zpl_row(text, digits):
    """One row of hexadecimal digits, with counts before those that repeat."""
    row, count = "", 0
    for char in text:
        if char in ZPL_COUNTS:
            count += ZPL_COUNTS[char]
        elif char in ",!":
            row = row.ljust(digits, "0" if char == "," else "F")
        else:
            row += char * max(count, 1)
            count = 0
    assert len(row) == digits, "a row of another length"
    return bytes.fromhex(row)


def ink_of(rows):
    """The smallest picture that has all ink, as rows of 0 and 1, wherever on the
    label a driver puts it."""
    rows = [f"{int.from_bytes(row, 'big'):0{8 * len(row)}b}" if row else ""
            for row in rows]
    left = min(row.find("1") for row in rows if "1" in row)
    rows = [row[left:].rstrip("0") for row in rows]
    black = [number for number, row in enumerate(rows) if row]
    return rows[black[0]:black[-1] + 1]


def read_zpl(data):
    pages = []
    for found in re.finditer(rb"~DGR:CUPS\.GRF,(\d+),(\d+),\n([^~^]*)", data):
        size, line = int(found[1]), int(found[2])
        rows, row = [], ""
        for char in found[3].decode().replace("\n", ""):
            if char == ":" and not row:
                rows.append(rows[-1])
                continue
            row += char
            if char in ",!" or _is_full(row, 2 * line):
                rows.append(_zpl_row(row, 2 * line))
                row = ""
        assert len(rows) * line == size, f"{len(rows)} rows"
        pages.append(rows)
    return pages


def _is_full(text, digits):
    length, count = 0, 0
    for char in text:
        if char in ZPL_COUNTS:
            count += ZPL_COUNTS[char]
        else:
            length += max(count, 1)
            count = 0
    return length >= digits


def _rows_at_places(data, command, place, line, white=b"\0"):
    """Each row by itself: `command`, in which groups `place` and `line` are its
    number and its bytes; without them it begins a page."""
    pages, at = [], 0
    while found := command.search(data, at):
        at = found.end()
        if not found[line]:
            pages.append([])
            continue
        size = int(found[line])
        rows = pages[-1]
        rows += [white * size] * (int(found[place]) - len(rows))
        rows.append(data[at:at + size])
        at += size
    return pages


def read_epl2(data):
    """Light: 1 is white."""
    command = re.compile(rb"N\n|GW0,(\d+),(\d+),1\n")
    dark = bytes(range(255, -1, -1))
    return [[row.translate(dark) for row in rows]
            for rows in _rows_at_places(data, command, 1, 2, b"\xff")]


def read_dymo(data):
    """Rows after ESC D with their bytes, ESC B the margin of dots above, and
    SYN before each row of ink."""
    pages, at, line, rows = [], 0, 0, []
    while at < len(data):
        if data[at] == 0x16:
            rows.append(data[at + 1:at + 1 + line])
            at += 1 + line
            continue
        command = data[at:at + 2]
        assert command[:1] == b"\x1b", f"{command} at {at}"
        if command == b"\x1bD":
            line = data[at + 2]
        if command == b"\x1bf" and data[at + 2] == 1:  # skip so many rows
            rows += [bytes(line)] * data[at + 3]
        if command in (b"\x1bE", b"\x1bG"):
            pages.append(rows)
            rows = []
        at += {0x1b: 1, ord("E"): 2, ord("G"): 2, ord("e"): 2, ord("i"): 2,
               ord("h"): 2, ord("@"): 2, ord("L"): 4, ord("f"): 4}.get(
                   command[1], 3)
    return pages


def read_epl1(data):
    """Each row after ESC g and its bytes; white ones too."""
    pages, rows, at = [], [], 0
    while at < len(data):
        if data[at:at + 2] == b"\x1bg":
            line = int(data[at + 2:at + 5])
            rows.append(data[at + 5:at + 5 + line])
            at += 5 + line
        elif data[at:at + 2] == b"\x1bE":
            pages.append(rows)
            rows = []
            at += 2
        else:
            at += 1
    return pages


def read_cpcl(data):
    command = re.compile(rb"PAGE-HEIGHT|CG (\d+) 1 0 (\d+) ")
    return _rows_at_places(data, command, 2, 1)


def read_intellitech(data):
    """A kind of PCL."""
    return [rows for _, rows in pcl.read_pages(data)]


def wedge(width, height):
    """A PostScript document with all grays in the middle of a label."""
    return (f"%!PS\n<</PageSize [{width} {height}]>> setpagedevice\n"
            f"0 1 99 {{dup 110 div setgray {width / 3} exch {height / 3} add "
            f"{width / 3} 1 rectfill}} for showpage\n")


def _moved(row, bits, size):
    """The row as `size` bytes, moved to the left by `bits`."""
    row = int.from_bytes(row, "big")
    return (row << bits if bits >= 0 else row >> -bits).to_bytes(size, "big")


def placed(rows, gray):
    """The rows at their places on the page, which the black bar in `gray`, the page's
    raster file, shows."""
    (header, gray), = cups_raster.read_pages(gray.read_bytes())
    line, size = header["cupsBytesPerLine"], (header["cupsWidth"] + 7) // 8
    top, left = divmod(gray.index(b"\0"), line)
    first = next(number for number, row in enumerate(rows) if any(row))
    bar = f"{int.from_bytes(rows[first], 'big'):0{8 * len(rows[first])}b}"
    bits = 8 * (size - len(rows[0])) - (left - bar.index("1"))
    return ([bytes(size)] * top + [_moved(row, bits, size) for row in rows[first:]]
            )[:header["cupsHeight"]]


def rows_in_page(gray, dots):
    """The rows of `dots`, an encoder's raster file without margins, at their places on
    the page of the raster file `gray`."""
    (gray, _), = cups_raster.read_pages(gray.read_bytes())
    (header, data), = cups_raster.read_pages(dots.read_bytes())
    per_point = header["HWResolution0"] / 72
    left = round(header["cupsImagingBBox0"] * per_point)
    above = round((header["cupsPageSize1"] - header["cupsImagingBBox3"]) * per_point)
    line, size = header["cupsBytesPerLine"], (gray["cupsWidth"] + 7) // 8
    return [bytes(size)] * above + [
        _moved(data[at:at + line], 8 * (size - line) - left, size)
        for at in range(0, len(data), line)]

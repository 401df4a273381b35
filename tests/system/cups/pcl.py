# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The raster graphics of PCL as CUPS' rastertohp writes it, back to rows of
ink: parameterised escape sequences, uncompressed rows, run lengths and
PackBits. Of everything else in a print job only the lengths are known."""

import re

SEQUENCE = re.compile(rb"\x1b([&*][a-z])([-+]?[0-9.]*)([A-Za-z@])")


def _run_lengths(data):
    return b"".join(data[i + 1:i + 2] * (data[i] + 1)
                    for i in range(0, len(data), 2))


def _pack_bits(data):
    row, at = b"", 0
    while at < len(data):
        code = data[at]
        if code < 128:
            row += data[at + 1:at + 2 + code]
            at += 2 + code
        else:
            row += data[at + 1:at + 2] * (257 - code)
            at += 2
    return row


METHODS = {0: bytes, 1: _run_lengths, 2: _pack_bits}


def read_pages(data):
    """The rows of each page: [(width, [bytes])]. White rows that end a page are
    not sent."""
    pages, at = [], 0
    while at < len(data):
        found = SEQUENCE.match(data, at)
        if not found:
            at += 1
            continue
        at = found.end()
        group, number, last = found.groups()
        value = int(float(number or 0))
        command = group + last.upper()
        if command == b"*rS":
            width, method = value, 0
        elif command == b"*rA":
            pages.append((width, []))
        elif command == b"*bM":
            method = value
        elif command == b"*bY":
            pages[-1][1].extend([bytes((width + 7) // 8)] * value)
        elif command == b"*bW":
            row = METHODS[method](data[at:at + value])
            assert len(row) == (width + 7) // 8, "a row of another length"
            pages[-1][1].append(row)
        if last.upper() == b"W":
            at += value
    return pages

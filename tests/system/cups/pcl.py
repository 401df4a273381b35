# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The raster graphics of PCL as CUPS' rastertohp and rastertolabel and Gutenprint
write it, back to rows of ink: parameterised escape sequences, uncompressed rows,
run lengths, PackBits, and changes to the row above. Only the lengths of
everything else in a print job are known."""

import re

SEQUENCE = re.compile(rb"\x1b([&*()][a-z])([^@-Z\x1b]*[@-Z])")
COMMAND = re.compile(rb"([-+]?[0-9.]*)([a-z@-Z])")


def _flat(data, above):
    return data


def _run_lengths(data, above):
    return b"".join(data[i + 1:i + 2] * (data[i] + 1)
                    for i in range(0, len(data), 2))


def _pack_bits(data, above):
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


def _changes(data, above):
    """Each: how many bytes are new, how many are skipped before them."""
    row, at, column = bytearray(above), 0, 0
    while at < len(data):
        count, skip = (data[at] >> 5) + 1, data[at] & 31
        column += skip
        at += 1
        most = 31  # after as much another byte follows
        while skip == most:
            skip, most = data[at], 255
            column += skip
            at += 1
        row[column:column + count] = data[at:at + count]
        column += count
        at += count
    return bytes(row)


METHODS = {0: _flat, 1: _run_lengths, 2: _pack_bits, 3: _changes}


def commands(data):
    """Each command, its number and the bytes that come with it; several may share
    an escape sequence. Those of moves by a number are named with a plus."""
    at = 0
    while found := SEQUENCE.search(data, at):
        at = found.end()
        for number, letter in COMMAND.findall(found[2]):
            value = int(float(number or 0))
            size = value if letter == b"W" and found[1] != b"&k" else 0
            plus = b"+" if number.startswith(b"+") else b""
            yield found[1] + plus + letter.upper(), value, data[at:at + size]
            at += size


def read_pages(data, width=None):
    """The rows of each page: [(width, [bytes])]. White rows that end a page are
    not sent, nor need be white that ends a row. `width`: of pages that do not say
    it, which begin at the cursor's row."""
    pages, method, top, said = [], 0, 0, width is None
    units, resolution, is_open = 300, 300, False
    for command, value, sent in commands(data):
        if command == b"*rS":
            width = value
        elif command == b"*pY":
            top = value
        elif command == b"*p+Y":
            rows = value * resolution // units
            if is_open:
                pages[-1][1].extend([bytes((width + 7) // 8)] * rows)
            else:
                top += rows
        elif command == b"*tR":
            resolution = value
        elif command == b"&uD":
            units = value
        elif command in (b"*rB", b"*rC"):
            is_open = False
        elif command == b"*rA":
            is_open = True
            above = 0 if said else top
            pages.append((width, [bytes((width + 7) // 8)] * above))
        elif command == b"*bM":
            method = value
        elif command == b"*bY":
            pages[-1][1].extend([bytes((width + 7) // 8)] * value)
        elif command == b"*bW":
            rows, size = pages[-1][1], (width + 7) // 8
            above = rows[-1] if rows else bytes(size)
            row = METHODS[method](sent, above).ljust(size, b"\0")
            assert not any(row[size:]), "a row that is too long"
            rows.append(row[:size])
    return pages

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages as rastertobrlaser writes them, back to rows of ink. A page is

    "1030m" { bytes "w" 0 rows { row } } "1030M"

after ESC "*b"; a row is a number of edits to the row above, 255 for none and an
empty row; an edit skips bytes, and then repeats one or gives new ones."""

import re

BEGIN, END = b"\x1b*b1030m", b"1030M\f"
BLOCK = re.compile(rb"(\d+)w\0(.)", re.DOTALL)


class _Rows:
    def __init__(self, data, at):
        self.data, self.at, self.above = data, at, bytearray()

    def _byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def _number(self, low, most):
        """`low`, and if it is the most that it can be, what follows."""
        if low < most:
            return low
        while True:
            byte = self._byte()
            low += byte
            if byte < 255:
                return low

    def _edit(self, row, at):
        code = self._byte()
        if code & 128:
            at += self._number(code >> 5 & 3, 3)
            count = self._number(code & 31, 31) + 2
            new = bytes([self._byte()]) * count
        else:
            at += self._number(code >> 3, 15)
            count = self._number(code & 7, 7) + 1
            new = self.data[self.at:self.at + count]
            self.at += count
        row.extend(bytes(max(at - len(row), 0)))  # of a white row no length is
        row[at:at + count] = new                  # known
        return at + count

    def next(self):
        edits = self._byte()
        if edits == 255:
            self.above = bytearray(len(self.above))
        else:
            row, at = bytearray(self.above), 0
            for _ in range(edits):
                at = self._edit(row, at)
            self.above = row
        return bytes(self.above)


def _read_page(data, at):
    rows = []
    while not data.startswith(END, at):
        block = BLOCK.match(data, at)
        end = block.end() - 2 + int(block[1])
        reader = _Rows(data, block.end())
        # Rows of before count for nothing in a block, but for their length.
        reader.above = bytearray(len(rows[-1]) if rows else 0)
        rows += [reader.next() for _ in range(block[2][0])]
        assert reader.at == end, "a block of another length"
        at = end
    return rows, at


def read_pages(data):
    """The rows of each page: [[bytes]]."""
    pages, at = [], data.find(BEGIN)
    while at >= 0:
        rows, end = _read_page(data, at + len(BEGIN))
        width = max(map(len, rows))
        pages.append([row.ljust(width, b"\0") for row in rows])
        at = data.find(BEGIN, end)
    return pages

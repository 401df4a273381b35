# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rastertoepson writes for 9 and 24 pins, as the printer prints it: a head
that fires columns of pins where it is told to stand, and paper that is fed.

    ESC $ low high            the head goes so many 1/60 inch to the right
    ESC 3 n, ESC + n          each line is fed by so much from now on
    ESC * mode low high data  so many columns, from the top pin down
    CR, LF, FF                the head goes left; a line, a page is fed
"""

# By mode: columns an inch, bytes a column.
MODES = {0: (60, 1), 1: (120, 1), 3: (240, 1), 39: (180, 3), 40: (360, 3),
         41: (360, 3), 72: (360, 6), 73: (360, 6)}
# What else it sends after ESC, and how many bytes follow.
OTHERS = {"@": 0, "P": 0, "x": 1, "U": 1, "l": 1, "Q": 1, "2": 0, "C": 1,
          "N": 1, "O": 0}
CARRIAGE_RETURN, LINE_FEED, FORM_FEED, TEN_CPI, ESCAPE = 13, 10, 12, 18, 27


class _Printer:
    """`lines`: rows an inch; `feeds`: units of ESC 3 an inch, by the number of
    pins."""

    def __init__(self, data, lines, feeds):
        self.data, self.at = data, 0
        self.lines, self.feeds = lines, feeds
        self.pages = []
        self.begin_page()

    def begin_page(self):
        self.dots, self.x, self.y, self.feed = {}, 0, 0, 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data), "the data end in a command"
        return self.data[self.at - count:self.at]

    def number(self):
        return int.from_bytes(self.take(2), "little")

    def rows_of(self, units, inch):
        rows, rest = divmod(units * self.lines, inch)
        assert rest == 0, "lines between rows"
        return rows

    def print_columns(self):
        mode, = self.take(1)
        inch, size = MODES[mode]
        for i in range(self.number()):
            column = int.from_bytes(self.take(size), "big")
            for pin in range(8 * size):
                if column >> (8 * size - 1 - pin) & 1:
                    self.dots.setdefault(self.y + pin, set()).add(
                        self.x * inch // 60 + i)

    def escape(self):
        code = chr(self.take(1)[0])
        if code == "*":
            self.print_columns()
        elif code == "$":
            self.x = self.number()
        elif code == "3":
            self.feed = self.rows_of(self.take(1)[0], self.feeds)
        elif code == "+":
            self.feed = self.rows_of(self.take(1)[0], 360)
        else:
            self.take(OTHERS[code])

    def end_page(self):
        height = max(self.dots, default=-1) + 1
        self.pages.append([_row(self.dots.get(y, ())) for y in range(height)])
        self.begin_page()

    def run(self):
        while self.at < len(self.data):
            code, = self.take(1)
            if code == ESCAPE:
                self.escape()
            elif code == LINE_FEED:
                self.y += self.feed
                self.x = 0
            elif code == CARRIAGE_RETURN:
                self.x = 0
            elif code == FORM_FEED:
                self.end_page()
            else:
                assert code == TEN_CPI, code
        return self.pages


def _row(dots):
    """Bytes of eight dots each, without white to the right."""
    row = bytearray(max(dots, default=-1) // 8 + 1)
    for x in dots:
        row[x // 8] |= 128 >> x % 8
    return bytes(row)


def read_pages(data, lines, feeds):
    """[[bytes]] of each page, of a printer with `lines` rows an inch; `feeds`: 216
    of 9 pins, 180 of 24."""
    return _Printer(data, lines, feeds).run()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rastertoepson and Ghostscript's epson, eps9high, ibmpro and okiibm write for
9 and 24 pins, as the printer prints it: a head that fires columns of pins where it is
told to stand, and paper that is fed.

    ESC $ low high            the head goes so many 1/60 inch to the right
    ESC D n 0, TAB            the head goes so many 1/10 inch to the right
    ESC 3 n, ESC + n          each line is fed by so much from now on
    ESC J n                   the paper is fed by so much
    ESC * mode low high data  so many columns, from the top pin down
    ESC K, L, Z low high data the same in modes 0, 1, 3
    CR, LF, FF                the head goes left; a line, a page is fed
"""

# By mode: columns an inch, bytes per column.
MODES = {0: (60, 1), 1: (120, 1), 3: (240, 1), 32: (60, 3), 33: (120, 3),
         35: (240, 3), 39: (180, 3), 40: (360, 3), 41: (360, 3), 72: (360, 6),
         73: (360, 6)}
# What else it sends after ESC, and how many bytes follow.
OTHERS = {"@": 0, "P": 0, "x": 1, "U": 1, "l": 1, "Q": 1, "2": 0, "C": 1,
          "N": 1, "O": 0}
LETTERS = {"K": 0, "L": 1, "Z": 3}
TAB, CARRIAGE_RETURN, LINE_FEED, FORM_FEED, ESCAPE = 9, 13, 10, 12, 27
WITHOUT_DOTS = 17, 18, 24


class _Printer:
    """`lines`: rows per inch; `feeds`: units of ESC 3 and ESC J an inch, by the
    number of pins; `pitch`: rows from pin to pin."""

    def __init__(self, data, lines, feeds, pitch):
        self.data, self.at = data, 0
        self.lines, self.feeds, self.pitch = lines, feeds, pitch
        self.pages = []
        self.begin_page()

    def begin_page(self):
        self.dots, self.x, self.y, self.feed, self.tab = {}, 0, 0, 0, 0

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

    def print_columns(self, mode):
        inch, size = MODES[mode]
        for i in range(self.number()):
            column = int.from_bytes(self.take(size), "big")
            for pin in range(8 * size):
                if column >> (8 * size - 1 - pin) & 1:
                    self.dots.setdefault(self.y + pin * self.pitch, set()).add(
                        self.x * inch // 60 + i)

    def escape(self):
        code = chr(self.take(1)[0])
        if code == "*":
            self.print_columns(self.take(1)[0])
        elif code in LETTERS:
            self.print_columns(LETTERS[code])
        elif code == "J":
            self.y += self.rows_of(self.take(1)[0], self.feeds)
        elif code == "D":
            self.tab, end = self.take(2)
            assert end == 0
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
            elif code == TAB:
                self.x = 6 * self.tab
            elif code == CARRIAGE_RETURN:
                self.x = 0
            elif code == FORM_FEED:
                self.end_page()
            else:
                assert code in WITHOUT_DOTS, code
        return self.pages


def _row(dots):
    """Bytes of eight dots each, without white to the right."""
    row = bytearray(max(dots, default=-1) // 8 + 1)
    for x in dots:
        row[x // 8] |= 128 >> x % 8
    return bytes(row)


def read_pages(data, lines, feeds, pitch=1):
    """[[bytes]] of each page, of a printer with `lines` rows per inch; `feeds`: 216
    of 9 pins, 180 of 24."""
    return _Printer(data, lines, feeds, pitch).run()

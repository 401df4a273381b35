# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What label and receipt printers do with what they get: ZPL II, EPL2, TSPL2 and
ESC/POS, back to what is printed. Each is strict: what a printer would not understand, or
wait for, is an error."""

import dataclasses
import operator
import re


class Broken(ValueError):
    """The stream is cut, or is none."""


@dataclasses.dataclass
class Label:
    rows: list  # bytes, 1 for ink
    copies: int
    words: dict  # what else was set


def check(is_so, what):
    if not is_so:
        raise Broken(what)


def zpl_graphic(total, size, text):
    rows, digits, count = [], "", 0
    for c in text.decode("ascii"):
        if c == "\n":
            continue
        if c == ":":
            check(rows and not digits and not count, "a row above that is none")
            rows.append(rows[-1])
        elif c == ",":
            digits = digits.ljust(2 * size, "0")
        elif "G" <= c <= "Y":
            count += ord(c) - ord("F")
        elif "g" <= c <= "z":
            count += 20 * (ord(c) - ord("f"))
        else:
            check(c in "0123456789ABCDEF", f"{c!r} in a graphic")
            digits += c * max(count, 1)
            count = 0
        check(len(digits) <= 2 * size, "a row that is too long")
        if len(digits) == 2 * size:
            rows.append(bytes.fromhex(digits))
            digits = ""
    check(not digits and not count and len(rows) * size == total, "rows are cut")
    return rows


ZPL_GRAPHIC = re.compile(rb"~DGR:(\w+)\.GRF,(\d+),(\d+),\n([^~^]*)")
ZPL_FORMAT = re.compile(rb"\^XA(.*?)\^XZ", re.DOTALL)
ZPL_WORD = re.compile(rb"\^(XG|ID|[A-Z]{2})([^^]*)")


def zpl(data):
    """The labels that are printed. What is downloaded has to be deleted."""
    labels, graphics, darkness, at = [], {}, None, 0
    while at < len(data):
        if data[at:at + 1] in b"\r\n":
            at += 1
        elif found := re.compile(rb"~SD(\d\d)").match(data, at):
            darkness, at = int(found[1]), found.end()
        elif found := ZPL_GRAPHIC.match(data, at):
            graphics[found[1]] = zpl_graphic(int(found[2]), int(found[3]),
                                             found[4])
            at = found.end()
        elif found := ZPL_FORMAT.match(data, at):
            words = {name.decode(): value.strip()
                     for name, value in ZPL_WORD.findall(found[1])}
            if "XG" in words:
                name = re.match(rb"R:(\w+)\.GRF,1,1$", words["XG"])[1]
                check(name in graphics, "a graphic that is none")
                labels.append(Label(
                    graphics[name], int(words["PQ"].split(b",")[0]),
                    {**words, "SD": darkness}))
            if "ID" in words:
                del graphics[re.match(rb"R:(\w+)\.GRF$", words["ID"])[1]]
            at = found.end()
        else:
            raise Broken(f"{data[at:at + 20]!r} is not ZPL")
    check(not graphics, "graphics that stay")
    return labels


INVERTED = bytes(range(255, -1, -1))
EPL_GRAPHIC = re.compile(rb"GW(\d+),(\d+),(\d+),(\d+)[,\n]")
EPL_LINE = re.compile(rb"([NDSqQPO])([^\n]*)\n")


def epl(data, height=None):
    """The labels that are printed. `height`: of labels that do not say it, or as far
    as their ink."""
    labels, buffer, words, at = [], {}, {}, 0
    while at < len(data):
        if data[at:at + 1] in b"\r\n":
            at += 1
        elif found := EPL_GRAPHIC.match(data, at):
            column, row, size, rows = map(int, found.groups())
            at = found.end() + size * rows
            check(at <= len(data), "a graphic that is cut")
            check(column % 8 == 0 and 8 * size + column <= words["q"],
                  "a graphic beyond the label")
            for i in range(rows):
                start = found.end() + i * size
                line = buffer.setdefault(row + i, bytearray(words["q"] // 8))
                ink = data[start:start + size].translate(INVERTED)
                part = slice(column // 8, column // 8 + size)
                line[part] = bytes(map(operator.or_, line[part], ink))
        elif found := EPL_LINE.match(data, at):
            name, value, at = found[1].decode(), found[2], found.end()
            if name == "N":
                buffer, words = {}, {}
            elif name == "P":
                length = height or max(buffer, default=-1) + 1
                check(all(row < length for row in buffer), "beyond the label")
                labels.append(Label(
                    [bytes(buffer.get(row, bytes(words["q"] // 8)))
                     for row in range(length)], int(value), dict(words)))
            else:
                words[name] = int(value.split(b",")[0])
        else:
            raise Broken(f"{data[at:at + 20]!r} is not EPL")
    return labels


TSPL_GRAPHIC = re.compile(rb"BITMAP (\d+),(\d+),(\d+),(\d+),0,")
TSPL_LINE = re.compile(rb"(SIZE|GAP|DIRECTION|REFERENCE|DENSITY|SPEED|CLS|PRINT)"
                       rb"(?: ([^\r]*))?\r\n")
TSPL_SIZE = re.compile(rb"(\d+(?:\.\d+)?) mm,(\d+(?:\.\d+)?) mm$")


def tspl(data, dpi):
    """The labels that are printed, in the dots that SIZE gives them."""
    labels, buffer, words, at = [], None, {}, 0

    def dots(word):
        sizes = TSPL_SIZE.match(words[word])
        check(sizes, f"{word} in another unit")
        return [int(float(size) * dpi / 25.4 + 1e-6) for size in sizes.groups()]

    while at < len(data):
        if data.startswith(b"\r\n", at):
            at += 2
        elif found := TSPL_GRAPHIC.match(data, at):
            column, row, size, rows = map(int, found.groups())
            at = found.end() + size * rows
            check(data.startswith(b"\r\n", at), "a graphic that is cut")
            check(buffer is not None, "a graphic before CLS")
            width, height = dots("SIZE")
            check(0 < size and 0 < rows <= height - row, "a graphic beyond the label")
            # Bits that fill the last byte may be white beyond the label.
            check(column % 8 == 0 and column + 8 * size < width + 8,
                  "a graphic beyond the label")
            for i in range(rows):
                start = found.end() + i * size
                part = slice(column // 8, column // 8 + size)
                buffer[row + i][part] = data[start:start + size].translate(INVERTED)
        elif found := TSPL_LINE.match(data, at):
            name, value, at = found[1].decode(), found[2], found.end()
            if name == "CLS":
                check(value is None, "CLS takes nothing")
                width, height = dots("SIZE")
                buffer = [bytearray((width + 7) // 8) for _ in range(height)]
            elif name == "PRINT":
                check(buffer is not None, "nothing to print")
                sets, copies = map(int, value.split(b","))
                check(sets == 1 and copies > 0, "sets")
                labels.append(Label([bytes(line) for line in buffer], copies,
                                    dict(words)))
            else:
                words[name] = value
                if name == "SIZE":
                    buffer = None
        else:
            raise Broken(f"{data[at:at + 20]!r} is not TSPL")
    return labels


def escpos(data, head_bytes):
    """The pieces of paper, as lists of rows, and whether each was cut: what is
    printed behind the last is one more, if there is any."""
    pieces, rows, at = [], [], 0
    while at < len(data):
        if data.startswith(b"\x1b@", at):
            at += 2
        elif data.startswith(b"\x1dv0\0", at):
            check(at + 8 <= len(data), "a band that is cut")
            size = int.from_bytes(data[at + 4:at + 6], "little")
            count = int.from_bytes(data[at + 6:at + 8], "little")
            check(0 < size <= head_bytes, "a band wider than the head")
            check(0 < count <= 255, "a band of too many rows")
            check(at + 8 + size * count <= len(data), "a band that is cut")
            for i in range(count):
                start = at + 8 + i * size
                rows.append(data[start:start + size].ljust(head_bytes, b"\0"))
            at += 8 + size * count
        elif data.startswith((b"\x1dVB\0", b"\x1bd\x04"), at):
            is_cut = data[at] == 0x1d
            pieces.append((rows, is_cut))
            rows, at = [], at + (4 if is_cut else 3)
        else:
            raise Broken(f"{data[at:at + 20]!r} is not ESC/POS")
    return pieces + ([(rows, None)] if rows else [])

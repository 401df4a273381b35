# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Labels as DYMO's own drivers write them (LabelWriter, LabelManager), back to rows
of ink: ESC B the white bytes before a row, ESC D its other bytes, SYN a row as it is,
ETB one of runs of dots. White bytes that end a row are not sent."""

LENGTHS = {0x1b: 1, ord("A"): 2, ord("E"): 2, ord("G"): 2, ord("@"): 2,
           ord("e"): 2, ord("h"): 2, ord("i"): 2, ord("L"): 4, ord("Q"): 4,
           ord("f"): 4, ord("Y"): 7}


def _runs(data, at, size):
    """The bytes of a row, and where it ends."""
    dots = ""
    while len(dots) < 8 * size:
        dots += str(data[at] >> 7) * ((data[at] & 127) + 1)
        at += 1
    return int(dots, 2).to_bytes(size, "big"), at


def read_rows(data):
    rows, at, white, size = [], data.index(b"\x1b"), 0, 0
    while at < len(data):
        if data[at] == 0x16:
            rows.append(bytes(white) + data[at + 1:at + 1 + size])
            at += 1 + size
            continue
        if data[at] == 0x17:
            row, at = _runs(data, at + 1, size)
            rows.append(bytes(white) + row)
            continue
        assert data[at] == 0x1b, f"{data[at:at + 8]} at {at}"
        command, number = data[at + 1], data[at + 2:at + 4]
        if command == ord("B"):
            white = number[0]
        elif command == ord("D"):
            size = number[0]
        elif command == ord("f"):
            rows += [b""] * number[1]
        at += LENGTHS.get(command, 3)
    return rows

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Labels as rastertoptch writes them for Brother's QL and PT, back to rows of ink:
g a row as it is, G one of PackBits, Z a white row. Rows are mirrored."""

import pcl


def _parts(data):
    """Each command, and its row, if it is one."""
    at = data.index(b"\x1b@")
    while at < len(data):
        code, row, size = data[at:at + 1], None, 1
        if code == b"g":
            size = 3 + data[at + 2]
            row = data[at + 3:at + size]
        elif code == b"G":
            size = 3 + int.from_bytes(data[at + 1:at + 3], "little")
            row = pcl.METHODS[2](data[at + 3:at + size], None)
        elif code == b"Z":
            row = b""
        elif code == b"M":
            size = 2
        elif code == b"\x1b":
            size = _command_length(data[at:at + 3])
        yield data[at:at + size], row
        at += size


def read_rows(data):
    return [_mirrored(row) for _, row in _parts(data) if row is not None]


def commands(data):
    """All but rows."""
    return [command for command, row in _parts(data) if row is None]


def _command_length(command):
    """ESC i z has ten numbers, ESC i d two, others one."""
    if command[1:2] != b"i":
        return 2
    return 3 + {b"z": 10, b"d": 2, b"U": 14}.get(command[2:3], 1)


def _mirrored(row):
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(row))

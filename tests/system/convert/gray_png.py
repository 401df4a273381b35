# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what halftone preview writes: PNG of 8-bit gray without filters."""

import struct
import zlib

GAP = 16
NAME = 15  # the height of a column's name
AROUND = 208


class Picture:
    def __init__(self, data):
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        packed = b""
        at = 8
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            body = data[at + 8:at + 8 + length]
            crc, = struct.unpack_from(">I", data, at + 8 + length)
            assert crc == zlib.crc32(kind + body)
            if kind == b"IHDR":
                self.width, self.height, bits, colour = struct.unpack_from(
                    ">IIBB", body)
                assert (bits, colour) == (8, 0)
            if kind == b"IDAT":
                packed += body
            at += 12 + length
        assert kind == b"IEND"
        lines = zlib.decompress(packed)
        step = self.width + 1
        assert len(lines) == step * self.height
        self.rows = []
        for y in range(self.height):
            assert lines[y * step] == 0
            self.rows.append(lines[y * step + 1:(y + 1) * step])

    def cut(self, left, top, width, height):
        return [row[left:left + width] for row in self.rows[top:top + height]]

    def mean_light(self, left, top, width, height):
        codes = b"".join(self.cut(left, top, width, height))
        return sum(map(light_of_code, codes)) / len(codes)


def light_of_code(code):
    code /= 255
    return code / 12.92 if code <= 0.04045 else ((code + 0.055) / 1.055) ** 2.4


def lightness(light):
    """CIE 1976."""
    return (116 * light ** (1 / 3) - 16 if light > 216 / 24389
            else light * 24389 / 27)

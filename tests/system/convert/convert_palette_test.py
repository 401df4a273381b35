# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert --palette: indices against a second definition, the PNG that is
written, what is read, and what is refused."""

import base64
import pathlib
import struct
import unittest
import zlib

from convert_case import Case, noise
from palette_definition import Palette

WIDTH, HEIGHT = 61, 37
# 16 x 8, the left half red and the right one blue; to be turned clockwise.
JPEG = base64.b64decode("""
/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAAEB
AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/
2wBDAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
AQEBAQH/wAARCAAIABADAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAA
AAAAAAD/xAAWAQEBAQAAAAAAAAAAAAAAAAALCQr/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEA
PwAX0p2/gQ5VAa+//9k=""")
SPECTRA6 = Palette(
    [(31, 24, 41), (168, 180, 182), (180, 173, 0), (113, 24, 19), (36, 70, 139),
     (50, 84, 60)],
    [(0, 0, 0), (255, 255, 255), (255, 255, 0), (255, 0, 0), (0, 0, 255),
     (0, 255, 0)])


def chunk(kind, body):
    return (struct.pack(">I", len(body)) + kind + body +
            struct.pack(">I", zlib.crc32(kind + body)))


def png(width, rows, colour, bits=8):
    """rows: bytes of each row."""
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), bits, colour,
                                       0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) +
            chunk(b"IEND", b""))


def read_indexed(data):
    """The palette and the rows of indices of a PNG without filters."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, colors = 8, b"", []
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack_from(">IIBB", body)
            assert colour == 3
        elif kind == b"PLTE":
            colors = list(zip(body[::3], body[1::3], body[2::3]))
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    lines = zlib.decompress(packed)
    step = 1 + (width * bits + 7) // 8
    rows = []
    for y in range(height):
        assert lines[y * step] == 0
        row = int.from_bytes(lines[y * step + 1:(y + 1) * step], "big")
        rows.append([row >> (8 * (step - 1) - bits * (x + 1)) & (2 ** bits - 1)
                     for x in range(width)])
    return colors, bits, rows


def sample_rows():
    """Triples: noise, a ramp with colors of the palette in it, and extremes."""
    values = noise(3 * WIDTH, HEIGHT)
    rows = [[tuple(values[3 * (y * WIDTH + x):][:3]) for x in range(WIDTH)]
            for y in range(HEIGHT)]
    for y in range(12, 24):
        rows[y] = [(4 * x, 10 * y, 255 - 4 * x) for x in range(WIDTH)]
        rows[y][20:30] = [SPECTRA6.sent[y % 6]] * 10
        rows[y][40:45] = [SPECTRA6.measured[y % 6]] * 5
    for y in range(24, 30):
        rows[y] = [((0, 255, 1), (255, 1, 254), (1, 0, 254))[x // 20 % 3]
                   for x in range(WIDTH)]
    return rows


def row_bytes(row):
    return bytes(sample for rgb in row for sample in rgb)


class PaletteFiles(Case):
    def succeeds(self, *words):
        run = self.run_halftone("convert", *words)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, b"", b""))

    def indexed(self, data, *words, palette="spectra6"):
        out = self.path("out.png")
        self.succeeds(self.path("in", data), out, "--palette", palette, *words)
        return read_indexed(pathlib.Path(out).read_bytes())

    def test_indices_are_those_of_the_second_definition(self):
        rows = sample_rows()
        data = png(WIDTH, [row_bytes(row) for row in rows], 2)
        expected = SPECTRA6.halftone(WIDTH, rows)
        for engine in "auto", "scalar":
            colors, bits, indices = self.indexed(data, "--engine", engine)
            self.assertEqual(colors, SPECTRA6.sent)
            self.assertEqual(bits, 4)
            self.assertEqual(indices, expected)

    def test_tone_compression_is_that_of_the_second_definition(self):
        rows = sample_rows()
        data = png(WIDTH, [row_bytes(row) for row in rows], 2)
        for compression in 0, 60:
            expected = Palette(SPECTRA6.measured, SPECTRA6.sent,
                               compression).halftone(WIDTH, rows)
            name = f"spectra6,tone-compression={compression}"
            self.assertEqual(self.indexed(data, palette=name)[2], expected)

    def test_every_kind_of_png_and_pnm_gives_its_colors(self):
        rows = sample_rows()
        rgb = [row_bytes(row) for row in rows]
        expected = SPECTRA6.halftone(WIDTH, rows)
        deep = [bytes(b for a in row for b in (a, a)) for row in rgb]
        alpha = [bytes(b for p in row for b in (*p, 255)) for row in rows]
        ppm = b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT)
        plain = b"P3\n%d %d\n255\n" % (WIDTH, HEIGHT)
        for kind, data in (
                ("16 bits", png(WIDTH, deep, 2, 16)), ("alpha", png(WIDTH, alpha, 6)),
                ("ppm", ppm + b"".join(rgb)),
                ("deep ppm", ppm.replace(b"255", b"65535") + b"".join(deep)),
                ("plain ppm", plain + b" ".join(b"%d" % a for a in b"".join(rgb)))):
            self.assertEqual(self.indexed(data)[2], expected, kind)

    def test_gray_and_bitmaps_are_colors_too(self):
        gray = noise(WIDTH, HEIGHT, 3)
        triples = [[(a, a, a) for a in gray[y * WIDTH:(y + 1) * WIDTH]]
                   for y in range(HEIGHT)]
        expected = SPECTRA6.halftone(WIDTH, triples)
        lines = [gray[y * WIDTH:(y + 1) * WIDTH] for y in range(HEIGHT)]
        self.assertEqual(self.indexed(png(WIDTH, lines, 0))[2], expected)
        pgm = b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + gray
        self.assertEqual(self.indexed(pgm)[2], expected)
        self.assertEqual(self.indexed(b"P1\n4 1\n0110")[2], [[1, 0, 0, 1]])
        # Half of an ink that covers nothing is paper.
        clear = png(2, [bytes((255, 0, 0, 0, 255, 0, 0, 255))], 6)
        self.assertEqual(self.indexed(clear)[2], [[1, 3]])

    def test_palettes_are_names_files_and_colors(self):
        data = b"P6\n3 1\n255\n" + bytes((0, 0, 0, 255, 255, 255, 255, 0, 0))
        colors = "#0a070e=#000000 #adb2ae=#ffffff #55180e=#ff0000"
        file = self.path("panel.txt", colors.replace(" ", " ; ink\n").encode())
        for palette in "bwr", colors, colors.replace(" ", ","), file:
            sent, bits, rows = self.indexed(data, palette=palette)
            self.assertEqual(sent, [(0, 0, 0), (255, 255, 255), (255, 0, 0)])
            self.assertEqual((bits, rows), (2, [[0, 1, 2]]))
        self.assertEqual(self.indexed(data, palette="bw")[1], 1)

    def test_pictures_are_turned_cropped_and_fitted(self):
        rows = sample_rows()
        data = png(WIDTH, [row_bytes(row) for row in rows], 2)

        def expect(made, *options):
            self.assertEqual(self.indexed(data, *options)[2],
                             SPECTRA6.halftone(len(made[0]), made), options)

        white = (255, 255, 255)
        expect([row[5:56] for row in rows], "--size", f"51x{HEIGHT}px",
               "--scaling", "fill")
        expect([[white] * WIDTH] + rows + [[white] * WIDTH] * 2, "--scaling", "fit",
               "--size", f"{WIDTH}x{HEIGHT + 3}px")
        expect([list(column)[::-1] for column in zip(*rows)], "--rotate", "90")
        expect([row[::-1] for row in rows[::-1]], "--rotate", "180")
        expect(list(map(list, zip(*rows)))[::-1], "--rotate", "270")
        colors, _, made = self.indexed(data, "--size", "20x30px", "--dpi", "127")
        self.assertEqual((len(made), len(made[0])), (30, 20))
        self.assertIn(b"pHYs" + struct.pack(">IIB", 5000, 5000, 1),
                      pathlib.Path(self.path("out.png")).read_bytes())

    def test_jpeg_has_its_colors_and_its_orientation(self):
        self.assertEqual(self.indexed(JPEG, palette="#fe0000,#0000fe")[2],
                         [[0] * 8] * 8 + [[1] * 8] * 8)

    def test_several_files_go_to_a_directory(self):
        data = b"P6\n1 1\n255\n\0\0\0"
        sources = [self.path(f"{name}.ppm", data) for name in "ab"]
        self.succeeds(*sources, "-o", self.path("made") + "/", "--palette", "bw")
        for name in "ab":
            made = pathlib.Path(self.path(f"made/{name}.png")).read_bytes()
            self.assertEqual(read_indexed(made)[2], [[0]])

    def test_unsuitable_options_are_refused(self):
        source = self.path("in.ppm", b"P6\n1 1\n255\n\0\0\0")
        out = self.path("out.png")
        for words, says in (
                (("bw", "--levels", "4"), "--levels cannot be given with --palette"),
                (("bw", "--scaling", "fit"), "--scaling needs a width and a height"),
                (("bw", "--engine", "cuda"), "palettes have no engine 'cuda'"),
                (("nonesuch",), "nonesuch"), (("",), "a palette"),
                (("#000000",), "fewer than 2 colors"),
                (("bw,tone-compression=no",), "not in 0 … 100"),
                (("#000000,red",), "color 2 of the palette is not like")):
            self.fails(source, out, "--palette", *words, status=2, says=says)
        self.fails(source, self.path("out.tif"), "--palette", "bw", status=2,
                   says="--palette writes only PNG")
        self.fails(self.path("in.tif", b"II*\0" + bytes(20)), out, "--palette", "bw",
                   says="is not PNG, JPEG or PNM; --palette reads only these")

    def test_files_that_end_too_early_leave_nothing(self):
        rows = [row_bytes(row) for row in sample_rows()]
        whole = {"in.jpg": JPEG, "in.png": png(WIDTH, rows, 2),
                 "in.ppm": b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + b"".join(rows)}
        for name, data in whole.items():
            for length in (0, 1, 8, 20, 33, 50, len(data) // 2, len(data) - 20):
                out = self.path("never.png")
                self.fails(self.path(name, data[:length]), out, "--palette", "bw")
                self.assertFalse(pathlib.Path(out).exists(), (name, length))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bits of halftone convert are those of the definition, spelled out once more in
plain loops.
"""

import bisect
import math
import struct
import unittest
import zlib

from convert_case import (Case, crisp, halftone, halftone_types, make_tiff,
                          noise, pbm, pgm, tiff_rows, tiff_tags, WHITE)

TYPES = halftone_types()


def bits_of(rows, width, height):
    """PBM bytes as rows of 0 and 1."""
    line = (width + 7) // 8
    return [[rows[y * line + x // 8] >> 7 - x % 8 & 1 for x in range(width)]
            for y in range(height)]


def dot_gain(gain):
    """The curve that takes `gain`, of 1, off before."""
    n = -math.log2(0.5 - gain)

    def gains(v):
        v /= WHITE
        return ((1 - 2 * gain) * (v - 2 * gain * min(v, 1 - v))
                + 2 * gain * v ** n)

    lit = [gains(v) for v in range(WHITE + 1)]

    def curve(v):
        after = bisect.bisect_left(lit, v / WHITE, 1)
        part = (v / WHITE - lit[after - 1]) / (lit[after] - lit[after - 1])
        return int(after - 1 + part + 0.5)

    return curve


class LinesAndBars(Case):
    def dots(self, width, height, pixels, *options):
        out = self.convert("-", "-", *options,
                           input=pgm(width, height, pixels))
        return bits_of(out[-((width + 7) // 8 * height):], width, height)

    def test_lines_of_one_pixel_are_kept_in_any_surroundings(self):
        width, height = 160, 120
        pixels = bytearray()
        for y in range(height):
            for x in range(width):
                if x % 16 == 3 or y % 24 == 5:
                    pixels.append(0)
                elif x % 16 == 4 or x % 24 == 6:
                    pixels.append(255)
                else:  # tints of all kinds, and paper
                    pixels.append((255, 250, 128, 5, 60)[x * 5 // width])
        for kind in TYPES:
            dots = self.dots(width, height, pixels, "--halftone-type", kind,
                             "--text-edges", "crisp", "--dot-gain", "20")
            for y in range(height):
                for x in range(width):
                    light = pixels[y * width + x]
                    if light in (0, 255):
                        self.assertEqual(dots[y][x], light == 0, (kind, x, y))

    def test_bar_codes_keep_every_bar(self):
        # Code 39's widths, of modules of 0.33 mm, at any place between pixels,
        # drawn as a scan or a scaled picture has them: by the part of a pixel
        # that is covered.
        widths = (1, 3, 1, 1, 3, 1, 3, 1, 1, 1, 1, 1, 3, 1, 1, 3, 1, 1, 3, 1)
        shifts = (0, 0.17, 0.5, 0.83)
        for dpi in (203, 300, 600):
            module = 0.33 / 25.4 * dpi
            width = int(8 + sum(widths) * module) + 8
            codes = []
            image = b""  # of codes, one above the other on white paper
            for shift in shifts:
                edges, at = [], 6 + shift
                for modules in widths:
                    edges.append(at)
                    at += modules * module
                edges.append(at)
                codes.append(edges)
                ink = [sum(max(0, min(x + 1, end) - max(x, start))
                           for start, end in zip(edges[::2], edges[1::2]))
                       for x in range(width)]
                row = bytes(int(255 * (1 - part) + 0.5) for part in ink)
                image += b"\xff" * width * 10 + row * 30
            for options in (
                    *(["--halftone-type", kind, "--text-edges", "crisp"]
                      for kind in TYPES),
                    ["--halftone-type", "bi-level"]):
                dots = self.dots(width, 40 * len(shifts), image, *options)
                for i, edges in enumerate(codes):
                    for line in dots[40 * i + 10:40 * i + 40]:
                        self.assert_bars(line, edges, (dpi, shifts[i], options))

    def test_gray_codes_become_solid_as_a_whole_and_tints_beside_them_stay(self):
        # 4006381333931 as EAN-13, of 2.6 pixels a module, on a gray page.
        widths = [int(each) for each in "111" "3211" "1123" "1114" "1411" "3121"
                  "1222" "11111" "1411" "1411" "1411" "3112" "1411" "2221" "111"]
        ink, ground, module, left = 70, 200, 2.6, 60
        edges = [left]
        for modules in widths:
            edges.append(edges[-1] + modules * module)
        width = int(edges[-1]) + left
        bars = list(zip(edges[::2], edges[1::2]))
        covered = [sum(max(0, min(x + 1, end) - max(x, start)) for start, end in bars)
                   for x in range(width)]
        row = bytes(round(ground - part * (ground - ink)) for part in covered)
        page = (bytes([ground]) * width * 60 + row * 80 + bytes([ground]) * width * 60)
        for kind in ("fine", "screen"):
            for edges_of in ("soft", "barcode"):
                options = ["--halftone-type", kind, "--text-edges", edges_of]
                dots = self.dots(width, 200, page, *options)
                for line in dots[60:140]:
                    self.assertEqual(
                        [dot for dot, part in zip(line, covered) if part],
                        [part > 0.5 for part in covered if part], options)
                    self.assertNotIn(1, line[left - 10:left], options)
                self.assertIn(1, sum(dots[:40], []), options)

    def assert_bars(self, line, edges, what):
        """A row's changes are where the edges are, but for half a pixel."""
        changes = [x for x in range(1, len(line)) if line[x] != line[x - 1]]
        edges = edges[:len(edges) // 2 * 2]
        self.assertEqual(len(changes), len(edges), what)
        for change, edge in zip(changes, edges):
            self.assertLessEqual(abs(change - edge), 0.51, what)


class Bits(Case):
    W, H = 83, 41

    def setUp(self):
        super().setUp()
        self.pixels = noise(self.W, self.H)
        self.expected = halftone(self.W, self.H, self.pixels)
        self.source = self.path("in.pgm", pgm(self.W, self.H, self.pixels))

    def test_are_those_of_the_definition_whatever_the_options(self):
        expected = pbm(self.W, self.H, self.expected)
        for options in ([], ["--engine", "scalar"], ["--rows-per-band", "1"],
                        ["--rows-per-band", "7", "--threads", "1"],
                        ["--threads", "5", "--rows-per-band", "64"]):
            self.convert(self.source, self.path("out.pbm"), *options)
            self.assertEqual((self.dir / "out.pbm").read_bytes(), expected,
                             options)

    def test_go_through_standard_input_and_output(self):
        data = (self.dir / "in.pgm").read_bytes()
        expected = pbm(self.W, self.H, self.expected)
        self.assertEqual(self.convert("-", "-", input=data), expected)
        with open(self.source, "rb") as source:
            self.assertEqual(self.convert("-", "-", stdin=source), expected)
        tiff = make_tiff(self.W, self.H, self.pixels)
        self.assertEqual(self.convert("-", "-", input=tiff), expected)
        out = self.convert("-", "-", "--format", "tiff", "--compression",
                           "none", input=tiff)
        self.assertEqual(tiff_rows(out), self.expected)

    def test_are_the_same_in_every_format(self):
        self.convert(self.source, self.path("out.tif"), "--compression",
                     "none")
        data = (self.dir / "out.tif").read_bytes()
        self.assertEqual(tiff_rows(data), self.expected)
        self.assertEqual(tiff_tags(data)[0][262], [0])  # 0 is white
        self.convert(self.source, self.path("out.png"))
        png = (self.dir / "out.png").read_bytes()
        self.assertEqual(png[24:26], b"\1\0")  # 1 bit, gray
        at, idat = 8, b""
        while at < len(png):
            n, kind = struct.unpack_from(">I4s", png, at)
            if kind == b"IDAT":
                idat += png[at + 8:at + 8 + n]
            at += 12 + n
        stride = (self.W + 7) // 8
        lines = zlib.decompress(idat)
        mask = 0xFF00 >> (self.W % 8) & 255
        for y in range(self.H):
            line = lines[y * (stride + 1):(y + 1) * (stride + 1)]
            self.assertEqual(line[0], 0)
            row = bytearray(b ^ 255 for b in line[1:])
            row[-1] &= mask
            self.assertEqual(bytes(row),
                             self.expected[y * stride:(y + 1) * stride])

    def test_are_pbm_or_pgm_in_a_pnm(self):
        self.convert(self.source, self.path("out.PNM"))
        self.assertEqual((self.dir / "out.PNM").read_bytes(),
                         pbm(self.W, self.H, self.expected))
        gray = self.convert(self.source, "-", "--format", "pnm", "--levels",
                            "4")
        self.assertEqual(gray, self.convert(self.source, "-", "--format",
                                            "PGM", "--levels", "4"))

    def test_survive_every_compression(self):
        for compression in ("none", "packbits", "deflate", "lzw", "g4"):
            self.convert(self.source, self.path("out.tif"), "--compression",
                         compression)
            # Read back, a halftone of two levels halftones to itself.
            self.convert(self.path("out.tif"), self.path("back.pbm"))
            self.assertEqual((self.dir / "back.pbm").read_bytes(),
                             pbm(self.W, self.H, self.expected), compression)

    def test_follow_the_tone_options_in_order(self):
        curve = self.path("curve", b"0 0 # black\n64 20\n128 100\n255 255\n")
        self.convert(self.source, self.path("out.pbm"), "--tone-curve", curve)

        def light(v):
            v /= 16
            if v <= 64:
                out = v * 20 / 64
            elif v <= 128:
                out = 20 + (v - 64) * 80 / 64
            else:
                out = 100 + (v - 128) * 155 / 127
            return int(out * 16 + 0.5)

        self.assertEqual((self.dir / "out.pbm").read_bytes(),
                         pbm(self.W, self.H, halftone(self.W, self.H,
                                                      self.pixels, light)))
        self.convert(self.source, self.path("out.pbm"), "--invert")
        self.assertEqual(
            (self.dir / "out.pbm").read_bytes(),
            pbm(self.W, self.H, halftone(self.W, self.H, self.pixels,
                                         lambda v: WHITE - v)))
        self.convert(self.source, self.path("out.pbm"), "--gamma", "2",
                     "--invert")
        self.assertEqual(
            (self.dir / "out.pbm").read_bytes(),
            pbm(self.W, self.H, halftone(
                self.W, self.H, self.pixels,
                lambda v: int(((WHITE - v) / WHITE)**.5 * WHITE + 0.5))))

    def test_follow_tone_settings(self):
        def brighter(v):
            v /= WHITE
            return int((v + 0.3 * v * (1 - v)) * WHITE + 0.5)

        def black_point(v):
            v, black = v / WHITE, 32 / 255
            if v <= black:
                return 0
            t = min((v - black) / (3 * black), 1)
            return int((black * t * (5 - t) if t < 1 else v) * WHITE + 0.5)

        for words, curve in ((["--brightness", "30"], brighter),
                             (["--black-point", "32"], black_point),
                             (["--dot-gain", "20"], dot_gain(0.2))):
            self.convert(self.source, self.path("out.pbm"), *words)
            self.assertEqual((self.dir / "out.pbm").read_bytes(),
                             pbm(self.W, self.H,
                                 halftone(self.W, self.H, self.pixels, curve)),
                             words)

    def test_give_every_type_its_share_of_the_dot_gain(self):
        def bits(kind, *options):
            return self.convert(self.source, "-", "--halftone-type", kind,
                                *options)

        curve = self.path("curve", b"0 0\n128 200\n255 255\n")
        gain = ("--dot-gain", "30")
        measured = ("--tone-curve", curve)
        for options in (gain, measured):
            self.assertEqual(bits("bi-level", *options), bits("bi-level"))
        for kind in ("fine", "floyd-steinberg", "clustered"):
            for options in (gain, measured):
                self.assertNotEqual(bits(kind, *options), bits(kind))
        # A third of nine dots, as a curve.
        of_ten = dot_gain(0.1)
        third = self.path("third", "".join(
            f"{v / 16} {of_ten(v) / 16}\n"
            for v in range(WHITE + 1)).encode())
        nine = ("--cluster-size", "9")
        self.assertEqual(bits("clustered", *nine, *gain),
                         bits("clustered", *nine, "--tone-curve", third))

    def test_have_crisp_edges_if_requested(self):
        pixels = bytes(0 if a < 90 else 255 if a > 160 else a
                       for a in self.pixels)
        source = self.path("edges.pgm", pgm(self.W, self.H, pixels))
        snapped = crisp(self.W, self.H, pixels)
        self.assertNotEqual(snapped, pixels)
        for rows in ("1", "2", "7", "0"):
            out = self.convert(source, "-", "--halftone-type",
                               "floyd-steinberg", "--text-edges", "crisp",
                               "--rows-per-band", rows)
            self.assertEqual(out, pbm(self.W, self.H,
                                      halftone(self.W, self.H, snapped,
                                               pure=True)))
        out = self.convert(source, "-", "--halftone-type", "floyd-steinberg")
        self.assertEqual(out, pbm(self.W, self.H,
                                  halftone(self.W, self.H, pixels)))

    def test_are_of_the_type_that_is_named(self):
        seen = set()
        for kind in TYPES:
            out = self.convert(self.source, "-", "--halftone-type", kind)
            self.assertEqual(out, self.convert(
                self.source, "-", "--halftone-type", kind, "--engine",
                "scalar", "--rows-per-band", "5"))
            seen.add(out)
        self.assertEqual(len(seen), len(TYPES))
        self.assertEqual(
            self.convert(self.source, "-", "--halftone-type", "auto"),
            self.convert(self.source, "-", "--halftone-type", "fine"))
        threshold = pgm(self.W, self.H, bytes(255 * (a > 127)
                                              for a in self.pixels))
        out = self.convert(self.source, "-", "--halftone-type", "bi-level")
        self.assertEqual(out, self.convert("-", "-", input=threshold))
        self.assertNotEqual(
            self.convert(self.source, "-", "--halftone-type", "clustered",
                         "--cluster-size", "8"),
            self.convert(self.source, "-", "--halftone-type", "clustered"))

    def test_of_more_levels_are_gray(self):
        for kind in ("floyd-steinberg", "fine"):
            for levels, top in (("4", 3), ("8", 15), ("16", 15)):
                self.check_levels(kind, levels, top)

    def check_levels(self, kind, levels, top):
        options = ("--halftone-type", kind, "--levels", levels)
        out = self.convert(self.source, "-", *options)
        header = b"P5\n%d %d\n%d\n" % (self.W, self.H, top)
        self.assertTrue(out.startswith(header))
        self.assertLessEqual(len(set(out[len(header):])), int(levels))
        self.assertEqual(out, self.convert(self.source, "-", *options,
                                           "--engine", "scalar"))
        self.convert(self.source, self.path("out.tif"), *options)
        again = self.convert(self.path("out.tif"), "-", *options)
        if levels != "8":  # whose levels 4-bit samples can only approach
            self.assertEqual(again, out)

    def test_of_more_levels_are_fine_by_default(self):
        default = self.run_halftone("convert", self.source, "-", "--levels", "4")
        self.assertEqual(default.stdout, self.convert(
            self.source, "-", "--levels", "4", "--halftone-type", "fine"))


if __name__ == "__main__":
    unittest.main()

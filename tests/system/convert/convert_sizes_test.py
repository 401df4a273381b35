# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert to the size and resolution of a device: --dpi, --size, --rotate,
and the formats that such devices take.
"""

import base64
import os
import pathlib
import resource
import struct
import subprocess
import unittest

from convert_case import (Case, HALFTONE, halftone, make_tiff, noise, pbm, pgm,
                          tiff_rows, tiff_tags)

# Gray, 24 x 16, the upper left third black.
JPEG = base64.b64decode("""
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsN
DhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAAQABgBAREA/8QAFgABAQEAAAAAAAAAAAAA
AAAAAAkK/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwCVTVQAP//Z""")


def bits_of(rows, width, height):
    line = (width + 7) // 8
    return [[rows[y * line + x // 8] >> 7 - x % 8 & 1 for x in range(width)]
            for y in range(height)]


def bmp(data):
    """Width, height, dots a meter, and rows as those of PBM."""
    (kind, size, zero, start, info, width, height, planes, depth, packing,
     length, across, down, colors, used) = struct.unpack_from(
         "<2sIIIIiiHHIIiiII", data)
    assert (kind, zero, info, planes, depth, packing) == (b"BM", 0, 40, 1, 1, 0)
    assert (size, start, length) == (len(data), 62, len(data) - 62)
    assert data[54:62] == bytes((0, 0, 0, 0, 255, 255, 255, 0))
    line, stride = (width + 7) // 8, (width + 31) // 32 * 4
    rows = b""
    for y in reversed(range(height)):
        row = data[start + y * stride:start + (y + 1) * stride]
        assert not any(row[line:])
        bits = bytearray(b ^ 255 for b in row[:line])
        bits[-1] &= 0xFF00 >> ((width - 1) % 8 + 1) & 255
        rows += bytes(bits)
    return width, height, across, down, rows


class Sizes(Case):
    def setUp(self):
        super().setUp()
        self.source = self.path("in.pgm", pgm(60, 40, noise(60, 40)))

    def size_of(self, *options):
        out = self.convert(self.source, "-", *options)
        return tuple(map(int, out.split(b"\n")[1].split()))

    def test_follow_from_lengths_and_resolutions(self):
        self.assertEqual(self.size_of("--size", "50mm", "--dpi", "254"),
                         (500, 333))
        self.assertEqual(self.size_of("--size", "x5cm", "--dpi", "254"),
                         (750, 500))
        self.assertEqual(self.size_of("--size", "1x1in", "--dpi", "200x100"),
                         (200, 100))
        self.assertEqual(self.size_of("--size", "30px"), (30, 20))
        self.assertEqual(self.size_of("--size", "30px", "--rotate", "90"),
                         (30, 45))
        known = make_tiff(60, 40, noise(60, 40),
                          [(282, 5, (100, 1)), (283, 5, (200, 1)),
                           (296, 3, 2)])
        self.source = self.path("known.tif", known)
        self.assertEqual(self.size_of("--dpi", "300"), (180, 60))
        self.assertEqual(self.size_of("--dpi", "300", "--rotate", "270"),
                         (60, 180))

    def test_are_written_into_the_tags(self):
        size = ("--size", "1in", "--dpi", "300x600")
        self.convert(self.source, self.path("o.tif"), *size)
        tags = tiff_tags((self.dir / "o.tif").read_bytes())[0]
        self.assertEqual((tags[282], tags[283], tags[296]),
                         ([300], [600], [2]))
        self.convert(self.source, self.path("o.png"), *size)
        self.assertIn(b"pHYs" + struct.pack(">IIB", 11811, 23622, 1),
                      (self.dir / "o.png").read_bytes())
        self.convert(self.source, self.path("o.bmp"), *size)
        self.assertEqual(bmp((self.dir / "o.bmp").read_bytes())[:4],
                         (300, 400, 11811, 23622))

    def test_that_are_the_picture_s_own_change_no_bit(self):
        self.assertEqual(
            self.convert(self.source, "-", "--size", "60x40px"),
            pbm(60, 40, halftone(60, 40, noise(60, 40))))

    def test_of_another_shape_are_filled_or_fitted(self):
        pixels = noise(60, 40)
        rows = [pixels[at:at + 60] for at in range(0, 2400, 60)]
        white = b"\xff"

        def expect(width, made, *options):
            out = self.convert(self.source, "-", *options)
            height = len(made)
            self.assertEqual(out, pbm(width, height, halftone(
                width, height, b"".join(made))), options)

        # As large as the picture across or down, so that nothing is scaled.
        fill, fit = ("--scaling", "fill", "--size"), ("--scaling", "fit", "--size")
        expect(60, rows[10:30], *fill, "60x20px")
        expect(60, rows[9:30], *fill, "60x21px")
        expect(13, [row[23:36] for row in rows], *fill, "13x40px")
        expect(60, [white * 60] * 3 + rows + [white * 60] * 4, *fit, "60x47px")
        expect(75, [white * 7 + row + white * 8 for row in rows], *fit, "75x40px",
               "--rows-per-band", "3")
        expect(60, rows, *fit, "60x40px")
        turned = [bytes(column)[::-1] for column in zip(*rows)]
        expect(40, turned[10:50], *fill, "40x40px", "--rotate", "90")

    def test_of_deep_pictures_are_filled_and_fitted_too(self):
        pixels = noise(60, 40)
        deep = self.path("deep.pgm", b"P5\n60 40\n65535\n" +
                         bytes(byte for value in pixels for byte in (value, value)))
        for options in (("--scaling", "fill", "--size", "50x20px"),
                        ("--scaling", "fit", "--size", "64x50px")):
            options += ("--halftone-type", "bi-level")
            self.assertEqual(self.convert(deep, "-", *options),
                             self.convert(self.source, "-", *options))

    def test_hide_no_damage_in_rows_that_are_cropped(self):
        cut = self.path("cut.pgm", pgm(60, 40, noise(60, 40))[:-1])
        self.fails(cut, self.path("o.png"), "--scaling", "fill", "--size", "60x20px",
                   says="cut.pgm: ")

    def test_give_the_same_bits_whatever_the_threads_and_bands(self):
        source = self.path("wide.pgm", pgm(3000, 90, noise(3000, 90)))
        expected = None
        for threads in ("1", "2", "7"):
            for rows in ("1", "50", "0"):
                out = self.convert(source, "-", "--size", "4100x130px",
                                   "--rotate", "180", "--threads", threads,
                                   "--rows-per-band", rows)
                self.assertEqual(out, expected or out)
                expected = out

    def test_that_make_no_sense_are_refused_with_what_to_do(self):
        out = self.path("o.png")
        self.fails(self.source, out, "--dpi", "600",
                   says="in.pgm: does not specify its size; add --size, such as --size "
                        "100mm")
        for size in ([], ["--size", "80px"]):
            self.fails(self.source, out, "--scaling", "fill", *size, status=2,
                       says="--scaling needs a width and a height; add --size, such as "
                            "--size 800x480px")
        self.fails(self.source, out, "--size", "8x8px", "--scaling", "crop", status=2,
                   says="--scaling: 'crop' is not stretch, fill or fit")
        self.fails(self.source, out, "--size", "100mm", status=2,
                   says="add --dpi, such as --dpi 600")
        self.fails(self.source, out, "--size", "100", status=2,
                   says="--size: '100' is not a size, such as 100x80mm")
        self.fails(self.source, out, "--dpi", "600dpi", status=2,
                   says="--dpi: '600dpi' is not a resolution from 10 to 10000")
        self.fails(self.source, out, "--rotate", "45", status=2,
                   says="--rotate: '45' is not 90, 180 or 270")
        self.fails(self.source, out, "--size", "30000mm", "--dpi", "600",
                   says="more than 262144 pixels wide; check --size and --dpi")
        high = self.path("high.pgm", pgm(1, 3000, bytes(3000)))
        self.fails(high, out, "--size", "1x2px",
                   says="more than 1024 times smaller; check --size and --dpi")


class Turns(Case):
    def test_are_clockwise(self):
        width, height = 70, 45
        pixels = bytes(255 * (v > 127) for v in noise(width, height))
        source = self.path("in.pgm", pgm(width, height, pixels))
        rows = bits_of(halftone(width, height, pixels), width, height)
        turned = rows
        for quarter in ("90", "180", "270"):
            turned = [list(row) for row in zip(*turned[::-1])]
            out = self.convert(source, "-", "--rotate", quarter)
            wide, high = map(int, out.split(b"\n")[1].split())
            self.assertEqual(
                bits_of(out[-((wide + 7) // 8 * high):], wide, high), turned)


class Formats(Case):
    def test_of_engravers_have_the_bits_of_others(self):
        for width, height in ((83, 41), (64, 7), (1, 1)):
            pixels = noise(width, height)
            source = self.path("in.pgm", pgm(width, height, pixels))
            expected = halftone(width, height, pixels)
            for options in ([], ["--rows-per-band", "3"]):
                self.convert(source, self.path("o.bmp"), *options)
                self.assertEqual(
                    bmp((self.dir / "o.bmp").read_bytes()),
                    (width, height, 0, 0, expected))
            piped = self.convert(source, "-", "--format", "bmp")
            self.assertEqual(piped, (self.dir / "o.bmp").read_bytes())

    def test_of_engravers_have_two_levels(self):
        source = self.path("in.pgm", pgm(3, 3, noise(3, 3)))
        self.fails(source, self.path("o.bmp"), "--levels", "4", status=2,
                   says="o.bmp: bmp does not support 4 levels; use .tif, .png")

    def test_are_compressed_as_they_can_be(self):
        source = self.path("in.pgm", pgm(800, 500, noise(800, 500)))
        sizes = []
        for options in ([], ["--compression", "deflate"],
                        ["--compression", "none"]):
            self.convert(source, self.path("o.png"), *options)
            self.convert(self.path("o.png"), self.path("o.pbm"))
            self.assertEqual((self.dir / "o.pbm").read_bytes(),
                             pbm(800, 500, halftone(800, 500, noise(800, 500))))
            sizes.append(os.path.getsize(self.path("o.png")))
        self.assertEqual(sizes[0], sizes[1])
        self.assertGreater(sizes[2], 50000)
        for name, says in (("o.png", "png takes --compression none or deflate"),
                           ("o.bmp", "bmp takes no --compression"),
                           ("o.pbm", "pbm takes no --compression")):
            self.fails(source, self.path(name), "--compression", "lzw",
                       status=2, says=says)

    def test_of_full_disks_leave_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

        source = self.path("in.pgm", pgm(300, 200, noise(300, 200)))
        self.fails(source, self.path("o.bmp"), preexec_fn=limit,
                   says="o.bmp: cannot write: File too large")
        self.fails(source, self.path("o.png"), "--rotate", "90",
                   preexec_fn=limit, says="in.pgm: cannot make a temporary "
                   "copy of the page")


class Jpeg(Case):
    def test_is_read_like_any_image(self):
        source = self.path("in.jpg", JPEG)
        out = self.convert(source, "-", "--halftone-type", "bi-level")
        self.assertEqual(out[:9], b"P4\n24 16\n")
        self.assertEqual(out[9:], b"\xff\0\0" * 8 + bytes(24))
        self.assertEqual(out, self.convert("-", "-", "--halftone-type",
                                           "bi-level", input=JPEG))

    def test_that_is_cut_or_broken_is_an_error(self):
        for size in range(2, len(JPEG) - 4, 7):
            self.fails(self.path("cut.jpg", JPEG[:size]), self.path("o.png"),
                       says="cut.jpg: ")


@unittest.skipIf(b"__asan_init" in pathlib.Path(HALFTONE).read_bytes(),
                 "a sanitizer keeps what is freed")
class Memory(Case):
    def peak(self, *args):
        """Kilobytes that the conversion took at most."""
        process = subprocess.Popen([HALFTONE, "convert", *args,
                                    "--threads", "2"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss

    def blank(self, width, height):
        path = self.path("blank.pgm", b"P5\n%d %d\n255\n" % (width, height))
        os.truncate(path, os.path.getsize(path) + width * height)
        return path

    def test_does_not_grow_with_the_height(self):
        out = self.path("o.pbm")
        low = self.peak(self.blank(6000, 3000), out, "--size", "3000x1500px")
        high = self.peak(self.blank(6000, 40000), out, "--size",
                         "3000x20000px")
        self.assertLess(high, low + 8192)
        self.assertLess(high * 1024, 6000 * 40000 / 2)

    def test_is_bounded_for_wide_pages_that_are_turned(self):
        out = self.path("o.pbm")
        peak = self.peak(self.blank(200000, 1500), out, "--rotate", "90",
                         "--size", "750px")
        self.assertLess(peak * 1024, 200000 * 1500 / 2)


if __name__ == "__main__":
    unittest.main()

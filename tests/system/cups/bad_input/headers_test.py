#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Headers whose fields are wrong, odd or random.

Usage: headers_test.py FILTER [--long] [unittest arguments]
"""

import random
import tempfile
import unittest

from filter_case import (HEIGHT, LONG, WIDTH, FilterCase, every_count, raster, run,
                         with_fields, with_one_page)
import cups_raster
from cups_raster import V2_BYTES, pack_header, page_header


def run_pwg(data):
    with tempfile.NamedTemporaryFile("w", suffix=".ppd") as ppd:
        ppd.write(PWG_PPD)
        ppd.flush()
        return run(data, environment={"PPD": ppd.name})


PWG_PPD = """*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "1"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "T.PPD"
*Product: "(t)"
*PSVersion: "(3010.000) 0"
*Manufacturer: "t"
*ModelName: "t"
*ShortNickName: "t"
*NickName: "t"
*halftonedOutput: "pwg-raster last"
"""


class BadHeaders(FilterCase):
    def assert_field_refused(self, says="page 1: ", **fields):
        with self.subTest(**fields):
            ended = run(with_fields(**fields))
            self.assert_refused(ended, says)
            self.assertEqual(ended.out, b"")

    def test_bytes_per_line(self):
        for size in (0, 1, WIDTH - 1, WIDTH + 1, 2 * WIDTH, 1 << 16,
                     2**31 - 1, 2**31, 2**32 - 1):
            self.assert_field_refused(cupsBytesPerLine=size)
            # libcups allocates a line of version 2, and sanitizers mark all of it.
            for version in (1, 2) if LONG or size < 2**31 else (1,):
                header = pack_header(
                    page_header(WIDTH, HEIGHT, cupsBytesPerLine=size), version)
                self.assert_refused(run(raster(header, version=version)))

    def test_width_and_height(self):
        for size in (0, 2**18 + 1, 2**24, 2**31, 2**32 - 1):
            self.assert_field_refused(cupsWidth=size)
            self.assert_field_refused(cupsWidth=size, cupsBytesPerLine=size)
            if size != 2**18 + 1:
                self.assert_field_refused(cupsHeight=size)

    def test_products_that_wrap_in_32_bits(self):
        # 2²⁹ · 8 bits, 2²⁸ · 16 bits and 2²⁸ · 4 colors · 8 bits are 2³².
        for width, bits, space, colors in ((2**29, 8, "SW", 1),
                                            (2**28, 16, "SW", 1),
                                            (2**27, 8, "CMYK", 4)):
            for extra in (0, WIDTH):
                self.assert_field_refused(
                    cupsWidth=width + extra, cupsBitsPerColor=bits,
                    cupsBitsPerPixel=bits * colors,
                    cupsNumColors=colors,
                    cupsColorSpace=cups_raster.SPACES[space],
                    cupsBytesPerLine=extra * bits * colors // 8)

    def test_height_times_width_is_not_trusted(self):
        # 2¹⁸ columns of 2²² rows, and then nothing.
        ended = run(raster(pack_header(
            page_header(2**18, 2**22, dpi=(600, 19200)))))
        self.assert_refused(ended, "page 1: the raster is truncated")

    def test_bits(self):
        for bits in (0, 1, 2, 3, 4, 7, 9, 12, 15, 17, 32, 241, 2**32 - 8):
            self.assert_field_refused(cupsBitsPerColor=bits)
            self.assert_field_refused(
                cupsBitsPerColor=bits, cupsBitsPerPixel=bits & 0xff,
                cupsBytesPerLine=(WIDTH * bits // 8) & 0xffff)
        for bits in (0, 1, 7, 9, 16, 24, 240, 241, 2**32 - 8):
            self.assert_field_refused(cupsBitsPerPixel=bits)

    def test_orders_and_spaces(self):
        for order in (3, 4, 2**31, 2**32 - 1):
            self.assert_field_refused(cupsColorOrder=order)
        served = set(cups_raster.SPACES.values())
        for space in [*range(64), 2**31, 2**32 - 1]:
            if space not in served:
                self.assert_field_refused(cupsColorSpace=space)

    def test_color_counts(self):
        for colors in (2, 3, 15, 2**16, 2**31, 2**32 - 1):
            for order in (0, 1, 2):
                self.assert_field_refused(cupsNumColors=colors,
                                          cupsColorOrder=order)
        # Bits per pixel are those of a color, or libcups 2.4.17 refuses the header itself.
        for order in (1, 2):
            for space, colors in (("RGB", 3), ("CMYK", 4)):
                self.assert_field_refused(
                    "page 1: colors in bands or planes are not supported",
                    cupsColorSpace=cups_raster.SPACES[space],
                    cupsNumColors=colors, cupsColorOrder=order, cupsBitsPerPixel=8,
                    cupsBytesPerLine=WIDTH * (colors if order == 1 else 1))

    def test_resolutions(self):
        for dpi in (0, 19201, 2**31, 2**32 - 1):
            self.assert_field_refused("resolution", HWResolution0=dpi)
            self.assert_field_refused("resolution", HWResolution1=dpi)

    def test_texts_that_do_not_end(self):
        for name in ("MediaClass", "MediaType", "OutputType", "cupsString0",
                     "cupsString15", "cupsPageSizeName"):
            self.assert_field_refused("a text field is not terminated",
                                      **{name: b"%n" * 32})

    def test_sizes_that_are_no_numbers(self):
        for number in (float("nan"), float("inf"), -float("inf")):
            for name, what in (("cupsPageSize0", "page size"),
                               ("cupsPageSize1", "page size"),
                               ("cupsImagingBBox2", "imaging box"),
                               ("cupsBorderlessScalingFactor",
                                "scaling factor")):
                self.assert_field_refused(
                    f"page 1: the {what} is not finite", **{name: number})

    def test_copies(self):
        for copies in (10000, 2**31, 2**32 - 1):
            self.assert_field_refused(
                f"page 1: the number of copies, {copies}, is not in 0 … 9999",
                NumCopies=copies)

    # Odd but harmless values pass: the driver decides.

    def test_fields_that_are_not_ours_pass_untouched(self):
        for fields in ({"NumCopies": 9999}, {"NumCopies": 0},
                       {"cupsRowStep": 0, "cupsRowCount": 0},
                       {"cupsRowStep": 2**32 - 1, "cupsRowCount": 2**32 - 1},
                       {"MediaType": b"\x1b[31m\x07%n%s\n"},
                       {"cupsString3": b"\xff\xfe\n\nERROR: no"},
                       {"Duplex": 77, "Tumble": 2**31},
                       {"Orientation": 2**32 - 1},
                       {"cupsReal0": float("inf")}):
            with self.subTest(**fields):
                ended = run(with_one_page(**fields))
                self.assert_accepted(ended)
                packed = ended.out[4:4 + V2_BYTES]
                expected = pack_header(page_header(
                    WIDTH, HEIGHT, **fields, cupsBitsPerColor=1,
                    cupsBitsPerPixel=1, cupsBytesPerLine=WIDTH // 8,
                    cupsColorSpace=3))
                self.assertEqual(packed, expected)
                self.assertNotIn(b"\x1b", ended.err)
                self.assertNotIn(b"%n", ended.err)

    def test_pwg_output_of_impossible_paper(self):
        for fields in ({"cupsPageSize0": float("inf"),
                        "cupsPageSize1": 1.0},
                       {"cupsPageSize0": 1e30, "cupsPageSize1": 1e30},
                       {"cupsPageSize0": 0.001, "cupsPageSize1": 0.001},
                       {"PageSize0": 2**32 - 1, "PageSize1": 2**32 - 1},
                       {"cupsImagingBBox0": -1e30, "cupsImagingBBox2": -1.0,
                        "cupsImagingBBox3": 1.0},
                       {"cupsImagingBBox2": float("inf"),
                        "cupsImagingBBox3": 1.0}):
            with self.subTest(**fields):
                ended = run_pwg(with_one_page(**fields))
                self.assert_refused(ended, "page 1: ")
                self.assertEqual(ended.out, b"")

    def test_pwg_output_is_not_longer_than_a_page_may_be(self):
        ended = run_pwg(with_one_page(cupsPageSize0=200.0, cupsPageSize1=3e4))
        self.assert_refused(ended, "page 1: it is 10.58")
        self.assertEqual(ended.out, b"")

    def test_pwg_output_of_odd_texts_and_copies(self):
        ended = run_pwg(with_one_page(NumCopies=9999,
                                      MediaType=b"%n\x07\xff"))
        self.assert_accepted(ended)
        self.assertIn(b"PAGE: 1 9999\n", ended.err)

    def test_random_headers(self):
        chance = random.Random(8)
        sound = bytearray(pack_header(page_header(WIDTH, HEIGHT)))
        for _ in range(every_count(300)):
            header = bytearray(sound)
            for _ in range(chance.randrange(1, 4)):
                at = 4 * chance.randrange(64, 110)
                header[at:at + 4] = chance.choice(
                    (bytes(4), b"\1\0\0\0", b"\xff" * 4, b"\0\0\0\x80",
                     chance.randbytes(4)))
            ended = run(raster(bytes(header), bytes(WIDTH * HEIGHT)))
            if ended.code == 0:
                self.assert_accepted(ended)
            else:
                self.assert_refused(ended)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Truncated raster, garbage, wrong runs and pages that are too large.

Usage: raster_test.py FILTER [--long] [unittest arguments]
"""

import pathlib
import random
import tempfile
import unittest

from filter_case import (HEIGHT, IS_SANITIZED, PLAIN, SOUND_OUT, WIDTH,
                         FilterCase, every, every_count, raster, run, sound_page)
from cups_raster import (V1_BYTES, V2_BYTES, pack_bits, pack_header, pack_page,
                         page_header, read_pages, sync_word)

# Under a sanitizer, where a program is slow to start, not every byte, but every
# place in a row.
CUT_STEP = 1 if not IS_SANITIZED else 5


class BadRaster(FilterCase):
    def test_nothing(self):
        self.assert_refused(run(b""), "nothing to print")

    def test_no_raster(self):
        for data in (b"R", b"RaS", b"%PDF-1.7\n" + bytes(99), b"\0" * 4096,
                     b"\xff" * 4096, b"UNIRAST\0" + bytes(99),
                     b"RaS4" + bytes(4096), b"%n%n%n%s\x1b[2J" * 99):
            with self.subTest(data=data[:8]):
                self.assert_refused(run(data), "neither CUPS nor PWG raster")

    def test_first_word_only(self):
        for version in (1, 2, 3):
            for order in "<>":
                self.assert_refused(run(sync_word(version, order)),
                                    "nothing to print")

    def test_header_cut_at_every_byte(self):
        for version, size in ((1, V1_BYTES), (2, V2_BYTES), (3, V2_BYTES)):
            page = sound_page(version)
            for at in every(1, size):
                ended = run(raster(page[:at], version=version))
                self.assert_refused(ended, "is truncated in its header")
                self.assertEqual(ended.out, b"")

    def test_second_header_cut_at_every_byte(self):
        for version, size in ((1, V1_BYTES), (2, V2_BYTES), (3, V2_BYTES)):
            page = sound_page(version)
            for at in every(1, size):
                ended = run(raster(page, page[:at], version=version))
                self.assert_refused(ended,
                                    "page 2: the raster is truncated in its")
                self.assertEqual(ended.out, SOUND_OUT)

    def test_rows_cut_at_every_byte(self):
        for version, size in ((1, V1_BYTES), (2, V2_BYTES), (3, V2_BYTES)):
            page = sound_page(version)
            for at in sorted({*range(size, len(page), CUT_STEP),
                              len(page) - 1}):
                ended = run(raster(page[:at], version=version))
                self.assert_refused(ended, "page 1: the raster is truncated")
                # The header, and no row that was not read.
                self.assertEqual(ended.out, SOUND_OUT[:4 + V2_BYTES])

    def test_garbage_after_the_last_page(self):
        for version in (1, 2, 3):
            page = sound_page(version)
            for garbage in (b"x", b"\0" * 99, b"%n" * 50):
                ended = run(raster(page, garbage, version=version))
                self.assert_refused(ended, "page 2: the raster is truncated")
                self.assertEqual(ended.out, SOUND_OUT)
            ended = run(raster(page, b"\xa5" * 9999, version=version))
            self.assert_refused(ended, "page 2: ")
            self.assertEqual(ended.out, SOUND_OUT)

    def test_pages_of_other_geometry(self):
        data = raster(sound_page(), pack_page(page_header(1, 1), b"\x80"),
                      pack_page(page_header(300, 2, "K", 16), bytes(1200)),
                      sound_page())
        ended = run(data)
        self.assert_accepted(ended, 4)
        pages = read_pages(ended.out)
        self.assertEqual(pages[0], pages[3])

    # Runs of version 2 and PWG raster.

    def compressed(self, *lines):
        return raster(pack_header(page_header(WIDTH, HEIGHT), 2), *lines,
                      version=2)

    def test_runs_past_the_row(self):
        # libcups would cut them, and take what follows for the next run.
        for line in (b"\0\x7f\x80", b"\0" + bytes([WIDTH]) + b"\x80",
                     b"\0\x81" + bytes(128), b"\0\x16\x80\x01\x80"):
            with self.subTest(line=line):
                sound = pack_bits(bytes(range(WIDTH)), 1)
                ended = run(self.compressed(sound, *[line] * (HEIGHT - 1)))
                self.assert_refused(
                    ended, "page 1: row 2 has more pixels than its page is")
                self.assertEqual(ended.out, SOUND_OUT[:4 + V2_BYTES])

    def test_a_line_repeated_past_the_page(self):
        line = pack_bits(bytes(range(WIDTH)), 1)[1:]
        ended = run(self.compressed(bytes([HEIGHT - 1]) + line))
        self.assert_accepted(ended)
        self.assertEqual(ended.out, SOUND_OUT)
        for count in (HEIGHT, 255):
            ended = run(self.compressed(bytes([count]) + line))
            self.assert_refused(
                ended, "page 1: row 1 is repeated beyond the end of the page")
            self.assertEqual(ended.out, SOUND_OUT[:4 + V2_BYTES])

    def test_cut_runs(self):
        whole = pack_bits(bytes(range(WIDTH)), 1)
        for line in (b"\0", b"\0\x05", b"\0\xe9", b"\0\xe9" + bytes(5),
                     b"\5" + whole[1:-1]):
            with self.subTest(line=line):
                ended = run(self.compressed(line))
                self.assert_refused(ended, "page 1: the raster is truncated")
                self.assertEqual(ended.out, SOUND_OUT[:4 + V2_BYTES])

    def test_random_runs(self):
        chance = random.Random(7)
        for _ in range(every_count(300)):
            data = self.compressed(chance.randbytes(chance.randrange(200)))
            ended = run(data)
            if ended.code == 0:
                self.assert_accepted(ended)
            else:
                self.assert_refused(ended)

    def test_a_page_is_not_longer_than_it_may_be(self):
        # 710 m of white, in 200 KB.
        height = 2**24 - 1
        line = b"\xff\x80"
        header = pack_header(page_header(2**14, height), 2)
        ended = run(raster(header, line * (height // 256), b"\xfe\x80",
                           version=2))
        self.assert_refused(
            ended, "page 1: it is 710.235 m long, and max-page-length of "
            "halftoned.conf is 10 m")
        self.assertEqual(ended.out, b"")
        # At 100 dpi 119 rows are a little more than 3 cm.
        page = pack_page(page_header(1, 119, dpi=(600, 100)), b"\x80" * 119)
        for limit, is_taken in (("0.03", False), ("0.031", True),
                                ("1000", True)):
            with tempfile.NamedTemporaryFile("w") as conf:
                conf.write(pathlib.Path(PLAIN).read_text().replace(
                    "[filter]", f"[filter]\nmax-page-length = {limit}"))
                conf.flush()
                ended = run(raster(page),
                            environment={"HALFTONED_CONF": conf.name})
            if is_taken:
                self.assert_accepted(ended)
            else:
                self.assert_refused(ended, "page 1: it is 0.030226 m long")
        for wrong in ("0", "1001", "nan", '"10"'):
            with tempfile.NamedTemporaryFile("w") as conf:
                conf.write(f"[filter]\nmax-page-length = {wrong}\n")
                conf.flush()
                ended = run(raster(page),
                            environment={"HALFTONED_CONF": conf.name})
            self.assert_printed_without(
                ended, "line 2: 'max-page-length' must be a number from "
                "0.01 to 1000")

    def test_a_hundred_thousand_tiny_pages(self):
        count = 100_000 if not IS_SANITIZED else 5_000
        page = pack_page(page_header(1, 1), b"\x80")
        ended = run([raster(), *[page] * count], cpu_seconds=60)
        self.assertEqual(ended.code, 0, ended.err[-500:])
        out_page = V2_BYTES + 1
        self.assertEqual(ended.out_bytes, 4 + count * out_page)
        self.assertEqual(ended.out[4:4 + out_page],
                         ended.out[4 + out_page:4 + 2 * out_page])
        if not IS_SANITIZED:
            self.assertLessEqual(ended.kibibytes, 64 * 1024)


if __name__ == "__main__":
    unittest.main()

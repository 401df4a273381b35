#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rastertohalftone does with input that no renderer sends.

Every case runs the program. A case that must fail ends, after at most a second of
work, with exit code 1 and one ERROR line that names the problem and contains no
byte of the input; its output is, bit for bit, the start of the expected output.
Memory stays within 64 MiB, unless a sanitizer needs more.

Usage: bad_input_test.py FILTER [--long] [unittest arguments]
"""

import fcntl
import os
import pathlib
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import cups_raster
import expected
from cups_raster import (V1_BYTES, V2_BYTES, pack_bits, pack_header,
                         pack_page, page_header, read_pages, sync_word)

MEBIBYTE = 1 << 20
PLAIN = str(pathlib.Path(__file__).parent / "plain.conf")
WIDTH, HEIGHT = 24, 6
# Under a sanitizer, where a program is slow to start, not every byte, but every
# place in a row.
CUT_STEP = 1 if "asan" not in sys.argv[1] else 5
# Processor time, which a busy machine does not stretch; sanitizers do. Waiting
# is bounded too, so that a test that hangs ends.
CPU_SECONDS = 1 if "asan" not in sys.argv[1] else 20
WAIT_SECONDS = 60
# From SIGTERM to the end: half a second of it is ours, the rest is left to a
# busy machine.
STOP_SECONDS = 5


class Ended:
    def __init__(self, data, code, out, out_bytes, err, kibibytes):
        self.data, self.code, self.err = data, code, err
        self.out, self.out_bytes = out, out_bytes
        self.kibibytes = kibibytes
        self.errors = [line for line in err.splitlines()
                       if line.startswith(b"ERROR:")]


def run(data, options="", arguments=None, environment=None,
        cpu_seconds=CPU_SECONDS):
    """Runs the filter on `data`, bytes or pieces of them, and measures it.
    Keeps the first MiB of what it writes: the memory of a process begins with
    that of the one it was forked from, so this one must stay small."""
    with tempfile.TemporaryFile() as source, \
            tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        for piece in [data] if isinstance(data, bytes) else data:
            source.write(piece)
        source.seek(0)
        words = arguments or ["1", "user", "title", "1", options]
        child = subprocess.Popen(
            [FILTER, *words], stdin=source, stdout=out, stderr=err,
            env={**os.environ, "HALFTONED_CONF": PLAIN,
                 **(environment or {})})
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                child.kill()
                os.wait4(child.pid, 0)
                raise TimeoutError(f"longer than {WAIT_SECONDS} s")
            time.sleep(0.001)
        child.returncode = os.waitstatus_to_exitcode(status)
        used = usage.ru_utime + usage.ru_stime
        if used > cpu_seconds:
            raise TimeoutError(f"{used} s of work")
        out_bytes = out.seek(0, os.SEEK_END)
        out.seek(0)
        err.seek(0)
        return Ended(data, child.returncode, out.read(MEBIBYTE), out_bytes,
                     err.read(MEBIBYTE), usage.ru_maxrss)


def raster(*pages, version=3, order="<"):
    return sync_word(version, order) + b"".join(pages)


def sound_page(version=3, **fields):
    header = page_header(WIDTH, HEIGHT, **fields)
    rows = bytes(range(WIDTH)) * HEIGHT
    return pack_page(header, rows, version)


def with_fields(**fields):
    """A header whose fields are as given, and more rows than it can want."""
    return raster(pack_header(page_header(WIDTH, HEIGHT, **fields)),
                  bytes(4096))


class BadInput(unittest.TestCase):
    def assert_refused(self, ended, says=""):
        text = ended.err.decode(errors="replace")
        self.assertEqual(ended.code, 1, text)
        self.assertEqual(len(ended.errors), 1, text)
        line = ended.errors[0].decode()
        self.assertRegex(line, r"^ERROR: cannot print: [a-z0-9/*]")
        self.assertIn(says, line)
        expected.assert_begins(ended.out, ended.data, is_all=False)
        if "asan" not in FILTER:
            self.assertLessEqual(ended.kibibytes, 64 * 1024)

    def assert_accepted(self, ended, pages=1):
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(ended.errors, [])
        if ended.out[:4] == sync_word(2, ">"):
            self.assert_on_sheets(ended)
        else:
            expected.assert_begins(ended.out, ended.data, is_all=True)
        self.assertEqual(len(read_pages(ended.out)), pages)
        if "asan" not in FILTER:
            self.assertLessEqual(ended.kibibytes, 64 * 1024)

    def assert_printed_without(self, ended, problem):
        """With a warning of what is wrong in the configuration."""
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(ended.errors, [])
        text = ended.err.decode()
        warnings = [line for line in text.splitlines()
                    if line.startswith("WARNING: ")]
        self.assertEqual(len(warnings), 1, text)
        self.assertIn(problem, warnings[0])
        self.assertIn("STATE: +halftoned-configuration-warning\n", text)
        self.assertIn("STATE: -halftoned-configuration-error\n", text)

    def assert_on_sheets(self, ended):
        """PWG raster: the same bits at the upper left, white around them."""
        given = list(expected.pages(ended.data))
        written = read_pages(ended.out)
        self.assertEqual(len(written), len(given))
        for (header, rows), (_, _, ink) in zip(written, given):
            line = header["cupsBytesPerLine"]
            sheet = b"".join(row[:line].ljust(line, b"\0") for row in ink)
            size = len(rows)
            self.assertEqual(rows, sheet[:size].ljust(size, b"\0"))

    # The raster as a whole.

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
                self.assert_refused(ended, "breaks off in its header")
                self.assertEqual(ended.out, b"")

    def test_second_header_cut_at_every_byte(self):
        for version, size in ((1, V1_BYTES), (2, V2_BYTES), (3, V2_BYTES)):
            page = sound_page(version)
            for at in every(1, size):
                ended = run(raster(page, page[:at], version=version))
                self.assert_refused(ended,
                                    "page 2: the raster breaks off in its")
                self.assertEqual(ended.out, SOUND_OUT)

    def test_rows_cut_at_every_byte(self):
        for version, size in ((1, V1_BYTES), (2, V2_BYTES), (3, V2_BYTES)):
            page = sound_page(version)
            for at in sorted({*range(size, len(page), CUT_STEP),
                              len(page) - 1}):
                ended = run(raster(page[:at], version=version))
                self.assert_refused(ended, "page 1: the raster breaks off")
                # The header, and no row that was not read.
                self.assertEqual(ended.out, SOUND_OUT[:4 + V2_BYTES])

    def test_garbage_after_the_last_page(self):
        for version in (1, 2, 3):
            page = sound_page(version)
            for garbage in (b"x", b"\0" * 99, b"%n" * 50):
                ended = run(raster(page, garbage, version=version))
                self.assert_refused(ended, "page 2: the raster breaks off")
                self.assertEqual(ended.out, SOUND_OUT)
            ended = run(raster(page, b"\xa5" * 9999, version=version))
            self.assert_refused(ended, "page 2: ")
            self.assertEqual(ended.out, SOUND_OUT)

    # The fields of a header.

    def assert_field_refused(self, says="page 1: ", **fields):
        with self.subTest(**fields):
            ended = run(with_fields(**fields))
            self.assert_refused(ended, says)
            self.assertEqual(ended.out, b"")

    def test_bytes_per_line(self):
        for size in (0, 1, WIDTH - 1, WIDTH + 1, 2 * WIDTH, 1 << 16,
                     2**31 - 1, 2**31, 2**32 - 1):
            self.assert_field_refused(cupsBytesPerLine=size)
            for version in (1, 2):
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
        # 2²⁹ · 8 bits, 2²⁸ · 16 bits and 2²⁸ · 4 colours · 8 bits are 2³².
        for width, bits, space, colours in ((2**29, 8, "SW", 1),
                                            (2**28, 16, "SW", 1),
                                            (2**27, 8, "CMYK", 4)):
            for extra in (0, WIDTH):
                self.assert_field_refused(
                    cupsWidth=width + extra, cupsBitsPerColor=bits,
                    cupsBitsPerPixel=bits * colours,
                    cupsNumColors=colours,
                    cupsColorSpace=cups_raster.SPACES[space],
                    cupsBytesPerLine=extra * bits * colours // 8)

    def test_height_times_width_is_not_trusted(self):
        # 2¹⁸ columns of 2²² rows, and then nothing.
        ended = run(raster(pack_header(
            page_header(2**18, 2**22, dpi=(600, 19200)))))
        self.assert_refused(ended, "page 1: the raster breaks off")

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

    def test_colour_counts(self):
        for colours in (2, 3, 15, 2**16, 2**31, 2**32 - 1):
            for order in (0, 1, 2):
                self.assert_field_refused(cupsNumColors=colours,
                                          cupsColorOrder=order)
        for order in (1, 2):
            for space, colours in (("RGB", 3), ("CMYK", 4)):
                self.assert_field_refused(
                    "page 1: colours in bands or planes are not supported",
                    cupsColorSpace=cups_raster.SPACES[space],
                    cupsNumColors=colours, cupsColorOrder=order,
                    cupsBitsPerPixel=8 * colours,
                    cupsBytesPerLine=WIDTH * colours)

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

    def test_pwg_output_of_odd_texts_and_copies(self):
        ended = run_pwg(with_one_page(NumCopies=9999,
                                      MediaType=b"%n\x07\xff"))
        self.assert_accepted(ended)
        self.assertIn(b"PAGE: 1 9999\n", ended.err)

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
                self.assert_refused(ended, "page 1: the raster breaks off")
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

    def test_a_bomb_is_bounded_and_ends_when_told(self):
        # 2¹⁸ columns of 2²² rows, in 256 rows of 4 KiB each: 1 TB of gray.
        header = page_header(2**18, 2**22, dpi=(600, 19200))
        line = b"\xff" + b"\x7f\x55" * (2**18 // 128)
        with tempfile.TemporaryFile() as source:
            source.write(raster(pack_header(header, 2), version=2))
            for _ in range(4096):
                source.write(line)
            source.seek(0)
            child = start(stdin=source, stdout=subprocess.PIPE)
            # It is at work: the first band has come.
            read_exactly(child.stdout, MEBIBYTE)
            begun = time.monotonic()
            child.send_signal(signal.SIGTERM)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.assertLess(time.monotonic() - begun, STOP_SECONDS)
            self.assertEqual(child.returncode, 1)
            close(child)
            if "asan" not in FILTER:
                self.assertLessEqual(usage.ru_maxrss, 64 * 1024)

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
        # At 100 dots an inch 119 rows are a little more than 3 cm.
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
                ended, "line 2: 'max-page-length' must be a number in "
                "0.01 … 1000")

    def test_a_hundred_thousand_tiny_pages(self):
        count = 100_000 if "asan" not in FILTER else 5_000
        page = pack_page(page_header(1, 1), b"\x80")
        ended = run([raster(), *[page] * count], cpu_seconds=60)
        self.assertEqual(ended.code, 0, ended.err[-500:])
        out_page = V2_BYTES + 1
        self.assertEqual(ended.out_bytes, 4 + count * out_page)
        self.assertEqual(ended.out[4:4 + out_page],
                         ended.out[4 + out_page:4 + 2 * out_page])
        if "asan" not in FILTER:
            self.assertLessEqual(ended.kibibytes, 64 * 1024)

    # Arguments.

    def test_numbers_of_arguments(self):
        sound = raster(sound_page())
        words = ["1", "user", "title", "1", ""]
        for count in range(5):
            self.assert_refused(run(sound, arguments=words[:count] or [""]),
                                "usage:")
        self.assert_refused(run(sound, arguments=[*words, "/f", "more"]),
                            "usage:")
        self.assert_accepted(run(sound, arguments=words))

    def test_print_files(self):
        words = ["1", "user", "title", "2", ""]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            os.mkfifo(path / "fifo")
            (path / "sound").write_bytes(raster(sound_page()))
            for name in ("fifo", ".", "missing", "a\nERROR: no\x1b"):
                ended = run(b"", arguments=[*words, str(path / name)])
                self.assert_refused(ended)
                self.assertEqual(ended.out, b"")
                self.assertNotIn(b"\x1b", ended.err)
            ended = run(b"", arguments=[*words, str(path / "sound")])
            ended.data = raster(sound_page(), sound_page())
            self.assert_accepted(ended, 2)

    def test_long_options(self):
        # Linux takes no single argument above 128 KiB, the filter none above
        # half of that.
        distinct = " ".join(f"{n:x}" for n in range(99999, 0, -1))
        for size in (64 * 1024, 128 * 1024 - 1):
            for options in ("a" * size, "a=" + "b" * (size - 2), "{" * size,
                            "'" * size, "a=1 " * (size // 4),
                            distinct[:size],
                            ("halftone-gamma=" + "9" * size)[:size]):
                ended = run(raster(sound_page()), options)
                if len(options) <= 64 * 1024:
                    self.assert_accepted(ended)
                else:
                    self.assert_refused(ended, "more than 64 KiB of options")
                    self.assertNotIn(b"STATE: +", ended.err)

    def test_odd_options(self):
        for options in ("halftone-gamma=%n%n\x1b", "halftone-levels=\xff",
                        "halftone-threads=-1", "=", "{}", "a={b=}", "\\"):
            ended = run(raster(sound_page()), options)
            self.assert_accepted(ended)
            self.assertNotIn(b"\x1b", ended.err)
        ended = run(raster(sound_page()), "halftone-engine=%n\x1b")
        self.assert_accepted(ended)
        self.assertIn(b"WARNING: halftone-engine of the job is "
                      b"ignored: no such engine\n", ended.err)
        self.assertNotIn(b"%n", ended.err)

    def test_a_wrong_engine_in_the_configuration(self):
        with tempfile.NamedTemporaryFile("w") as conf:
            conf.write('[filter]\nengine = "abacus"\n')
            conf.flush()
            ended = run(raster(sound_page()),
                        environment={"HALFTONED_CONF": conf.name})
        self.assert_printed_without(ended,
                                    "line 2: no engine is called 'abacus'")

    def test_a_mistake_in_the_configuration_stops_no_job(self):
        page = raster(pack_page(page_header(WIDTH, HEIGHT),
                                b"\x80" * (WIDTH * HEIGHT)))
        nothing = {"HALFTONED_CONF": "/nowhere"}
        default = run(page, environment=nothing).out
        gamma = run(page, "halftone-gamma=2",
                    environment=nothing).out
        self.assertNotEqual(default, gamma)
        for text, message, out in (
                ("[filter\n", "line 1: ", default),
                ("[filter]\ngamma = 2\ngama = 3\n",
                 "line 3: unknown key 'gama' in [filter]",
                 gamma),
                ("[filter]\ngamma = 2\nlevels = 3\nthreads = -1\n",
                 "2, 4, 8 or 16 (and 1 more)", gamma),
                ('[filter]\ngamma = 2\ntone-curve = "/nowhere"\n',
                 "line 3: tone curve /nowhere: No such file", gamma)):
            with self.subTest(text), tempfile.NamedTemporaryFile("w") as conf:
                conf.write(text)
                conf.flush()
                ended = run(page,
                            environment={"HALFTONED_CONF": conf.name})
                self.assert_printed_without(ended, message)
                self.assertEqual(ended.out, out)
        self.assertIn(b"STATE: -halftoned-configuration-warning\n",
                      run(page).err)

    def test_a_configuration_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = run(raster(sound_page()),
                        environment={"HALFTONED_CONF": folder})
        self.assert_printed_without(ended, folder)

    def test_a_configured_daemon_that_is_not_running(self):
        with tempfile.NamedTemporaryFile("w") as conf:
            conf.write('[filter]\nengine = "remote"\n'
                       '[daemon]\nsocket = "/nowhere/s"\n')
            conf.flush()
            ended = run(raster(sound_page()),
                        environment={"HALFTONED_CONF": conf.name})
        self.assert_refused(ended, "line 2: ")
        self.assertIn(b"STATE: -halftoned-configuration-error\n", ended.err)

    def test_copies_begin_on_a_sheet_of_their_own(self):
        sound = sound_page(Duplex=1)
        white = pack_page(page_header(WIDTH, HEIGHT, Duplex=1),
                          b"\xff" * (WIDTH * HEIGHT))
        for count, fillers in ((1, [white]), (2, []), (3, [white])):
            with tempfile.NamedTemporaryFile() as file:
                file.write(raster(*[sound] * count))
                file.flush()
                ended = run(b"", arguments=["1", "u", "t", "3", "", file.name])
            copy = [sound] * count
            ended.data = raster(*(2 * (copy + fillers) + copy))
            self.assert_accepted(ended, 3 * count + 2 * len(fillers))

    # Being told to end, and readers that end.

    def test_waiting_for_input_ends_when_told(self):
        page = sound_page()
        for data, answer in ((b"", 0), (raster(), 0),
                             (raster(page[:-1]), 4 + V2_BYTES),
                             (raster(page), len(SOUND_OUT)),
                             (raster(page, page[:99]), len(SOUND_OUT))):
            with self.subTest(bytes=len(data)):
                child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                child.stdin.write(data)
                read_exactly(child.stdout, answer)
                self.assert_ends_when_told(child)

    def test_a_reader_that_does_not_read(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feed_large_page(child)
        with os.fdopen(os.dup(child.stdout.fileno()), "rb") as reader:
            self.assert_ends_when_told(child)
            left = len(reader.read())
        self.assertGreater(left, 4 + V2_BYTES)
        self.assertEqual((left - 4 - V2_BYTES) % (LARGE // 8), 0)

    def test_messages_that_nobody_reads(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        fcntl.fcntl(child.stderr, fcntl.F_SETPIPE_SZ, 4096)
        with open(f"/proc/{child.pid}/fd/2", "wb", buffering=0) as others:
            others.write(b"x" * 4096)
        # A line of progress every other band, and room for none.
        feed_large_page(child, 12800)
        self.assert_ends_when_told(child)

    def assert_ends_when_told(self, child):
        begun = time.monotonic()
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(WAIT_SECONDS), 1)
        self.assertLess(time.monotonic() - begun, STOP_SECONDS)
        close(child)

    def test_the_output_of_a_cancelled_page_ends_with_a_row(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feed_large_page(child)
        child.send_signal(signal.SIGTERM)
        out = child.stdout.readall()
        self.assertEqual(child.wait(WAIT_SECONDS), 1)
        self.assertGreater(len(out), 4 + V2_BYTES)
        self.assertEqual((len(out) - 4 - V2_BYTES) % (LARGE // 8), 0)
        close(child)

    def test_a_reader_that_goes_away(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feed_large_page(child)
        child.stdout.close()
        self.assertEqual(child.wait(WAIT_SECONDS), 1)
        errors = [line for line in child.stderr.readlines()
                  if line.startswith(b"ERROR:")]
        self.assertEqual(
            errors, [b"ERROR: cannot print: the next program of the job has "
                     b"closed its input\n"])
        close(child)


LARGE = 1 << 14


def threads_of(child):
    """The state of each thread, and how often it has begun to wait."""
    return [re.findall(r"^(?:State|voluntary_ctxt_switches):\s+(\w+)",
                       (task / "status").read_text(), re.MULTILINE)
            for task in pathlib.Path(f"/proc/{child.pid}/task").iterdir()]


def everybody_waits(child):
    """No thread of it has run between two looks, which are further apart than
    the clock lets any of them wait (for a processor, 10 ms)."""
    threads = threads_of(child)
    time.sleep(0.05)
    return (all(state == "S" for state, _ in threads) and
            threads_of(child) == threads)


def takes(stream):
    return bool(select.select([], [stream], [], 0)[1])


def feed_large_page(child, height=1 << 20):
    """Rows of a page whose end never comes, until all pipes are full."""
    child.stdin.write(raster(pack_header(page_header(
        LARGE, height, dpi=(600, 19200)))))
    os.set_blocking(child.stdin.fileno(), False)
    rows = b"\x55" * MEBIBYTE
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            os.write(child.stdin.fileno(), rows)
        except BlockingIOError:
            # Still full, or it has been emptied since and more is waited for.
            if everybody_waits(child) and not takes(child.stdin):
                return
    raise TimeoutError(f"the filter took rows for {WAIT_SECONDS} s")


def start(**streams):
    """Starts the filter, and waits until it is at work."""
    child = subprocess.Popen(
        [FILTER, "1", "user", "title", "1", ""], stderr=subprocess.PIPE,
        bufsize=0, **streams,
        env=dict(os.environ, HALFTONED_CONF=PLAIN))
    while not child.stderr.readline().startswith(b"DEBUG: engine"):
        pass
    return child


def close(child):
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream:
            stream.close()


def read_exactly(stream, size):
    data = b""
    while len(data) < size:
        piece = stream.read(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def with_one_page(**fields):
    return raster(sound_page(**fields))


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


def every(first, end):
    """All of a range in the long form, otherwise a spread with both ends."""
    if LONG:
        return range(first, end)
    return sorted({first, end - 1, *range(first, end, 97)})


def every_count(count):
    return 20 * count if LONG else count // 3


if __name__ == "__main__":
    FILTER = str(pathlib.Path(sys.argv.pop(1)).resolve())
    LONG = "--long" in sys.argv
    if LONG:
        sys.argv.remove("--long")
    SOUND_OUT = b"".join(expected.cups_output(raster(sound_page())))
    unittest.main()

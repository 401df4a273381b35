#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app in front of a printer that is a socket: what arrives,
decoded, are the bits of the definition. PRINTER_APP is the program, LIBHALFTONE
the C library, whose engine `scalar` is the definition."""

import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "cups"), str(TESTS.parents[1] / "examples")]
import cups_raster  # noqa: E402
import halftone  # noqa: E402
import pcl  # noqa: E402

PROGRAM = os.environ["PRINTER_APP"]
WIDTH, HEIGHT = 1203, 700


def gray_rows():
    """Tones, and text with edges of gray, within the margins."""
    rows = bytearray(b"\xff" * (WIDTH * HEIGHT))
    for y in range(100, HEIGHT - 80):
        for x in range(300, WIDTH - 203):
            rows[y * WIDTH + x] = ((0, 128, 255, 255)[x // 3 % 4] if y < 300
                                   else (x * y // 300 + x) % 256)
    return bytes(rows)


def ink_of(gray, options):
    """The definition's rows, 1 for ink."""
    light = halftone.Recipe("text-edges=soft,tone-aim=screen," + options) \
        .halftone(gray, WIDTH, engine=halftone.Engine("scalar", 1))
    size = (WIDTH + 7) // 8
    last = 0xff00 >> WIDTH % 8 & 0xff if WIDTH % 8 else 0xff
    rows = [bytearray(~each & 0xff for each in light[at:at + size])
            for at in range(0, len(light), size)]
    for row in rows:
        row[-1] &= last
    return [bytes(row) for row in rows]


def zpl_rows(data):
    """The graphic of the last label, and whether it is printed."""
    found = re.findall(rb"~DGR:HALFTONE.GRF,(\d+),(\d+),\n([^~^]*)", data)
    total, size, text = int(found[-1][0]), int(found[-1][1]), found[-1][2]
    rows, digits, count = [], "", 0
    for c in text.decode():
        if c == "\n":
            continue
        if c == ":":
            rows.append(rows[-1])
        elif c == ",":
            digits = digits.ljust(2 * size, "0")
        elif "G" <= c <= "Y":
            count += ord(c) - ord("F")
        elif "g" <= c <= "z":
            count += 20 * (ord(c) - ord("f"))
        else:
            digits += c * max(count, 1)
            count = 0
        if len(digits) == 2 * size:
            rows.append(bytes.fromhex(digits))
            digits = ""
    assert not digits and len(rows) * size == total, "rows that are cut"
    return rows


class Printer:
    """A listener that keeps what it gets."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.uri = "socket://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.jobs, self.came = [], threading.Condition()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            data = b""
            with connection:
                while more := connection.recv(1 << 16):
                    data += more
            with self.came:
                self.jobs.append(data)
                self.came.notify_all()

    def job(self, number):
        with self.came:
            assert self.came.wait_for(lambda: len(self.jobs) > number, 30)
            return self.jobs[number]


class PrinterAppTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        # All that PAPPL keeps goes there, whoever runs the test.
        cls.environment = dict(os.environ, SNAP_COMMON=cls.folder.name,
                               TMPDIR=cls.folder.name, HOME=cls.folder.name)
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.port = free.getsockname()[1]
        cls.server = subprocess.Popen(
            [PROGRAM, "server", "-o", f"server-port={cls.port}",
             "-o", "listen-hostname=localhost", "-o", "log-level=info",
             "-o", f"log-file={cls.folder.name}/log"],
            env=cls.environment)
        for _ in range(300):
            try:
                socket.create_connection(("localhost", cls.port)).close()
                break
            except OSError:
                time.sleep(0.1)

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        assert cls.server.wait(75) == 0
        cls.folder.cleanup()

    def run_app(self, *words, status=0):
        done = subprocess.run([PROGRAM, *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def wait_for_log(self, text):
        """A job goes on after its client was answered."""
        log = pathlib.Path(self.folder.name, "log")
        for _ in range(100):
            if text in log.read_text(errors="replace"):
                return
            time.sleep(0.1)
        self.fail(f"{text!r} is not in the log:\n" +
                  log.read_text(errors="replace")[-2000:])

    def add(self, name, driver):
        printer = Printer()
        self.run_app("add", "-d", name, "-m", driver, "-v", printer.uri)
        return printer

    def raster(self, dpi, gray, **fields):
        header = cups_raster.page_header(
            WIDTH, HEIGHT, "SW", dpi=(dpi, dpi), MediaClass=b"PwgRaster",
            PageSize0=595, PageSize1=842, **fields)
        return cups_raster.sync_word(2, ">") + cups_raster.pack_page(
            header, gray, 2, ">")

    def submit(self, name, data, *options, suffix=".pwg", status=0):
        file = pathlib.Path(self.folder.name, name + suffix)
        file.write_bytes(data)
        kind = {".pwg": "image/pwg-raster"}[suffix]
        words = [word for option in options for word in ("-o", option)]
        return self.run_app("submit", "-d", name, "-o",
                            f"document-format={kind}", *words, str(file),
                            status=status)

    def test_pcl_has_the_bits_of_the_definition(self):
        printer, gray = self.add("laser", "pcl5e"), gray_rows()
        self.submit("laser", self.raster(600, gray))
        (_, rows), = pcl.read_pages(printer.job(0))
        skip = 600 * 71 // 300 // 8
        expected = [row[skip:] for row in
                    ink_of(gray, "resolution=600,black-point=32")]
        while not any(expected[-1]):
            expected.pop()
        self.assertEqual(rows, expected)

        self.submit("laser", self.raster(300, gray),
                    "halftone-type=clustered", "halftone-toner-save=25",
                    "halftone-text-edges=off")
        (_, rows), = pcl.read_pages(printer.job(1))
        expected = [row[300 * 71 // 300 // 8:] for row in ink_of(
            gray, "resolution=300,black-point=32,type=clustered,"
            "toner-save=25,text-edges=off")]
        while not any(expected[-1]):
            expected.pop()
        self.assertEqual(rows, expected)

    def test_zpl_has_the_bits_of_the_definition(self):
        printer, gray = self.add("labels", "zpl-203dpi"), gray_rows()
        self.submit("labels", self.raster(203, gray))
        data = printer.job(0)
        self.assertEqual(zpl_rows(data), ink_of(
            gray, "resolution=203,black-point=32,technology=thermal"))
        self.assertIn(b"^XGR:HALFTONE.GRF", data)

    def test_pwg_has_the_bits_of_the_definition(self):
        printer, gray = self.add("office", "pwg"), gray_rows()
        self.submit("office", self.raster(600, gray))
        data = printer.job(0)
        header = cups_raster.unpack_header(data[4:4 + cups_raster.V2_BYTES],
                                           ">")
        self.assertEqual(header["cupsBitsPerPixel"], 1)
        rows, _ = cups_raster.unpack_rows(data, 4 + cups_raster.V2_BYTES,
                                          header)
        self.assertTrue(bytes(rows) == b"".join(
            ink_of(gray, "resolution=600,black-point=32")))

    def test_bad_raster_is_refused_and_the_server_goes_on(self):
        printer, gray = self.add("refuses", "zpl-203dpi"), gray_rows()
        whole = self.raster(203, gray)
        bit_page = cups_raster.page_header(
            WIDTH, HEIGHT, "K", bits=1, dpi=(203, 203),
            MediaClass=b"PwgRaster", cupsBytesPerLine=(WIDTH + 7) // 8)
        bits = cups_raster.sync_word(2, ">") + cups_raster.pack_page(
            bit_page, bytes((WIDTH + 7) // 8 * HEIGHT), 2, ">")
        for data, why in ((whole[:len(whole) // 2], "before its last row"),
                          (self.raster(600, gray), "does not have the page"),
                          (bits, "not gray of 8 bits"),
                          (whole[:100], "raster stream")):
            jobs = len(printer.jobs)
            self.submit("refuses", data)
            self.assertNotIn(b"^XGR", printer.job(jobs))
            self.wait_for_log(why)
        jobs = len(printer.jobs)
        self.submit("refuses", whole)
        self.assertIn(b"^XGR", printer.job(jobs))

    def test_known_devices_have_drivers(self):
        for commands, driver in (("PCL5e,PJL", "pcl5e"), ("ZPL", "zpl-203dpi"),
                                 ("URF,PWGRaster", "pwg"), ("ESC/P2", None)):
            shown = self.run_app(
                "drivers", "-o", f"device-id='MFG:A;MDL:B;CMD:{commands};'")
            self.assertEqual(shown.split()[:1], [driver] if driver else [])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app as a server, printers that are sockets, and the rows of ink
that the definition has. PRINTER_APP is the program, LIBHALFTONE the C library, whose
engine `scalar` is the definition."""

import os
import pathlib
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


def ink_of(gray, options, width=WIDTH):
    """The definition's rows, 1 for ink."""
    light = halftone.Recipe("text-edges=soft,tone-aim=screen," + options) \
        .halftone(gray, width, engine=halftone.Engine("scalar", 1))
    size = (width + 7) // 8
    last = 0xff00 >> width % 8 & 0xff if width % 8 else 0xff
    rows = [bytearray(~each & 0xff for each in light[at:at + size])
            for at in range(0, len(light), size)]
    for row in rows:
        row[-1] &= last
    return [bytes(row) for row in rows]


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


class ApplicationTest(unittest.TestCase):
    """Tests of a server of their own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        # All that PAPPL keeps goes there, whoever runs the test.
        cls.environment = dict(os.environ, SNAP_COMMON=cls.folder.name,
                               TMPDIR=cls.folder.name, HOME=cls.folder.name)
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.port = free.getsockname()[1]
        cls.start()

    @classmethod
    def start(cls):
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
    def stop(cls):
        cls.server.terminate()
        assert cls.server.wait(75) == 0

    @classmethod
    def tearDownClass(cls):
        cls.stop()
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

    def page(self, dpi, gray, width=WIDTH, size=(595, 842), **fields):
        header = cups_raster.page_header(
            width, len(gray) // width, "SW", dpi=(dpi, dpi),
            MediaClass=b"PwgRaster", PageSize0=size[0], PageSize1=size[1],
            **fields)
        return cups_raster.pack_page(header, gray, 2, ">")

    def raster(self, dpi, *grays, **fields):
        return cups_raster.sync_word(2, ">") + b"".join(
            self.page(dpi, gray, **fields) for gray in grays)

    def submit(self, name, data, *options, suffix=".pwg", status=0):
        file = pathlib.Path(self.folder.name, name + suffix)
        file.write_bytes(data)
        kind = {".pwg": "image/pwg-raster"}[suffix]
        words = [word for option in options for word in ("-o", option)]
        return self.run_app("submit", "-d", name, "-o",
                            f"document-format={kind}", *words, str(file),
                            status=status)

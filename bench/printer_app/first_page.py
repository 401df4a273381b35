#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When a printer has the first page of raster that a client sends at 100 Mbit/s, after
the first byte: page by page, as the client declares raster, and whole, as it declares
no format. A4 in PCL at 600 dpi, in 1 and 50 pages of text, text and a picture, and a
picture; medians, and the size of the document.

Usage: first_page.py BUILD_DIRECTORY [RUNS]
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parents[1] / "tests/system"
sys.path[:0] = [str(TESTS / "printer_app")]
from kit.ipp_client import CANCELED, COMPLETED, Client  # noqa: E402
from kit.server import Application, Listener  # noqa: E402

BYTES_PER_SECOND = 100e6 / 8
PIECE = 64 << 10
EJECT = b"\x1b*rC\f"
PAGES = 50
TEXT = ("/Courier findfont 11 scalefont setfont 4 1 64 {50 exch 12 mul moveto "
        "(The quick brown fox jumps over the lazy dog, and does so again.) show} for ")
PICTURE = ("gsave 50 50 translate 495 %d scale /w 64 string def 512 512 8 "
         "[512 0 0 512 0 0] {0 1 63 {w exch rand 128 mod 64 add put} for w} image "
         "grestore ")
KINDS = {"text": TEXT, "text and a picture": TEXT + PICTURE % 160,
         "picture": PICTURE % 740}


def page_of(program):
    """PWG raster of one page."""
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(
            ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r600",
             "-sDEVICE=pwgraster", "-dDEVICEWIDTHPOINTS=595",
             "-dDEVICEHEIGHTPOINTS=842", "-dcupsColorSpace=18",
             "-dcupsBitsPerColor=8", f"-sOutputFile={file.name}", "-c",
             "1 srand " + program + "showpage"], check=True)
        return pathlib.Path(file.name).read_bytes()


class Printer(Listener):
    """Notes when the first page of a job has come."""

    def take(self, connection, stream):
        with connection:
            while more := connection.recv(1 << 16):
                stream += more
                end = stream[-len(more) - len(EJECT):]
                if not self.first and EJECT in end:
                    self.first = time.monotonic()


class Bench:
    def __init__(self, program, folder):
        self.app, self.printer = Application(program, folder), Printer()
        self.app.start()
        self.client = Client(self.app.port, timeout=300)
        self.app.run("add", "-d", "laser", "-m", "pcl5e", "-v", self.printer.uri)

    def at_speed(self, document):
        self.begin = time.monotonic()
        for at in range(0, len(document), PIECE):
            wait = self.begin + at / BYTES_PER_SECOND - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            yield document[at:at + PIECE]

    def run(self, document, kind):
        """Seconds to the first page."""
        self.printer.first = None
        status, job = self.client.print("laser", self.at_speed(document), kind)
        assert status == 0
        while (state := self.client.state("laser", job)) < CANCELED:
            time.sleep(0.1)
        assert state == COMPLETED, self.app.log_text()[-2000:]
        while not self.printer.first:
            time.sleep(0.1)
        return self.printer.first - self.begin


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "printer_app/halftone-printer-app"
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print("| job | MB | page by page, s | whole, s |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(str(program), folder)
        for name, drawn in KINDS.items():
            first = page_of(drawn)
            for count in 1, PAGES:
                document = first + first[4:] * (count - 1)
                times = {kind: [] for kind in ("image/pwg-raster",
                                               "application/octet-stream")}
                for _ in range(runs):
                    for kind, taken in times.items():
                        taken.append(bench.run(document, kind))
                print(f"| {name}, {count} | {len(document) / 1e6:.1f} | " + " | ".join(
                    f"{statistics.median(taken):.2f}" for taken in times.values())
                    + " |", flush=True)
        bench.app.kill()


if __name__ == "__main__":
    main()

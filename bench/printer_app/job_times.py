#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How quick jobs are through halftone-printer-app, beside CUPS' filters: from the
request, or the start of the filters, until a printer has the first page of a PDF
document of three, or all of a photograph in JPEG, of A4 at 600 dots an inch, in PCL.

  app      the application, which is running, by IPP
  chain    pdftopdf, gstoraster or imagetoraster, rastertohalftone, rastertohp
  plain    the same without rastertohalftone: renderer and encoder

The forms run in turn; times are medians, in milliseconds. The first page has come
when its share of the bytes has.

Usage: job_times.py BUILD_FOLDER [RUNS]     Run it on an idle machine.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "cups"), str(ROOT / "tests/system/printer_app"),
                str(ROOT / "tests/system/cups")]
import documents  # noqa: E402
from ipp_client import Client  # noqa: E402
from server import Application, Listener  # noqa: E402
from pdf_bench import Chain  # noqa: E402

FILTERS = pathlib.Path("/usr/lib/cups/filter")
DRV = "/usr/share/cups/drv/sample.drv"
PAGES = 3
OPTIONS = "PageSize=A4 Resolution=600dpi"


class Printer(Listener):
    """Notes when how much of a job had come."""

    def take(self, connection, stream):
        total = 0
        with connection:
            while more := connection.recv(1 << 15):
                total += len(more)
                self.came.append((total, time.perf_counter()))


def first_share(came, begun, pages):
    total = came[-1][0]
    return next(when - begun for size, when in came if size * pages >= total)


def by_app(app, printer, path, kind, pages):
    client, came = Client(app.port), []
    printer.came = came
    begun = time.perf_counter()
    status, job = client.print("laser", path.read_bytes(), kind,
                               options=[(0x44, "media", "iso_a4_210x297mm")])
    assert status < 0x100, status
    while client.state("laser", job) < 7:
        time.sleep(0.01)
    assert client.state("laser", job) == 9, app.log_text()[-2000:]
    time.sleep(0.05)  # until the last bytes have been read
    return first_share(came, begun, pages)


def by_filters(programs, ppd, folder, kind, path, pages):
    chain = Chain(programs, ppd, folder)
    chain.words[4] = OPTIONS
    chain.environment["CONTENT_TYPE"] = kind
    begun = time.perf_counter()
    processes = chain.start(path)
    came, total = [], 0
    while piece := os.read(processes[-1].stdout.fileno(), 1 << 15):
        total += len(piece)
        came.append((total, time.perf_counter()))
    assert all(process.wait() == 0 for process in processes)
    return first_share(came, begun, pages)


def jobs(folder):
    for name in ("text", "mixed", "photo"):
        path = folder / f"{name}.pdf"
        path.write_bytes(getattr(documents, name)(PAGES))
        yield f"first page of {name}, PDF", path, "application/pdf", PAGES
    picture = folder / "photo.jpg"
    subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=jpeg",
                    "-r600", "-dJPEGQ=90", "-dLastPage=1",
                    f"-sOutputFile={picture}", str(folder / "photo.pdf")],
                   check=True)
    yield "photograph, JPEG", picture, "image/jpeg", 1


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["ppdc", "-d", name, DRV], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        plain, adopted = folder / "laserjet.ppd", folder / "adopted.ppd"
        subprocess.run([build / "tools/adopt/halftone-adopt", "adopt", "--ppd",
                        plain, adopted], check=True, stdout=subprocess.DEVNULL)
        app = Application(str(build / "printer_app/halftone-printer-app"), name)
        app.start()
        try:
            printer = Printer()
            app.run("add", "-d", "laser", "-m", "pcl5e", "-v", printer.uri)
            print("| job | app | chain | plain | app / chain | app / plain |\n|---|"
                  + "---:|" * 5)
            for title, path, kind, pages in jobs(folder):
                first = ([FILTERS / "pdftopdf", FILTERS / "gstoraster"]
                         if pages > 1 else [FILTERS / "imagetoraster"])
                ways = {
                    "app": lambda: by_app(app, printer, path, kind, pages),
                    "chain": lambda: by_filters(
                        [*first, build / "filter/rastertohalftone",
                         FILTERS / "rastertohp"], adopted, folder, kind, path, pages),
                    "plain": lambda: by_filters(
                        [*first, FILTERS / "rastertohp"], plain, folder, kind, path,
                        pages)}
                times = {way: [] for way in ways}
                for _ in range(runs):
                    for way, run in ways.items():
                        times[way].append(run())
                app_s, chain_s, plain_s = (statistics.median(each)
                                           for each in times.values())
                print(f"| {title} | {1e3 * app_s:.0f} | {1e3 * chain_s:.0f} | "
                      f"{1e3 * plain_s:.0f} | {app_s / chain_s:.2f} | "
                      f"{app_s / plain_s:.2f} |", flush=True)
        finally:
            app.kill()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How quick jobs are through halftone-printer-app, beside CUPS' filters: from the
request, or the start of the filters, until a printer has the first page of a PDF
document of three, or all of a photograph in JPEG, of A4 at 600 dpi, in PCL.

  app      the application, which is running, by IPP
  chain    pdftopdf, gstoraster or imagetoraster, rastertohalftone, rastertohp
  plain    the same without rastertohalftone: renderer and encoder

The forms run in turn; times are medians, in milliseconds. The first page has come
when its share of the bytes has.

    bench/printer_app/job_times.py [--runs N]     Run it on an idle machine.
"""

import pathlib
import statistics
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(BENCH / "cups"), str(BENCH.parent / "tests/system/printer_app")]
import chains  # noqa: E402
import documents  # noqa: E402
from chains import FILTERS, record  # noqa: E402
from kit.ipp_client import Client  # noqa: E402
from kit.server import Application, Listener  # noqa: E402

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
    total = came[-1][0]
    return next(when - begun for size, when in came if size * pages >= total)


def by_filters(programs, ppd, folder, kind, path, pages):
    chain = chains.Chain(programs, ppd, OPTIONS, folder)
    chain.environment["CONTENT_TYPE"] = kind
    return chain.run(path, pages)["first_s"]


def jobs(folder):
    for name in ("text", "mixed", "photo"):
        path = folder / f"{name}.pdf"
        path.write_bytes(getattr(documents, name)(PAGES))
        yield f"first page of {name}, PDF", path, "application/pdf", PAGES
    picture = folder / "photo.jpg"
    chains.ghostscript(folder / "photo.pdf", picture, "jpeg", "-dJPEGQ=90",
                       "-dLastPage=1")
    yield "photograph, JPEG", picture, "image/jpeg", 1


def measure(build, folder, runs):
    chains.compiled(folder, chains.DRV / "sample.drv")
    plain = folder / "laserjet.ppd"
    adopted = chains.adopt(build, plain)
    app = Application(str(build / "printer_app/halftone-printer-app"), str(folder))
    app.start()
    try:
        printer = Printer()
        app.run("add", "-d", "laser", "-m", "pcl5e", "-v", printer.uri)
        for title, path, kind, pages in jobs(folder):
            first = ([FILTERS / "pdftopdf", FILTERS / "gstoraster"]
                     if pages > 1 else [FILTERS / "imagetoraster"])
            last = [FILTERS / "rastertohp"]
            ways = (
                lambda: by_app(app, printer, path, kind, pages),
                lambda: by_filters([*first, build / "filter/rastertohalftone", *last],
                                   adopted, folder, kind, path, pages),
                lambda: by_filters([*first, *last], plain, folder, kind, path, pages))
            times = zip(*([way() for way in ways] for _ in range(runs)))
            ours, chain, least = map(statistics.median, times)
            yield [title, *(f"{1e3 * each:.0f}" for each in (ours, chain, least)),
                   f"{ours / chain:.2f}", f"{ours / least:.2f}"]
    finally:
        app.kill()


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        print(record.table(
            ["job", "app", "chain", "plain", "app / chain", "app / plain"],
            measure(given.build, pathlib.Path(name), given.runs)))


if __name__ == "__main__":
    main()

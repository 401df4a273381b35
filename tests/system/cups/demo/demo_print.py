#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the first page of a document twice through a CUPS of its own, in 600 dpi
on A4: as a printer gets it without halftoned, and with it. The part of ./demo that
needs root. It reads and writes no file of the user's: the document is the standard
input, and the standard output becomes a tar archive with

  before.ras, after.ras        the 1-bit CUPS raster that the printer got
  before.stages, after.stages  a line for each filter: name and milliseconds, as
                               cupsd saw it, waiting for other filters included

Usage: demo_print.py BUILD_FOLDER <DOCUMENT >PRINTS
"""

import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import cups_raster  # noqa: E402
from private_cups import PrivateCups  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[4]
OPTIONS = ["Resolution=600dpi", "media=A4", "page-ranges=1"]
# Lines of a log that say why a job failed.
LAST_LINES = 20


def without_us(ppd):
    """The model with which CUPS' own filters make black dots, as for brlaser."""
    ppd = re.sub(r"\*cupsFilter2: .*\n", "", ppd)
    ppd = ppd.replace("cupsColorSpace 18/cupsBitsPerColor 8",
                      "cupsColorSpace 3/cupsBitsPerColor 1")
    return ppd + '*cupsFilter: "application/vnd.cups-raster 0 -"\n'


def stages(cups, job):
    """A line for each filter, in the order in which they began."""
    started, times = {}, {}
    for second, text in cups.timed_job_log(job):
        begin = re.search(r"Started filter .*/(\S+) \(PID (\d+)\)", text)
        end = re.search(r"PID (\d+) \(.*\) exited with no errors", text)
        if begin:
            started[begin[2]] = (begin[1], second)
        elif end and end[1] in started:
            name, first = started[end[1]]
            times[name] = 1000 * (second - first)
    return "".join(f"{name} {times[name]:.0f}\n"
                   for name, _ in started.values() if name in times)


class NotPrinted(Exception):
    """The document's fault, as far as one can tell."""


def has_page(raster):
    try:
        return bool(cups_raster.read_pages(raster))
    except (ValueError, AssertionError):
        return False


def print_on(cups, queue, ppd, document):
    """What the printer got, and the stages."""
    file = cups.root / "ppd" / f"{queue}.ppd"
    file.write_text(ppd)
    printed = cups.out / queue
    cups.add_queue(queue, file, f"file:{printed}")
    try:
        job = cups.print_file(queue, document, OPTIONS)
    except RuntimeError as error:
        raise NotPrinted(f"CUPS refuses the document: {error}") from error
    state = cups.wait(job)
    if state != "completed":
        raise NotPrinted("\n".join(cups.job_log(job)[-LAST_LINES:] +
                                   [f"the job was {state}"]))
    raster = printed.read_bytes() if printed.exists() else b""
    if not has_page(raster):
        raise NotPrinted("CUPS printed no page: "
                         "is it PDF, PostScript, JPEG or PNG?")
    return raster, stages(cups, job).encode()


def print_both(cups):
    document = cups.root / "document"
    with open(document, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    subprocess.run(["ppdc", "-d", cups.root / "ppd", SOURCE / "ppd/halftoned.drv"],
                   check=True, stdout=sys.stderr)
    ours = (cups.root / "ppd/htcups.ppd").read_text()
    return {"before": print_on(cups, "before", without_us(ours), document),
            "after": print_on(cups, "after", ours, document)}


def add_to(archive, name, data):
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))


def main():
    if os.geteuid() != 0:
        sys.exit("a cupsd of one's own needs root")
    os.umask(0o022)  # for the user of CUPS' filters
    build = pathlib.Path(sys.argv[1]).resolve()
    with PrivateCups({name: build / f"filter/{name}" for name in
                      ("pdftohalftone", "rastertohalftone")}) as cups:
        try:
            prints, why = print_both(cups), None
        except NotPrinted as error:
            prints, why = {}, f"demo: {error}"
    if why:
        sys.exit(why)
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as archive:
        for name, (raster, times) in prints.items():
            add_to(archive, f"{name}.ras", raster)
            add_to(archive, f"{name}.stages", times)


if __name__ == "__main__":
    main()

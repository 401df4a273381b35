#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the sample page through a CUPS of its own and rastertohalftone, and
leaves what came out to look at:

  sample.pdf     the page that was printed
  printed.ras    the 1-bit CUPS raster that the printer got
  printed.png    the same, as a picture
  printed.pwg    the page once more, as PWG raster for a network printer

It says how long each stage of the print took, as cupsd saw it.

Usage: demo_print.py BUILD_FOLDER OUT_FOLDER [FILE]
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

import cups_raster
from private_cups import PrivateCups

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent.parent
STAGES = ("pdftopdf", "gstoraster", "imagetoraster", "pdftohalftone",
          "rastertohalftone")


def make_sample(path):
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                    "-sDEVICE=pdfwrite", "-sPAPERSIZE=a4",
                    # JPEG would halftone its blocks too.
                    "-dAutoFilterGrayImages=false",
                    "-dGrayImageFilter=/FlateEncode",
                    "-dDownsampleGrayImages=false",
                    f"-sOutputFile={path}", HERE / "sample.ps"], check=True)


def write_png(path, header, rows):
    """1-bit gray PNG; K raster has 1 for black, PNG 0."""
    line = header["cupsBytesPerLine"]
    light = bytes(255 - byte for byte in range(256))
    lines = b"".join(b"\0" + rows[at:at + line].translate(light)
                     for at in range(0, len(rows), line))
    dots_per_metre = [round(header[f"HWResolution{i}"] / 0.0254)
                      for i in range(2)]

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))

    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" +
        chunk(b"IHDR", struct.pack(">IIBBBBB", header["cupsWidth"],
                                   header["cupsHeight"], 1, 0, 0, 0, 0)) +
        chunk(b"pHYs", struct.pack(">IIB", *dots_per_metre, 1)) +
        chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b""))


def stage_times(cups, job):
    """[(stage, seconds from its start to its end)], from cupsd's log."""
    started, times = {}, []
    for second, text in cups.timed_job_log(job):
        begin = re.search(r"Started filter .*/(\S+) \(PID (\d+)\)", text)
        end = re.search(r"PID (\d+) \(.*\) exited with no errors", text)
        if begin:
            started[begin[2]] = (begin[1], second)
        elif end and end[1] in started:
            name, first = started[end[1]]
            times.append((name, second - first))
    return sorted(times, key=lambda stage: STAGES.index(stage[0])
                  if stage[0] in STAGES else len(STAGES))


def print_and_report(cups, queue, document, out):
    cups.add_queue(queue, cups.root / "ppd" / f"{queue}.ppd",
                   f"file:{cups.out / queue}")
    job = cups.print_file(queue, document, ["Resolution=600dpi", "media=A4"])
    state = cups.wait(job)
    if state != "completed":
        sys.exit("\n".join(cups.job_log(job) + [f"the job was {state}"]))
    shutil.copyfile(cups.out / queue, out)
    print(f"{out.name}: {out.stat().st_size} bytes; the stages, side by side, "
          "waiting for each other included:")
    for name, seconds in stage_times(cups, job):
        print(f"  {name:18} {1000 * seconds:6.0f} ms")


def main():
    if os.geteuid() != 0:
        sys.exit("a cupsd of one's own needs root")
    build, out = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 3:
        document = pathlib.Path(sys.argv[3]).resolve()
    else:
        document = out / "sample.pdf"
        make_sample(document)
    with PrivateCups({name: build / f"filter/{name}" for name in
                      ("pdftohalftone", "rastertohalftone")}) as cups:
        subprocess.run(["ppdc", "-d", cups.root / "ppd",
                        SOURCE / "ppd/halftoned.drv"], check=True)
        print_and_report(cups, "htcups", document, out / "printed.ras")
        print_and_report(cups, "htpwg", document, out / "printed.pwg")
    header, rows = cups_raster.read_pages(
        (out / "printed.ras").read_bytes())[0]
    write_png(out / "printed.png", header, rows)
    print(f"printed.png: {header['cupsWidth']} x {header['cupsHeight']}, "
          "1 bit a pixel")


if __name__ == "__main__":
    main()

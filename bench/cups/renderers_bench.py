#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The renderers that pdftohalftone can run, for speed and looks: each makes the
documents of documents.py for a Brother at 600 dots an inch, and rastertohalftone makes
bits of them, with the black point that suits no renderer more than another: 0.

Printed for each: processor milliseconds a page of the renderer alone; ink, the share of
black dots; and how far its tones are from gstoraster's, in boxes of 32 x 32 dots, in
per cent of black: in the mean, and the tenth of the page that is farthest.

Usage: renderers_bench.py BUILD_FOLDER [--save FILE]
       renderers_bench.py --show FILE
numpy is needed (python3-numpy); mupdftoraster runs mutool (mupdf-tools).
"""

import argparse
import datetime
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

import numpy

import documents
import pdf_bench
from jobs_bench import FILTERS, cpu_name, save

RENDERERS = ("gstoraster", "pdftoraster", "mupdftoraster")
DOCUMENTS = {"text": lambda: documents.report(4),
             "mixed": lambda: documents.report(3, every=3),
             "photo": lambda: documents.photo(2)}
PAGES = {"text": 4, "mixed": 3, "photo": 2}
HEADER = 1796
BOX = 32


def processor_seconds(command, **how):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, **how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime +
            after.ru_stime - before.ru_stime)


def boxes(bits, pages):
    """The share of black dots in each box of all pages."""
    page_bytes = (len(bits) - 4) // pages
    shares = []
    for page in range(pages):
        start = 4 + page * page_bytes
        header = numpy.frombuffer(bits[start:start + HEADER], "<u4")
        rows, row_bytes = int(header[94]), int(header[98])
        data = numpy.frombuffer(bits, numpy.uint8, rows * row_bytes,
                                start + HEADER)
        dots = numpy.unpackbits(data.reshape(rows, row_bytes), axis=1)
        rows, columns = rows // BOX * BOX, row_bytes * 8 // BOX * BOX
        shares.append(dots[:rows, :columns].reshape(
            rows // BOX, BOX, columns // BOX, BOX).mean(axis=(1, 3)).ravel())
    return numpy.concatenate(shares)


def measure(renderer, kind, chain, build, folder):
    pages, pdf = PAGES[kind], folder / "pages.pdf"
    (folder / "given.pdf").write_bytes(DOCUMENTS[kind]())
    gray, how = folder / "gray", {"env": chain.environment}
    with open(folder / "given.pdf", "rb") as given, open(pdf, "wb") as made:
        processor_seconds([FILTERS / "pdftopdf", *chain.words], stdin=given,
                          stdout=made, **how)
    with open(pdf, "rb") as given, open(gray, "wb") as made:
        spent = processor_seconds([FILTERS / renderer, *chain.words],
                                  stdin=given, stdout=made, **how)
    with open(gray, "rb") as given:
        bits = subprocess.run([build / "filter/rastertohalftone", *chain.words],
                              stdin=given, check=True, capture_output=True,
                              **how).stdout
    return spent / pages, boxes(bits, pages)


def compare(build):
    results = {"cpu": cpu_name(), "date": datetime.date.today().isoformat(),
               "jobs": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chain = pdf_bench.brlaser_chains(build, folder)["serial"]
        there = [renderer for renderer in RENDERERS
                 if (FILTERS / renderer).exists() and
                 (renderer != "mupdftoraster" or shutil.which("mutool"))]
        for kind in DOCUMENTS:
            reference = None
            for renderer in there:
                spent, shares = measure(renderer, kind, chain, build, folder)
                reference = shares if reference is None else reference
                row = {"renderer": renderer, "document": kind,
                       "processor_ms": round(1000 * spent),
                       "ink": round(float(100 * shares.mean()), 2)}
                if shares.shape == reference.shape:
                    far = 100 * abs(shares - reference)
                    row["mean_difference"] = round(float(far.mean()), 2)
                    row["tenth_difference"] = round(
                        float(numpy.percentile(far, 90)), 2)
                results["jobs"].append(row)
    return results


def table(results):
    lines = ["| document | renderer | processor, ms a page | ink, % | "
             "tones: mean, farthest tenth, % |", "|---|---|---:|---:|---:|"]
    for row in results["jobs"]:
        far = ("other size" if "mean_difference" not in row else
               f"{row['mean_difference']}, {row['tenth_difference']}")
        lines.append(f"| {row['document']} | {row['renderer']} | "
                     f"{row['processor_ms']} | {row['ink']} | {far} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    given = parser.parse_args()
    if given.show:
        print(table(json.loads(given.show.read_text(encoding="utf-8"))))
        return
    if not given.build:
        parser.error("name the build folder")
    results = compare(given.build.resolve())
    print(table(results))
    if given.save:
        save(results, given.save)


if __name__ == "__main__":
    main()

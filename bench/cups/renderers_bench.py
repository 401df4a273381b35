#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The renderers that pdftohalftone can run, for speed and looks: each makes the
documents of documents.py for a Brother at 600 dots an inch, and rastertohalftone makes
bits of them, with the black point that suits no renderer more than another: 0.

Printed for each: processor milliseconds a page of the renderer alone; ink, the share of
black dots; and how far its tones are from gstoraster's, in boxes of 32 x 32 dots, in
per cent of black: in the mean, and the tenth of the page that is farthest.

    bench/cups/renderers_bench.py [--save FILE]
    bench/cups/renderers_bench.py --show FILE

numpy is needed (python3-numpy); mupdftoraster runs mutool (mupdf-tools).
"""

import pathlib
import shutil
import subprocess
import tempfile

import numpy

import documents
import pdf_bench
from chains import FILTERS, cups_raster, processor_seconds, record

RENDERERS = ("gstoraster", "pdftoraster", "mupdftoraster")
# Of each, its pages.
DOCUMENTS = {"text": (4, documents.report),
             "mixed": (3, lambda pages: documents.report(pages, every=3)),
             "photo": (2, documents.photo)}
BOX = 32


def boxes(bits):
    """The share of black dots in each box of all pages."""
    shares, at = [], 4
    while at < len(bits):
        header = cups_raster.unpack_header(bits[at:at + cups_raster.V2_BYTES])
        at += cups_raster.V2_BYTES
        rows, size = header["cupsHeight"], header["cupsBytesPerLine"]
        data = numpy.frombuffer(bits, numpy.uint8, rows * size, at)
        at += data.size
        dots = numpy.unpackbits(data.reshape(rows, size), axis=1)
        rows, columns = rows // BOX * BOX, size * 8 // BOX * BOX
        shares.append(dots[:rows, :columns].reshape(
            rows // BOX, BOX, columns // BOX, BOX).mean(axis=(1, 3)).ravel())
    return numpy.concatenate(shares)


def measure(renderer, kind, chain, build, folder):
    """Seconds of a processor a page, and the boxes."""
    def through(program, source, target):
        with open(source, "rb") as given, open(target, "wb") as made:
            return processor_seconds(subprocess.Popen(
                [program, *chain.words], stdin=given, stdout=made,
                stderr=subprocess.DEVNULL, env=chain.environment))

    pages, make = DOCUMENTS[kind]
    given, pdf, gray, bits = (folder / name for name in
                              ("given.pdf", "pages.pdf", "gray", "bits"))
    given.write_bytes(make(pages))
    through(FILTERS / "pdftopdf", given, pdf)
    spent = through(FILTERS / renderer, pdf, gray)
    through(build / "filter/rastertohalftone", gray, bits)
    return spent / pages, boxes(bits.read_bytes())


def compare(build):
    there = [renderer for renderer in RENDERERS
             if (FILTERS / renderer).exists() and
             (renderer != "mupdftoraster" or shutil.which("mutool"))]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chain = pdf_bench.brlaser_chains(build, folder)[1]
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
                yield row


def cells(row):
    far = ("other size" if "mean_difference" not in row else
           f"{row['mean_difference']}, {row['tenth_difference']}")
    return row["document"], row["renderer"], row["processor_ms"], row["ink"], far


def main():
    given = record.parser(__doc__).parse_args()
    results = record.read(given.show) if given.show else {
        **record.machine("renderers_bench.py"), "jobs": list(compare(given.build))}
    if given.save:
        record.save(results, given.save)
    print(record.table(
        ["document", "renderer", "processor, ms a page", "ink, %",
         "tones: mean, farthest tenth, %"], map(cells, results["jobs"]), 2))


if __name__ == "__main__":
    main()

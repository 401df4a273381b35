#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much data each halftone type sends to a printer, and what that costs in quality.

    bench/cups/data_bench.py [--types NAME...] [--drivers NAME...] [--save FILE]
    bench/cups/data_bench.py --show FILE     the tables of saved results

Bytes are those of one A4 page at 600 dpi, from an adopted queue's filters or devices
to the printer: text; text and a photograph (documents.py); and six photographs. They
depend on nothing but the versions of the programs. The first row is what the queue
printed before adoption.

Quality is that of the same six photographs: dB to the gray after a Gaussian of 2
pixels, without any correction of tones; and, as print jobs on a laser have them, the
noise of tints and dB to the photographs on simulated prints (bench/paper).

Needs the targets rastertohalftone, halftone-rip, halftone-adopt and halftone_shared;
Debian's python3-numpy, python3-pil, python3-scipy, mate-backgrounds,
lomiri-wallpapers-16.04, ghostscript, and the drivers of --drivers. Takes about ten
minutes on two idle cores."""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import chains
import documents
import jobs_bench
from chains import BENCH, SYSTEM, record

sys.path += [str(SYSTEM / "adopt"), str(BENCH / "paper"), str(BENCH / "peers"),
             str(record.ROOT / "packaging/python")]

BEFORE = "before adoption"
# Settings, by the names in the tables.
TYPES = {
    "fine": {"halftone-type": "fine"},
    "best": {"halftone-type": "best"},
    "blue-noise": {"halftone-type": "blue-noise"},
    "clustered": {"halftone-type": "clustered"},
    "clustered, 9 dots": {"halftone-type": "clustered", "cluster-size": 9},
    "screen": {"halftone-type": "screen"},
    **{f"screen, {lpi} lpi, {angle}°": {
        "halftone-type": "screen", "screen-lpi": lpi, "screen-angle": angle}
       for lpi, angle in ((85, 45), (75, 0), (150, 0), (212, 45))},
}
# Devices of Ghostscript, by language, and a program behind them.
DEVICES = {"ljet4": ("ljet4", None), "pxlmono": ("pxlmono", None),
           "foo2zjs": ("pbmraw", ["foo2zjs", "-r600x600", "-g4960x7016", "-p9"])}
SENDS_GRAY = {"pxlmono"}  # before adoption
DRIVERS = "brlaser", "SpliX", "hpcups", "sag-gdi", *DEVICES
PACKAGES = [*jobs_bench.PACKAGES, "printer-driver-foo2zjs"]
LASER = ("tone-aim=display,text-edges=soft,print-feedback=100,technology=laser,"
         "dpi=600")
STEP = 16  # codes


def photographs_page():
    """Six in two columns, a pixel a dot."""
    import collection
    import sheets
    parts = list(sheets.photograph_files())
    images, marks = [], []
    for at, path in enumerate(parts):
        gray = collection.background(path)
        rows, columns = gray.shape
        data = zlib.compress(gray.tobytes(), 6)
        images.append(
            b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray"
            b"/BitsPerComponent 8/Filter/FlateDecode/Length %d>>stream\n%s\nendstream"
            % (columns, rows, len(data), data))
        marks.append(b"q %f 0 0 %f %f %f cm /I%d Do Q" % (
            columns * 0.12, rows * 0.12, 30 + at % 2 * 270, 590 - at // 2 * 250, at))
    names = b" ".join(b"/I%d %d 0 R" % (at, 4 + at) for at in range(len(parts)))
    return documents.pdf_of(b" ".join(marks), b"/XObject<<%s>>" % names, *images)


def through_driver(name, folder, build):
    """What prints a PDF with options: the number of bytes."""
    _, source, model, fixed = next(
        printer for printer in jobs_bench.PRINTERS if printer[0] == name)
    ppd = jobs_bench.make_ppd(folder, source, model)
    driver, adopted = [chains.driver_of(ppd)], chains.adopt(build, ppd)

    def printed(pdf, settings):
        options = fixed if settings is None else f"{fixed} {job_words(settings)}"
        before, after, _ = chains.chains(build, folder, (ppd, adopted),
                                         (driver, driver), (options, options))
        return (before if settings is None else after).run(pdf)["bytes"]
    return printed


def job_words(settings):
    return " ".join(f"halftone-{name.removeprefix('halftone-')}={value}"
                    for name, value in settings.items())


def library_words(settings):
    return ",".join(f"{name}={value}" for name, value in settings.items())


def through_device(name, folder, build):
    """As foomatic-rip calls it, with and without halftone-rip in the way."""
    import foomatic
    device, behind = DEVICES[name]
    ppd = folder / f"{name}.ppd"
    ppd.write_text(foomatic.ppd(name, foomatic.device(device)), encoding="ascii")
    adopted = chains.adopt(build, ppd)
    stand_in = folder / "stand-in"
    stand_in.mkdir(exist_ok=True)
    if not (stand_in / "gs").exists():
        (stand_in / "gs").symlink_to(build / "filter/halftone-rip")
    conf = folder / "halftoned.conf"

    def printed(pdf, settings):
        environment = dict(os.environ)
        if settings is not None:
            conf.write_text("[filter]\n" + "".join(
                f"{key} = {json.dumps(value)}\n" for key, value in settings.items()))
            environment.update(PPD=str(adopted), HALFTONED_CONF=str(conf),
                               PATH=f"{stand_in}:{os.environ['PATH']}")
        made = subprocess.run(
            ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dNOINTERPOLATE",
             "-sPAPERSIZE=a4", "-r600x600", f"-sDEVICE={device}",
             "-sOutputFile=-", pdf], env=environment, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        if behind:
            made = subprocess.run(behind, input=made, check=True,
                                  stdout=subprocess.PIPE).stdout
        return len(made)
    return printed


def bytes_of(given, folder):
    pdfs = {}
    for page, made in (("text", documents.text), ("mixed", documents.mixed),
                       ("photographs", photographs_page)):
        pdfs[page] = folder / f"{page}.pdf"
        pdfs[page].write_bytes(made())
    for name in given.drivers:
        way = through_device if name in DEVICES else through_driver
        printed = way(name, folder, given.build)
        for kind, settings in {BEFORE: None, **given.types}.items():
            row = {page: printed(pdf, settings) for page, pdf in pdfs.items()}
            print(name, kind, row, file=sys.stderr)
            yield {"driver": name, "type": kind, **row}


def dots_quality(maker):
    """dB after the Gaussian: the mean of the photographs."""
    import collection
    import quality
    import sheets
    found = []
    for path in sheets.photograph_files():
        gray = collection.background(path)
        found.append(quality.of_page(maker.dots(gray), gray)["psnr_gauss"])
    return sum(found) / len(found)


def quality_of(given):
    """Rows for Ghostscript's screen, which most drivers printed before, and for the
    types as print jobs have them."""
    import makers
    import paper_bench
    import paper_report
    for kind, settings in {BEFORE: None, **given.types}.items():
        plain = printed = makers.GHOSTSCRIPT
        if settings:
            plain = f"{library_words(settings)},dpi=600,dot-gain=0"
            printed = f"{library_words(settings)},{LASER}"
        paper = paper_bench.run(argparse.Namespace(
            by=[printed], dpi=[600], use="judging", part=["photographs"], step=STEP,
            oblique=False, processes=os.cpu_count(), build=given.build))
        row = {"type": kind,
               "psnr_gauss": dots_quality(makers.maker(plain, 600, given.build)),
               "noise": paper_report.mean(each["noise"] for each in paper["tones"]),
               "psnr_paper": paper_report.mean(
                   each["psnr"] for each in paper["photographs"])}
        print(row, file=sys.stderr)
        yield row


def run(given):
    results = {**record.machine("data_bench.py"),
               "versions": record.versions(PACKAGES)}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        results["bytes"] = list(bytes_of(given, pathlib.Path(name)))
    results["quality"] = list(quality_of(given))
    return results


def sizes(results, page):
    """Bytes by driver and type."""
    return {(row["driver"], row["type"]): row[page] for row in results["bytes"]}


def share_of_fine(results, page, kind):
    """The geometric mean of all drivers that print the type."""
    of = sizes(results, page)
    drivers = {row["driver"] for row in results["bytes"]}
    if kind == BEFORE:
        drivers -= SENDS_GRAY
    return math.exp(sum(math.log(of[name, kind] / of[name, "fine"])
                        for name in drivers) / len(drivers))


def name_of(kind):
    """The type as people choose it, and its settings."""
    return kind if kind == BEFORE else re.sub(r"^[a-z-]+", r"`\g<0>`", kind)


def quality_table(results):
    """Quality, data, and the dB that are lost each time that the data are halved."""
    rows = results["quality"]
    fine, = (row["psnr_paper"] for row in rows if row["type"] == "fine")

    def lost(row):
        share = share_of_fine(results, "photographs", row["type"])
        if share > 0.9:
            return "–"
        return "%.1f" % ((fine - row["psnr_paper"]) / -math.log2(share))

    return record.table(
        ["type", "dB of dots", "dB on paper", "noise of tints", "data, photographs",
         "data, mixed page", "dB on paper lost per halving"],
        [[name_of(row["type"]), "%.1f" % row["psnr_gauss"], "%.1f" % row["psnr_paper"],
          "%.2f" % row["noise"],
          *("%.0f %%" % (100 * share_of_fine(results, page, row["type"]))
            for page in ("photographs", "mixed")), lost(row)] for row in rows])


def bytes_table(results):
    """MB of six photographs, and of the mixed page."""
    drivers = list(dict.fromkeys(row["driver"] for row in results["bytes"]))
    photographs, mixed = (sizes(results, page) for page in ("photographs", "mixed"))
    kinds = dict.fromkeys(row["type"] for row in results["bytes"])
    return record.table(["type", *drivers], [
        [name_of(kind), *("%.2f, %.2f" % (photographs[name, kind] / 1e6,
                                          mixed[name, kind] / 1e6)
                          for name in drivers)] for kind in kinds])


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--types", nargs="+", metavar="NAME", default=list(TYPES))
    parser.add_argument("--drivers", nargs="+", default=DRIVERS)
    given = parser.parse_args()
    given.types = {name: settings for name, settings in TYPES.items()
                   if name in ("fine", *given.types)}
    results = record.read(given.show) if given.show else run(given)
    if given.save:
        record.save(results, given.save)
    print(quality_table(results), bytes_table(results), sep="\n\n")


if __name__ == "__main__":
    main()

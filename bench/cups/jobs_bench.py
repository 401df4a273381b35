#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What jobs cost before and after `halftone adopt`: the chain of filters that cupsd
runs for a printer, with its driver, from a PDF document to the printer's data.
After it there are two: with gstoraster and rastertohalftone ("adopted"), and with
pdftohalftone in the place of both ("shared"), which cupsd prefers.

For each printer and document, medians of runs in turn: processor seconds of the
chain and of rastertohalftone's part, seconds on the clock, and bytes sent to the
printer. Drivers that are not installed are left out. Takes two or three minutes.

    bench/cups/jobs_bench.py [--runs N] [--pages N] [--save FILE]
        [--printers NAME...]  of these only
        [--options TEXT]      options of the jobs, such as halftone-type=clustered
    bench/cups/jobs_bench.py --show FILE     the table of saved results
"""

import pathlib
import statistics
import subprocess
import tempfile

import chains
import documents
from chains import DRIVERS, DRV, record

# A printer's name, the source of its PPD file, its model and its options. The source
# is a file for ppdc, or a program and how it calls its models.
PRINTERS = (
    ("brlaser", "brlaser.drv", "br2030", "PageSize=A4 Resolution=600dpi"),
    ("rastertohp", "sample.drv", "laserjet", "PageSize=A4 Resolution=600dpi"),
    ("SpliX", "splix-samsung.drv", "ml2010", "PageSize=A4 Resolution=600dpi"),
    ("hpcups", "hpcups.drv", "hp-laserjet_1300-pcl3",
     "PageSize=A4 OutputMode=Best"),
    ("sag-gdi", "rastertosag-gdi.drv", "rsp1000s", "PageSize=A4"),
    ("rastertolabel", "sample.drv", "zebra", "Resolution=203dpi"),
    ("Gutenprint", ("gutenprint.5.3", "gutenprint.5.3://{}/expert"), "pcl-5",
     "PageSize=A4 StpQuality=High Resolution=600dpi"),
    ("DYMO", ("dymo", "dymo:0/cups/model/{}.ppd"), "lw450", ""),
)
OF_LABELS = {"rastertolabel", "DYMO"}
PAGES = {"text": "text", "mixed": "text and a photograph",
         "photo": "photograph", "label": "label"}
PACKAGES = ["cups-filters", "ghostscript", "cups", *(
    f"printer-driver-{name}" for name in
    ("brlaser", "splix", "hpcups", "sag-gdi", "gutenprint", "dymo"))]


def make_ppd(folder, source, model):
    ppd = folder / f"{model}.ppd"
    if isinstance(source, str):
        chains.compiled(folder, DRV / source)
    else:
        ppd.write_bytes(subprocess.run(
            [DRIVERS / source[0], "cat", source[1].format(model)], check=True,
            stdout=subprocess.PIPE).stdout)
    return ppd


def all_chains(build, folder, source, model, options, job_options=""):
    ppd = make_ppd(folder, source, model)
    driver = [chains.driver_of(ppd)]
    return dict(zip(("before", "adopted", "shared"), chains.chains(
        build, folder, (ppd, chains.adopt(build, ppd)), (driver, driver),
        (options, f"{options} {job_options}".strip()))))


def measure(all_of_them, document, runs):
    kept = {name: [] for name in all_of_them}
    for run in range(-1, runs):  # the first brings files into memory
        for name, chain in all_of_them.items():
            if (made := chain.run(document)) and run >= 0:
                kept[name].append(made)
    row = {name: {key: statistics.median(run[key] for run in made)
                  for key in ("processor_s", "wall_s", "bytes")}
           for name, made in kept.items()}
    row["adopted"]["ours_s"] = statistics.median(
        run["by"]["rastertohalftone"] for run in kept["adopted"])
    return row


def rows_of(printer, folder, given):
    name, source, model, options = printer
    both = all_chains(given.build, folder, source, model, options, given.options)
    for kind in ("label",) if name in OF_LABELS else ("text", "mixed", "photo"):
        document = folder / f"{kind}.pdf"
        document.write_bytes(getattr(documents, kind)(given.pages))
        yield {"printer": name, "document": kind,
               **measure(both, document, given.runs)}


def run(given):
    results = {**record.machine(f"jobs_bench.py --pages {given.pages} "
                                f"--runs {given.runs}"),
               "options": given.options, "pages": given.pages,
               "versions": record.versions(PACKAGES), "jobs": []}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        for printer in PRINTERS:
            source = printer[1]
            if not (DRV / source if isinstance(source, str) else
                    DRIVERS / source[0]).exists():
                print(f"{printer[0]}: not installed")
            elif printer[0] in given.printers:
                results["jobs"] += rows_of(printer, pathlib.Path(name), given)
    return results


def table(results):
    """CPU seconds per page, and kilobytes sent to the printer."""
    def cells(row):
        before, after = row["before"], row["adopted"]
        for seconds in (before["processor_s"], after["processor_s"], after["ours_s"]):
            yield f"{1000 * seconds / results['pages']:.0f} ms"
        for size in (before["bytes"], after["bytes"]):
            yield f"{size / results['pages'] / 1000:.0f} kB"
        yield f"{after['bytes'] / before['bytes']:.1f}"

    return record.table(
        ["driver", "page", "CPU, before", "CPU, adopted", "halftoned alone",
         "data, before", "data, adopted", "ratio"],
        [[row["printer"], PAGES[row["document"]], *cells(row)]
         for row in results["jobs"]], 2)


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--printers", nargs="+", metavar="NAME",
                        default=[name for name, *_ in PRINTERS])
    parser.add_argument("--options", default="")
    given = parser.parse_args()
    results = record.read(given.show) if given.show else run(given)
    if given.save:
        record.save(results, given.save)
    print(table(results))


if __name__ == "__main__":
    main()

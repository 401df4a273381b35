#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What jobs cost before and after `halftone adopt`: the chain of filters that cupsd
runs for a printer, with its driver, from a PDF document to the printer's data.
After it there are two: with gstoraster and rastertohalftone ("adopted"), and with
pdftohalftone in the place of both ("shared"), which cupsd prefers.

For each printer and document, medians of runs in turn: processor seconds of the
chain and of rastertohalftone's part, seconds on the clock, and bytes sent to the
printer. Drivers that are not installed are left out. Takes two or three minutes.

Usage: jobs_bench.py BUILD_FOLDER [--runs N] [--pages N] [--save FILE]
       [--printers NAME...]  of these only
       [--options TEXT]      options of the jobs, such as halftone-type=clustered
       jobs_bench.py --show FILE     the table of saved results
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import documents

FILTERS = pathlib.Path("/usr/lib/cups/filter")
DRV = pathlib.Path("/usr/share/cups/drv")
DRIVERS = pathlib.Path("/usr/lib/cups/driver")

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
PACKAGES = ("cups-filters", "ghostscript", "cups", "printer-driver-brlaser",
            "printer-driver-splix", "printer-driver-hpcups",
            "printer-driver-sag-gdi", "printer-driver-gutenprint",
            "printer-driver-dymo")


def driver_of(ppd):
    text = ppd.read_text(encoding="latin-1")
    return re.search(r'^\*cupsFilter:\s*"\S+ \d+ (\S+)"', text,
                     re.MULTILINE)[1]


def is_there(source):
    return (DRV / source if isinstance(source, str) else
            DRIVERS / source[0]).exists()


def make_ppd(folder, source, model):
    ppd = folder / f"{model}.ppd"
    if isinstance(source, str):
        subprocess.run(["ppdc", "-d", folder, DRV / source], check=True,
                       stdout=subprocess.DEVNULL)
        return ppd
    program, name = source
    ppd.write_bytes(subprocess.run(
        [DRIVERS / program, "cat", name.format(model)], check=True,
        stdout=subprocess.PIPE).stdout)
    return ppd


class Chain:
    """The filters of one queue."""

    def __init__(self, ppd, programs, options):
        self.programs = programs
        self.words = ["1", "user", "title", "1", options]
        self.environment = dict(
            os.environ, PPD=str(ppd), CONTENT_TYPE="application/pdf",
            FINAL_CONTENT_TYPE="printer/bench", PRINTER="bench",
            DEVICE_URI="file:/dev/null",
            CUPS_SERVERBIN="/usr/lib/cups", CUPS_DATADIR="/usr/share/cups",
            HALFTONED_CONF="/nonexistent")

    def run(self, document):
        """Seconds on the clock, processor seconds by program, and the bytes."""
        processes = []
        with tempfile.TemporaryFile() as printed, open(document, "rb") as pdf:
            begun = time.perf_counter()
            source = pdf
            for program in self.programs:
                last = program is self.programs[-1]
                process = subprocess.Popen(
                    [program, *self.words], stdin=source,
                    stdout=printed if last else subprocess.PIPE,
                    stderr=subprocess.DEVNULL, env=self.environment)
                if source is not pdf:
                    source.close()
                source = process.stdout
                processes.append(process)
            spent = {}
            for program, process in zip(self.programs, processes):
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                if process.returncode != 0:
                    raise SystemExit(f"{program}: exit {process.returncode}")
                spent[program.name] = usage.ru_utime + usage.ru_stime
            wall = time.perf_counter() - begun
            return wall, spent, os.fstat(printed.fileno()).st_size


def chains(build, folder, source, model, options, job_options):
    """Before and after adoption."""
    ppd, adopted = make_ppd(folder, source, model), folder / f"{model}-adopted.ppd"
    subprocess.run([build / "tools/halftone", "adopt", "--ppd", ppd, adopted],
                   check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ,
                            HALFTONED_LIBEXEC=str(build / "tools/adopt")))
    driver = FILTERS / driver_of(ppd)
    renderers = [FILTERS / "pdftopdf", FILTERS / "gstoraster"]
    ours = build / "filter/rastertohalftone"
    both = build / "filter/pdftohalftone"
    job_options = f"{options} {job_options}".strip()
    return {"before": Chain(ppd, [*renderers, driver], options),
            "adopted": Chain(adopted, [*renderers, ours, driver], job_options),
            "shared": Chain(adopted, [renderers[0], both, driver],
                            job_options)}


def measure(both, document, runs):
    kept = {name: [] for name in both}
    for chain in both.values():
        chain.run(document)  # files into memory
    for _ in range(runs):
        for name, chain in both.items():
            kept[name].append(chain.run(document))

    def median(name, figure):
        return round(statistics.median(figure(run) for run in kept[name]), 4)

    row = {}
    for name in both:
        row[name] = {
            "processor_s": median(name, lambda run: sum(run[1].values())),
            "wall_s": median(name, lambda run: run[0]),
            "bytes": int(median(name, lambda run: run[2])),
        }
    row["adopted"]["ours_s"] = median(
        "adopted", lambda run: run[1]["rastertohalftone"])
    return row


def show(printer, name, row):
    before, after, shared = row["before"], row["adopted"], row["shared"]
    print(f"{printer:14} {name:6} processor {before['processor_s']:6.2f} s → "
          f"{after['processor_s']:6.2f} s, {after['ours_s']:5.2f} s of them "
          f"ours; clock {before['wall_s']:6.2f} s → {after['wall_s']:6.2f} s; "
          f"shared: processor {shared['processor_s']:6.2f} s, clock "
          f"{shared['wall_s']:6.2f} s; "
          f"{before['bytes'] / 1e6:6.2f} MB → {after['bytes'] / 1e6:6.2f} MB",
          flush=True)


def rows_of(printer, build, folder, given):
    name, source, model, options = printer
    both = chains(build, folder, source, model, options, given.options)
    kinds = ((documents.label,) if name in OF_LABELS else
             (documents.text, documents.mixed, documents.photo))
    for kind in kinds:
        document = folder / f"{kind.__name__}.pdf"
        if not document.exists():
            document.write_bytes(kind(given.pages))
        row = measure(both, document, given.runs)
        show(name, kind.__name__, row)
        yield {"printer": name, "document": kind.__name__, **row}


def cpu_name():
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(r"^model name\s*: (.*)", text, re.MULTILINE)
    return found[1] if found else "a processor"


def versions():
    """Of the installed packages."""
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *PACKAGES],
        capture_output=True, text=True, check=False).stdout
    return dict(line.split(" ", 1) for line in listed.splitlines())


def run(given):
    build = given.build.resolve()
    results = {"cpu": cpu_name(), "processors": len(os.sched_getaffinity(0)),
               "date": datetime.date.today().isoformat(),
               "command": f"jobs_bench.py --pages {given.pages} "
                          f"--runs {given.runs}; others used the machine too",
               "options": given.options, "pages": given.pages,
               "versions": versions(),
               "load": {"before": round(os.getloadavg()[0], 1)}, "jobs": []}
    print(f"{given.pages} pages a job, {given.runs} runs, "
          f"{results['processors']} processors", flush=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        for printer in PRINTERS:
            if printer[0] not in given.printers:
                continue
            if not is_there(printer[1]):
                print(f"{printer[0]}: not installed")
                continue
            results["jobs"] += rows_of(printer, build, pathlib.Path(name),
                                       given)
    results["load"]["after"] = round(os.getloadavg()[0], 1)
    return results


def save(results, path):
    """A line for each job."""
    jobs = ",\n".join("  " + json.dumps(row) for row in results["jobs"])
    head = json.dumps({**results, "jobs": []}, indent=1)
    path.write_text(head.replace('"jobs": []', f'"jobs": [\n{jobs}\n ]')
                    + "\n", encoding="utf-8")


def table(results):
    """Of a page: processor seconds, and kilobytes sent to the printer."""
    pages = results["pages"]
    lines = ["| driver | page | processor, before | adopted | of it ours | "
             "data, before | adopted | times |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for row in results["jobs"]:
        before, after = row["before"], row["adopted"]
        lines.append("| %s | %s | %.0f ms | %.0f ms | %.0f ms | %.0f kB | "
                     "%.0f kB | %.1f |" % (
                         row["printer"], PAGES[row["document"]],
                         before["processor_s"] / pages * 1000,
                         after["processor_s"] / pages * 1000,
                         after["ours_s"] / pages * 1000,
                         before["bytes"] / pages / 1000,
                         after["bytes"] / pages / 1000,
                         after["bytes"] / before["bytes"]))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    parser.add_argument("--printers", nargs="+", metavar="NAME",
                        default=[name for name, *_ in PRINTERS])
    parser.add_argument("--options", default="")
    given = parser.parse_args()
    if given.show:
        print(table(json.loads(given.show.read_text(encoding="utf-8"))))
        return
    if not given.build:
        parser.error("name the build folder")
    results = run(given)
    if given.save:
        save(results, given.save)


if __name__ == "__main__":
    main()

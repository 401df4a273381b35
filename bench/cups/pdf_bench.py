#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pdftohalftone gains, on 2, 4, 16 … processors: whole chains of filters from a
PDF document to the printer's data, in three forms:

  plain    pdftopdf, gstoraster to 1-bit raster, the driver: without halftoned
  serial   pdftopdf, gstoraster, rastertohalftone, the driver
  shared   pdftopdf, pdftohalftone, the driver

The printers are a Brother (brlaser) and one that takes PWG raster; the documents a
text, a report of text and photographs, a book of photographs, and many jobs of one
page: one after the other (one), and as many at a time as there are processors (many).
The jobs are bound to the processors, and those of one core are taken last. The chains
run in turn, in rounds, as many as fit into the time; figures are medians. The bytes of
serial and shared are compared.

Printed for each case: pages per second of shared as a multiple of serial's, and the most
that it could be, since serial's filters work side by side too; the time of shared as a
multiple of plain's; processor seconds as a multiple of serial's; milliseconds until the
first page has come out; memory (Pss of all processes, at most, in a run of its own) and
open files (likewise).

    bench/cups/pdf_bench.py [--processors N...] [--documents KIND:PAGES...]
        [--printers NAME...] [--seconds N] [--save FILE] [--without-memory]
    bench/cups/pdf_bench.py --show FILE     the table of saved results

Run it on an idle machine. Pages that are many suit it better than many rounds.
"""

import concurrent.futures
import os
import pathlib
import re
import statistics
import sys
import tempfile
import threading
import time

import chains
import documents
from chains import DRV, FILTERS, record
from jobs_bench import PACKAGES

MODELS = record.ROOT / "ppd/halftoned.drv"
# Serial's pages have a black point else, since its renderer keeps Ghostscript's CMYK.
OPTIONS = "PageSize=A4 Resolution=600dpi black-point=0"
CHAINS = ("plain", "serial", "shared")
KINDS = {
    "text": documents.report,
    "mixed": lambda pages: documents.report(pages, every=3),
    "photo": documents.photo,
    "one": lambda _: documents.report(1),
    "many": lambda _: documents.report(1),
}


class Watch:
    """Looks at all processes of a chain now and then."""

    def __init__(self):
        self.most = {"memory_mib": 0, "files": 0, "processes": 0}
        self.is_over = threading.Event()

    def begin(self, processes):
        self.thread = threading.Thread(
            target=self.look, args=([process.pid for process in processes],))
        self.thread.start()

    def end(self):
        self.is_over.set()
        self.thread.join()

    def tree(self, process):
        yield process
        for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
            for child in path.read_text(encoding="ascii").split():
                yield from self.tree(child)

    def look(self, processes):
        while not self.is_over.wait(0.02):
            now = dict.fromkeys(self.most, 0)
            for process in processes:
                try:
                    for one in self.tree(process):
                        now["files"] += len(os.listdir(f"/proc/{one}/fd"))
                        text = pathlib.Path(f"/proc/{one}/smaps_rollup").read_text(
                            encoding="ascii")
                        now["memory_mib"] += int(
                            text.split("\nPss:")[1].split()[0]) / 1024
                        now["processes"] += 1
                except (OSError, IndexError):
                    continue  # it has ended
            self.most = {key: max(self.most[key], now[key]) for key in now}


def brlaser_chains(build, folder):
    if not (DRV / "brlaser.drv").exists():
        return None
    chains.compiled(folder, DRV / "brlaser.drv")
    ppd, driver = folder / "br2030.ppd", [FILTERS / "rastertobrlaser"]
    return chains.chains(build, folder, (ppd, chains.adopt(build, ppd)),
                         (driver, driver), (OPTIONS, OPTIONS))


def pwg_chains(build, folder):
    """Without halftoned, the same printer is sent 1-bit raster of gstoraster."""
    if not (FILTERS / "rastertopwg").exists():
        return None
    chains.compiled(folder, MODELS)
    ppd, plain = folder / "htpwg.ppd", folder / "plain.ppd"
    text = re.sub(r"\*cupsFilter2: .*\n", "", ppd.read_text(encoding="utf-8"))
    plain.write_text(text.replace("cupsColorSpace 18/cupsBitsPerColor 8",
                                  "cupsColorSpace 3/cupsBitsPerColor 1"),
                     encoding="utf-8")
    return chains.chains(build, folder, (plain, ppd),
                         ([FILTERS / "rastertopwg"], []), (OPTIONS, OPTIONS))


PRINTERS = {"brlaser": brlaser_chains, "pwg": pwg_chains}


def processors():
    """The first of each core before the others."""
    def place(cpu):
        siblings = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/"
                                "thread_siblings_list")
        first = re.match(r"\d+", siblings.read_text()) if siblings.exists() else None
        return first is not None and int(first[0]) != cpu, cpu

    return sorted(os.sched_getaffinity(0), key=place)


def run_jobs(chain, document, jobs, at_once):
    """Many jobs of one page: as one run."""
    begun = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        runs = list(pool.map(lambda _: chain.run(document), range(jobs)))
    return {**runs[0], "wall_s": time.perf_counter() - begun,
            "processor_s": sum(run["processor_s"] for run in runs),
            "first_s": statistics.median(run["first_s"] for run in runs)}


class Case:
    """A document on a printer, on so many processors."""

    def __init__(self, printer, all_of_them, kind, pages, document, cpus):
        self.printer, self.chains = printer, dict(zip(CHAINS, all_of_them))
        self.kind, self.pages, self.document = kind, pages, document
        self.cpus, self.runs = cpus, {name: [] for name in CHAINS}

    def run(self):
        os.sched_setaffinity(0, self.cpus)
        for name, chain in self.chains.items():
            if self.kind in ("one", "many"):
                at_once = len(self.cpus) if self.kind == "many" else 1
                run = run_jobs(chain, self.document, self.pages, at_once)
            else:
                run = chain.run(self.document, self.pages)
            self.runs[name].append(run)
        if len({self.runs[name][-1]["hash"] for name in CHAINS[1:]}) != 1:
            raise SystemExit(f"{self.printer}, {self.kind}: pdftohalftone "
                             "printed other bytes")

    def row(self, with_memory):
        row = {"printer": self.printer, "document": self.kind,
               "pages": self.pages, "processors": len(self.cpus)}
        os.sched_setaffinity(0, self.cpus)
        for name, runs in self.runs.items():
            row[name] = {key: statistics.median(run[key] for run in runs) for key in
                         ("wall_s", "processor_s", "first_s", "bytes")}
            if with_memory and self.kind != "many":
                watch = Watch()
                self.chains[name].run(self.document, self.pages, watch)
                row[name].update({key: round(most) for key, most in
                                  watch.most.items()})
        return row


HEAD = ("printer", "document", "processors", "pages a second", "the most",
        "time, plain", "processors, serial", "first page, ms", "memory, MiB",
        "files", "shared, s")


def cells(row):
    plain, serial, shared = (row[name] for name in CHAINS)
    most = row["processors"] / (serial["processor_s"] / serial["wall_s"])

    def of_each(figure, scale=1):
        values = [row[name].get(figure) for name in CHAINS]
        return "–" if None in values else " / ".join(
            f"{scale * value:.0f}" for value in values)

    return (row["printer"], f"{row['document']} {row['pages']}",
            row["processors"],
            f"{serial['wall_s'] / shared['wall_s']:.2f} x", f"{most:.1f} x",
            f"{shared['wall_s'] / plain['wall_s']:.2f} x",
            f"{shared['processor_s'] / serial['processor_s']:.2f} x",
            of_each("first_s", 1000), of_each("memory_mib"), of_each("files"),
            f"{shared['wall_s']:.2f}")


def cases(given, folder):
    cpus = processors()
    for printer in given.printers:
        all_of_them = PRINTERS[printer](given.build, folder)
        if not all_of_them:
            print(f"{printer}: not installed")
            continue
        for text in given.documents:
            kind, pages = text.split(":")
            document = folder / f"{kind}{pages}.pdf"
            document.write_bytes(KINDS[kind](int(pages)))
            for count in given.processors:
                if count <= len(cpus):
                    yield Case(printer, all_of_them, kind, int(pages), document,
                               cpus[:count])


def run(given):
    begun = time.monotonic()
    results = {**record.machine("pdf_bench.py " + " ".join(sys.argv[1:])),
               "versions": record.versions(PACKAGES), "rounds": 0}
    with tempfile.TemporaryDirectory() as name:
        all_cases = list(cases(given, pathlib.Path(name)))
        while True:
            round_begun = time.monotonic()
            for case in all_cases:
                case.run()
            results["rounds"] += 1
            # The runs that look at memory take as long as a round.
            took = time.monotonic() - round_begun
            if time.monotonic() - begun + 2 * took > given.seconds:
                break
        results["jobs"] = [case.row(not given.without_memory) for case in all_cases]
    return results


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--processors", type=int, nargs="+", default=[2, 4, 16])
    parser.add_argument("--documents", nargs="+", metavar="KIND:PAGES", default=(
        "text:100", "mixed:40", "photo:20", "one:20", "many:200"))
    parser.add_argument("--printers", nargs="+", choices=PRINTERS,
                        default=list(PRINTERS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--without-memory", action="store_true")
    given = parser.parse_args()
    results = record.read(given.show) if given.show else run(given)
    if given.save:
        record.save(results, given.save)
    print(record.table(HEAD, map(cells, results["jobs"]), 2) +
          "\n\nThree figures: plain / serial / shared.")


if __name__ == "__main__":
    main()

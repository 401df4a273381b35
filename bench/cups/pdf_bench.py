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

Printed for each case: pages a second of shared as a multiple of serial's, and the most
that it could be, since serial's filters work side by side too; the time of shared as a
multiple of plain's; processor seconds as a multiple of serial's; milliseconds until the
first page has come out (until its share of the bytes has); memory (Pss of all
processes, at most, in a run of its own) and open files (likewise).

Usage: pdf_bench.py BUILD_FOLDER [--processors N...] [--documents KIND:PAGES...]
       [--printers NAME...] [--seconds N] [--save FILE] [--without-memory]
       pdf_bench.py --show FILE     the table of saved results
Run it on an idle machine. Pages that are many suit it better than many rounds.
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import documents
from jobs_bench import DRV, FILTERS, cpu_name, save, versions

HERE = pathlib.Path(__file__).parent
MODELS = HERE.parent.parent / "ppd/halftoned.drv"
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
DOCUMENTS = ("text:100", "mixed:40", "photo:20", "one:20", "many:200")


class Chain:
    """The filters of one queue, each with its arguments and environment."""

    def __init__(self, programs, ppd, folder):
        self.programs = programs
        self.words = ["1", "user", "title", "1", OPTIONS]
        self.environment = dict(
            os.environ, PPD=str(ppd), CONTENT_TYPE="application/pdf",
            FINAL_CONTENT_TYPE="printer/bench", PRINTER="bench",
            CUPS_SERVERBIN=str(FILTERS.parent), TMPDIR=str(folder),
            CUPS_DATADIR="/usr/share/cups", CUPS_CACHEDIR=str(folder),
            RIP_MAX_CACHE="128m", HALFTONED_CONF="/nonexistent")

    def start(self, document):
        processes, source = [], open(document, "rb")
        for program in self.programs:
            process = subprocess.Popen(
                [program, *self.words], stdin=source, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=self.environment,
                close_fds=False)
            source.close()
            source = process.stdout
            processes.append(process)
        return processes

    def run(self, document, pages, watch=None):
        """Seconds on the clock, of processors and to the first page; the bytes'
        hash and number."""
        begun = time.perf_counter()
        processes = self.start(document)
        came, total, digest = [], 0, hashlib.sha1()
        with (watch or Nothing)(processes):
            while piece := os.read(processes[-1].stdout.fileno(), 1 << 20):
                total += len(piece)
                came.append((total, time.perf_counter() - begun))
                digest.update(piece)
            spent = 0
            for program, process in zip(self.programs, processes):
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                if process.returncode != 0:
                    raise SystemExit(f"{program}: exit {process.returncode}")
                spent += usage.ru_utime + usage.ru_stime
        processes[-1].stdout.close()
        first = next((when for sum_, when in came if sum_ * pages >= total), 0)
        return {"wall_s": time.perf_counter() - begun, "processor_s": spent,
                "first_s": first, "bytes": total, "hash": digest.hexdigest()}


class Nothing:
    def __init__(self, processes):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Watch:
    """Looks at all processes of a chain now and then."""

    def __init__(self, processes):
        self.processes = [process.pid for process in processes]
        self.memory = self.files = self.count = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.look)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def tree(self, process):
        yield process
        for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
            for child in path.read_text(encoding="ascii").split():
                yield from self.tree(child)

    def look(self):
        while not self.is_over.wait(0.02):
            memory, files, count = 0, 0, 0
            for process in self.processes:
                try:
                    for one in self.tree(process):
                        files += len(os.listdir(f"/proc/{one}/fd"))
                        text = pathlib.Path(
                            f"/proc/{one}/smaps_rollup").read_text(
                                encoding="ascii")
                        memory += int(text.split("\nPss:")[1].split()[0])
                        count += 1
                except (OSError, IndexError):
                    continue
            self.memory = max(self.memory, memory / 1024)
            self.files = max(self.files, files)
            self.count = max(self.count, count)


def brlaser_chains(build, folder):
    source = DRV / "brlaser.drv"
    if not source.exists():
        return None
    subprocess.run(["ppdc", "-d", folder, source], check=True,
                   stdout=subprocess.DEVNULL)
    ppd, adopted = folder / "br2030.ppd", folder / "adopted.ppd"
    subprocess.run([build / "tools/halftone", "adopt", "--ppd", ppd, adopted],
                   check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ,
                            HALFTONED_LIBEXEC=str(build / "tools/adopt")))
    return chains(build, folder, ppd, adopted, [FILTERS / "rastertobrlaser"],
                  [FILTERS / "rastertobrlaser"])


def pwg_chains(build, folder):
    """Without halftoned, the same printer is sent 1-bit raster of gstoraster."""
    if not (FILTERS / "rastertopwg").exists():
        return None
    subprocess.run(["ppdc", "-d", folder, MODELS], check=True,
                   stdout=subprocess.DEVNULL)
    ppd, plain = folder / "htpwg.ppd", folder / "plain.ppd"
    text = re.sub(r"\*cupsFilter2: .*\n", "", ppd.read_text(encoding="utf-8"))
    plain.write_text(text.replace("cupsColorSpace 18/cupsBitsPerColor 8",
                                  "cupsColorSpace 3/cupsBitsPerColor 1"),
                     encoding="utf-8")
    return chains(build, folder, plain, ppd, [FILTERS / "rastertopwg"], [])


def chains(build, folder, plain, ours, driver, our_driver):
    first = [FILTERS / "pdftopdf"]
    gray = [*first, FILTERS / "gstoraster"]
    return {
        "plain": Chain([*gray, *driver], plain, folder),
        "serial": Chain([*gray, build / "filter/rastertohalftone",
                         *our_driver], ours, folder),
        "shared": Chain([*first, build / "filter/pdftohalftone", *our_driver],
                        ours, folder),
    }


PRINTERS = {"brlaser": brlaser_chains, "pwg": pwg_chains}


def processors():
    """Those of different cores first."""
    def place(cpu):
        path = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/"
                            "thread_siblings_list")
        try:
            text = path.read_text(encoding="ascii").strip()
        except OSError:
            return 0, cpu
        siblings = []
        for part in text.split(","):
            ends = part.split("-")
            siblings += range(int(ends[0]), int(ends[-1]) + 1)
        return siblings.index(cpu), cpu

    return [cpu for _, cpu in sorted(map(place, os.sched_getaffinity(0)))]


def run_jobs(chain, document, jobs, at_once):
    """Many jobs of one page: as one run."""
    begun = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        runs = list(pool.map(lambda _: chain.run(document, 1), range(jobs)))
    wall = time.perf_counter() - begun
    return {"wall_s": wall,
            "processor_s": sum(run["processor_s"] for run in runs),
            "first_s": statistics.median(run["first_s"] for run in runs),
            "bytes": runs[0]["bytes"], "hash": runs[0]["hash"]}


class Case:
    """A document on a printer, on so many processors."""

    def __init__(self, printer, chain_of, kind, pages, document, cpus):
        self.printer, self.chain_of, self.kind = printer, chain_of, kind
        self.pages, self.document, self.cpus = pages, document, cpus
        self.runs = {name: [] for name in CHAINS}

    def run(self):
        os.sched_setaffinity(0, self.cpus)
        for name, chain in self.chain_of.items():
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
        for name, runs in self.runs.items():
            row[name] = {figure: round(statistics.median(
                run[figure] for run in runs), 4) for figure in
                ("wall_s", "processor_s", "first_s", "bytes")}
        if with_memory and self.kind != "many":
            for name, chain in self.chain_of.items():
                row[name].update(self.look_at(chain))
        return row

    def look_at(self, chain):
        os.sched_setaffinity(0, self.cpus)
        kept = []

        def watch(processes):
            kept.append(Watch(processes))
            return kept[0]
        chain.run(self.document, self.pages, watch)
        return {"memory_mib": round(kept[0].memory), "files": kept[0].files,
                "processes": kept[0].count}


HEAD = ("printer", "document", "processors", "pages a second", "the most",
        "time, plain", "processors, serial", "first page, ms", "memory, MiB",
        "files", "shared, s")


def cells(row):
    plain, serial, shared = (row[name] for name in CHAINS)
    most = row["processors"] / (serial["processor_s"] / serial["wall_s"])

    def of_each(figure, scale=1):
        values = [row[name].get(figure) for name in CHAINS]
        if None in values:
            return "–"
        return " / ".join(f"{scale * value:.0f}" for value in values)

    return (row["printer"], f"{row['document']} {row['pages']}",
            str(row["processors"]),
            f"{serial['wall_s'] / shared['wall_s']:.2f} x", f"{most:.1f} x",
            f"{shared['wall_s'] / plain['wall_s']:.2f} x",
            f"{shared['processor_s'] / serial['processor_s']:.2f} x",
            of_each("first_s", 1000), of_each("memory_mib"), of_each("files"),
            f"{shared['wall_s']:.2f}")


def table(results):
    lines = ["| " + " | ".join(HEAD) + " |",
             "|---|---|" + "---:|" * (len(HEAD) - 2)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in results["jobs"]]
    return "\n".join(lines) + ("\n\nThree figures: plain / serial / shared.")


def cases(given, folder):
    build = given.build.resolve()
    cpus = processors()
    for printer in given.printers:
        chain_of = PRINTERS[printer](build, folder)
        if not chain_of:
            print(f"{printer}: not installed")
            continue
        for text in given.documents:
            kind, pages = text.split(":")
            document = folder / f"{kind}{pages}.pdf"
            if not document.exists():
                document.write_bytes(KINDS[kind](int(pages)))
            for count in given.processors:
                if count <= len(cpus):
                    yield Case(printer, chain_of, kind, int(pages), document,
                               cpus[:count])


def run(given):
    begun = time.monotonic()
    results = {"cpu": cpu_name(), "processors": len(os.sched_getaffinity(0)),
               "date": datetime.date.today().isoformat(),
               "command": "pdf_bench.py " + " ".join(sys.argv[2:]),
               "versions": versions(), "rounds": 0,
               "load": {"before": round(os.getloadavg()[0], 1)}, "jobs": []}
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
        for case in all_cases:
            results["jobs"].append(case.row(not given.without_memory))
            print(" | ".join(cells(results["jobs"][-1])), flush=True)
            if given.save:
                save(results, given.save)
    results["load"]["after"] = round(os.getloadavg()[0], 1)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--processors", type=int, nargs="+",
                        default=[2, 4, 16])
    parser.add_argument("--documents", nargs="+", metavar="KIND:PAGES",
                        default=DOCUMENTS)
    parser.add_argument("--printers", nargs="+", choices=PRINTERS,
                        default=list(PRINTERS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--without-memory", action="store_true")
    parser.add_argument("--show", type=pathlib.Path)
    given = parser.parse_args()
    if given.show:
        print(table(json.loads(given.show.read_text(encoding="utf-8"))))
        return
    if not given.build:
        parser.error("name the build folder")
    results = run(given)
    print(table(results))
    if given.save:
        save(results, given.save)


if __name__ == "__main__":
    main()

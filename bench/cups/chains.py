# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chains of filters that cupsd runs for a queue, before and after adoption, and
single programs: what they take, and what comes out."""

import hashlib
import os
import pathlib
import random
import re
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parents[1]
SYSTEM = BENCH.parent / "tests/system"
sys.path += [str(BENCH), str(SYSTEM / "cups")]
import cups_raster  # noqa: E402
import record  # noqa: E402, F401: for the scripts beside this

FILTERS = pathlib.Path("/usr/lib/cups/filter")
DRV = pathlib.Path("/usr/share/cups/drv")
DRIVERS = pathlib.Path("/usr/lib/cups/driver")
WIDTH, HEIGHT = 4758, 6817  # A4 with margins of 12 points


class Chain:
    """The filters of one queue."""

    def __init__(self, programs, ppd, options, folder):
        self.programs = programs
        self.words = ["1", "user", "title", "1", options]
        self.environment = dict(
            os.environ, PPD=str(ppd), CONTENT_TYPE="application/pdf",
            FINAL_CONTENT_TYPE="printer/bench", PRINTER="bench",
            DEVICE_URI="file:/dev/null", CUPS_SERVERBIN=str(FILTERS.parent),
            CUPS_DATADIR="/usr/share/cups", CUPS_CACHEDIR=str(folder),
            TMPDIR=str(folder), RIP_MAX_CACHE="128m", HALFTONED_CONF="/nonexistent")

    def start(self, document):
        processes, source = [], open(document, "rb")
        for program in self.programs:
            processes.append(subprocess.Popen(
                [program, *self.words], stdin=source, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=self.environment, close_fds=False))
            source.close()
            source = processes[-1].stdout
        return processes

    def run(self, document, pages=1, watch=None):
        """Seconds on the clock, of processors (in all, and by program), and to the
        first page, which has come when its share of the bytes has; the bytes' number
        and hash."""
        begun, came, total = time.perf_counter(), [], 0
        digest = hashlib.sha1()
        processes = self.start(document)
        if watch:
            watch.begin(processes)
        while piece := os.read(processes[-1].stdout.fileno(), 1 << 20):
            total += len(piece)
            came.append((total, time.perf_counter() - begun))
            digest.update(piece)
        spent = {program.name: processor_seconds(process)
                 for program, process in zip(self.programs, processes)}
        wall = time.perf_counter() - begun
        processes[-1].stdout.close()
        if watch:
            watch.end()
        return {"wall_s": wall, "processor_s": sum(spent.values()), "by": spent,
                "first_s": next((when for so_far, when in came
                                 if so_far * pages >= total), 0),
                "bytes": total, "hash": digest.hexdigest()}


def processor_seconds(process):
    """When it has ended, well."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{process.args[0]}: exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def compiled(folder, source):
    subprocess.run(["ppdc", "-d", folder, source], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def adopt(build, ppd):
    """The path of the adopted PPD file."""
    adopted = ppd.with_name(f"{ppd.stem}-adopted.ppd")
    subprocess.run([build / "tools/adopt/halftone-adopt", "adopt", "--ppd", ppd,
                    adopted], check=True, stdout=subprocess.DEVNULL)
    return adopted


def driver_of(ppd):
    return FILTERS / re.search(r'^\*cupsFilter:\s*"\S+ \d+ (\S+)"',
                               ppd.read_text(encoding="latin-1"), re.MULTILINE)[1]


def chains(build, folder, ppds, drivers, options):
    """Without us; with gstoraster and rastertohalftone; and with pdftohalftone in the
    place of both. Each pair: without us, and with."""
    first, gray = [FILTERS / "pdftopdf"], [FILTERS / "gstoraster"]
    return [
        Chain([*first, *gray, *drivers[0]], ppds[0], options[0], folder),
        Chain([*first, *gray, build / "filter/rastertohalftone", *drivers[1]],
              ppds[1], options[1], folder),
        Chain([*first, build / "filter/pdftohalftone", *drivers[1]], ppds[1],
              options[1], folder)]


def spend(words, source, **environment):
    """Seconds of a program: on the clock, and of processors."""
    with open(source, "rb") as raster:
        begun = time.perf_counter()
        process = subprocess.Popen(
            words, stdin=raster, stdout=subprocess.DEVNULL, close_fds=False,
            stderr=subprocess.DEVNULL, env=dict(os.environ, **environment))
        spent = processor_seconds(process)
        return time.perf_counter() - begun, spent


def make_noise(path):
    """A page whose rows all differ."""
    chance = random.Random(1)
    rows = [chance.randbytes(WIDTH) for _ in range(64)]
    path.write_bytes(cups_raster.sync_word(3) + cups_raster.pack_header(
        cups_raster.page_header(WIDTH, HEIGHT)) + b"".join(
            rows[i * 31 % 64] for i in range(HEIGHT)))


def ghostscript(document, path, device, *words, dpi=600):
    """A document as this device makes it: A4, unless it says its size."""
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sPAPERSIZE=a4",
                    f"-r{dpi}", f"-sDEVICE={device}", *words, f"-sOutputFile={path}",
                    document], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def render(document, path):
    """Its first page, as raster of gray."""
    ghostscript(document, path, "cups", "-dcupsColorSpace=18",
                "-dcupsBitsPerColor=8", "-dLastPage=1")

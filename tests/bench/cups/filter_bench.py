#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long rastertohalftone takes for one A4 page at 600 dpi, beside the least
that a filter can do (pass_through) and beside a whole job with Ghostscript.

Whole processes are timed, their start included, from a file in memory to
/dev/null, in turn, so that a noisy machine is noisy for all; the median and the
least of the runs are given. Usage: filter_bench.py BUILD_FOLDER [RUNS]
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
CUPS = HERE.parent.parent / "system/cups"
sys.path.insert(0, str(CUPS))

import cups_raster  # noqa: E402


WIDTH, HEIGHT = 4758, 6817  # A4 with margins of 12 points


def make_noise(path):
    """A page on which no row is like another."""
    chance = random.Random(1)
    rows = [chance.randbytes(WIDTH) for _ in range(64)]
    header = cups_raster.page_header(WIDTH, HEIGHT)
    with open(path, "wb") as raster:
        raster.write(cups_raster.sync_word(3) +
                     cups_raster.pack_header(header))
        for i in range(HEIGHT):
            raster.write(rows[i * 31 % 64])


def render(path, pages=1):
    """The sample page as Ghostscript's cups device gives it; its time."""
    begun = time.perf_counter()
    subprocess.run(
        ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=cups",
         "-sPAPERSIZE=a4", "-r600", "-dcupsColorSpace=18",
         "-dcupsBitsPerColor=8", f"-dpages={pages}",
         f"-sOutputFile={path}", CUPS / "sample.ps"],
        check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


def size_of(path):
    with open(path, "rb") as raster:
        raster.read(4)
        header = cups_raster.unpack_header(
            raster.read(cups_raster.V2_BYTES))
    return f"{header['cupsWidth']} x {header['cupsHeight']}"


def seconds(words, source, **environment):
    with open(source, "rb") as raster, open(os.devnull, "wb") as nothing:
        begun = time.perf_counter()
        subprocess.run(words, stdin=raster, stdout=nothing, stderr=nothing,
                       check=True, env=dict(os.environ, **environment))
        return time.perf_counter() - begun


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    program = build / "filter/rastertohalftone"
    halftone = [program, "1", "user", "title", "1"]
    cases = {
        "pass-through": [build / "tests/bench/cups/pass_through"],
        "start alone": [*halftone, ""],
        "identity": [*halftone, ""],
        "with a curve": [*halftone, "halftone-gamma=1.8"],
        "identity, 1 thread": [*halftone, "halftone-threads=1"],
    }
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        noise = pathlib.Path(folder) / "noise.ras"
        sample = pathlib.Path(folder) / "sample.ras"
        tiny = pathlib.Path(folder) / "tiny.ras"
        make_noise(noise)
        tiny.write_bytes(cups_raster.sync_word(3) + cups_raster.pack_page(
            cups_raster.page_header(1, 1), b"\0"))
        render_seconds = min(render(sample) for _ in range(3))
        for source in (noise, sample):
            times = {name: [] for name in cases}
            for _ in range(runs):
                for name, words in cases.items():
                    times[name].append(seconds(
                        words, tiny if name == "start alone" else source,
                        HALFTONED_CONF="/nonexistent"))
            base = statistics.median(times["pass-through"])
            print(f"{source.stem}, {size_of(source)}, {runs} runs, "
                  f"{len(os.sched_getaffinity(0))} processors")
            for name, all_times in times.items():
                median = statistics.median(all_times)
                print(f"  {name:20} median {1e3 * median:7.1f} ms, least "
                      f"{1e3 * min(all_times):7.1f} ms, "
                      f"{median / base:5.2f} x pass-through")
        share = statistics.median(times["identity"])
        print(f"Ghostscript renders the sample in {1e3 * render_seconds:.0f} "
              f"ms; the filter is {100 * share / (share + render_seconds):.1f}"
              " % of both, one after the other")


if __name__ == "__main__":
    main()

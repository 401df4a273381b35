#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much longer the packaged rastertohalftone takes to start and end than
pass_through, a program that links libcups and nothing else of a filter: a page of one
pixel goes through both, in turn. Prints medians and minima of the clock and of the
processor, in milliseconds.

Usage: start_bench.py BUILD_FOLDER PACKAGES_FOLDER [RUNS]
"""

import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "tests/system/cups"))
import cups_raster  # noqa: E402

PACKAGES = "cups-filter-halftone", "libhalftoned-engine*"


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(words, page):
    """Seconds of the clock and of the processor."""
    with open(page, "rb") as source:
        before, began = processor(), time.perf_counter()
        subprocess.run(words, stdin=source, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - began, processor() - before


def main():
    build, packages = map(pathlib.Path, sys.argv[1:3])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in PACKAGES:
            deb, = (each for each in packages.glob(f"{name}_*.deb")
                    if "-dbgsym_" not in each.name)
            subprocess.run(["dpkg-deb", "-x", deb, root / "root"], check=True)
        page = root / "page"
        page.write_bytes(cups_raster.sync_word(3) + cups_raster.pack_page(
            cups_raster.page_header(1, 1), b"\0"))
        cases = {
            "pass_through": [build / "bench/cups/pass_through"],
            "rastertohalftone": [root / "root/usr/lib/cups/filter/rastertohalftone",
                                 "1", "user", "title", "1", ""],
        }
        times = {name: [] for name in cases}
        for _ in range(runs):
            for name, words in cases.items():
                times[name].append(timed(words, page))
    for name, measured in times.items():
        clock, used = zip(*measured)
        print(f"{name:16}  clock {statistics.median(clock) * 1e3:6.2f} "
              f"({min(clock) * 1e3:.2f})  processor "
              f"{statistics.median(used) * 1e3:6.2f} ({min(used) * 1e3:.2f})")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long rastertohalftone takes for one A4 page at 600 dpi, compared with the
minimum that a filter can do (pass_through).

    bench/cups/filter_bench.py [--runs N] [--packages FOLDER]

Whole processes are timed, including their start, from a file in memory to /dev/null,
in turn, so that noise of the machine affects all alike; prints medians of time on the
clock and of processor time, and how much longer than pass-through. With --packages,
the filter is that of the packages in that folder, with their engine.
"""

import os
import pathlib
import statistics
import subprocess
import tempfile

import chains
import cups_raster
import documents
from chains import SYSTEM, record

# Floyd and Steinberg's bits without corrections. The last one of repeated options
# counts.
PLAIN = ("halftone-type=floyd-steinberg text-edges=off dot-gain=0 "
         "halftone-tone-aim=linear black-point=0")
PACKAGES = "cups-filter-halftone", "libhalftoned-engine*"


def compare(source, cases, runs):
    spent = {name: [] for name in cases}
    for _ in range(runs):
        for name, words in cases.items():
            spent[name].append(chains.spend(words, source,
                                            HALFTONED_CONF="/nonexistent"))
    medians = {name: [1e3 * statistics.median(each) for each in zip(*times)]
               for name, times in spent.items()}
    base = medians["pass-through"]
    print(f"{source.stem}, {runs} runs, {len(os.sched_getaffinity(0))} processors")
    for name, (clock, processor) in medians.items():
        print(f"  {name:20} {clock:7.1f} ms, {clock / base[0]:5.2f} x; "
              f"{processor:7.1f} ms, {processor / base[1]:5.2f} x", flush=True)


def unpacked(packages, folder):
    """The filter of packages."""
    for name in PACKAGES:
        deb, = (each for each in packages.glob(f"{name}_*.deb")
                if "-dbgsym_" not in each.name)
        subprocess.run(["dpkg-deb", "-x", deb, folder], check=True)
    return folder / "usr/lib/cups/filter/rastertohalftone"


def make_pages(folder):
    paths = {name: folder / f"{name}.ras" for name in
             ("one pixel", "noise", "sample", "text", "mixed", "photo")}
    paths["one pixel"].write_bytes(cups_raster.sync_word(3) + cups_raster.pack_page(
        cups_raster.page_header(1, 1), b"\0"))
    chains.make_noise(paths["noise"])
    chains.render(SYSTEM / "cups/sample.ps", paths["sample"])
    for name in ("text", "mixed", "photo"):
        document = folder / "page.pdf"
        document.write_bytes(getattr(documents, name)())
        chains.render(document, paths[name])
    return paths.values()


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--packages", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        program = (unpacked(given.packages, folder / "root") if given.packages
                   else given.build / "filter/rastertohalftone")
        cases = {name: [program, "1", "user", "title", "1", options]
                 for name, options in {
                     "plain": PLAIN,
                     "plain, 1 thread": PLAIN + " halftone-threads=1",
                     "fine": PLAIN + " halftone-type=fine",
                     "by default": ""}.items()}
        cases["pass-through"] = [given.build / "bench/pass_through"]
        for source in make_pages(folder):
            compare(source, cases, given.runs)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares our halftoning with that of others: speed, memory and quality.

    bench/peers/compare.py [--install] [--page a4 --page 16k] [--only NAME ...]
        [--runs 3] [--real-time] [--save FILE.json]
    bench/peers/compare.py --show FILE.json

Uses peers that are installed; --install installs the others from Debian, with the
packages that this script needs (python3-numpy, python3-scipy, python3-pil), and
rebuilds ours with zimg. Needs our targets halftone and library_page.

Speed is the median of the runs: of whole processes from file to file in memory,
of a library's call on a page in memory, or of a CUPS filter from raster to the
printer's language; a column says which. --real-time gives the runs priority over
everything else (with chrt, as root). Memory is the peak of the process, including
its copies of the page (for Python's ctypes, Python too). Quality is that of the A4
page at 600 dpi, as quality.py describes it; noise is the power of flat pages of
512 × 512 pixels below 1/16 cycle a pixel (dB, white noise 0). A halftone type that
this build's `halftone convert` does not have is skipped, with its error message.
"""

import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import programs
from programs import record

HERE = pathlib.Path(__file__).parent
SIZES = {"a4": (4960, 7016), "16k": (16384, 16384)}
FLATS = (1, 5, 250, 254)
PACKAGES = ("python3-numpy python3-scipy python3-pil ghostscript netpbm "
            "imagemagick graphicsmagick libtiff-tools libvips-tools liblept5 "
            "libzimg-dev libcupsfilters1 printer-driver-gutenprint").split()
PATIENCE = 240  # seconds for a run
LONG = 15       # seconds from which on one run is enough


def measure(peer, page, out, before=()):
    """Seconds and MiB, or why there are none."""
    command = [*before, sys.executable, "-S", HERE / "timed.py", PATIENCE,
               *peer.command(page, out)]
    done = subprocess.run([str(word) for word in command],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 124:
        return f"took more than {PATIENCE} s"
    said = programs.last_line(done.stderr)
    if done.returncode != 0:
        return "failed: " + said if said else "failed"
    if not os.path.exists(out):
        return "left no result"
    seconds, mib = map(float, said.split())
    if peer.timed != "process":
        seconds = float(done.stdout.split()[-1])
    return seconds, mib


def write_page(path, gray, peers):
    import pages
    for kind in {peer.pages for peer in peers}:
        pages.write(f"{path}.{kind}", gray)


def bench_page(peers, size, gray, folder, options):
    """Speed and memory of all, in turn; of A4, quality too."""
    import pages
    import quality
    before = ["chrt", "-r", "20"] if options.real_time else []
    page = folder / "page"
    write_page(page, gray, peers)
    measured = {peer.name: [] for peer in peers}
    found = {peer.name: {} for peer in peers}
    for run in range(options.runs):
        for peer in peers:
            done, row = measured[peer.name], found[peer.name]
            if run and (not done or done[0][0] > LONG):
                continue
            out = folder / f"out.{peer.result}"
            result = (peer.missing() or peer.refuses(*SIZES[size]) or
                      measure(peer, str(page), str(out), before))
            if isinstance(result, str):
                row["why"] = result
                continue
            done.append(result)
            if run == 0 and size == "a4":
                dots = pages.read_dots(out)
                part = gray[:dots.shape[0], :dots.shape[1]]
                row.update(quality.of_page(dots, part), pixels=part.size)
            out.unlink()
        print(f"{size}, run {run + 1} of {options.runs}", file=sys.stderr)
    for name, done in measured.items():
        if done:
            seconds, mib = map(statistics.median, zip(*done))
            pixels = found[name].get("pixels", gray.size)
            found[name].update(ms=seconds * 1000, mib=mib, runs=len(done),
                               mpx_per_s=pixels / seconds / 1e6)
    return found


def bench_flats(peers, folder):
    import pages
    import quality
    found = {peer.name: {"first_row": {}, "power": {}} for peer in peers}
    for tone in FLATS + quality.TONES:
        write_page(folder / "flat", pages.flat(tone), peers)
        for peer in peers:
            out = folder / f"out.{peer.result}"
            if peer.missing() or isinstance(
                    measure(peer, str(folder / "flat"), str(out)), str):
                continue
            dots = pages.read_dots(out)[:512, :512]
            if tone in FLATS:
                found[peer.name]["first_row"][str(tone)] = (
                    quality.first_row_with_a_dot(dots, tone))
            else:
                found[peer.name]["power"][str(tone)] = (
                    quality.low_frequency_power(dots))
            out.unlink()
    return found


def run(options):
    import pages
    peers = [peer for peer in programs.all_peers(options.build)
             if not options.only or
             any(word in peer.name for word in options.only)]
    results = {**record.machine(f"compare.py --runs {options.runs}" +
                                " --real-time" * options.real_time),
               "notes": {peer.name: peer.note for peer in peers
                         if peer.note and not peer.missing()},
               "timed": {peer.name: peer.timed for peer in peers}, "pages": {}}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        for size in options.page or SIZES:
            results["pages"][size] = bench_page(
                peers, size, pages.photo(*SIZES[size]), folder, options)
        results["flats"] = bench_flats(peers, folder)
    return results


def decibels(powers):
    known = [power for power in powers.values() if power is not None]
    if not known:
        return "–"
    mean = sum(known) / len(known)
    return "%.1f dB" % (10 * math.log10(mean)) if mean > 1e-9 else "none"


def table(results, size):
    """As in docs/measurements/comparison.md, and the first rows of flat pages that have
    a dot."""
    columns = (("tone_worst_tile", "%.1f"), ("psnr_gauss", "%.1f dB"),
               ("psnr_csf", "%.1f dB"), ("ssim", "%.3f"))
    rows = []
    for name, row in results["pages"][size].items():
        flats = results["flats"][name]
        rows.append([
            name, results["timed"][name] if "ms" in row else row.get("why", "–"),
            *(form % row[key] if key in row else "–"
              for key, form in (("mpx_per_s", "%.0f"), ("mib", "%.0f"), *columns)),
            decibels(flats["power"]),
            ", ".join(str(row) for row in flats["first_row"].values())])
    return record.table(["", "timed", "megapixels/s", "MiB", "worst tile", "PSNR",
                         "eye", "SSIM", "noise", "first rows"], rows, 2)


def install(build, packages=PACKAGES):
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*as_root, "apt-get", "update", "-qq"], check=True)
    subprocess.run([*as_root, "apt-get", "install", "-qq", "-y",
                    "--no-install-recommends", *packages], check=True)
    if (build / "CMakeCache.txt").exists():
        # A build that was configured without zimg does not look for it again.
        subprocess.run(["cmake", build], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", build, "--target", "halftone",
                        "library_page"], check=True)


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--page", choices=SIZES, action="append")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--real-time", action="store_true")
    options = parser.parse_args()
    if options.install:
        install(options.build)
    results = record.read(options.show) if options.show else run(options)
    if options.save:
        record.save(results, options.save)
    print(*(f"{key}: {results[key]}" for key in ("cpu", "date", "command")), sep=", ")
    for size in results["pages"]:
        print(f"\n{size}, %d x %d\n" % SIZES[size] + table(results, size))
    for name, note in results["notes"].items():
        print(f"{name}: {note}")


if __name__ == "__main__":
    main()

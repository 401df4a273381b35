#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares our halftoning with that of others: speed, memory and quality.

    bench/peers/compare.py [--install] [--build build/release]
        [--page a4 --page 16k] [--only NAME ...] [--runs 3] [--real-time]
        [--save FILE.json]
    bench/peers/compare.py --show FILE.json

Uses peers that are installed; --install installs the others from Debian, with the
packages that this script needs (python3-numpy, python3-scipy, python3-pil), and
rebuilds ours with zimg. Needs our targets halftone and library_page.

Speed is the median of the runs: of whole processes from file to file in memory,
of a library's call on a page in memory, or of a CUPS filter from raster to the
printer's language; a column says which. --real-time gives the runs priority over
everything else (with chrt, as root). Memory is the peak of the process, including
its copies of the page (for Python's ctypes, Python too). Quality is that of the A4
page at 600 dpi, as quality.py describes it, and of flat pages of 512 × 512 pixels.
A halftone type that this build's `halftone convert` does not have is skipped, with
its error message.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import programs

HERE = pathlib.Path(__file__).parent
SIZES = {"a4": (4960, 7016), "16k": (16384, 16384)}
FLATS = (1, 5, 250, 254)
PACKAGES = ("python3-numpy python3-scipy python3-pil ghostscript netpbm "
            "imagemagick graphicsmagick libtiff-tools libvips-tools liblept5 "
            "libzimg-dev libcupsfilters1 printer-driver-gutenprint").split()
TARGETS = ["halftone", "library_page"]
PATIENCE = 240  # seconds for a run
LONG = 15       # seconds from which on one run is enough


def measure(peer, page, out, before=()):
    """Seconds and MiB, or why there are none."""
    command = [*before, sys.executable, "-S", HERE / "timed.py", PATIENCE]
    done = subprocess.run([str(word) for word in
                           command + peer.command(page, out)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 124:
        return "took more than %d s" % PATIENCE
    said = programs.last_line(done.stderr)
    if done.returncode != 0:
        return "failed: " + said if said else "failed"
    if not os.path.exists(out):
        return "left no result"
    seconds, mib = map(float, said.split())
    if peer.timed != "process":
        seconds = float(done.stdout.split()[-1])
    return seconds, mib


def write_page(pages, path, gray, kinds):
    writers = {"pgm": pages.write_pgm, "tif": pages.write_tiff,
               "ps": pages.write_postscript}
    for kind in kinds:
        writers[kind]("%s.%s" % (path, kind), gray)


def remove(folder, stem):
    for path in pathlib.Path(folder).glob(stem + ".*"):
        path.unlink()


def bench_page(peers, size, gray, folder, options, pages, quality):
    """Speed and memory of all, in turn; of A4, quality too."""
    before = ["chrt", "-r", "20"] if options.real_time else []
    page = os.path.join(folder, "page")
    write_page(pages, page, gray, {peer.pages for peer in peers})
    measured = {peer.name: [] for peer in peers}
    found = {peer.name: {} for peer in peers}
    for run in range(options.runs):
        for peer in peers:
            why = peer.missing() or peer.refuses(*SIZES[size])
            done = measured[peer.name]
            if why or (run and (not done or done[0][0] > LONG)):
                if why:
                    found[peer.name]["why"] = why
                continue
            out = os.path.join(folder, "out." + peer.result)
            result = measure(peer, page, out, before)
            if isinstance(result, str):
                found[peer.name]["why"] = result
            else:
                done.append(result)
            if run == 0 and done and size == "a4":
                dots = pages.read_dots(out)
                part = gray[:dots.shape[0], :dots.shape[1]]
                found[peer.name].update(quality.of_page(dots, part))
                found[peer.name]["pixels"] = part.size
            remove(folder, "out")
        print("%s, run %d of %d" % (size, run + 1, options.runs),
              file=sys.stderr)
    for name, done in measured.items():
        if done:
            seconds, mib = (statistics.median(column)
                            for column in zip(*done))
            pixels = found[name].get("pixels", gray.size)
            found[name].update(ms=seconds * 1000, mib=mib, runs=len(done),
                               mpx_per_s=pixels / seconds / 1e6)
    remove(folder, "page")
    return found


def bench_flats(peers, folder, pages, quality):
    found = {peer.name: {"first_row": {}, "power": {}} for peer in peers}
    page = os.path.join(folder, "flat")
    for tone in FLATS + quality.TONES:
        gray = pages.flat(tone)
        write_page(pages, page, gray, {peer.pages for peer in peers})
        for peer in peers:
            if peer.missing():
                continue
            out = os.path.join(folder, "out." + peer.result)
            if isinstance(measure(peer, page, out), str):
                continue
            dots = pages.read_dots(out)[:512, :512]
            if tone in FLATS:
                found[peer.name]["first_row"][tone] = (
                    quality.first_row_with_a_dot(dots, tone))
            else:
                found[peer.name]["power"][tone] = (
                    quality.low_frequency_power(dots))
            remove(folder, "out")
    return found


def run(options):
    try:
        import pages
        import quality
    except ImportError as error:
        sys.exit("%s: try --install" % error)
    peers = [peer for peer in programs.all_peers(options.build)
             if not options.only or
             any(word in peer.name for word in options.only)]
    results = {"cpu": cpu_name(), "processors": os.cpu_count(),
               "date": datetime.date.today().isoformat(),
               "command": "compare.py --runs %d%s" % (
                   options.runs, " --real-time" if options.real_time else ""),
               "load": {"before": os.getloadavg()[0]},
               "notes": {peer.name: peer.note for peer in peers
                         if peer.note and not peer.missing()},
               "timed": {peer.name: peer.timed for peer in peers},
               "pages": {}}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for size in options.page or SIZES:
            gray = pages.photo(*SIZES[size])
            results["pages"][size] = bench_page(
                peers, size, gray, folder, options, pages, quality)
        results["flats"] = bench_flats(peers, folder, pages, quality)
    results["load"]["after"] = os.getloadavg()[0]
    return results


def cpu_name():
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "a processor"


def decibels(powers):
    known = [power for power in powers.values() if power is not None]
    if not known:
        return "-"
    mean = sum(known) / len(known)
    return "%.1f" % (10 * math.log10(mean)) if mean > 1e-9 else "none"


def show_speed(found, timed):
    print("  %-36s %-8s %10s %9s %8s" % ("", "timed", "ms", "Mpx/s", "MiB"))
    for name, row in found.items():
        if "ms" not in row:
            print("  %-36s %s" % (name, row.get("why", "-")))
            continue
        print("  %-36s %-8s %10.1f %9.0f %8.0f" % (
            name, timed[name], row["ms"], row["mpx_per_s"], row["mib"]))


def show_quality(found, flats):
    print("\nQuality: tone error (mean, worst 64 x 64 tile, gray levels); PSNR "
          "(dB) after a Gaussian of 2 px and after contrast sensitivity at "
          "600 dpi from 30 cm; SSIM of what the Gaussian leaves; first row "
          "with a dot on flat pages; power on flat pages below 1/16 cycle a "
          "pixel (dB, white noise 0)")
    print("  %-36s %7s %6s %6s %6s %7s  %4s %4s %4s %4s %6s" % (
        "", "tone", "worst", "gauss", "eye", "SSIM", *FLATS, "power"))
    for name, row in found.items():
        if "ssim" not in row:
            continue
        first = flats[name]["first_row"]
        print("  %-36s %7.3f %6.2f %6.2f %6.2f %7.4f  %-19s %6s" % (
            name, row["tone_mean"], row["tone_worst_tile"], row["psnr_gauss"],
            row["psnr_csf"], row["ssim"],
            " ".join("%4s" % first.get(str(tone), first.get(tone))
                     for tone in FLATS),
            decibels(flats[name]["power"])))


def show(results):
    print("%s, %d processors, %s; %s; load %.1f before, %.1f after" % (
        results["cpu"], results["processors"], results["date"],
        results["command"], results["load"]["before"],
        results["load"]["after"]))
    for size, found in results["pages"].items():
        print("\n%s, %d x %d" % ((size,) + SIZES[size]))
        show_speed(found, results["timed"])
    if "a4" in results["pages"]:
        show_quality(results["pages"]["a4"], results["flats"])
    for name, note in results["notes"].items():
        print("  %s: %s" % (name, note))


def install(build, packages=PACKAGES):
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run(as_root + ["apt-get", "update", "-qq"], check=True)
    subprocess.run(as_root + ["apt-get", "install", "-qq", "-y",
                              "--no-install-recommends"] + packages,
                   check=True)
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        return
    # A build that was configured without zimg does not look for it again.
    subprocess.run(["cmake", build], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", *TARGETS],
                   check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--page", choices=SIZES, action="append")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--real-time", action="store_true")
    parser.add_argument("--save", metavar="FILE")
    parser.add_argument("--show", metavar="FILE")
    options = parser.parse_args()
    if options.show:
        return show(json.loads(pathlib.Path(options.show).read_text()))
    if options.install:
        install(options.build)
    results = run(options)
    if options.save:
        pathlib.Path(options.save).write_text(
            json.dumps(results, indent=1) + "\n")
    show(results)


if __name__ == "__main__":
    main()

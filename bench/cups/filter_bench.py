#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long rastertohalftone takes for one A4 page at 600 dpi, compared with the
minimum that a filter can do (pass_through), and how much it adds to the rendering
of documents by gstoraster.

Whole processes are timed, including their start, from a file in memory to /dev/null,
in turn, so that noise of the machine affects all alike; prints median and minimum of
the runs. Usage: filter_bench.py BUILD_FOLDER [RUNS]
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
CUPS = HERE.parent.parent / "tests/system/cups"
sys.path.insert(0, str(CUPS))

import cups_raster  # noqa: E402
import documents  # noqa: E402

PPD_SOURCE = HERE.parent.parent / "ppd/halftoned.drv"

WIDTH, HEIGHT = 4758, 6817  # A4 with margins of 12 points


# Floyd and Steinberg's bits without corrections. The last one of repeated options
# counts.
PLAIN = ("halftone-type=floyd-steinberg text-edges=off dot-gain=0 "
         "halftone-tone-aim=linear black-point=0")


def make_noise(path):
    """A page whose rows all differ."""
    chance = random.Random(1)
    rows = [chance.randbytes(WIDTH) for _ in range(64)]
    header = cups_raster.page_header(WIDTH, HEIGHT)
    with open(path, "wb") as raster:
        raster.write(cups_raster.sync_word(3) +
                     cups_raster.pack_header(header))
        for i in range(HEIGHT):
            raster.write(rows[i * 31 % 64])


def render(document, path):
    """Its first page, by Ghostscript's cups device."""
    subprocess.run(
        ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=cups",
         "-sPAPERSIZE=a4", "-r600", "-dcupsColorSpace=18",
         "-dcupsBitsPerColor=8", "-dpages=1",
         f"-sOutputFile={path}", document],
        check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)


def size_of(path):
    with open(path, "rb") as raster:
        raster.read(4)
        header = cups_raster.unpack_header(
            raster.read(cups_raster.V2_BYTES))
    return f"{header['cupsWidth']} x {header['cupsHeight']}"


def spend(words, source, **environment):
    """Seconds of a program: on the clock, and of processors."""
    with open(source, "rb") as raster:
        begun = time.perf_counter()
        child = os.posix_spawnp(
            words[0], words, dict(os.environ, **environment),
            file_actions=[
                (os.POSIX_SPAWN_DUP2, raster.fileno(), 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
        _, status, usage = os.wait4(child, 0)
        clock = time.perf_counter() - begun
    if status != 0:
        raise SystemExit(f"{words[0]}: {os.waitstatus_to_exitcode(status)}")
    return clock, usage.ru_utime + usage.ru_stime


def seconds(words, source, **environment):
    return spend(words, source, **environment)[0]


def compare(source, cases, runs):
    spent = {name: [] for name in cases}
    for _ in range(runs):
        for name, (words, given) in cases.items():
            spent[name].append(spend(words, given or source,
                                     HALFTONED_CONF="/nonexistent"))
    medians = {name: [1e3 * statistics.median(each) for each in zip(*times)]
               for name, times in spent.items()}
    base = medians["pass-through"]
    print(f"{source.stem}, {size_of(source)}, {runs} runs, "
          f"{len(os.sched_getaffinity(0))} processors; medians of time on the "
          "clock and of processor time, and how much longer than pass-through")
    for name, (clock, processor) in medians.items():
        print(f"  {name:20} {clock:7.1f} ms, {clock / base[0]:5.2f} x; "
              f"{processor:7.1f} ms, {processor / base[1]:5.2f} x", flush=True)


def job_share(folder, name, pdf, program, pass_through, runs):
    """A document through gstoraster, its raster through the filter, and both side
    by side as cupsd runs them, beside the same with the pass-through."""
    environment = {"PPD": str(folder / "htcups.ppd"), "HALFTONED_CONF": "/no"}
    options = ["1", "user", "title", "1", "Resolution=600dpi PageSize=A4"]
    gstoraster = ["/usr/lib/cups/filter/gstoraster", *options]
    document, raster = folder / f"{name}.pdf", folder / f"{name}.ras"
    document.write_bytes(pdf)
    with open(document, "rb") as source, open(raster, "wb") as out:
        subprocess.run(gstoraster, stdin=source, stdout=out, check=True,
                       stderr=subprocess.DEVNULL,
                       env=dict(os.environ, **environment))
    # The same shell in all three, so that its cost cancels out.
    pipe = ["sh", "-c", '"$@" | "$0" 1 user title 1 ""']
    times = ([], [], [], [])
    for _ in range(runs):
        times[0].append(seconds(["sh", "-c", '"$@"', "sh", *gstoraster],
                                document, **environment))
        times[1].append(seconds(["sh", "-c", '"$@"', "sh", program, *options],
                                raster, **environment))
        for kept, last in ((times[2], program), (times[3], pass_through)):
            kept.append(seconds([*pipe, last, *gstoraster], document,
                                **environment))
    render, halftone, both, least = (1e3 * statistics.median(each)
                                     for each in times)
    print(f"{name}, {size_of(raster)}, {runs} runs: gstoraster alone "
          f"{render:.0f} ms, the filter alone {halftone:.0f} ms, "
          f"{100 * halftone / (render + halftone):.1f} % of both; side by side "
          f"{both:.0f} ms, with the pass-through {least:.0f} ms")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    program = str(build / "filter/rastertohalftone")
    halftone = [program, "1", "user", "title", "1"]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        pages = [folder / f"{name}.ras" for name in
                 ("noise", "sample", "text", "mixed", "photo")]
        tiny = folder / "tiny.ras"
        make_noise(pages[0])
        tiny.write_bytes(cups_raster.sync_word(3) + cups_raster.pack_page(
            cups_raster.page_header(1, 1), b"\0"))
        render(CUPS / "sample.ps", pages[1])
        for page, make in zip(pages[2:], (documents.text, documents.mixed,
                                          documents.photo)):
            document = folder / "page.pdf"
            document.write_bytes(make())
            render(document, page)
        cases = {
            "pass-through": ([str(build / "bench/cups/pass_through")], None),
            "start alone": ([*halftone, ""], tiny),
            "plain": ([*halftone, PLAIN], None),
            "plain, 1 thread": ([*halftone, PLAIN + " halftone-threads=1"],
                                None),
            "with a curve": ([*halftone, PLAIN + " dot-gain=20"], None),
            "with crisp edges": ([*halftone, PLAIN + " dot-gain=20 "
                                  "text-edges=crisp"], None),
            "fine": ([*halftone, PLAIN + " halftone-type=fine"], None),
            "by default": ([*halftone, ""], None),
        }
        for source in pages:
            compare(source, cases, runs)
        subprocess.run(["ppdc", "-d", folder, PPD_SOURCE], check=True)
        for name, pdf in (("text", documents.text()),
                          ("photo", documents.photo())):
            job_share(folder, name, pdf, program, cases["pass-through"][0][0],
                      runs)


if __name__ == "__main__":
    main()

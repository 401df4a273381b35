#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares halftone convert with its peers: whole processes, medians, in one run.

    bench/convert_bench.py build/release/tools/halftone [--runs 9]

Makes uncompressed gray TIFF pages in a tmpfs and halftones them with ours and with
the installed peers (netpbm, Pillow, ImageMagick) in turn. Prints wall and processor
time and the memory of the largest process. Asserts nothing.
"""

import argparse
import os
import shutil
import statistics
import struct
import sys
import tempfile
import time

PAGES = {"a4-600dpi": (4960, 7016), "16384x16384": (16384, 16384)}

USUAL = ("halftone", "netpbm", "Pillow")

PILLOW = ("from PIL import Image; Image.MAX_IMAGE_PIXELS = None; "
          "Image.open('{src}').convert('1').save('{dst}')")


def write_page(path, width, height):
    """A gradient with waves, as an 8-bit TIFF of one strip."""
    with open(path, "wb") as file:
        size = width * height
        file.write(b"II*\0" + struct.pack("<I", 8 + size + size % 2))
        rows = [bytes((x * 255 // width + (x * y >> 9) % 64) & 255
                      for x in range(width)) for y in range(0, 512, 8)]
        for y in range(height):
            file.write(rows[y // 8 % len(rows)])
        file.write(b"\0" * (size % 2))
        fields = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1),
                  (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 4, height),
                  (279, 4, size)]
        file.write(struct.pack("<H", len(fields)))
        for tag, kind, value in fields:
            file.write(struct.pack("<HHII", tag, kind, 1, value))
        file.write(struct.pack("<I", 0))


def commands(halftone, src, dst):
    listed = {"halftone": [halftone, "convert", "--halftone-type",
                           "floyd-steinberg", src, dst, "--compression",
                           "none", "--quiet"]}
    if shutil.which("pamditherbw"):
        listed["netpbm"] = ["sh", "-c", "tifftopnm -quiet %s | pamditherbw "
                            "-floyd | pamtopnm | pamtotiff -quiet > %s" %
                            (src, dst)]
    for python in ("/usr/bin/python3", sys.executable):
        if os.system(python + " -c 'import PIL' 2>/dev/null") == 0:
            listed["Pillow"] = [python, "-c", PILLOW.format(src=src, dst=dst)]
            break
    magick = shutil.which("magick") or shutil.which("convert")
    if magick:
        listed["ImageMagick"] = [magick, src, "-dither", "FloydSteinberg",
                                 "-monochrome", "-compress", "none", dst]
    return listed


def measure(command):
    """Wall and processor seconds, and MiB; None if the command fails."""
    start = time.monotonic()
    child = os.posix_spawnp(
        command[0], command, os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(child, 0)
    wall = time.monotonic() - start
    if status != 0:
        return None
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("halftone")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--page", choices=PAGES, action="append")
    parser.add_argument("--only", action="append", metavar="PROGRAM",
                        help="halftone, netpbm, Pillow or ImageMagick; all "
                        "but the last, which takes minutes, if none is named")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for page in options.page or PAGES:
            src = os.path.join(folder, page + ".tif")
            dst = os.path.join(folder, "out.tif")
            write_page(src, *PAGES[page])
            listed = {name: command for name, command in
                      commands(options.halftone, src, dst).items()
                      if name in (options.only or USUAL)}
            runs = {name: [] for name in listed}
            for _ in range(options.runs + 1):  # the first warms up
                for name, command in listed.items():
                    runs[name].append(measure(command))
            print("%-12s %9s %9s %9s" % (page, "wall ms", "cpu ms", "MiB"))
            for name, results in runs.items():
                if None in results:
                    print("  %-10s failed" % name)
                    continue
                wall, cpu, memory = (statistics.median(column)
                                     for column in zip(*results[1:]))
                print("  %-10s %9.1f %9.1f %9.1f" %
                      (name, wall * 1000, cpu * 1000, memory))
            os.unlink(src)


if __name__ == "__main__":
    main()

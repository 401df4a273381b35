#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far halftones are from what search can find.

    bench/peers/ceiling.py [--only NAME ...] [--save FILE.json]
    bench/peers/ceiling.py --show FILE.json

Takes a square of 320 pixels of each of the twenty pages and photographs of judge.py,
that with most gray, and judges the peers on it, by filters for which it goes on at its
opposite edge. Beside them stands direct binary search: for each figure a search that
knows this figure alone, by exactly its filter, from the dots of `fine`, of `best` and
from noise; the best of the three is the ceiling of that page. So no one page of dots
reaches all of them at once. All searches take some minutes. Needs our targets
halftone, library_page and search_dots.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import collection
import judge
import quality
import verdict
from programs import record

SIDE = 320
STARTS = ("fine", "best")


def grayest(gray):
    """The square, on a grid of half its side, with most gray pixels."""
    steps = [range(0, side - SIDE + 1, SIDE // 2) for side in gray.shape]
    squares = [gray[top:top + SIDE, left:left + SIDE]
               for top in steps[0] for left in steps[1]]
    return np.ascontiguousarray(max(
        squares, key=lambda part: np.count_nonzero((part > 0) & (part < 255))))


LINE = np.fft.fftfreq(SIDE)
FREQUENCY = np.hypot(LINE[:, None], LINE[None, :])
RESPONSES = {
    "psnr_csf": quality.sensitivity(FREQUENCY),
    "psnr_nasanen": quality.nasanen(FREQUENCY),
    "psnr_gauss": np.exp(-2 * (np.pi * quality.SIGMA * FREQUENCY) ** 2)}


def seen(gray, dots, response):
    spectrum = np.fft.fft2(dots * 255.0 - gray)
    return float(quality.psnr(np.mean(np.abs(spectrum * response) ** 2) / gray.size))


def searched(build, gray, dots, response):
    power = response.astype(float) ** 2
    sums = np.fft.ifft2(np.fft.fft2(dots * 255.0 - gray) * power).real
    data = b"".join(values.astype(np.float32).tobytes()
                    for values in (np.fft.ifft2(power).real, sums))
    out = subprocess.run([build / "bench/search_dots", str(SIDE)], check=True,
                         input=dots.tobytes() + data, stdout=subprocess.PIPE).stdout
    return np.frombuffer(out, np.uint8).reshape(SIDE, SIDE)


def judge_page(name, gray, made, build):
    """Rows of the peers and of the search."""
    starts = {kind: made[verdict.OURS + kind] for kind in STARTS}
    starts["noise"] = (np.random.default_rng(1).random(gray.shape) * 255
                       < gray).astype(np.uint8)
    rows = [{"by": who, "page": name, **{key: seen(gray, dots, response)
                                         for key, response in RESPONSES.items()}}
            for who, dots in made.items()]
    ceiling = {"by": verdict.SEARCH, "page": name}
    for key, response in RESPONSES.items():
        found = {start: seen(gray, searched(build, gray, dots, response), response)
                 for start, dots in starts.items()}
        ceiling[key] = max(found.values())
        ceiling[f"{key}_from"] = max(found, key=found.get)
    return [*rows, ceiling]


def run(options):
    if options.only:
        options.only += [verdict.OURS + kind for kind in STARTS]
    peers = judge.chosen_peers(options)
    rows = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder, jobs = pathlib.Path(name), []
        for group in (collection.all_of_them, collection.more_of_them):
            for title, page in group(folder):
                gray = grayest(page)
                made = {peer.name: judge.halftoned(peer, gray, folder)
                        for peer in peers}
                made = {who: np.ascontiguousarray(dots) for who, dots in made.items()
                        if dots is not None and dots.shape == gray.shape}
                jobs.append(pool.submit(judge_page, title, gray, made, options.build))
        for job in jobs:
            rows += job.result()
            print(rows[-1], file=sys.stderr)
    return {**record.machine("ceiling.py"), "pages": rows}


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--only", action="append", metavar="NAME")
    options = parser.parse_args()
    results = record.read(options.show) if options.show else run(options)
    if options.save:
        record.save(results, options.save)
    print(verdict.ceiling(results))


if __name__ == "__main__":
    main()

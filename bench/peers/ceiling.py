#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far halftones are from what search can find.

    bench/peers/ceiling.py [--build build/release] [--only NAME ...]
        [--save FILE.json]
    bench/peers/ceiling.py --show FILE.json

Takes a square of 320 pixels of each of the twenty pages and photographs of judge.py,
that with most gray, and judges the peers on it, by filters for which it goes on at its
opposite edge. Beside them stands direct binary search: for each figure a search that
knows this figure alone, by exactly its filter, from the dots of `fine`, of `best` and
from noise; the best of the three is the ceiling of that page. So no one page of dots
reaches all of them at once. All searches take some minutes. Needs our targets
halftone, library_page and search_dots.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SIDE = 320
FIGURES = {"psnr_csf": "eye", "psnr_nasanen": "Näsänen's eye",
           "psnr_gauss": "Gaussian"}
SEARCH = "direct binary search"
OURS = "halftone convert, "


def grayest(gray, np):
    """The square, on a grid of half its side, with most gray pixels."""
    steps = [range(0, side - SIDE + 1, SIDE // 2) for side in gray.shape]
    squares = [gray[top:top + SIDE, left:left + SIDE]
               for top in steps[0] for left in steps[1]]
    return np.ascontiguousarray(max(
        squares, key=lambda part: np.count_nonzero((part > 0) & (part < 255))))


def filters(np, quality):
    """Of each figure, by frequency."""
    line = np.fft.fftfreq(SIDE)
    frequency = np.hypot(line[:, None], line[None, :])
    return {"psnr_csf": quality.sensitivity(frequency),
            "psnr_nasanen": quality.nasanen(frequency),
            "psnr_gauss": np.exp(-2 * (np.pi * quality.SIGMA * frequency) ** 2)}


def seen(gray, dots, response, np, quality):
    spectrum = np.fft.fft2(dots * 255.0 - gray)
    return float(quality.psnr(np.mean(np.abs(spectrum * response) ** 2) / gray.size))


def searched(build, gray, dots, response, np):
    power = response.astype(float) ** 2
    sums = np.fft.ifft2(np.fft.fft2(dots * 255.0 - gray) * power).real
    data = b"".join(values.astype(np.float32).tobytes()
                    for values in (np.fft.ifft2(power).real, sums))
    out = subprocess.run(
        [pathlib.Path(build, "bench/search_dots"), str(SIDE)], check=True,
        input=dots.tobytes() + data, stdout=subprocess.PIPE).stdout
    return np.frombuffer(out, np.uint8).reshape(SIDE, SIDE)


def judge_page(name, gray, made, build, quality, np):
    """Rows of the peers and of the search."""
    starts = {**{kind: made[OURS + kind] for kind in ("fine", "best")},
              "noise": (np.random.default_rng(1).random(gray.shape) * 255
                        < gray).astype(np.uint8)}
    known = filters(np, quality)
    for who, dots in made.items():
        yield {"by": who, "page": name,
               **{key: seen(gray, dots, response, np, quality)
                  for key, response in known.items()}}
    ceiling = {"by": SEARCH, "page": name}
    for key, response in known.items():
        found = {start: seen(gray, searched(build, gray, dots, response, np),
                             response, np, quality)
                 for start, dots in starts.items()}
        ceiling[key] = max(found.values())
        ceiling[f"{key}_from"] = max(found, key=found.get)
    yield ceiling


def run(options):
    import numpy as np
    import collection
    import judge
    import pages
    import programs
    import quality
    wanted = {OURS + "fine", OURS + "best"}
    peers = [peer for peer in programs.all_peers(options.build)
             if judge.distinct(peer) and not peer.missing() and
             (peer.name in wanted or not options.only or
              any(word in peer.name for word in options.only))]
    rows = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder_name, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(folder_name)
        jobs = []
        for group in (collection.all_of_them, collection.more_of_them):
            for name, page in group(folder):
                gray = grayest(page, np)
                made = {peer.name: judge.halftoned(peer, gray, folder, pages)
                        for peer in peers}
                made = {who: np.ascontiguousarray(dots)
                        for who, dots in made.items() if dots is not None
                        and dots.shape == gray.shape}
                jobs.append(pool.submit(
                    lambda *all: list(judge_page(*all)),
                    name, gray, made, options.build, quality, np))
        for job in jobs:
            rows += job.result()
            print(rows[-1], file=sys.stderr)
    return {"command": "ceiling.py", "date": datetime.date.today().isoformat(),
            "pages": rows}


def digest(results):
    """What each is below the ceiling, in the mean, and the ceiling itself."""
    rows = results["pages"]
    ceiling = {row["page"]: row for row in rows if row["by"] == SEARCH}

    def mean(who, key, below):
        return sum((ceiling[row["page"]][key] if below else 0) - row[key]
                   for row in rows if row["by"] == who) / len(ceiling)

    lines = ["| | " + " | ".join(FIGURES.values()) + " |",
             "|---|" + "---:|" * len(FIGURES)]
    peers = [who for who in dict.fromkeys(row["by"] for row in rows)
             if who != SEARCH and
             sum(row["by"] == who for row in rows) == len(ceiling)]
    for who in sorted(peers, key=lambda who: mean(who, "psnr_csf", True)):
        name = f"`{who[len(OURS):]}`" if who.startswith(OURS) else who
        lines.append(f"| {name} | " + " | ".join(
            "%.1f" % mean(who, key, True) for key in FIGURES) + " |")
    lines.append("| the ceiling, dB | " + " | ".join(
        "%.1f" % -mean(SEARCH, key, False) for key in FIGURES) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--save", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--show", metavar="FILE", type=pathlib.Path)
    options = parser.parse_args()
    if options.show:
        results = json.loads(options.show.read_text(encoding="utf-8"))
    else:
        import judge
        results = run(options)
        if options.save:
            judge.save(results, options.save)
    print(digest(results))


if __name__ == "__main__":
    main()

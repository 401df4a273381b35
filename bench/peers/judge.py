#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How close our halftones are to the gray, and those of others.

    bench/peers/judge.py [--install] [--build build/release]
        [--only NAME ...] [--more] [--save FILE.json]
    bench/peers/judge.py --show FILE.json

Judges every installed peer of compare.py, on the pages and photographs of
collection.py, by the figures of quality.py; --install installs the packages of
compare.py, photographs and cups-filters from Debian. Needs our targets halftone and
library_page. Nothing is timed. With --only, other peers in the file are kept. With
--more, only the further pages and photographs of collection.py are judged, and what
the file has of the first is kept.

For pages: the PSNR (dB) after a Gaussian of 2 pixels, and as an eye sees the page
from 30 cm (`csf`, and `nasanen` by another model of it), the structural similarity after the Gaussian, the error of tone,
and the largest such error of a tile of 64 × 64 pixels, in gray levels of 255.

For flat pages, 512 × 512: the first row with a dot, the rows and columns that it
takes to half of the ink (start_of_ink), the power below 1/16 cycle a pixel
(white noise: 1), how unequal power is in different directions (anisotropy, dB), the
dots of a cluster and the error of tone. Of lines, one pixel wide, gray on white: what
part of their ink there is, upright and lying, and how many have it but for a tenth. Of prints with round dots of 1.25
pixels: their light.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import compare
import programs
import verdict

PACKAGES = compare.PACKAGES + ["mate-backgrounds", "lomiri-wallpapers-16.04",
                               "cups-filters"]
FLATS = (1, 5, 16, 223, 250, 254)
LINES = sorted({*range(16, 241, 8), 230})
PRINTED = (64, 85, 127, 170, 191, 223)
DIAMETER = 1.25


def halftoned(peer, gray, folder, pages):
    """Its dots, or None where it fails."""
    page, out = folder / "page", folder / f"out.{peer.result}"
    compare.write_page(pages, page, gray, {peer.pages})
    done = compare.measure(peer, str(page), str(out))
    dots = None
    if isinstance(done, str):
        print(f"{peer.name}: {done}", file=sys.stderr)
    else:
        dots = pages.read_dots(out)[:gray.shape[0], :gray.shape[1]]
    compare.remove(folder, "page")
    compare.remove(folder, "out")
    return dots


def judge_pages(peers, folder, pages, quality, grays):
    for name, gray in grays:
        for peer in peers:
            dots = halftoned(peer, gray, folder, pages)
            if dots is not None:
                part = gray[:dots.shape[0], :dots.shape[1]]
                yield {"by": peer.name, "page": name,
                       **quality.of_page(dots, part)}
        print(name, file=sys.stderr)


def judge_flats(peers, folder, pages, quality):
    for peer in peers:
        for tone in FLATS:
            dots = halftoned(peer, pages.flat(tone), folder, pages)
            if dots is None:
                continue
            rows, columns = quality.start_of_ink(dots, tone)
            yield {"by": peer.name, "tone": tone,
                   "first_row": quality.first_row_with_a_dot(dots, tone),
                   "half_rows": rows, "half_columns": columns,
                   "power": quality.low_frequency_power(dots),
                   "anisotropy": quality.anisotropy(dots),
                   "cluster": quality.cluster_size(dots, tone),
                   "tone_error": abs(float(dots.mean()) * 255 - tone)}


def judge_lines(peers, folder, pages, quality):
    for peer in peers:
        for tone in LINES:
            found = {"by": peer.name, "tone": tone}
            for way, across in (("upright", False), ("lying", True)):
                dots = halftoned(peer, pages.line(tone, across), folder, pages)
                if dots is not None:
                    found[way] = quality.ink_of_line(dots, tone, across)
            yield found


def judge_prints(peers, folder, pages, quality):
    for peer in peers:
        light = {}
        for tone in PRINTED:
            dots = halftoned(peer, pages.flat(tone, 256), folder, pages)
            if dots is not None:
                light[str(tone)] = quality.light_of_discs(dots[64:, 64:],
                                                          DIAMETER)
        yield {"by": peer.name, **light}


def versions(peers):
    names = sorted({peer.package for peer in peers if peer.package} - {""} |
                   {"cups-filters", "lomiri-wallpapers-16.04", "mate-backgrounds",
                    "python3-scipy"})
    lines = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\n",
         *(name.split(",")[0] for name in names)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return dict(line.split(" ", 1) for line in lines.splitlines())


def distinct(peer):
    """One of those that give the same bits."""
    return not peer.name.startswith("library, ")


def run(options):
    try:
        import collection
        import pages
        import quality
    except ImportError as error:
        sys.exit(f"{error}: try --install")
    peers = [peer for peer in programs.all_peers(options.build)
             if distinct(peer) and not peer.missing() and
             (not options.only or
              any(word in peer.name for word in options.only))]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        found = {
            "command": "judge.py", "date": datetime.date.today().isoformat(),
            "versions": versions(peers),
            "notes": {peer.name: peer.note for peer in peers if peer.note}}
        if options.more:
            return {**found, "more": list(judge_pages(
                peers, folder, pages, quality,
                collection.more_of_them(folder)))}
        return {
            **found,
            "pages": list(judge_pages(peers, folder, pages, quality,
                                      collection.all_of_them(folder))),
            "flats": list(judge_flats(peers, folder, pages, quality)),
            "lines": list(judge_lines(peers, folder, pages, quality)),
            "prints": list(judge_prints(peers, folder, pages, quality))}


def rounded(value):
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value


def merged(old, new):
    """The old results, updated with the new ones."""
    def key(row):
        return row["by"], row.get("page", row.get("tone"))

    for name, value in new.items():
        if isinstance(value, list):
            rows = {key(row): row for row in [*old.get(name, []), *value]}
            new[name] = list(rows.values())
        elif isinstance(value, dict):
            new[name] = {**old.get(name, {}), **value}
    return {**old, **new}


def save(results, path):
    """A line for each figure's row."""
    parts = []
    for key, value in rounded(results).items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            parts.append(f" {json.dumps(key)}: [\n{rows}\n ]")
        else:
            text = json.dumps(value, indent=1).replace("\n", "\n ")
            parts.append(f" {json.dumps(key)}: {text}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--save", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--show", metavar="FILE", type=pathlib.Path)
    options = parser.parse_args()
    if options.show:
        results = json.loads(options.show.read_text(encoding="utf-8"))
    else:
        if options.install:
            compare.install(options.build, PACKAGES)
        results = run(options)
        if ((options.only or options.more) and options.save and
                options.save.exists()):
            results = merged(json.loads(options.save.read_text(
                encoding="utf-8")), results)
        if options.save:
            save(results, options.save)
    verdict.show(results)


if __name__ == "__main__":
    main()

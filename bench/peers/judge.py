#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How close our halftones are to the gray, and those of others.

    bench/peers/judge.py [--install] [--only NAME ...] [--pages | --more]
        [--save FILE.json]
    bench/peers/judge.py --show FILE.json

Judges every installed peer of compare.py, on the pages and photographs of
collection.py, by the figures of quality.py; --install installs the packages of
compare.py, photographs and cups-filters from Debian. Needs our targets halftone and
library_page. Nothing is timed. With --only, other peers in the file are kept. With
--pages, only pages and photographs are judged; with --more, only the further ones of
collection.py. What the file has of other kinds is kept.

For pages: the PSNR (dB) after a Gaussian of 2 pixels, and as an eye sees the page from
30 cm (`csf`, and `nasanen` by another model of it), the structural similarity after
the Gaussian, the error of tone, and the largest such error of a tile of 64 × 64
pixels, in gray levels of 255.

For flat pages, 512 × 512: the first row with a dot, the rows and columns that it takes
to half of the ink (start_of_ink), the power below 1/16 cycle a pixel (white noise: 1)
and the error of tone. For lines, one pixel wide, gray on white: what part of their ink
there is, vertical and horizontal. For prints with round dots of 1.25 pixels: their light.
"""

import pathlib
import sys
import tempfile

import compare
import programs
import verdict
from programs import record

PHOTOGRAPHS = ["mate-backgrounds", "lomiri-wallpapers-16.04", "cups-filters"]
FLATS = (1, 5, 16, 223, 250, 254)
LINES = sorted({*range(16, 241, 8), 230})
PRINTED = (64, 85, 127, 170, 191, 223)
DIAMETER = 1.25


def halftoned(peer, gray, folder):
    """Its dots, or None where it fails."""
    import pages
    page, out = folder / "page", folder / f"out.{peer.result}"
    pages.write(f"{page}.{peer.pages}", gray)
    done = compare.measure(peer, str(page), str(out))
    dots = None
    if isinstance(done, str):
        print(f"{peer.name}: {done}", file=sys.stderr)
    else:
        dots = pages.read_dots(out)[:gray.shape[0], :gray.shape[1]]
    for path in (*folder.glob("page.*"), *folder.glob("out.*")):
        path.unlink()
    return dots


def all_rows(peers, folder, grays, figures):
    """For each peer and each gray, named {key: value}, what figures(dots, gray) says."""
    for name, gray in grays:
        for peer in peers:
            dots = halftoned(peer, gray, folder)
            if dots is not None:
                part = gray[:dots.shape[0], :dots.shape[1]]
                yield {"by": peer.name, **name, **figures(dots, part)}
        print(name, file=sys.stderr)


def of_flat(dots, gray):
    import quality
    tone = int(gray[0, 0])
    rows, columns = quality.start_of_ink(dots, tone)
    return {"first_row": quality.first_row_with_a_dot(dots, tone),
            "half_rows": rows, "half_columns": columns,
            "power": quality.low_frequency_power(dots),
            "tone_error": abs(float(dots.mean()) * 255 - tone)}


def judge_lines(peers, folder):
    import pages
    import quality
    for peer in peers:
        for tone in LINES:
            found = {"by": peer.name, "tone": tone}
            for way, across in (("upright", False), ("lying", True)):
                dots = halftoned(peer, pages.line(tone, across), folder)
                if dots is not None:
                    found[way] = quality.ink_of_line(dots, tone, across)
            yield found


def judge_prints(peers, folder):
    import pages
    import quality
    for peer in peers:
        dots = {tone: halftoned(peer, pages.flat(tone, 256), folder)
                for tone in PRINTED}
        yield {"by": peer.name, **{
            str(tone): quality.light_of_discs(each[64:, 64:], DIAMETER)
            for tone, each in dots.items() if each is not None}}


def chosen_peers(options):
    """Those that are there; of those that give the same bits, one."""
    return [peer for peer in programs.all_peers(options.build)
            if not peer.name.startswith("library, ") and not peer.missing() and
            (not options.only or any(word in peer.name for word in options.only))]


def run(options):
    import collection
    import pages
    import quality
    peers = chosen_peers(options)
    found = {**record.machine("judge.py"), "versions": record.versions(
        {peer.package.split(",")[0] for peer in peers} |
        {*PHOTOGRAPHS, "python3-scipy"}),
        "notes": {peer.name: peer.note for peer in peers if peer.note}}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)

        def judged(group):
            return list(all_rows(peers, folder, (
                ({"page": page}, gray) for page, gray in group(folder)),
                quality.of_page))

        if options.more:
            return {**found, "more": judged(collection.more_of_them)}
        if options.pages:
            return {**found, "pages": judged(collection.all_of_them)}
        flats = (({"tone": tone}, pages.flat(tone)) for tone in FLATS)
        return {**found, "pages": judged(collection.all_of_them),
                "flats": list(all_rows(peers, folder, flats, of_flat)),
                "lines": list(judge_lines(peers, folder)),
                "prints": list(judge_prints(peers, folder))}


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


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--more", action="store_true")
    options = parser.parse_args()
    is_part = options.only or options.pages or options.more
    if options.install:
        compare.install(options.build, compare.PACKAGES + PHOTOGRAPHS)
    results = record.read(options.show) if options.show else run(options)
    if options.save:
        if is_part and options.save.exists():
            results = merged(record.read(options.save), results)
        record.save(results, options.save)
    verdict.show_rows(results)
    if not is_part:
        print(verdict.quality(results))


if __name__ == "__main__":
    main()

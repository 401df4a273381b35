#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many bar codes scan, by how a label is halftoned.

    bench/codes/codes_bench.py [--labels 10000] [--peers 1000] [--seed 1]
        [--jobs N] [--found] [--kinds KIND,KIND] [--parts FOLDER] [--save FILE.json]
    bench/codes/codes_bench.py --show FILE.json
    bench/codes/codes_bench.py --check [--build build/release]

Labels (labels.py) are Code 128, EAN-13, ITF, GS1 DataBar, QR, DataMatrix, PDF417 and
Aztec with modules of 1.5 to 6 dots; they are halftoned, printed by a model of a label printer or a
laser, and read by zbar and ZXing (reading.py). A label is read if either reader
finds its text; it is wrong if either finds another one. `gray` is the same label
before it is halftoned, and `printed` is that gray through the same model of a
printer, as if its dots could be gray. `parted` is the ideal threshold: dots are black
below the middle between the light of the bars and of the background, which only the
maker of the label knows. Ours are `fine` with each choice of text-edges, and bi-level,
with the filter's tones. Only the first labels, as many as --peers says, are also
halftoned without text-edges, by Ghostscript's default, and by LPrint's rule: gray that
has a pure neighbor becomes black or white. --found makes harder labels for soft: more of
them are gray or skewed, they are rotated by any multiple of 90 degrees, and their
modules are larger. DataMatrix codes are squares; --kinds makes only labels of these
kinds. Nothing is timed. --parts keeps what was read, so that a run which was ended
goes on from there.
bench/tables.py prints the tables of docs/measurements/bar-codes.md. --check fails if a
few labels show that barcode or soft has become worse; it exits with 77 if a package is
missing.

Needs the target halftone, and the Debian packages python3-numpy, python3-pil,
python3-zbar, python3-zxing-cpp, zint and ghostscript.
"""

import dataclasses
import json
import multiprocessing
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "peers")]
import codes_report as report  # noqa: E402
import record  # noqa: E402

try:
    import numpy as np
    from PIL import Image, ImageFilter

    import labels as making
    import pages
    import reading
    missing = [name for name in ("zint", "gs") if not shutil.which(name)]
except ImportError as error:
    missing = [error]

AT_ONCE = 50  # labels of a batch
BLACK_POINT = 32
# The filter's defaults, by printer.
DOT_GAIN = {("thermal", 203): 5.4, ("thermal", 300): 8, ("laser", 300): 12,
            ("laser", 600): 20}
OURS = {edges: ["--halftone-type", "fine", "--text-edges", edges]
        for edges in ("barcode", "soft")}
OURS["bi-level"] = ["--halftone-type", "bi-level", "--text-edges", "off"]
OF_FEW = {edges: ["--halftone-type", "fine", "--text-edges", edges]
          for edges in ("crisp", "off")}


def printer_of(label):
    return label.printer, label.dots_per_inch


def by_us(halftone, words, labels, grays, folder):
    """Dots of each label."""
    made = {}
    for printer, gain in DOT_GAIN.items():
        names = {at: folder / f"label{at}.pgm" for at, label in enumerate(labels)
                 if printer_of(label) == printer}
        for at, path in names.items():
            pages.write(path, grays[at])
        gained = [] if "bi-level" in words else ["--dot-gain", str(gain)]
        if names:
            subprocess.run(
                [halftone, "convert", "--quiet", "--threads", "1", "--format", "pbm",
                 *words, "--black-point", str(BLACK_POINT), *gained,
                 *names.values(), "-o", f"{folder}/bits/"], check=True)
        for at in names:
            made[at] = pages.read_dots(folder / f"bits/label{at}.pbm")
    return [made[at] for at in range(len(labels))]


def by_lprint(gray, dots):
    """Its rule, and our dots elsewhere."""
    pure = (gray <= BLACK_POINT) | (gray == 255)
    beside = np.asarray(Image.fromarray(pure.astype(np.uint8)).filter(
        ImageFilter.MaxFilter(3))).astype(bool)
    return np.where(beside, gray >= 128, dots)


def by_ghostscript(grays, folder):
    """Its default halftone of pictures, a pixel a dot."""
    script = folder / "pictures.ps"
    with open(script, "w", encoding="ascii") as file:
        file.write("%!PS\n")
        for gray in grays:
            height, width = gray.shape
            file.write(f"<< /PageSize [{width} {height}] >> setpagedevice\n"
                       f"{width} {height} 8 [1 0 0 -1 0 {height}]\n"
                       "{currentfile %d string readhexstring pop} image\n"
                       % width)
            file.write(np.ascontiguousarray(gray).tobytes().hex("\n", 40))
            file.write("\nshowpage\n")
    return [dots.astype(np.uint8) for dots in
            making.by_ghostscript(script, "pbmraw", folder)]


def seen_of(labels, grays, halftone, folder, with_peers, columns):
    """What a reader sees of each label, by column."""
    ours = {**OURS, **OF_FEW} if with_peers or columns else OURS
    made = {name: by_us(halftone, words, labels, grays, folder)
            for name, words in ours.items() if not columns or name in columns}
    if with_peers:
        made["LPrint's rule"] = [by_lprint(gray, dots) for gray, dots
                                 in zip(grays, made["off"])]
        made["Ghostscript"] = by_ghostscript(grays, folder)
    if not columns:
        made["parted"] = [gray > (label.black + label.white) / 2
                          for label, gray in zip(labels, grays)]
    for at, (label, gray) in enumerate(zip(labels, grays)):
        printer = printer_of(label)
        yield label, {"gray": reading.enlarged(gray),
                      "printed": reading.printed_gray(gray, printer),
                      **{column: reading.printed(dots[at], printer)
                         for column, dots in made.items()}}


def run_kept(work):
    """The same as run_batch, unless its results are kept from an earlier run."""
    parts, batch = work
    if not parts:
        return run_batch(batch)
    kept = parts / (batch[0].replace("/", "-") + ".json")
    if not kept.exists():
        unfinished = kept.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(run_batch(batch)))
        unfinished.rename(kept)
    return json.loads(kept.read_text())


def run_batch(work):
    """What was read of each label, by column: r(ead), w(rong), or both."""
    seed, count, halftone, with_peers, is_found, kinds, *columns = work
    r, readers, results = random.Random(seed), reading.Readers(), []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bits").mkdir()
        labels = [making.found_label(r, kinds) if is_found else
                  making.random_label(r, kinds) for _ in range(count)]
        grays = making.grays_of(labels, making.Symbols(folder), folder)
        for label, seen in seen_of(labels, grays, halftone, folder, with_peers,
                                   columns):
            found, said = {}, {}
            for column, image in seen.items():
                by_reader = readers.read(image, label.kind)
                wrong = {name: sorted(texts - {label.text}) for name, texts
                         in by_reader.items() if texts - {label.text}}
                is_read = any(label.text in texts for texts in by_reader.values())
                found[column] = "r" * is_read + "w" * bool(wrong)
                if wrong:
                    said[column] = wrong
            about = {**dataclasses.asdict(label), "found": found, "said": said}
            if not said:
                del about["text"], about["said"]
            results.append(about)
    return results


def run(options, *columns):
    """What was read of each label, of all columns or of these."""
    work = [(options.parts,
             (f"{options.seed}/{first}", min(AT_ONCE, options.labels - first),
              options.build / "tools/halftone", first < options.peers, options.found,
              options.kinds, *columns))
            for first in range(0, options.labels, AT_ONCE)]
    results = []
    with multiprocessing.Pool(options.jobs) as pool:
        for batch in pool.imap(run_kept, work):
            results += batch
            print(f"{len(results)} labels", end="\r", file=sys.stderr, flush=True)
    return results


def check(options):
    """Whether barcode reads nearly all that is read in gray, and soft nearly all of the
    codes that it finds at any angle; and far more than without text-edges, which shows
    that the labels are hard enough."""
    if missing:
        print("not tested without", *missing)
        return 77
    options.peers, options.parts = 0, None
    is_good = True
    for options.found, options.kinds, options.labels, name in (
            (False, making.CHECKED, 100, "barcode"),
            (True, making.CHECKED_SOFT, 60, "soft")):
        everything = report.summary(run(options, name, "off"))["all"]["all"]
        gray, ours, off = (everything[column] for column in ("gray", name, "off"))
        print(f"of {gray['labels']} labels {gray['read']} are read in gray, "
              f"{ours['read']} with {name}, {off['read']} without; "
              f"{ours['alone']} wrong with {name} alone")
        is_good &= (ours["lost"] <= gray["read"] * 0.02 and
                    ours["read"] - off["read"] >= gray["read"] * 0.04 and
                    ours["alone"] == 0)
    return 0 if is_good else 1


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--labels", type=int, default=10000)
    parser.add_argument("--peers", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--found", action="store_true")
    parser.add_argument("--kinds", type=lambda kinds: kinds.split(","),
                        help="names as in labels.py")
    parser.add_argument("--parts", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.parts:
        options.parts.mkdir(exist_ok=True)
    if options.check:
        sys.exit(check(options))
    if missing and not options.show:
        sys.exit(f"codes_bench.py: missing: {', '.join(map(str, missing))}")
    saved = (record.read(options.show) if options.show
             else report.of(run(options), options.seed))
    report.show(saved)
    if options.save:
        record.save(saved, options.save)


if __name__ == "__main__":
    main()

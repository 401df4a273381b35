#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many bar codes scan, by the way that a label is halftoned.

    bench/codes/codes_bench.py [--build build/release] [--labels 10000]
        [--peers 1000] [--seed 1] [--minutes 60] [--save FILE.json]
    bench/codes/codes_bench.py --show FILE.json
    bench/codes/codes_bench.py --join FILE.jsonl --save FILE.json
    bench/codes/codes_bench.py --check [--build build/release]

Labels (labels.py) are Code 128, EAN-13, ITF, QR, DataMatrix and PDF417 with modules
of 1.5 to 6 dots; they are halftoned, printed by a model of a label printer or a
laser, and read by zbar and ZXing (reading.py). A label is read if either reader
finds its text; it is wrong if either finds another one. `gray` is the same label
before it is halftoned, and `printed` is that gray through the same model of a
printer, as if its dots could be gray. `parted` are dots that are black below the
middle between the light of the bars and of the ground, which nothing but the label's
maker knows. Ours are `fine` with each choice of text-edges, and bi-level,
with the filter's tones. The first labels alone, as many as --peers says, are also
halftoned without text-edges, by Ghostscript's default, and by LPrint's rule: gray
that has a pure neighbour becomes black or white. Nothing is timed. It stops after so
many minutes, with the labels that it has then. --join takes labels from batches that
were run elsewhere, a line of JSON each. bench/tables.py prints the tables of
docs/bar-codes.md. --check fails if a few labels show that barcode has become worse;
it exits with 77 where a package is missing.

Needs the target halftone, and the Debian packages python3-numpy, python3-pil,
python3-zbar, python3-zxing-cpp, zint and ghostscript.
"""

import argparse
import dataclasses
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import codes_report as report  # noqa: E402

AT_ONCE = 50  # labels of a batch
BLACK_POINT = 32
# The filter's defaults, by printer.
DOT_GAIN = {("thermal", 203): 5.4, ("thermal", 300): 8, ("laser", 300): 12,
            ("laser", 600): 20}
OURS = {
    "barcode": ["--halftone-type", "fine", "--text-edges", "barcode"],
    "soft": ["--halftone-type", "fine", "--text-edges", "soft"],
    "bi-level": ["--halftone-type", "bi-level", "--text-edges", "off"],
}
OF_FEW = {
    "crisp": ["--halftone-type", "fine", "--text-edges", "crisp"],
    "off": ["--halftone-type", "fine", "--text-edges", "off"],
}
COLUMNS = ("gray", "printed", "parted", *OURS, *OF_FEW, "LPrint's rule", "Ghostscript")


def by_us(halftone, words, labels, grays, folder):
    """Dots of each label."""
    import pages
    made = {}
    for printer, gain in DOT_GAIN.items():
        numbers = [at for at, label in enumerate(labels)
                   if (label.printer, label.dots_per_inch) == printer]
        if not numbers:
            continue
        names = []
        for at in numbers:
            names.append(folder / f"label{at}.pgm")
            pages.write_pgm(names[-1], grays[at])
        out = folder / "bits"
        subprocess.run(
            [halftone, "convert", "--quiet", "--threads", "1",
             "--format", "pbm", *words, "--black-point", str(BLACK_POINT),
             *(["--dot-gain", str(gain)]
               if "bi-level" not in words else []), *names, "-o", f"{out}/"],
            check=True)
        for at in numbers:
            made[at] = pages.read_dots(out / f"label{at}.pbm")
    return [made[at] for at in range(len(labels))]


def by_lprint(gray, dots):
    """Its rule, and our dots elsewhere."""
    import numpy as np
    from PIL import Image, ImageFilter
    pure = (gray <= BLACK_POINT) | (gray == 255)
    beside = np.asarray(Image.fromarray(pure.astype(np.uint8)).filter(
        ImageFilter.MaxFilter(3))).astype(bool)
    return np.where(beside, gray >= 128, dots)


def by_ghostscript(grays, folder):
    """Its default halftone of pictures, a pixel a dot."""
    import numpy as np
    from PIL import Image
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
    for old in folder.glob("picture-*.pbm"):
        old.unlink()
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r72",
                    "-sDEVICE=pbmraw", f"-sOutputFile={folder}/picture-%05d.pbm",
                    script], check=True)
    return [np.asarray(Image.open(path)).astype(np.uint8)
            for path in sorted(folder.glob("picture-*.pbm"))]


def grays_of(labels, symbols, folder):
    import labels as making
    drawn = iter(making.drawn(
        symbols, [label for label in labels if label.way == "ghostscript"],
        folder))
    return [next(drawn) if label.way == "ghostscript"
            else making.render(symbols, label) for label in labels]


def bits_of(labels, grays, halftone, folder, with_peers, columns):
    """Dots of each label, by column."""
    ours = {**OURS, **OF_FEW} if with_peers else OURS
    made = {name: by_us(halftone, words, labels, grays, folder)
            for name, words in ours.items() if name in columns}
    if with_peers:
        made["LPrint's rule"] = [by_lprint(gray, dots) for gray, dots
                                 in zip(grays, made["off"])]
        made["Ghostscript"] = by_ghostscript(grays, folder)
    return made


def run_batch(work):
    """What was read of each label, by column: r(ead), w(rong), or both."""
    import labels as making
    import reading
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
    seed, count, halftone, with_peers, *columns = work
    columns = columns or COLUMNS
    r = random.Random(seed)
    readers = reading.Readers()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bits").mkdir()
        symbols = making.Symbols(folder)
        labels = [making.random_label(r) for _ in range(count)]
        grays = grays_of(labels, symbols, folder)
        made = bits_of(labels, grays, halftone, folder, with_peers, columns)
    results = []
    if "parted" in columns:
        made["parted"] = [gray > (label.black + label.white) / 2
                          for label, gray in zip(labels, grays)]
    for at, label in enumerate(labels):
        printer = (label.printer, label.dots_per_inch)
        seen = {"gray": reading.enlarged(grays[at]),
                "printed": reading.printed_gray(grays[at], printer)}
        for column, dots in made.items():
            seen[column] = reading.printed(dots[at], printer)
        found, said = {}, {}
        for column, image in seen.items():
            by_reader = readers.read(image, label.kind)
            texts = set().union(*by_reader.values())
            found[column] = (("r" if label.text in texts else "") +
                             ("w" if texts - {label.text} else ""))
            if texts - {label.text}:
                said[column] = {name: sorted(texts - {label.text}) for
                                name, texts in by_reader.items()
                                if texts - {label.text}}
        about = dataclasses.asdict(label)
        if not said:
            del about["text"]
        results.append({**about, "found": found,
                        **({"said": said} if said else {})})
    return results


def joined(path):
    """Labels of batches, in their order."""
    batches = [json.loads(line) for line in
               path.read_text(encoding="utf-8").splitlines()]
    batches.sort(key=lambda one: int(one["batch"].split("/")[1]))
    return [label for one in batches for label in one["labels"]]


def run(options, *columns):
    """What was read of each label, of all columns or of these."""
    halftone = str(pathlib.Path(options.build, "tools/halftone").resolve())
    work = [(f"{options.seed}/{first}", min(AT_ONCE, options.labels - first),
             halftone, first < options.peers, *columns)
            for first in range(0, options.labels, AT_ONCE)]
    results = []
    end = time.monotonic() + 60 * options.minutes
    with multiprocessing.Pool(options.threads) as pool:
        for batch in pool.imap(run_batch, work):
            if time.monotonic() > end:
                break
            results += batch
            print(f"{len(results)} labels", end="\r", file=sys.stderr,
                  flush=True)
    return results


def check(options):
    """Whether barcode reads nearly all that is read in gray; and far more than
    soft, which shows that the labels are hard enough."""
    try:
        import labels  # noqa: F401
        import reading  # noqa: F401
        subprocess.run(["zint", "--version"], stdout=subprocess.DEVNULL,
                       check=True)
        subprocess.run(["gs", "--version"], stdout=subprocess.DEVNULL,
                       check=True)
    except (ImportError, OSError) as error:
        print(f"not tested: {error}")
        return 77
    options.labels, options.peers = 100, 0
    results = run(options, "gray", "printed", "barcode", "soft")
    everything = report.summary(results)["all"]["all"]
    gray, barcode, soft = (everything[name] for name in
                           ("gray", "barcode", "soft"))
    print(f"of {gray['labels']} labels {gray['read']} are read in gray, "
          f"{barcode['read']} with barcode, {soft['read']} with soft; "
          f"{barcode['wrong']} wrong with barcode")
    is_good = (barcode["lost"] <= gray["read"] * 0.02 and
               barcode["read"] - soft["read"] >= gray["read"] * 0.04 and
               barcode["wrong"] <= gray["wrong"])
    return 0 if is_good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--labels", type=int, default=10000)
    parser.add_argument("--peers", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    parser.add_argument("--join", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.show:
        report.show(json.loads(options.show.read_text(encoding="utf-8")))
        return
    if options.check:
        sys.exit(check(options))
    results = joined(options.join) if options.join else run(options)
    saved = report.of(results, options.seed)
    report.show(saved)
    if options.save:
        options.save.write_text(json.dumps(saved, indent=1) + "\n",
                                encoding="utf-8")


if __name__ == "__main__":
    main()

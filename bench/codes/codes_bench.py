#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many bar codes scan, by the way that a label is halftoned.

    bench/codes/codes_bench.py [--build build/release] [--labels 10000]
        [--peers 1000] [--seed 1] [--minutes 60] [--save FILE.json]
    bench/codes/codes_bench.py --show FILE.json [--markdown]
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
were run elsewhere, a line of JSON each. --markdown shows the tables of
docs/bar-codes.md. --check fails if a few labels show that
barcode has become worse; it exits with 77 where a package is missing.

Needs the target halftone, and the Debian packages python3-numpy, python3-scipy,
python3-pil, python3-zbar, python3-zxing-cpp, zint and ghostscript.
"""

import argparse
import collections
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
BESIDE = ("gray", "printed", "parted", "barcode")
SIZES = (1.5, 2, 2.5, 3, 4, 6.01)  # modules, in dots


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
    from scipy import ndimage
    pure = (gray <= BLACK_POINT) | (gray == 255)
    beside = ndimage.maximum_filter(pure.astype(np.uint8), 3).astype(bool)
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


def size_of(module):
    return next(f"{low:g} … {high:g}".replace("6.01", "6")
                for low, high in zip(SIZES, SIZES[1:]) if low <= module < high)


def can_be_read(one):
    """Whether a label is read before it is halftoned, printed or not."""
    return "r" in one["found"]["gray"] and "r" in one["found"]["printed"]


def turned(angle):
    return "turned" if angle not in (0, 90) else "straight"


def summary(results):
    """Counts of all labels, and by what they are."""
    groups = {
        "all": lambda _: "all",
        "symbol": lambda one: one["kind"],
        "way": lambda one: one["way"],
        "dots of a module": lambda one: size_of(one["module"]),
        "angle": lambda one: turned(one["angle"]),
        "printer": lambda one: f"{one['printer']} {one['dots_per_inch']}",
        "bars and ground": lambda one: "black, white"
        if (one["black"], one["white"]) == (0, 255) else "gray",
    }
    tables = {}
    for group, name_of in groups.items():
        rows = collections.defaultdict(lambda: collections.defaultdict(
            lambda: {"labels": 0, "readable": 0, "read": 0, "wrong": 0,
                     "lost": 0}))
        for one in results:
            for column, found in one["found"].items():
                cell = rows[name_of(one)][column]
                cell["labels"] += 1
                cell["readable"] += can_be_read(one)
                cell["read"] += "r" in found
                cell["wrong"] += "w" in found
                cell["lost"] += can_be_read(one) and "r" not in found
        tables[group] = {name: rows[name] for name in sorted(rows)}
    return tables


def beside_gray(results):
    """How many labels there are, and how many are read in gray, printed in gray,
    and halftoned, by symbol, printer, angle and dots of a module."""
    groups = collections.defaultdict(lambda: [0] * (1 + len(BESIDE)))
    for one in results:
        group = groups[f"{one['kind']}, {one['printer']} {one['dots_per_inch']}, "
                       f"{turned(one['angle'])}, {size_of(one['module'])}"]
        group[0] += 1
        for at, column in enumerate(BESIDE):
            group[1 + at] += "r" in one["found"][column]
    return {"columns": ["labels", *BESIDE], **dict(sorted(groups.items()))}


def safe_modules(results, column="barcode"):
    """The least module from which on every label in black on white that can be
    read is read, by symbol, printer and angle, and how many labels have such
    modules."""
    groups = collections.defaultdict(list)
    for one in results:
        if can_be_read(one) and (one["black"], one["white"]) == (0, 255):
            groups[f"{one['kind']}, {one['printer']} {one['dots_per_inch']}, "
                   f"{turned(one['angle'])}"].append(one)
    safe = {}
    for name, labels in sorted(groups.items()):
        lost = [one["module"] for one in labels if "r" not in one["found"][column]]
        least = round(max(lost) + 0.01, 2) if lost else min(SIZES)
        safe[name] = [least, sum(one["module"] >= least for one in labels)]
    return safe


def show(saved):
    for group, rows in saved["tables"].items():
        print(f"\n{group:18}" + "".join(f"{name:>22}" for name in COLUMNS))
        for name, cells in rows.items():
            print(f"{name:18}" + "".join(
                "%22s" % ("%.2f %% of %d, %dw %dl" % (
                    100 * cell["read"] / cell["labels"], cell["labels"],
                    cell["wrong"], cell["lost"]) if cell else "")
                for cell in (cells.get(column) for column in COLUMNS)))
    print("\nread, of so many labels; w: wrong; l: lost, though read in gray, printed or not\n")
    for name, (module, count) in saved["safe_modules"].items():
        print(f"{name:40} every label from {module:.2f} dots a module on, {count}")


def markdown(saved):
    """Of the labels that can be read, how many are read; and the safe modules."""
    shown = ("parted", "barcode", "bi-level", "soft")
    print("| labels | can be read | " + " | ".join(f"`{name}`" for name in shown) +
          " |\n|---|" + 5 * "---:|")
    for rows in saved["tables"].values():
        for name, cells in rows.items():
            lost = [cells[column]["lost"] for column in shown]
            count = cells["gray"]["readable"]
            print(f"| {name} | {count} | " + " | ".join(
                f"{100 * (1 - one / count):.1f} %" for one in lost) + " |")
    printers = [f"{name} {dots}" for name, dots in DOT_GAIN]
    print("\n| symbol | " + " | ".join(printers) + " |\n|---|" +
          len(printers) * "---:|")
    names = saved["safe_modules"]
    for kind in dict.fromkeys(name.split(", ")[0] for name in names):
        cells = [" / ".join(
            f"{names[key][0]:.2f}" if (key := f"{kind}, {printer}, {angle}") in names
            else "–" for angle in ("straight", "turned")) for printer in printers]
        print(f"| {kind} | " + " | ".join(cells) + " |")


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
    """Whether barcode reads nearly all that is read in gray; and more than
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
    options.labels, options.peers = 200, 0
    everything = summary(run(options, "gray", "printed", "barcode", "soft"))[
        "all"]["all"]
    gray, barcode, soft = (everything[name] for name in
                           ("gray", "barcode", "soft"))
    print(f"of {gray['labels']} labels {gray['read']} are read in gray, "
          f"{barcode['read']} with barcode, {soft['read']} with soft; "
          f"{barcode['wrong']} wrong with barcode")
    is_good = (barcode["lost"] <= gray["read"] * 0.01 and
               barcode["read"] > soft["read"] and
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
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--join", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.show:
        (markdown if options.markdown else show)(
            json.loads(options.show.read_text(encoding="utf-8")))
        return
    if options.check:
        sys.exit(check(options))
    results = joined(options.join) if options.join else run(options)
    saved = {"labels": len(results), "seed": options.seed,
             "tables": summary(results), "safe_modules": safe_modules(results),
             "beside_gray": beside_gray(results),
             "wrong": [one for one in results if "w" in one["found"]["barcode"]],
             "lost": [one for one in results if can_be_read(one) and
                      "r" not in one["found"]["barcode"]]}
    show(saved)
    if options.save:
        options.save.write_text(json.dumps(saved, indent=1) + "\n",
                                encoding="utf-8")


if __name__ == "__main__":
    main()

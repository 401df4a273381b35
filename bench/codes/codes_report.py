# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What codes_bench.py saves of labels that were read, and tables of it: one for a
terminal, and those of docs/measurements/bar-codes.md.

Each label is a dictionary: of what labels.Label says, and `found`, by column: r if
its text was read, w if another one was, or both."""

import collections

import record

SIZES = (1.5, 2, 2.5, 3, 4, 6.01, 9.01)  # modules, in dots
BESIDE = ("gray", "printed", "parted", "barcode")
PRINTERS = {"thermal 203": "thermal, 203 dpi",
            "thermal 300": "thermal, 300 dpi",
            "laser 300": "laser, 300 dpi",
            "laser 600": "laser, 600 dpi"}
# The names of groups in a document, unless they are those of the data.
NAMES = {"ghostscript": "drawn by Ghostscript", "jpeg": "JPEG",
         "picture": "scaled picture", "straight": "0° or 90°",
         "turned": "skewed by 1° to 2°", **PRINTERS,
         "black, white": "black on white", "gray": "gray bars, gray background"}
# The halftones of the columns.
HALFTONES = {"parted": "ideal threshold", "barcode": "`barcode`",
             "bi-level": "`bi-level`", "soft": "`soft`", "crisp": "`crisp`",
             "off": "`off`", "LPrint's rule": "LPrint's rule",
             "Ghostscript": "Ghostscript's halftone"}
IN_GRAY = {"gray": "none", "printed": "none, printed in gray"}


def size_of(module):
    return next(f"{low:g} … {high:g}".replace(".01", "")
                for low, high in zip(SIZES, SIZES[1:]) if low <= module < high)


def can_be_read(one):
    """Whether readers find the text before halftoning, in the gray and in its print."""
    return "r" in one["found"]["gray"] and "r" in one["found"]["printed"]


def turned(angle):
    return "turned" if angle % 90 else "straight"


def ground_of(one):
    return "black, white" if (one["black"], one["white"]) == (0, 255) else "gray"


def summary(results):
    """Counts of all labels, and by what they are. A label is kept if it is also read
    in gray; a wrong text is alone if it is found neither in gray nor printed so."""
    groups = {
        "all": lambda _: "all",
        "symbol": lambda one: one["kind"],
        "way": lambda one: one["way"],
        "dots of a module": lambda one: size_of(one["module"]),
        "angle": lambda one: turned(one["angle"]),
        "printer": lambda one: f"{one['printer']} {one['dots_per_inch']}",
        "bars and ground": ground_of,
        "symbol, bars and ground": lambda one: f"{one['kind']}, {ground_of(one)}",
    }
    tables = {}
    for group, name_of in groups.items():
        rows = collections.defaultdict(lambda: collections.defaultdict(
            lambda: {"labels": 0, "readable": 0, "read": 0, "kept": 0,
                     "wrong": 0, "alone": 0, "lost": 0}))
        for one in results:
            for column, found in one["found"].items():
                cell = rows[name_of(one)][column]
                cell["labels"] += 1
                cell["readable"] += can_be_read(one)
                cell["read"] += "r" in found
                cell["kept"] += "r" in found and "r" in one["found"]["gray"]
                cell["wrong"] += "w" in found
                cell["alone"] += "w" in found and "w" not in (
                    one["found"]["gray"] + one["found"]["printed"])
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


def from_modules(results):
    """Labels with modules of so many dots and more: how many can be read, and how many of
    these are not read, all and in black on white."""
    rows = {}
    for least in (1.5, 2, 2.5, 3):
        for ground in ("all", "black on white"):
            labels = [one for one in results
                      if can_be_read(one) and one["module"] >= least and
                      (ground == "all" or
                       (one["black"], one["white"]) == (0, 255))]
            rows[f"{least:g}, {ground}"] = {"readable": len(labels), **{
                column: sum("r" not in one["found"][column] for one in labels)
                for column in ("parted", "barcode")}}
    return rows


def of(results, seed):
    """What is saved."""
    with_peers = [one for one in results if "Ghostscript" in one["found"]]
    return {"labels": len(results), "seed": seed, "tables": summary(results),
            "peers": summary(with_peers)["all"].get("all"),
            "from_modules": from_modules(results),
            "safe_modules": safe_modules(results),
            "beside_gray": beside_gray(results),
            "wrong": [one for one in results if "w" in one["found"]["barcode"]],
            "lost": [one for one in results if can_be_read(one) and
                     "r" not in one["found"]["barcode"]]}


def show(saved):
    """All of it, for a terminal."""
    columns = list(saved["tables"]["all"]["all"])
    print("read, of so many labels; w: wrong; l: lost, though read in gray, printed "
          "or not")
    for group, rows in saved["tables"].items():
        print("\n" + record.table([group, *columns], [[name, *(
            "%.2f %% of %d, %dw %dl" % (
                100 * cells[column]["read"] / cells[column]["labels"],
                cells[column]["labels"], cells[column]["wrong"],
                cells[column]["lost"]) if column in cells else ""
            for column in columns)] for name, cells in rows.items()]))
    print("\n" + safe_table(saved))


def labels_table(saved):
    """How many of the labels that can be read are read."""
    columns = ("parted", "barcode", "bi-level", "soft")
    rows = []
    for group, found in saved["tables"].items():
        if group == "symbol, bars and ground":
            continue
        for name, cells in found.items():
            if group == "dots of a module":
                name += " dots per module"
            count = cells["gray"]["readable"]
            rows.append([NAMES.get(name, name), count, *(
                f"{100 * (1 - cells[column]['lost'] / count):.1f} %"
                for column in columns)])
    return record.table(["labels", "readable in gray",
                         *(HALFTONES[name] for name in columns)], rows)


def found_table(saved):
    """The same of labels with a code that soft may find, by symbol, and where bars or
    ground are gray. The ideal threshold and bi-level may be missing."""
    columns = [column for column in ("parted", "barcode", "bi-level", "soft")
               if column in saved["tables"]["all"]["all"]]
    rows = []
    for group in ("all", "symbol, bars and ground", "angle"):
        for name, cells in saved["tables"][group].items():
            rows.append([
                name.replace("black, white", "black on white").replace(
                    "turned", "skewed by up to 4°").replace("straight", "0° or 90°"),
                cells["gray"]["read"], *(
                    f"{100 * cells[column]['kept'] / cells['gray']['read']:.1f} %"
                    for column in columns)])
    return record.table(["labels", "read in gray",
                         *(HALFTONES[name] for name in columns)], rows)


def peers_table(saved):
    """What became of the first labels, which were halftoned in every way."""
    return record.table(["halftone", "read", "lost", "wrong"], [
        [name, *(saved["peers"][column][key] for key in ("read", "lost", "wrong"))]
        for column, name in {**IN_GRAY, **HALFTONES}.items()])


def safe_table(saved):
    """The smallest safe modules: straight, and skewed."""
    names = saved["safe_modules"]
    return record.table(["symbol", *PRINTERS], [
        [kind, *(" / ".join(
            f"{names[key][0]:.2f}" if (key := f"{kind}, {printer}, {angle}") in names
            else "–" for angle in ("straight", "turned")) for printer in PRINTERS)]
        for kind in dict.fromkeys(name.split(", ")[0] for name in names)])

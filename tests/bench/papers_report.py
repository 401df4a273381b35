#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The papers' tables for a machine, and a plot, from what papers_bench wrote.

    tests/bench/papers_report.py RESULTS.json ... [--svg PLOT.svg]
    tests/bench/papers_report.py --run build/release [--save RESULTS.json]

For every method: milliseconds by the side of the square, in parentheses how
many times faster than the best sequential method of the same run, and beneath
what its paper published for its own machine. Several results (those of the CPU
and those of the GPU of one machine, say) are taken together.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "papers"))
import plot  # noqa: E402

PUBLISHED = pathlib.Path(__file__).parent / "papers/published.json"
TABLES = (
    ("(1) Sequential methods on the CPU", ("sequential",)),
    ("(2) A kernel call a step, global memory", ("global memory",)),
    ("(3) With data permutation", ("global memory, data permutation",)),
    ("(4) Parallelogram blocks, shared memory",
     ("shared memory, a launch a label", "shared memory, a graph")),
    ("Slanted scan lines, by threads of a block", ("slanted scan lines",)),
    ("Knight's order, a kernel call a label", ("knight's order",)),
    ("(5) Transfers", ("transfer, a byte a pixel",)),
    ("Blocks on threads", ("blocks on threads",)),
    ("Ours", ("ours, CPU", "ours, GPU")),
)
SWEEPS = ("CPU and GPU", "blocks on threads, swept")


def read(paths):
    heads, figures = [], []
    for path in paths:
        with open(path) as file:
            results = json.load(file)
        figures += results.pop("figures")
        heads.append(results)
    return heads, figures


def squares(figures):
    """{group: {name: {side: figure}}}, without the sweeps."""
    tree = collections.defaultdict(lambda: collections.defaultdict(dict))
    for figure in figures:
        side, rest = divmod(figure["width"], 1024)
        if rest or figure["width"] != figure["rows"]:
            continue
        if figure["group"] in SWEEPS:
            continue
        name = figure["name"]
        if figure["threads"] > 1:
            name += ", %d threads" % figure["threads"]
        tree[figure["group"]][name][side] = figure
    return dict(tree)


def best_sequential(tree):
    best = {}
    for line in tree.get("sequential", {}).values():
        for side, figure in line.items():
            best[side] = min(best.get(side, figure["ms"]), figure["ms"])
    return best


def digits(ms):
    return "%.0f" % ms if ms >= 1000 else "%.3g" % ms


def print_line(label, cells):
    print("  %-44s" % label[:48] + "".join("%15s" % cell for cell in cells))


def print_tables(tree, published):
    best = best_sequential(tree)
    sides = sorted({side for lines in tree.values() for line in lines.values()
                    for side in line})
    paper = published["kasagi"]
    for title, groups in TABLES:
        lines = [(group, name) for group in groups
                 for name in tree.get(group, {})]
        if not lines:
            continue
        print("\n" + title)
        print_line("ms (times the best sequential)",
                   ["%dK" % side for side in sides])
        for group, name in lines:
            cells = []
            for side in sides:
                figure = tree[group][name].get(side)
                cell = digits(figure["ms"]) if figure else "-"
                if figure and side in best and not group.startswith(
                        ("sequential", "transfer")):
                    cell += " (%s)" % digits(best[side] / figure["ms"])
                cells.append(cell)
            label = name if len(groups) == 1 else "%s: %s" % (
                group.removeprefix("shared memory, "), name)
            print_line(label, cells)
            theirs = paper["ms"].get(group + "/" + name)
            if theirs:
                by_side = dict(zip(paper["sides"], theirs))
                print_line("    " + paper["machine"],
                           [by_side.get(side, "-") for side in sides])
        if groups == ("slanted scan lines",):
            mao = published["mao"]
            by_side = dict(zip(mao["sides"],
                               mao["ms"]["slanted scan lines/best"]))
            print_line("    " + mao["machine"],
                       [by_side.get(side, "-") for side in sides])


def print_sweeps(figures, published):
    sweeps = collections.defaultdict(list)
    for figure in figures:
        size = "%dx%d" % (figure["width"], figure["rows"])
        if figure["group"] == "CPU and GPU":
            share = "%d labels" % figure.get("cpu_labels", 0)
            if figure["name"] == "hybrid":
                share += ", %d columns" % figure["cpu_columns"]
            sweeps[size, figure["name"]].append((share, figure["run_ms"]))
        elif figure["group"] in SWEEPS:
            share = "%s, %d threads" % (figure["name"], figure["threads"])
            sweeps[size, "blocks on threads"].append((share, figure["ms"]))
    if sweeps:
        print("\nShares of the work, ms (reordering left out, as in the paper;"
              " there a GPU alone: %s)" % ", ".join(
                  "%s %d ms" % item for item in
                  published["deshpande"]["ms_by_size"].items()))
    for (size, name), line in sweeps.items():
        if len(line) > 1:
            least = min(line, key=lambda entry: entry[1])
            print("  %s, %s: " % (size, name) + "; ".join(
                "%s %s%s" % (share, digits(ms),
                             " (least)" if (share, ms) == least else "")
                for share, ms in line))


def run(build):
    program = pathlib.Path(build) / "tests/bench/papers/papers_bench"
    return subprocess.run([program], check=True,
                          stdout=subprocess.PIPE).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="*")
    parser.add_argument("--run", metavar="BUILD")
    parser.add_argument("--save", default="papers-results.json")
    parser.add_argument("--svg", metavar="PLOT")
    options = parser.parse_args()
    if options.run:
        pathlib.Path(options.save).write_bytes(run(options.run))
        options.results.append(options.save)
    if not options.results:
        parser.error("name results, or --run a build")
    heads, figures = read(options.results)
    published = json.loads(PUBLISHED.read_text())
    for head in heads:
        print("%s, %d processors%s%s" % (
            head["cpu"], head["processors"],
            ", " + head["gpu"] if head["gpu"] else "", ", " + head["date"]))
    tree = squares(figures)
    print_tables(tree, published)
    print_sweeps(figures, published)
    if options.svg:
        title = " and ".join(sorted({name for head in heads for name in
                                     (head["cpu"], head["gpu"]) if name}))
        pathlib.Path(options.svg).write_text(plot.svg(tree, title))


if __name__ == "__main__":
    main()

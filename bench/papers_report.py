#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The papers' tables for a machine, and a plot, from the results of papers_bench.

    bench/papers_report.py RESULTS.json ... [--svg PLOT.svg]
    bench/papers_report.py --run build/release [--save RESULTS.json]

For every method: milliseconds by the side of the square, in parentheses the speed-up
over the best sequential method of the same run, and below, indented, the papers' own
figures, each for its own machine and relative to its own best sequential method.
Several results (such as those of the CPU and of the GPU of one machine) are combined.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "papers"))
import plot  # noqa: E402
import published  # noqa: E402
import sweeps  # noqa: E402

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
ACCESSES = "memory accesses"
# Without ratios: the reference of the ratios, or no halftoning.
BARE = ("sequential", "transfer, a byte a pixel")


def read(paths):
    heads, figures = [], []
    for path in paths:
        with open(path) as file:
            results = json.load(file)
        figures += results.pop("figures")
        heads.append(results)
    return heads, figures


def squares(figures):
    """{group: {name: {side: ms}}}, for the figures of squares, without the sweeps."""
    tree = collections.defaultdict(lambda: collections.defaultdict(dict))
    for figure in figures:
        side, rest = divmod(figure["width"], 1024)
        if rest or figure["width"] != figure["rows"]:
            continue
        if figure["group"] in (ACCESSES, *sweeps.GROUPS):
            continue
        name = figure["name"]
        if figure["threads"] > 1:
            name += ", %d threads" % figure["threads"]
        tree[figure["group"]][name][side] = figure["ms"]
    return {group: dict(lines) for group, lines in tree.items()}


def print_line(label, cells):
    print("  %-58s" % label[:58] + "".join("%15s" % cell for cell in cells))


def cells(group, times, sides, best):
    out = []
    for side in sides:
        cell = sweeps.digits(times[side]) if side in times else "-"
        if side in times and side in best and group not in BARE:
            cell += " (%s)" % sweeps.digits(best[side] / times[side])
        out.append(cell)
    return out


def print_published(rows, group, sides):
    for label, times, best in rows:
        if any(side in times for side in sides):
            print_line("    " + label, cells(group, times, sides, best))


def print_tables(tree, papers):
    best = published.best_sequential(tree.get("sequential", {}))
    sides = sorted({side for lines in tree.values() for line in lines.values()
                    for side in line})
    for title, groups in TABLES:
        if not any(group in tree for group in groups):
            continue
        print("\n" + title)
        print_line("ms (times the best sequential)",
                   ["%dK" % side for side in sides])
        for group in groups:
            lines = tree.get(group, {})
            for name, times in lines.items():
                label = name if len(groups) == 1 else "%s: %s" % (
                    group.removeprefix("shared memory, "), name)
                print_line(label, cells(group, times, sides, best))
                print_published(published.rows(papers, group, name), group,
                                sides)
            print_published(published.rows(papers, group, but=lines), group,
                            sides)


def print_accesses(figures, papers):
    """Table I. Ours are counted on a square of so many pixels, including what a
    method with register caching does once a row."""
    counted = [figure for figure in figures if figure["group"] == ACCESSES]
    if not counted:
        return
    print("\nMemory accesses a pixel, counted by instrumentation")
    print_line("", ["read", "write", "register read", "register write"])
    for figure in counted:
        pixels = figure["width"] * figure["rows"]
        print_line(figure["name"], [
            "%.3f" % (figure[key] / pixels) for key in
            ("reads", "writes", "register_reads", "register_writes")])
        for paper in papers:
            theirs = paper.get("accesses", {}).get(figure["name"])
            if theirs:
                print_line("    " + paper["name"], theirs)
    print("  The paper's last column counts one write a pixel more than there "
          "are to registers that cache the\n  image: that of the binary pixel, "
          "if it is kept in one too.")


def run(build):
    program = pathlib.Path(build) / "bench/papers/papers_bench"
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
    papers = published.read()
    for head in heads:
        print("%s, %d processors%s%s" % (
            head["cpu"], head["processors"],
            ", " + head["gpu"] if head["gpu"] else "", ", " + head["date"]))
    for paper in papers:
        print("%s: %s" % (paper["name"], paper["title"]))
    tree = squares(figures)
    print_accesses(figures, papers)
    print_tables(tree, papers)
    sweeps.show(figures, papers)
    if options.svg:
        title = " and ".join(sorted({name for head in heads for name in
                                     (head["cpu"], head["gpu"]) if name}))
        pathlib.Path(options.svg).write_text(plot.svg(tree, title))


if __name__ == "__main__":
    main()

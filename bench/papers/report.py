#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The papers' tables for a machine, and a plot, from the results of papers_bench.

    bench/papers/report.py RESULTS.json ... [--svg PLOT.svg]
    bench/papers/report.py --run build/release [--save RESULTS.json]

For every method: milliseconds by the side of the square, in parentheses the speed-up
over the best sequential method of the same run, and below, indented, the papers' own
figures (papers/published.json), each for its own machine and relative to its
own best sequential method. Several results (such as those of the CPU and of the GPU of
one machine) are combined.
"""

import argparse
import collections
import json
import pathlib
import subprocess

import plot

BENCH = pathlib.Path(__file__).resolve().parents[1]
PUBLISHED = BENCH / "papers/published.json"
TABLES = {
    "(1) Sequential methods on the CPU": ("sequential",),
    "(2) A kernel call a step, global memory": ("global memory",),
    "(3) With data permutation": ("global memory, data permutation",),
    "(4) Parallelogram blocks, shared memory":
    ("shared memory, a launch a label", "shared memory, a graph"),
    "Slanted scan lines, by threads of a block": ("slanted scan lines",),
    "Knight's order, a kernel call a label": ("knight's order",),
    "(5) Transfers": ("transfer, a byte a pixel",),
    "Blocks on threads": ("blocks on threads",),
    "Ours": ("ours, CPU", "ours, GPU")}
SHARES = "CPU and GPU"
# Without ratios: the reference of the ratios, or no halftoning.
BARE = ("sequential", "transfer, a byte a pixel")
ON_CPU = ("sequential", "blocks on threads")


def published():
    return json.loads(PUBLISHED.read_text(encoding="utf-8"))["papers"]


def best_sequential(lines):
    """{side: ms} of {name: {side: ms}}."""
    sides = {side for line in lines.values() for side in line}
    return {side: min(line[side] for line in lines.values() if side in line)
            for side in sides}


def lines_of(paper):
    """{group: {name: {side: ms}}}"""
    tree = collections.defaultdict(dict)
    for key, times in paper["ms"].items():
        group, name = key.split("/", 1)
        tree[group][name] = dict(zip(paper["sides"], times))
    return tree


def published_rows(papers, group, name=None, but=()):
    """[(label, {side: ms}, {side: ms of its best sequential})] of the line of that
    name; without one, of all lines but those."""
    for paper in papers:
        tree = lines_of(paper)
        label = f"{paper['name']}: {paper['cpu' if group in ON_CPU else 'gpu']}"
        best = best_sequential(tree["sequential"])
        for other, times in tree[group].items():
            if other == name:
                yield label, times, best
            elif name is None and other not in but:
                yield f"{label} ({other})", times, best


def read(paths):
    heads, figures = [], []
    for path in paths:
        results = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        figures += results.pop("figures")
        heads.append(results)
    return heads, figures


def squares(figures):
    """{group: {name: {side: ms}}}, for the figures of squares, without the shares."""
    groups = {group for groups in TABLES.values() for group in groups}
    tree = collections.defaultdict(lambda: collections.defaultdict(dict))
    for figure in figures:
        side, rest = divmod(figure["width"], 1024)
        if rest or figure["width"] != figure["rows"] or figure["group"] not in groups:
            continue
        name = figure["name"]
        if figure["threads"] > 1:
            name += f", {figure['threads']} threads"
        tree[figure["group"]][name][side] = figure["ms"]
    return tree


def digits(number):
    return "%.0f" % number if number >= 1000 else "%.3g" % number


def print_line(label, group, times, sides, best):
    line = f"  {label[:58]:58}"
    for side in sides:
        cell = digits(times[side]) if side in times else "-"
        if side in times and side in best and group not in BARE:
            cell += f" ({digits(best[side] / times[side])})"
        line += f"{cell:>15}"
    print(line)


def print_tables(tree, papers):
    best = best_sequential(tree["sequential"])
    sides = sorted({side for lines in tree.values() for line in lines.values()
                    for side in line})

    def print_published(group, **which):
        for label, times, theirs in published_rows(papers, group, **which):
            if any(side in times for side in sides):
                print_line("    " + label, group, times, sides, theirs)

    for title, groups in TABLES.items():
        if not any(group in tree for group in groups):
            continue
        print(f"\n{title}\n  {'ms (times the best sequential)':58}" +
              "".join(f"{f'{side}K':>15}" for side in sides))
        for group in groups:
            for name, times in tree[group].items():
                label = name if len(groups) == 1 else f"{group}: {name}"
                print_line(label, group, times, sides, best)
                print_published(group, name=name)
            print_published(group, but=tree[group])


def print_shares(figures, papers):
    """Shares of the work at some sizes. What brings the picture into knight's order
    and back is left out, as in the paper, and said beside it."""
    shared = collections.defaultdict(list)
    for figure in figures:
        if figure["group"] == SHARES:
            size = f"{figure['width']}x{figure['rows']}"
            shared[size, figure["name"]].append(figure)
    if shared:
        print("\nShares of the work, ms: labels, and columns of the others, of the CPU")
    for (size, name), line in shared.items():
        least = min(figure["run_ms"] for figure in line)
        order = min(figure["ms"] - figure["run_ms"] for figure in line)
        print(f"  {size}, {name}: " + "; ".join(
            f"{figure.get('cpu_labels', 0)}, {figure.get('cpu_columns', 0)}: "
            f"{digits(figure['run_ms'])}" +
            (" (least)" if figure["run_ms"] == least else "")
            for figure in line) + f"; reordering {digits(order)}")
        for paper in papers:
            theirs = paper.get("by_size", {}).get(size, {}).get(name)
            if theirs:
                print(f"      {paper['name']}: {theirs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="*")
    parser.add_argument("--run", metavar="BUILD", type=pathlib.Path)
    parser.add_argument("--save", default="papers-results.json", type=pathlib.Path)
    parser.add_argument("--svg", metavar="PLOT", type=pathlib.Path)
    options = parser.parse_args()
    if options.run:
        options.save.write_bytes(subprocess.run(
            [options.run / "bench/papers_bench"], check=True,
            stdout=subprocess.PIPE).stdout)
        options.results.append(options.save)
    if not options.results:
        parser.error("name results, or --run a build")
    heads, figures = read(options.results)
    papers = published()
    for head in heads:
        print(", ".join(str(word) for word in (
            head["cpu"], f"{head['processors']} processors", head["gpu"],
            head["date"]) if word))
    for paper in papers:
        print(f"{paper['name']}: {paper['title']}")
    tree = squares(figures)
    print_tables(tree, papers)
    print_shares(figures, papers)
    if options.svg:
        title = " and ".join(sorted({name for head in heads for name in
                                     (head["cpu"], head["gpu"]) if name}))
        options.svg.write_text(plot.svg(tree, title), encoding="utf-8")


if __name__ == "__main__":
    main()

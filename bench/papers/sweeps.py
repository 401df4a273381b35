# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shares of the work, by CPU and GPU or by threads, at some sizes. What brings
the picture into knight's order and back is left out, as in the paper, and said
beside it."""

import collections

SHARES = "CPU and GPU"
THREADS = "blocks on threads, swept"
GROUPS = (SHARES, THREADS)


def digits(number):
    return "%.0f" % number if number >= 1000 else "%.3g" % number


def _series(entries):
    """One line of (share, ms), the least marked."""
    least = min(ms for _, ms in entries)
    return "; ".join("%s %s%s" % (share, digits(ms),
                                  " (least)" if ms == least else "")
                     for share, ms in entries)


def _hand_over(figures):
    entries = [("%d labels" % figure.get("cpu_labels", 0), figure["run_ms"])
               for figure in figures]
    reordering = min(figure["ms"] - figure["run_ms"] for figure in figures)
    return [_series(entries) + "; reordering " + digits(reordering)]


def _hybrid(figures):
    """A row for each number of labels, a column for each of columns."""
    grid = collections.defaultdict(dict)
    for figure in figures:
        labels = figure.get("cpu_labels", 0)
        grid[labels][figure["cpu_columns"]] = figure["run_ms"]
    columns = sorted({column for row in grid.values() for column in row})
    least = min(ms for row in grid.values() for ms in row.values())
    lines = ["of the CPU, " + ", ".join("%d" % column for column in columns) +
             " columns:"]
    for labels, row in sorted(grid.items()):
        lines.append("  %d labels %s" % (labels, ", ".join(
            digits(row[column]) + (" (least)" if row[column] == least else "")
            if column in row else "-" for column in columns)))
    return lines


def _threads(figures):
    lines = [_series([("%s, %d threads" % (figure["name"], figure["threads"]),
                       figure["ms"]) for figure in figures])]
    one = [figure["ms"] for figure in figures if figure["threads"] == 1]
    if one:
        best = min(figure["ms"] for figure in figures)
        lines[0] += "; %s times one thread's speed" % digits(one[0] / best)
    return lines


def show(figures, papers):
    swept = collections.defaultdict(list)
    for figure in figures:
        if figure["group"] in GROUPS:
            name = (figure["name"] if figure["group"] == SHARES
                    else "blocks on threads")
            size = "%dx%d" % (figure["width"], figure["rows"])
            swept[size, name].append(figure)
    if swept:
        print("\nShares of the work, ms")
    form = {"hand-over": _hand_over, "hybrid": _hybrid,
            "blocks on threads": _threads}
    for (size, name), line in swept.items():
        print("  %s, %s: %s" % (size, name, "\n    ".join(form[name](line))))
        for paper in papers:
            theirs = paper.get("by_size", {}).get(size, {}).get(name)
            if theirs:
                print("      %s: %s" % (paper["name"], theirs))

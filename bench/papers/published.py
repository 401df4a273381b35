# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the papers published, each for its own machine (published.json)."""

import json
import pathlib

CPU_GROUPS = ("sequential", "blocks on threads")


def read():
    path = pathlib.Path(__file__).parent / "published.json"
    return json.loads(path.read_text())["papers"]


def best_sequential(lines):
    """{side: ms} of {name: {side: ms}}."""
    best = {}
    for line in lines.values():
        for side, ms in line.items():
            best[side] = min(best.get(side, ms), ms)
    return best


def lines_of(paper):
    """{group: {name: {side: ms}}}"""
    tree = {}
    for key, times in paper["ms"].items():
        group, name = key.split("/", 1)
        tree.setdefault(group, {})[name] = dict(zip(paper["sides"], times))
    return tree


def rows(papers, group, name=None, but=()):
    """[(label, {side: ms}, {side: ms of its best sequential})] of the line of
    that name; without one, of all lines but those."""
    found = []
    for paper in papers:
        tree = lines_of(paper)
        label = "%s: %s" % (
            paper["name"], paper["cpu" if group in CPU_GROUPS else "gpu"])
        best = best_sequential(tree["sequential"])
        for other, times in tree.get(group, {}).items():
            if other == name:
                found.append((label, times, best))
            elif name is None and other not in but:
                found.append(("%s (%s)" % (label, other), times, best))
    return found

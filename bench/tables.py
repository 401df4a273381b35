#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of the documents that are made from results.

    bench/tables.py

prints them, from these results: quality.json (judge.py --save), ceiling.json
(ceiling.py --save), quality-levels.json (judge_levels.py --save), wedge.txt and
aim.txt (the output of wedge_bench and of aim_bench), jobs-epyc.json and
jobs-drivers.json (jobs_bench.py --save), codes.json (codes_bench.py --save) and
coverage-debian12.json (coverage.py --out). A test compares the documents with them."""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results"
ROOT = HERE.parent
sys.path[:0] = [str(HERE / "peers"), str(HERE / "cups"), str(HERE / "codes")]
import ceiling  # noqa: E402
import codes_report  # noqa: E402
import coverage  # noqa: E402
import jobs_bench  # noqa: E402
import judge_levels  # noqa: E402
import verdict  # noqa: E402

ASSUMED = "as assumed"
CHANGES = ("10 % smaller", "10 % larger", "half the edge", "twice the edge")


def wedge_table():
    """Mean and largest error by resolution and type."""
    rows = {}
    text = (RESULTS / "wedge.txt").read_text(encoding="utf-8")
    for line in text.splitlines()[2:]:
        dots, kind, gain, change, *errors = re.split(r"\s{2,}", line.strip())
        mean, largest, curved_mean, curved_largest = map(float, errors)
        cells = rows.setdefault((dots, kind, gain), {})
        if change == ASSUMED:
            cells["no curve"] = mean, largest
        cells[change] = curved_mean, curved_largest
    columns = ("no curve", ASSUMED, *CHANGES)
    lines = ["| dpi | type | " + " | ".join(columns) + " |",
             "|---|---|" + "---:|" * len(columns)]
    for (dots, kind, gain), cells in rows.items():
        if gain == "0 %":  # it has no curve
            cells.pop("no curve")
        lines.append(f"| {dots} | {kind} | " + " | ".join(
            "%.1f, %.0f" % cells[column] if column in cells else "–"
            for column in columns) + " |")
    return "\n".join(lines)


def aim_table():
    """Mean errors of lightness by resolution, type and tones."""
    text = (RESULTS / "aim.txt").read_text(encoding="utf-8")
    names = re.split(r"\s{2,}", text.splitlines()[1].strip())
    lines = ["| " + " | ".join(names) + " |",
             "|---|---|---|" + "---:|" * (len(names) - 3)]
    for line in text.splitlines()[2:]:
        lines.append("| " + " | ".join(re.split(r"\s{2,}", line.strip())) +
                     " |")
    return "\n".join(lines)


def quality_table():
    return verdict.digest(json.loads(
        (RESULTS / "quality.json").read_text(encoding="utf-8")))


def ceiling_table():
    return ceiling.digest(json.loads(
        (RESULTS / "ceiling.json").read_text(encoding="utf-8")))


def levels_table():
    return judge_levels.digest(json.loads(
        (RESULTS / "quality-levels.json").read_text(encoding="utf-8")))


def jobs_table():
    return jobs_bench.table(json.loads(
        (RESULTS / "jobs-epyc.json").read_text(encoding="utf-8")))


def drivers_table():
    return jobs_bench.table(json.loads(
        (RESULTS / "jobs-drivers.json").read_text(encoding="utf-8")))


def codes():
    return json.loads((RESULTS / "codes.json").read_text(encoding="utf-8"))


def codes_table():
    return codes_report.labels_table(codes())


def codes_peers_table():
    return codes_report.peers_table(codes())


def codes_safe_table():
    return codes_report.safe_table(codes())


def coverage_table():
    return coverage.table(json.loads(
        (RESULTS / "coverage-debian12.json").read_text(encoding="utf-8")))


TABLES = (("docs/measurements/tones.md", wedge_table),
          ("docs/measurements/tones.md", aim_table),
          ("docs/adoption.md", jobs_table),
          ("docs/adoption.md", drivers_table),
          ("docs/bar-codes.md", codes_table),
          ("docs/bar-codes.md", codes_peers_table),
          ("docs/bar-codes.md", codes_safe_table),
          ("docs/comparison.md", quality_table),
          ("docs/comparison.md", ceiling_table),
          ("docs/comparison.md", levels_table),
          ("docs/printers.md", coverage_table))

if __name__ == "__main__":
    for document, table in TABLES:
        print(f"{document}\n\n{table()}\n")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of the documents that are made from results.

    bench/tables.py

prints them, from these results: quality.json (judge.py --save), quality-named.json
(judge.py --pages --only NAME --save), ceiling.json (ceiling.py --save),
quality-levels.json (judge_levels.py --save), wedge.txt, aim.txt and calibration.txt
(the output of wedge_bench, aim_bench and calibration_bench), jobs-epyc.json and
jobs-drivers.json (jobs_bench.py --save), data.json (data_bench.py --save),
codes/labels.json (codes_bench.py --save), codes/found.json and kinds.json
(codes_bench.py --found --save), coverage-debian12.json and coverage-debian13.json
(coverage.py --save), arm64-instructions.json (arm64/instructions.py --save) and
paper.json (paper_bench.py --save).
A test compares the documents with them."""

import re
import sys

import record

BENCH = record.ROOT / "bench"
sys.path[:0] = [str(BENCH / part) for part in ("arm64", "peers", "cups", "codes", "paper")]
import codes_report  # noqa: E402
import coverage  # noqa: E402
import data_bench  # noqa: E402
import instructions  # noqa: E402
import jobs_bench  # noqa: E402
import paper_report  # noqa: E402
import verdict  # noqa: E402

ASSUMED = "as assumed"
CHANGES = ("10 % smaller", "10 % larger", "half the edge", "twice the edge")


def lines_of(name):
    """The columns of a bench's output, below its title."""
    text = (BENCH / "results" / name).read_text(encoding="utf-8")
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[1:]]


def wedge():
    """Mean and largest error by resolution and type."""
    rows = {}
    for dots, kind, gain, change, *errors in lines_of("wedge.txt")[1:]:
        mean, largest, curved_mean, curved_largest = map(float, errors)
        cells = rows.setdefault((dots, kind, gain), {})
        if change == ASSUMED and gain != "0 %":  # that has no curve
            cells["no curve"] = mean, largest
        cells[change] = curved_mean, curved_largest
    columns = ("no curve", ASSUMED, *CHANGES)
    return record.table(["dpi", "type", *columns], [
        [dots, kind, *("%.1f, %.0f" % cells[column] if column in cells else "–"
                       for column in columns)]
        for (dots, kind, _), cells in rows.items()], 2)


def aim():
    """Mean errors of lightness by resolution, type and tones."""
    head, *rows = lines_of("aim.txt")
    return record.table(head, rows, 3)


def calibration():
    """Calibrated printers, without what was refused."""
    head, *rows = lines_of("calibration.txt")
    return record.table(head, [row for row in rows if row[0] != "refused"], 2)


def refusals():
    return record.table(["set", "message", "scans"], [
        [name, message, count] for kind, name, count, message
        in (row for row in lines_of("calibration.txt") if row[0] == "refused")], 2)


COVERAGE = "coverage-debian12", "coverage-debian13"
# Documents, results and what makes a table of them.
TABLES = (("measurements/tones.md", None, wedge),
          ("measurements/tones.md", None, aim),
          ("measurements/calibration.md", None, calibration),
          ("measurements/calibration.md", None, refusals),
          ("measurements/adoption.md", "jobs-epyc", jobs_bench.table),
          ("measurements/adoption.md", "jobs-drivers", jobs_bench.table),
          ("measurements/adoption.md", "data", data_bench.quality_table),
          ("measurements/adoption.md", "data", data_bench.bytes_table),
          ("measurements/bar-codes.md", "codes/found", codes_report.found_table),
          ("measurements/bar-codes.md", "codes/kinds", codes_report.found_table),
          ("measurements/bar-codes.md", "codes/labels", codes_report.labels_table),
          ("measurements/bar-codes.md", "codes/labels", codes_report.peers_table),
          ("measurements/bar-codes.md", "codes/labels", codes_report.safe_table),
          ("measurements/comparison.md", "quality", verdict.quality),
          ("measurements/comparison.md", ("quality-named", "quality"), verdict.named),
          ("measurements/comparison.md", "ceiling", verdict.ceiling),
          ("measurements/comparison.md", "quality-levels", verdict.levels),
          ("measurements/paper.md", "paper", paper_report.tones),
          ("measurements/paper.md", "paper", paper_report.areas),
          ("measurements/paper.md", "paper", paper_report.strokes),
          ("measurements/engines.md", "arm64-instructions", instructions.table),
          ("reference/printers.md", COVERAGE, coverage.table),
          ("../README.md", COVERAGE, coverage.readme_table),
          ("../README.md", COVERAGE, coverage.readme_sentence))


def all_tables():
    """Paths of documents, and their tables."""
    for document, results, table in TABLES:
        names = [results] if isinstance(results, str) else results or ()
        given = [record.read(BENCH / f"results/{name}.json") for name in names]
        yield record.ROOT / "docs" / document, table(*given)


if __name__ == "__main__":
    for path, text in all_tables():
        print(f"{path}\n\n{text}\n")

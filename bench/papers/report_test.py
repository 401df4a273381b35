#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The papers' figures are as they were copied when they give the speed-ups that
the papers themselves state, and the report prints the results that we keep."""

import pathlib
import subprocess
import sys
import unittest

import published

BENCH = pathlib.Path(__file__).parent.parent


class Report(unittest.TestCase):
    def ratios(self, paper, group, name):
        papers = [one for one in published.read() if one["name"] == paper]
        (_, times, best), = [
            row for row in published.rows(papers, group)
            if row[0].endswith("(%s)" % name)]
        return {side: best[side] / ms for side, ms in times.items()}

    def test_every_figure_has_a_side(self):
        for paper in published.read():
            for line, times in paper["ms"].items():
                self.assertEqual(len(times), len(paper["sides"]), line)

    def test_the_papers_ratios_follow_from_their_figures(self):
        group = "shared memory, a launch a label"
        techniques, implementations = (
            self.ratios("Kasagi, " + paper, group, "2-D PEC with RC")[16]
            for paper in ("Techniques", "Implementations"))
        self.assertAlmostEqual(techniques, 43.9, 1)
        self.assertEqual(int(implementations), 44)
        group = "slanted scan lines"
        for name, stated in (
                ("best", (8.1, 14.2, 19.1, 24.9)),
                ("best, transfers included", (5.6, 8.0, 8.8, 9.8))):
            found = self.ratios("Mao", group, name)
            for side, ratio in zip((1, 2, 4, 8), stated):
                self.assertAlmostEqual(found[side], ratio, 1)

    def test_prints_the_results_that_we_keep(self):
        for results in sorted((BENCH / "results").glob("papers-*.json")):
            text = subprocess.run(
                [sys.executable, BENCH / "papers_report.py", results],
                check=True, capture_output=True, text=True).stdout
            for part in ("Memory accesses", "Core i7-3770K", "Ours",
                         "Shares of the work", "980X"):
                self.assertIn(part, text, results)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The papers' figures are as they were copied when they give the speed-ups that
the papers themselves state, and the report prints the results that we keep."""

import pathlib
import subprocess
import sys
import unittest

import report

HERE = pathlib.Path(__file__).resolve().parent


class Report(unittest.TestCase):
    def ratios(self, paper, group, name):
        papers = [one for one in report.published() if one["name"] == paper]
        (_, times, best), = report.published_rows(papers, group, name)
        return {side: best[side] / ms for side, ms in times.items()}

    def test_every_figure_has_a_side(self):
        for paper in report.published():
            for line, times in paper["ms"].items():
                self.assertEqual(len(times), len(paper["sides"]), line)

    def test_the_papers_ratios_follow_from_their_figures(self):
        group = "shared memory, a launch a label"
        techniques, implementations = (
            self.ratios("Kasagi, " + paper, group, "2-D PEC with RC")[16]
            for paper in ("Techniques", "Implementations"))
        self.assertAlmostEqual(techniques, 43.9, 1)
        self.assertEqual(int(implementations), 44)
        for name, stated in (
                ("best", (8.1, 14.2, 19.1, 24.9)),
                ("best, transfers included", (5.6, 8.0, 8.8, 9.8))):
            found = self.ratios("Mao", "slanted scan lines", name)
            for side, ratio in zip((1, 2, 4, 8), stated):
                self.assertAlmostEqual(found[side], ratio, 1)

    def test_prints_the_results_that_we_keep(self):
        text = subprocess.run(
            [sys.executable, HERE / "report.py",
             HERE.parent / "results/papers-h200.json"],
            check=True, capture_output=True, text=True).stdout
        for part in ("Core i7-3770K", "Ours", "Shares of the work"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()

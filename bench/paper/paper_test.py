#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulated prints behave as prints do, and the figures find what was put in. Exits
with 77 where numpy is missing."""

import dataclasses
import pathlib
import sys
import unittest
import unittest.mock

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(BENCH / part) for part in ("", "paper", "peers")]
try:
    import numpy as np

    import figures
    import lasers
    import seen
    import sheets
except ImportError as error:
    print(error)
    sys.exit(77)

SIDE = 96
PLAIN = dataclasses.replace(lasers.LASERS[0], loss=0, register=0)
Y, X = np.mgrid[:SIDE, :SIDE]


def tone(dots, laser, dots_per_inch=600):
    light = lasers.printed(dots, dots_per_inch, laser)
    rim = light.shape[0] // 6
    return seen.tone(light[rim:-rim, rim:-rim])


class AsTheyAre:
    """Prints gray as dots: black below white."""

    @staticmethod
    def dots(gray):
        return (gray == 255).astype(np.uint8)


class Lasers(unittest.TestCase):
    def test_two_are_for_tuning_and_two_others_for_judging(self):
        names = [{laser.name for laser in lasers.for_use(use)}
                 for use in ("tuning", "judging")]
        self.assertTrue(all(len(each) >= 2 for each in names))
        self.assertFalse(names[0] & names[1])

    def test_paper_is_white_and_solid_black_has_its_density(self):
        for laser in lasers.LASERS:
            self.assertAlmostEqual(tone(X * 0 + 1, laser), 100, places=2)
            self.assertAlmostEqual(tone(X * 0, laser),
                                   float(seen.lightness(np.array(lasers.BLACK))), 2)

    def test_more_edges_take_more_ink(self):
        for laser in lasers.LASERS:
            checkers, lines, squares = (tone(dots, laser) for dots in (
                (X + Y) % 2, X % 2, (X // 4 + Y // 4) % 2))
            self.assertLess(checkers, lines)
            self.assertLess(lines, squares)

    def test_lone_dots_lose_ink_and_pairs_less(self):
        for step, least in ((0, 0.5), (1, 0.1)):
            dots = 1 - ((X % 8 <= step) & (Y % 8 == 0)).astype(int)
            lossy = dataclasses.replace(PLAIN, loss=0.4)
            self.assertGreater(tone(dots, lossy) - tone(dots, PLAIN), least)

    def test_the_same_dots_print_alike_at_each_resolution(self):
        coarse = np.random.default_rng(1).integers(0, 2, (SIDE // 2, SIDE // 2))
        prints = [lasers.printed(np.kron(coarse, np.ones((times, times), int)),
                                 300 * times, PLAIN) for times in (1, 2, 4)]
        for each in prints[1:]:
            self.assertLess(np.abs(each - prints[0]).max(), 1e-4)

    def test_displaced_lines_make_bands(self):
        banding = [seen.unevenness(seen.lightness_of_field(lasers.printed(
            Y % 2, 600, dataclasses.replace(PLAIN, register=register)))
            [24:-24, 24:-24])["banding"] for register in (0, 0.1)]
        self.assertGreater(banding[1], 0.2)
        self.assertLess(banding[0], 0.01)


class Seen(unittest.TestCase):
    def test_slow_waves_are_mottle_and_fast_ones_grain(self):
        at = np.arange(600)[None, :] / seen.PER_MM * np.ones((600, 1))
        slow, fast = (seen.unevenness(np.sin(2 * np.pi * each * at))
                      for each in (5 / 25.4, 30 / 25.4))
        self.assertGreater(slow["mottle"], 0.7)
        self.assertLess(slow["grain"], 0.05)
        self.assertGreater(fast["grain"], 0.7)
        self.assertLess(fast["mottle"], 0.05)

    def test_an_oblique_eye_sees_less_of_what_is_diagonal(self):
        def noise(across, down):
            at, below = (np.arange(600) / seen.PER_MM for _ in range(2))
            waves = 1 + 0.1 * np.sin(2 * np.pi * (across * at[None] + down * below[:, None]))
            return float(seen.lightness(seen.filtered(waves))[100:-100].std())
        straight, diagonal = (5, 0), (5 / 2 ** 0.5, 5 / 2 ** 0.5)
        alike = noise(*straight), noise(*diagonal)
        self.assertAlmostEqual(alike[1] / alike[0], 1, delta=0.1)
        with unittest.mock.patch.object(seen, "OBLIQUE", True):
            self.assertAlmostEqual(noise(*straight), alike[0], delta=0.01 * alike[0])
            self.assertLess(noise(*diagonal), alike[1] / 4)

    def test_the_deepest_fall_is_found_across_codes(self):
        fall, high, low = seen.reversal([1, 3, 2.5, 2.75, 2, 4, 3.5])
        self.assertEqual((round(fall, 6), high, low), (1, 2, 5))


class Strokes(unittest.TestCase):
    printer = figures.Printer(AsTheyAre, PLAIN, 600)

    def test_solid_lines_are_even_in_each_direction(self):
        for direction in sheets.DIRECTIONS:
            for row in figures.of_lines(self.printer, 0, direction, lasers.BLACK):
                self.assertEqual(row["missing"], 0)
                self.assertAlmostEqual(row["relative_width"], 1, delta=0.3)
                self.assertLess(row["ragged"], 8)

    def test_dashes_are_missing(self):
        class Dashes(AsTheyAre):
            @staticmethod
            def dots(gray):
                rows = np.arange(gray.shape[0])[:, None]
                return np.where(rows % 16 < 8, gray == 255, True).astype(np.uint8)
        printer = figures.Printer(Dashes, PLAIN, 600)
        for row in figures.of_lines(printer, 0, "vertical", lasers.BLACK):
            self.assertGreater(row["missing"], 0.3)

    def test_too_much_ink_in_the_first_rows_is_found(self):
        class Striped(AsTheyAre):
            @staticmethod
            def dots(gray):
                rows = np.arange(gray.shape[0])[:, None] - sheets.FILL_AT
                columns = np.arange(gray.shape[1])[None, :]
                every = np.where(rows < 8, 4, 8)
                return 1 - ((gray < 255) & (rows % 4 == 0) &
                            (columns % every == 0)).astype(np.uint8)
        printer = figures.Printer(Striped, PLAIN, 600)
        self.assertAlmostEqual(figures.of_fill(printer, 250), 2, delta=0.2)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes: bits against the second implementation's pages, the definition and the command
`halftone convert`; memory."""

import os
import subprocess
import tracemalloc

import numpy as np
import pytest

import halftoned
from pages import GOLDEN, LAYOUTS, ramps, read_pnm, unpacked

RANDOM_CASES = int(os.environ.get("HALFTONED_RANDOM_PAGES", "60"))
TYPES = ("fine", "best", "clustered", "bi-level", "screen", "blue-noise", "jarvis",
         "floyd-steinberg", "atkinson")


def golden_pages():
    """Those that options can ask for: without pure pixels, and no screen."""
    for line in (GOLDEN / "pages.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, levels, gamma, halftone_type, *parameters = line.split()
        pure, size, feedback, _, _, _, run, *_ = [*map(int, parameters), *[0] * 7]
        if pure or halftone_type == "screen":
            continue
        options = {"halftone_type": halftone_type, "levels": levels, "gamma": gamma}
        if feedback:
            options["print_feedback"] = feedback * 100 / 256
        if size:
            options["cluster_size"] = size
        if run:
            options["min_run"] = run + 1
        yield pytest.param(name, options, id=name)


GOLDEN_PAGES = list(golden_pages())


def test_there_are_golden_pages():
    assert len(GOLDEN_PAGES) >= 50


@pytest.mark.parametrize("name, options", GOLDEN_PAGES)
def test_gives_the_bits_of_the_second_implementation(name, options):
    gray = read_pnm(GOLDEN / f"{name}.pgm")
    expected = read_pnm(next(GOLDEN.glob(f"{name}.expected.*")))
    recipe = halftoned.Recipe(**options)
    samples = unpacked(recipe.halftone(gray), gray.shape[1], recipe.bits_per_sample)
    assert np.array_equal(samples, expected)


@pytest.mark.parametrize("seed", range(RANDOM_CASES))
def test_random_pages_have_the_bits_of_the_definition(seed):
    random = np.random.default_rng(seed)
    options = {"halftone_type": str(random.choice(TYPES)),
               "levels": int(random.choice((2, 4, 8, 16))),
               "gamma": round(random.uniform(0.5, 2), 2),
               "text_edges": str(random.choice(("off", "crisp", "soft")))}
    if options["halftone_type"] in ("bi-level", "clustered"):
        del options["levels"]
    width, rows = (int(n) for n in random.integers(1, (180, 90)))
    gray = ramps(rows, width, random.choice((np.uint8, np.uint16)), seed)
    layout = str(random.choice(list(LAYOUTS)))
    threads = int(random.integers(1, 4))
    case = options, gray.shape, gray.dtype, layout, threads

    recipe = halftoned.Recipe(**options)
    expected = recipe.halftone(gray.copy(), engine=halftoned.Engine("scalar"))
    assert expected.shape == (rows, recipe.row_bytes(width)), case
    laid = LAYOUTS[layout](gray)
    engine = halftoned.Engine(threads=threads)
    assert np.array_equal(recipe.halftone(laid, engine=engine), expected), case
    cuts = np.sort(random.integers(0, rows + 1, random.integers(0, 5)))
    bands = np.split(np.asarray(laid), cuts)
    found = np.concatenate(list(recipe.rows(bands, engine=engine)))
    assert np.array_equal(found, expected), (case, cuts)


@pytest.mark.parametrize("rows", (1, 64, 256, 1000, 1024))
@pytest.mark.parametrize("threads", (1, 3))
def test_single_rows_are_bands_too(rows, threads):
    for text_edges in "off", "soft":
        recipe, gray = halftoned.Recipe(text_edges=text_edges), ramps(rows, 50)
        page = recipe.rows(gray, engine=halftoned.Engine(threads=threads))
        assert np.array_equal(np.concatenate(list(page)), recipe.halftone(gray))


def test_rows_come_before_the_page_ends():
    def gray():
        for row in ramps(2000, 100):
            taken.append(row)
            yield row

    taken = []
    first = next(halftoned.Recipe().rows(gray()))
    assert 0 < len(first) <= len(taken) < 2000


@pytest.mark.parametrize("options", (
    "halftone-type=fine", "halftone-type=screen,levels=4", "dot-gain=20,text-edges=crisp"))
def test_gives_the_bits_of_convert(options, tmp_path):
    if "HALFTONE" not in os.environ:
        pytest.skip("HALFTONE does not name the command halftone")
    gray, recipe = ramps(70, 203), halftoned.Recipe(options)
    source, target = tmp_path / "in.pgm", tmp_path / "out.pnm"
    source.write_bytes(b"P5\n203 70\n255\n" + gray.tobytes())
    subprocess.run([os.environ["HALFTONE"], "convert", source, target, "--format",
                    "pbm" if recipe.levels == 2 else "pgm",
                    *(f"--{option}" for option in options.split(","))], check=True)
    samples = unpacked(recipe.halftone(gray), 203, recipe.bits_per_sample)
    assert np.array_equal(samples, read_pnm(target))


@pytest.mark.parametrize("layout", ("contiguous", "read-only", "padded"))
def test_does_not_copy_pages_in_rows(layout):
    gray, recipe = LAYOUTS[layout](ramps(1000, 1500)), halftoned.Recipe()
    out = np.empty((1000, recipe.row_bytes(1500)), np.uint8)
    tracemalloc.start()
    assert recipe.halftone(gray, out=out) is out
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < gray.nbytes / 10


def test_out_may_have_gaps_and_be_the_page():
    recipe, gray = halftoned.Recipe(), ramps(40, 64)
    expected = recipe.halftone(gray)
    room = np.full((80, 20), 77, np.uint8)
    recipe.halftone(gray, out=room[::2, 5:13])
    assert np.array_equal(room[::2, 5:13], expected)
    assert (room[1::2] == 77).all() and (np.delete(room, range(5, 13), 1) == 77).all()
    assert np.array_equal(recipe.halftone(gray, out=gray[:, 3:11]), expected)
    gray = ramps(2000, 64)
    expected = recipe.halftone(gray)
    out = gray.ravel()[1000 * 64:][:expected.size].reshape(expected.shape)
    assert np.array_equal(recipe.halftone(gray, out=out), expected)


def test_pages_without_rows():
    recipe = halftoned.Recipe(levels=4)
    assert recipe.halftone(np.zeros((0, 9), np.uint8)).shape == (0, 3)
    assert list(recipe.rows([])) == []
    assert sum(map(len, recipe.rows([np.zeros((0, 9), np.uint8)]))) == 0


def test_rows_that_are_one_in_memory():
    gray = np.broadcast_to(ramps(1, 100), (50, 100))
    recipe = halftoned.Recipe()
    assert np.array_equal(recipe.halftone(gray), recipe.halftone(gray.copy()))
    sliding = np.lib.stride_tricks.sliding_window_view(ramps(1, 150)[0], 100)
    assert np.array_equal(recipe.halftone(sliding), recipe.halftone(sliding.copy()))


def test_tells_what_it_is():
    recipe = halftoned.Recipe("halftone-type=best,levels=2", levels=8, dpi="1200x600")
    assert (recipe.type, recipe.levels, recipe.bits_per_sample) == ("best", 8, 4)
    assert recipe.type_version >= 1
    assert recipe.row_bytes(3) == 2
    assert "levels=8" in repr(recipe)


def test_a_tone_curve_is_measured_light():
    gray = ramps(60, 60)
    curve = "0 0\n128 60\n255 255\n"
    dark, even = (halftoned.Recipe(tone_curve=each).halftone(gray)
                  for each in (curve, "0 0\n255 255\n"))
    assert np.array_equal(even, halftoned.Recipe().halftone(gray))
    assert not np.array_equal(dark, even)

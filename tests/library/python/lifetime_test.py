# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads, processes, and objects that are gone."""

import copy
import gc
import multiprocessing
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import halftoned
from pages import ramps

GRAY = ramps(120, 130)


def test_other_threads_run_while_a_page_is_halftoned():
    # With the GIL held, this thread would see a whole page or none, however often it
    # looks; without, it sees an unfinished one sooner or later.
    recipe, gray = halftoned.Recipe(halftone_type="best"), ramps(1500, 1000)
    out = np.empty((1500, recipe.row_bytes(1000)), np.uint8)
    small, expected = halftoned.Recipe(), halftoned.Recipe().halftone(GRAY)
    for _ in range(100):
        out[:] = 0xa5
        calling = threading.Thread(target=recipe.halftone, args=(gray,),
                                   kwargs={"out": out})
        calling.start()
        unfinished = 0
        while calling.is_alive():
            begun = not (out[:64] == 0xa5).all()
            assert np.array_equal(small.halftone(GRAY), expected)
            unfinished += bool(begun and (out[-64:] == 0xa5).all())
        calling.join()
        if unfinished > 1:
            return
    pytest.fail("no other thread ran during 100 pages")


def test_threads_share_recipes_engines_and_palettes():
    recipe, engine = halftoned.Recipe(text_edges="soft"), halftoned.Engine(threads=3)
    palette, rgb = halftoned.Palette("spectra6"), np.stack([GRAY] * 3, -1)
    bits, indices = recipe.halftone(GRAY), palette.halftone(rgb)

    def work(number):
        if number % 3 == 0:
            return np.array_equal(palette.halftone(rgb, engine=engine), indices)
        if number % 3 == 1:
            return np.array_equal(recipe.halftone(GRAY, engine=engine), bits)
        rows = list(recipe.rows(np.split(GRAY, 6), engine=engine))
        return np.array_equal(np.concatenate(rows), bits)

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(60)))


def test_a_page_is_used_by_one_thread_at_a_time():
    def bands():
        yield GRAY
        next(rows)

    rows = halftoned.Recipe().rows(bands())
    with pytest.raises(ValueError, match="already executing"):
        list(rows)


def test_pages_outlive_recipes_engines_and_palettes():
    recipe, palette = halftoned.Recipe(), halftoned.Palette("bwr")
    rgb = np.stack([GRAY] * 3, -1)
    expected = [recipe.halftone(GRAY), palette.halftone(rgb)]
    for threads in 1, 2:
        pages = [halftoned.Recipe().rows(GRAY, engine=halftoned.Engine(threads=threads)),
                 halftoned.Palette("bwr").rows(rgb, engine=halftoned.Engine("scalar"))]
        gc.collect()
        for page, whole in zip(pages, expected):
            assert np.array_equal(np.concatenate(list(page)), whole)


def test_pages_may_be_left_unfinished():
    def failing():
        yield np.repeat(GRAY, 40, axis=0)
        raise OSError("the source failed")

    for threads in 1, 2, 3:
        engine = halftoned.Engine(threads=threads)
        page = halftoned.Recipe(halftone_type="best").rows(failing(), engine=engine)
        next(page)
        page.close()
        with pytest.raises(OSError):
            list(halftoned.Recipe().rows(failing(), engine=engine))
        del engine, page
        gc.collect()


def test_threads_end_with_the_last_page_of_their_engine():
    def threads():
        return len(os.listdir("/proc/self/task"))

    gc.collect()
    before, engine = threads(), halftoned.Engine(threads=4)
    assert threads() == before
    page = halftoned.Recipe().rows(np.repeat(GRAY, 40, axis=0), engine=engine)
    next(page)
    assert threads() > before
    del engine
    assert threads() > before
    del page
    gc.collect()
    # A thread that has ended is listed until the kernel has removed it.
    end = time.monotonic() + 10
    while threads() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threads() == before


def test_results_outlive_everything():
    page = halftoned.Recipe().rows(np.repeat(GRAY, 40, axis=0))
    first = next(page)
    kept = first.copy()
    list(page)
    del page
    gc.collect()
    assert np.array_equal(first, kept) and first.flags.writeable


def test_copies_are_objects_of_their_own():
    for copied in copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each)):
        recipe = halftoned.Recipe(levels=4, tone_curve="0 0\n128 99\n255 255\n")
        palette, engine = halftoned.Palette("bwry"), halftoned.Engine("scalar")
        bits = recipe.halftone(GRAY)
        recipe, palette, engine = copied(recipe), copied(palette), copied(engine)
        gc.collect()
        assert np.array_equal(recipe.halftone(GRAY, engine=engine), bits)
        assert len(palette) == 4


def in_child(work):
    """What `work` returns in a forked process."""
    reader, writer = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        try:
            writer.send(work())
        except BaseException as error:  # for the parent, whatever it is
            writer.send(error)
        finally:
            os._exit(0)
    writer.close()
    try:
        if not reader.poll(timeout=120):
            os.kill(child, signal.SIGKILL)
            raise TimeoutError("the child hangs")
        return reader.recv()
    finally:
        os.waitpid(child, 0)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_forked_children():
    recipe, threads = halftoned.Recipe(), halftoned.Engine(threads=2)
    expected = recipe.halftone(GRAY)
    assert np.array_equal(in_child(lambda: recipe.halftone(GRAY)), expected)
    # Its threads have not started yet.
    made = in_child(lambda: recipe.halftone(GRAY, engine=threads))
    assert np.array_equal(made, expected)

    page = [recipe.rows(np.split(np.repeat(GRAY, 40, axis=0), 40), engine=threads)]
    next(page[0])
    for work in (lambda: recipe.halftone(GRAY, engine=threads), lambda: list(page[0]),
                 lambda: next(recipe.rows([GRAY], engine=threads))):
        with pytest.raises(RuntimeError, match="make an engine in the child"):
            raise in_child(work)

    def free():
        nonlocal threads
        page.clear()
        threads = halftoned.Engine(threads=2)
        return recipe.halftone(GRAY, engine=threads)

    assert np.array_equal(in_child(free), expected)
    assert len(np.concatenate(list(page[0]))) > 0

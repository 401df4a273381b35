#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters and a real halftoned, without CUPS around them: many at once, and
workers that are killed in the middle of a page. Whatever happens, the bits are
the definition's.

Usage: filter_with_daemon_test.py FILTER EXPECT_RASTER [unittest arguments]
"""

import functools
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import cups_raster

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "daemon"))
from daemon_process import IS_SANITIZED, Daemon, wait_until  # noqa: E402
from wire import Client, Refused  # noqa: E402

FILTERS = 24 if IS_SANITIZED else 200
THREADS = 2  # of a worker, beside the one that minds its connections
TYPE = "floyd-steinberg"
PLAIN = {"halftone_type": TYPE, "text_edges": "off"}
ALONE = "[filter]\nuse-daemon = false\n"


class Page:
    """A page of noise, below some white rows, as raster, and what must come of it:
    by default, or of a type of halftone and with edges as they are."""

    def __init__(self, folder, width, height, seed, kind=None, white=0):
        self.path = folder / f"{width}x{height}-{seed}-{white}.ras"
        self.height = height
        header = cups_raster.page_header(width, height)
        self.raster = cups_raster.sync_word(3) + cups_raster.pack_page(
            header, b"\xff" * (width * white) +
            random.Random(seed).randbytes(width * (height - white)))
        self.path.write_bytes(self.raster)
        conf = folder / "alone.conf"
        look = {"halftone-type": kind, "text-edges": "off"} if kind else {}
        conf.write_text(ALONE + "".join(
            f'{key} = "{value}"\n' for key, value in look.items()))
        self.bits, messages = Filter(conf).feed(self.raster).end()
        assert "later rows by" not in messages, messages
        out = self.path.with_suffix(".out")
        out.write_bytes(self.bits)
        subprocess.run([EXPECT_RASTER, self.path, out,
                        *(f"{key}={value}" for key, value in look.items())],
                       check=True, stdout=subprocess.DEVNULL)

    def parts(self, count):
        size = -(-len(self.raster) // count)
        return [self.raster[at:at + size]
                for at in range(0, len(self.raster), size)]


class Filter:
    """A running filter, whose input is fed to it in parts."""

    def __init__(self, conf, job=1, options=""):
        self.out = tempfile.TemporaryFile()
        self.messages = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [FILTER, str(job), "user", "title", "1", options],
            bufsize=0, stdin=subprocess.PIPE, stdout=self.out, stderr=self.messages,
            env=dict(os.environ, HALFTONED_CONF=str(conf)))

    def feed(self, part):
        try:
            self.process.stdin.write(part)
        except BrokenPipeError:
            pass  # its end says why
        return self

    def is_alone(self):
        """Whether it has gone on without the daemon."""
        said = os.pread(self.messages.fileno(), 1 << 20, 0)
        return re.search(rb"later rows by (?!remote)", said) is not None

    def end(self, code=0):
        """Its output and its messages."""
        self.process.stdin.close()
        ended = self.process.wait()
        texts = []
        for file in (self.out, self.messages):
            file.seek(0)
            texts.append(file.read())
            file.close()
        assert ended == code, texts[1]
        return texts[0], texts[1].decode()


@functools.cache
def large_page():
    """More than waits between a daemon and a printer that takes nothing."""
    folder = tempfile.TemporaryDirectory(prefix="halftoned-")
    unittest.addModuleCleanup(folder.cleanup)
    return Page(pathlib.Path(folder.name), 8001, 2001, 5, TYPE)


class BlockedFilter:
    """A running filter whose printer takes nothing until `output` is called."""

    def __init__(self, conf, page):
        self.messages = tempfile.TemporaryFile()
        with open(page.path, "rb") as raster:
            self.process = subprocess.Popen(
                [FILTER, "1", "user", "title", "1", ""], stdin=raster,
                stdout=subprocess.PIPE, stderr=self.messages,
                pipesize=4096, env=dict(os.environ, HALFTONED_CONF=str(conf)))

    def output(self):
        """All of it; `said` has its messages then."""
        bits, _ = self.process.communicate()
        self.messages.seek(0)
        self.said = self.messages.read().decode()
        self.messages.close()
        assert self.process.returncode == 0, self.said
        return bits


class FilterWithDaemon(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def conf_for(self, daemon, **config):
        conf = self.folder / "filter.conf"
        conf.write_text(daemon.filter_conf(**config))
        return conf

    def wait_row(self, daemon, row):
        """The only session's page has come so far."""
        daemon.wait_status(
            lambda status: [session["row"] for session in status["sessions"]
                            if session["row"] >= row], f"row {row}")

    def test_many_filters_at_once(self):
        pages = [Page(self.folder, 300 + 7 * i, 521 + i, i) for i in range(8)]
        pages *= FILTERS // len(pages)
        for ring in (True, False):
            with self.subTest(ring=ring), Daemon(threads=THREADS) as daemon:
                # With "auto" a filter that is not welcomed at once begins alone.
                conf = self.conf_for(daemon, use_ring=ring, engine="remote")
                worker = daemon.wait_ready()
                filters = [Filter(conf, job).feed(page.parts(2)[0])
                           for job, page in enumerate(pages, 1)]
                # All pages are open, with a band done and more to come; text-edges holds
                # 127 rows.
                status = daemon.wait_status(
                    lambda status: sum(session["row"] > 0 for session in
                                       status["sessions"]) == FILTERS,
                    f"{FILTERS} pages at once")
                self.assertEqual(len({session["job"] for session in
                                      status["sessions"]}), FILTERS)
                threads = os.listdir(f"/proc/{worker['pid']}/task")
                self.assertLessEqual(len(threads), THREADS + 2)
                for each, page in zip(filters, pages):
                    each.feed(page.parts(2)[1])
                    bits, messages = each.end()
                    self.assertEqual(bits, page.bits)
                    self.assertNotIn("later rows by", messages)
                done = daemon.wait_rows(sum(page.height for page in pages))
                self.assertEqual(list(done), [worker["engine"]])
                self.assertEqual(daemon.status()["deaths"], {"cpu": 0})

    def test_only_what_follows_a_gray_pixel_goes_to_the_daemon(self):
        with Daemon() as daemon:
            conf = self.conf_for(daemon)
            for white in (500, 128):
                page = Page(self.folder, 801, 500, 1, white=white)
                bits, messages = Filter(conf).feed(page.raster).end()
                self.assertEqual(bits, page.bits)
                self.assertNotIn("later rows by", messages)
            done, = daemon.wait_rows(500 - 128).values()
            self.assertEqual(done["pages"], 1)

    def test_a_worker_killed_in_mid_page(self):
        page = Page(self.folder, 801, 1201, 1)
        for ring in (True, False):
            with self.subTest(ring=ring):
                # On a busy machine a worker may not welcome a filter in time.
                self.assertTrue(any(self.loses_two_workers(page, ring)
                                    for _ in range(5)))

    def loses_two_workers(self, page, ring):
        """False if the filter went on alone before that."""
        with Daemon() as daemon:
            job = Filter(self.conf_for(daemon, use_ring=ring))
            fed = 0
            for part in page.parts(3)[:2]:
                job.feed(part)
                fed += 1
                daemon.wait_status(
                    lambda status: job.is_alone() or
                    [session for session in status["sessions"]
                     if session["row"] >= 128], "row 128")
                if job.is_alone():
                    break
                killed = daemon.kill_worker()
                daemon.wait_ready(above=killed)
            deaths = daemon.status()["deaths"]
            for part in page.parts(3)[fed:]:
                job.feed(part)
            bits, messages = job.end()
            self.assertEqual(bits, page.bits)
            if deaths != {"cpu": 2}:
                return False
            # To the second worker, and from there to the filter itself.
            self.assertRegex(messages, r"DEBUG: row [1-9]\d+ and later rows by ")
            return True

    def test_a_page_goes_from_a_killed_worker_to_the_next(self):
        page = Page(self.folder, 801, 1201, 2)
        with Daemon() as daemon:
            job = Filter(self.conf_for(daemon))
            job.feed(page.parts(2)[0])
            self.wait_row(daemon, 128)
            killed = daemon.kill_worker()
            job.feed(page.parts(2)[1])
            bits, messages = job.end()
            self.assertEqual(bits, page.bits)
            self.assertEqual(messages.count("later rows by remote"), 1)
            self.assertGreater(daemon.wait_ready(above=killed)["number"],
                               killed)
            # None if the filter has asked again, which names no worker to avoid.
            self.assertLessEqual(daemon.status()["fail_overs"], 1)

    def test_an_evicted_page_goes_on_whoever_the_worker_is(self):
        """No fail-over: the daemon alone may do it."""
        page = Page(self.folder, 801, 1201, 4)
        for ring in (True, False):
            with self.subTest(ring=ring), \
                    Daemon(page_idle=1, threads=1) as daemon:
                job = Filter(self.conf_for(daemon, use_ring=ring),
                             options="halftone-engine=remote")
                parts = page.parts(4)
                for evictions, part in enumerate(parts[:2], 1):
                    job.feed(part)
                    daemon.wait_status(
                        lambda status: sum(done["evicted_pages"] for done in
                                           status["engines"].values())
                        >= evictions, "an eviction")
                left = daemon.wait_ready()["number"]
                daemon.configure(page_idle=1, threads=2)
                daemon.send(signal.SIGHUP)
                daemon.wait_ready(above=left)
                daemon.wait_log(f"worker {left} (cpu) has ended")
                job.feed(parts[2] + parts[3])
                bits, messages = job.end()
                self.assertEqual(bits, page.bits)
                self.assertNotIn("later rows by", messages)
                status = daemon.status()
                self.assertEqual(status["deaths"], {"cpu": 0})
                self.assertEqual(status["fail_overs"], 0)
                self.assertFalse(any(status["refusals"].values()))

    def test_a_page_whose_printer_takes_its_time_is_printed(self):
        """The daemon evicts it or, if answers are under way that do not get
        through, lets its client go."""
        page = large_page()
        for ring in (True, False):
            with self.subTest(ring=ring), Daemon(page_idle=1) as daemon:
                job = BlockedFilter(
                    self.conf_for(daemon, use_ring=ring, **PLAIN), page)
                unread = "the client does not read its results"
                daemon.wait_status(
                    lambda status: unread in daemon.log() or
                    any(done["evicted_pages"] for done in
                        status["engines"].values()), "the end of its page")
                self.assertEqual(job.output(), page.bits)
                self.assertEqual(unread in daemon.log(),
                                 "later rows by" in job.said)

    def test_a_page_whose_printer_takes_its_time_makes_room(self):
        page = large_page()
        for ring in (True, False):
            with self.subTest(ring=ring), \
                    Daemon(max_connections=1) as daemon:
                job = BlockedFilter(
                    self.conf_for(daemon, use_ring=ring, **PLAIN), page)
                self.wait_row(daemon, 64)

                def is_welcome():
                    try:
                        return Client(daemon.socket)
                    except Refused:
                        return None
                with wait_until(is_welcome, "a place"):
                    self.assertEqual(job.output(), page.bits)

    def test_a_page_for_the_daemon_alone_fails_with_its_worker(self):
        page = Page(self.folder, 801, 1201, 3)
        with Daemon() as daemon:
            job = Filter(self.conf_for(daemon), options="halftone-engine=remote")
            job.feed(page.parts(2)[0])
            self.wait_row(daemon, 128)
            daemon.kill_worker()
            job.feed(page.parts(2)[1])
            bits, messages = job.end(code=1)
            self.assertTrue(page.bits.startswith(bits))
            self.assertEqual(messages.count("ERROR: cannot print: "), 1)


if __name__ == "__main__":
    FILTER, EXPECT_RASTER = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()

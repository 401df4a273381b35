#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs of a real CUPS through a real halftoned: the bits are the definition's, and
the daemon's counters tell which engine made them.

Usage: daemon_in_cups_test.py BUILD_FOLDER [unittest arguments]
"""

import functools
import pathlib
import sys

import cups_case
import cups_raster

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "daemon"))
from daemon_process import Daemon  # noqa: E402

OPTIONS = ("Resolution=300dpi", "media=A6")
NO_DAEMON = '[daemon]\nsocket = "/nonexistent/halftoned.sock"\n'


class DaemonInCups(cups_case.CupsCase):
    def setUp(self):
        self.addCleanup(self.cups.conf.unlink, missing_ok=True)

    def moves(self, job):
        """Where the filter went on elsewhere, as it says itself."""
        return [line for line in self.cups.job_log(job)
                if "later rows by" in line]

    @classmethod
    @functools.cache
    def pages_alone(cls):
        """The sample's pages by a filter that knows no daemon."""
        case = cls()
        cls.cups.conf.write_text("[filter]\nuse-daemon = false\n")
        job, pages = case.print_exactly("htcups", cls.pdf3, OPTIONS, pages=3)
        case.assertEqual(case.moves(job), [])
        return pages

    def print_as_alone(self):
        """The job, whose pages are those of `pages_alone`."""
        queue = self.add_queue("htcups")
        job = self.assert_completes(queue, self.pdf3, OPTIONS)
        pages = cups_raster.read_pages(self.output(queue).read_bytes())
        self.assertTrue(pages == self.pages_alone())
        return job

    def assert_worker_did_all(self, daemon, job, pages):
        rows = sum(header["cupsHeight"] for header, _ in pages)
        pixels = sum(header["cupsHeight"] * header["cupsWidth"]
                     for header, _ in pages)
        done = daemon.wait_rows(rows)
        self.assertEqual(list(done), [daemon.wait_ready()["engine"]])
        counts = next(iter(done.values()))
        self.assertEqual((counts["pages"], counts["pixels"]),
                         (len(pages), pixels))
        self.assertEqual([counts[f"{how}_pages"] for how in
                          ("failed", "cancelled", "evicted")], [0, 0, 0])
        status = daemon.status()
        self.assertEqual((status["deaths"], status["fail_overs"]),
                         ({"cpu": 0}, 0))
        self.assertEqual(self.moves(job), [])

    def test_the_worker_does_every_row(self):
        pages = self.pages_alone()
        for ring in (True, False):
            with self.subTest(ring=ring), Daemon() as daemon:
                self.cups.conf.write_text(
                    daemon.filter_conf(engine="remote", use_ring=ring))
                self.assert_worker_did_all(daemon, self.print_as_alone(), pages)

    def test_the_worker_does_every_row_of_whole_sheets(self):
        with Daemon() as daemon:
            self.cups.conf.write_text(daemon.filter_conf(engine="remote"))
            queue = self.add_queue("htpwg")
            job = self.assert_completes(queue, self.pdf, OPTIONS)
            gray = cups_raster.read_pages(
                (self.cups.out / f"{job}.gray").read_bytes())
            self.assertEqual(self.assert_exact(queue, job), 1)
            self.assert_worker_did_all(daemon, job, gray)

    def test_a_job_completes_where_no_daemon_is(self):
        self.pages_alone()
        self.cups.conf.write_text(NO_DAEMON)
        job = self.print_as_alone()
        moves = self.moves(job)
        self.assertRegex(moves[0], r"^row \d+ and later rows by (?!remote)"
                         r".*/halftoned\.sock: No such file or directory$")
        self.assertEqual(len(moves), 1)  # said once, and summed up at the end
        self.assertIn("pages begun without the daemon: 3; moved in mid-page: 0",
                      self.cups.job_log(job))

    def test_a_job_for_a_daemon_that_is_not_there_fails_and_says_so(self):
        self.cups.conf.write_text(NO_DAEMON)
        queue = self.add_queue("htcups")
        job = self.cups.print_file(queue, self.pdf,
                                   [*OPTIONS, "halftone-engine=remote"])
        self.assertEqual(self.cups.wait(job), "stopped")
        errors = [line for line in self.cups.job_log(job)
                  if line.startswith("cannot print")]
        self.assertEqual(len(errors), 1, errors)
        self.assertRegex(errors[0], "halftoned.sock: No such file")
        self.assertEqual(self.output(queue).read_bytes(), b"")


if __name__ == "__main__":
    cups_case.main()

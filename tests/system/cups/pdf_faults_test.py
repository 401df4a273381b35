#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pdftohalftone under fire, in a real CUPS and with a real halftoned: many jobs at
once while renderers, filters, the daemon and its worker are killed at random points,
and a disk that fills. A job that completes has printed the right bytes; one that
fails, a beginning of them; and nothing is left, neither processes nor files.

Usage: HALFTONED=… WORKER_CPU=… pdf_faults_test.py BUILD_FOLDER [--jobs N]
       [--seed N] [unittest arguments]
"""

import argparse
import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import cups_case
from cups_case import CupsCase
from private_cups import become_root, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "daemon"))
from daemon_process import Daemon  # noqa: E402

OPTIONS = ("Resolution=300dpi", "media=A6")
RENDERERS = ("gs",)
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV)
PREFIX = "pdftohalftone-"


class PdfFaults(CupsCase):
    jobs = 8
    chance = random.Random()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mark = f"{cls.cups.root}/".encode()
        cls.temporary = cls.cups.root / "spool/tmp"
        cls.pdf17 = cls.document("pdfwrite", "sample17.pdf", "-dpages=17")
        cls.daemon = Daemon()
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.stop)
        cls.cups.conf.write_text(cls.daemon.filter_conf(
            machine_threads=12, parallel_pages=3))
        case = cls()
        cls.queues = [case.add_queue("htcups", captured=False)
                      for _ in range(cls.jobs)]
        case.assert_completes(cls.queues[0], cls.pdf17,
                              [*OPTIONS, "parallel-pages=1"])
        cls.right = case.output(cls.queues[0]).read_bytes()

    def print_all(self):
        """All begin together: to submit them takes longer than to print the first."""
        for name in self.queues:
            self.output(name).unlink(missing_ok=True)
        self.cups.command("cupsdisable", *self.queues)
        jobs = [self.cups.print_file(name, self.pdf17, OPTIONS)
                for name in self.queues]
        self.cups.command("cupsenable", *self.queues)
        return jobs

    def states(self, jobs, filters_live=True):
        """How they end; what they have printed is looked at."""
        states = [self.cups.wait(job, 300) for job in jobs]
        for name, job, state in zip(self.queues, jobs, states):
            path = self.output(name)
            printed = path.read_bytes() if path.exists() else b""
            with self.subTest(job=job, state=state):
                if state == "completed" and filters_live:
                    self.assertEqual(len(printed), len(self.right),
                                     self.cups.job_log(job)[-14:])
                log = "\n".join(self.cups.job_log(job))
                same = len(os.path.commonprefix([printed, self.right]))
                self.assertEqual(same, len(printed), log[-2000:])
        return states

    def programs(self, names=(*RENDERERS, "pdftohalftone")):
        """Finds processes of jobs, in any order, one after another: a renderer may live
        for a tenth of a second. The daemon has another environment."""
        processes = [name for name in os.listdir("/proc") if name.isdigit()]
        self.chance.shuffle(processes)
        for process in processes:
            folder = pathlib.Path("/proc", process)
            with contextlib.suppress(OSError):
                if ((folder / "comm").read_text(encoding="utf-8").strip() in names and
                        self.mark in (folder / "environ").read_bytes()):
                    yield int(process)

    def assert_nothing_is_left(self):
        wait_until(lambda: not list(self.programs()), "all programs have ended")

    def kill_at_random(self, jobs, pick, most, signals=SIGNALS):
        """While the jobs run."""
        killed = 0
        while killed < most and any(
                self.cups.job_state(job) in ("pending", "processing")
                for job in jobs):
            time.sleep(self.chance.uniform(0, 0.2))
            process = pick()
            if not process:
                continue
            try:
                os.kill(process, self.chance.choice(signals))
            except ProcessLookupError:
                continue
            killed += 1
        return killed

    def test_many_jobs_at_once(self):
        self.assertEqual(set(self.states(self.print_all())), {"completed"})
        self.assert_nothing_is_left()
        self.assertEqual(list(self.temporary.glob(f"{PREFIX}*")), [])

    def print_until_killed(self, names, most, filters_live=True, signals=SIGNALS):
        """A busy machine may look for programs only before and after they run."""
        while True:
            jobs = self.print_all()
            killed = self.kill_at_random(jobs, lambda: next(self.programs(names), None),
                                         most, signals)
            # Now and then cupsd calls a job completed whose filter was killed.
            self.assertLessEqual(set(self.states(jobs, filters_live)),
                                 {"completed", "stopped"})
            if killed:
                return

    def test_renderers_are_killed(self):
        self.print_until_killed(RENDERERS, self.jobs)
        self.assert_nothing_is_left()
        self.assertEqual(list(self.temporary.glob(f"{PREFIX}*")), [])

    def test_filters_are_killed(self):
        # For cupsd, one that SIGTERM has ended has done its work.
        self.print_until_killed(["pdftohalftone"], self.jobs // 2, filters_live=False,
                                signals=(signal.SIGKILL, signal.SIGSEGV))
        self.assert_nothing_is_left()
        # A later job removes the folders of those that could not.
        for folder in self.temporary.glob(f"{PREFIX}*"):
            os.utime(folder, (0, 0))
        self.assert_completes(self.queues[0], self.pdf17, OPTIONS)
        self.assertEqual(list(self.temporary.glob(f"{PREFIX}*")), [])

    def test_the_worker_and_the_daemon_are_killed(self):
        jobs = self.print_all()
        self.kill_at_random(jobs, lambda: self.daemon.wait_ready()["pid"], 2)
        self.daemon.kill()
        self.assertEqual(set(self.states(jobs)), {"completed"})
        self.assert_nothing_is_left()
        self.daemon.start()
        self.daemon.wait_ready()

    def test_a_disk_that_fills(self):
        """Sizes of a disk on which the document, or what renderers keep of it, has
        no room."""
        # Not in a root that is no mount, such as a chroot's.
        if subprocess.run(["unshare", "-m", "true"], check=False,
                          stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("nothing can be mounted here")
        size = self.pdf17.stat().st_size
        with tempfile.TemporaryDirectory() as folder:
            right = self.print_on_disk(64 * size, folder)
            self.assertEqual(right.returncode, 0, right.stderr)
            for room in (0.5, 1.2, 2.5, 4.5):
                done = self.print_on_disk(int(size * room), folder)
                if done.returncode != 0:
                    self.assertIn(b"ERROR: cannot print", done.stderr)
                else:
                    self.assertEqual(len(done.stdout), len(right.stdout))
                self.assertTrue(right.stdout.startswith(done.stdout))

    def print_on_disk(self, room, folder):
        script = ('mount -t tmpfs -o size="$1" tmpfs "$2" || exit 77; '
                  'shift 2; "$@"; status=$?; echo "left: $(ls -A "$TMPDIR")" >&2; '
                  'exit $status')
        with open(self.pdf17, "rb") as document:
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", script, "sh", str(room), folder,
                 self.build / "filter/pdftohalftone", "1", "user", "title", "1",
                 " ".join(OPTIONS)], stdin=document, capture_output=True,
                check=False, env=dict(
                    os.environ, TMPDIR=folder,
                    PPD=str(self.made / "htcups.ppd"),
                    HALFTONED_CONF=str(self.cups.conf)))
        if done.returncode == 77:
            self.skipTest("nothing can be mounted here")
        self.assertTrue(done.stderr.endswith(b"left: \n"), done.stderr[-200:])
        return done


def main():
    become_root()  # with all arguments
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=None)
    given, rest = parser.parse_known_args()
    seed = given.seed if given.seed is not None else random.randrange(1 << 30)
    print(f"--jobs {given.jobs} --seed {seed}", flush=True)
    PdfFaults.jobs = given.jobs
    PdfFaults.chance = random.Random(seed)
    sys.argv[1:] = rest
    cups_case.main()


if __name__ == "__main__":
    main()

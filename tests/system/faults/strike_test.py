# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever dies or hangs while a job is printed, at whatever frame: the same
bits as without a fault, no process left hanging, and proof that the fault was.

With --long the job has a page of many bands. Every thirteenth frame of it is
struck; with --every, which takes an hour, every frame.
"""

import os
import signal
import sys
import unittest

from printing import BAND, Printing
from daemon_process import LIMIT, Daemon, is_gone, wait_until
from strike_proxy import StrikeProxy

EVERY = "--every" in sys.argv
LONG = EVERY or "--long" in sys.argv
PAGES = ([160 * BAND + 17, 1, 5 * BAND] if LONG else
         [6 * BAND + 17, 1, 2 * BAND])
STEP = 1 if EVERY else 13 if LONG else 7
LEAST = 300 // STEP if LONG else 3  # strikes of each kind


class Strikes(unittest.TestCase):
    options = ""

    @classmethod
    def setUpClass(cls):
        cls.printing = Printing(PAGES, cls.options)
        cls.addClassCleanup(cls.printing.close)

    def strike(self, at, victim, number, ring):
        """The outcome. self.struck: whether there was a frame `at`."""
        self.struck = False
        with Daemon(stop_timeout=1) as daemon:
            worker = daemon.wait_ready()["pid"]
            pid = worker if victim == "worker" else daemon.process.pid
            proxied = str(daemon.folder / "proxied.sock")
            proxy = StrikeProxy(proxied, str(daemon.socket), at,
                                lambda: os.kill(pid, number))
            try:
                outcome = self.printing.print_job(
                    self.printing.conf(socket=proxied, use_ring=ring))
            finally:
                proxy.close()
                self.struck = proxy.struck
                if self.struck and number == signal.SIGSTOP:
                    os.kill(pid, signal.SIGCONT)
            self.printing.check(outcome)
            if self.struck and number == signal.SIGKILL:
                self.wait_death(daemon, victim, worker)
        wait_until(lambda: is_gone(worker), "the worker to leave")
        return outcome

    def wait_death(self, daemon, victim, worker):
        if victim == "supervisor":
            daemon.process.wait(LIMIT)
            return
        wait_until(lambda: is_gone(worker), "the worker's end")
        daemon.wait_status(
            lambda status: sum(each["deaths"] for each in
                               status["workers"]) > 0, "its death")

    def strike_each(self, victim, number, ring):
        """How many jobs had to go on elsewhere."""
        at, moved, strikes = 0, 0, 0
        while True:
            with self.subTest(at=at, victim=victim, signal=number, ring=ring):
                moved += self.strike(at, victim, number, ring).moves() > 0
            if not self.struck:
                break
            strikes += 1
            at += STEP
        print(f"{self.options} {victim}, {signal.Signals(number).name}, "
              f"{'ring' if ring else 'inline'}: {strikes} strikes, "
              f"{moved} jobs moved", file=sys.stderr)
        self.assertGreaterEqual(strikes, LEAST)
        return moved

    def test_worker_is_killed(self):
        for ring in (True, False):
            self.assertGreater(
                self.strike_each("worker", signal.SIGKILL, ring), 0)

    def test_worker_hangs(self):
        for ring in (True, False):
            self.assertGreater(
                self.strike_each("worker", signal.SIGSTOP, ring), 0)

    def test_supervisor_is_killed(self):
        for ring in (True, False):
            self.strike_each("supervisor", signal.SIGKILL, ring)

    def test_supervisor_hangs(self):
        for ring in (True, False):
            self.strike_each("supervisor", signal.SIGSTOP, ring)


class StrikesOfBest(Strikes):
    """Whose answers lag behind the bands."""
    options = "halftone-type=best"


if __name__ == "__main__":
    unittest.main(argv=[arg for arg in sys.argv if arg not in ("--long", "--every")])

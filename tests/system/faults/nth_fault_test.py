# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whichever system call or allocation fails, in a filter, a worker or the
supervisor: the same bits, or where it is the filter's own a clear error.

With --long each of them fails in turn; else a few.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from printing import BAND, Printing
from daemon_process import WORKER, Daemon, wait_until, within_reach

SHIM = within_reach(os.environ["FAULT_SHIM"])
LONG = "--long" in sys.argv
STEP = 1 if LONG else 37
KINDS = ("error", "interrupt", "memory")
END = 3  # stop after so many numbers without a fault
# Callers that do not check allocations: libcups for its own state, the C library
# for its user lookup. No program can help that.
CARELESS = ("libcups", "libc.so", "brk")


class NthFault(unittest.TestCase):
    def setUp(self):
        self.printing = Printing([2 * BAND + 17, 40])
        self.addCleanup(self.printing.close)
        # Where workers may create a file.
        reports = tempfile.TemporaryDirectory(dir="/dev/shm")
        self.addCleanup(reports.cleanup)
        os.chmod(reports.name, 0o777)
        self.report = pathlib.Path(reports.name) / "fault"
        if subprocess.run(["true"], env=self.shim("error", 0)).returncode != 0:
            self.skipTest("the kernel does not allow filtering system calls")

    def shim(self, kind, number):
        """The environment of a program that is to fail."""
        return {"LD_PRELOAD": SHIM, "HALFTONED_FAULT": f"{kind} {number}",
                "HALFTONED_FAULT_REPORT": str(self.report)}

    def sweep(self, who, strike, ring):
        """Calls `strike` until there is nothing left that could fail."""
        for kind in KINDS:
            struck, failed, missed, number = 0, 0, 0, 1
            self.crashes = 0
            while missed < END:
                self.report.unlink(missing_ok=True)
                with self.subTest(who=who, kind=kind, number=number, ring=ring):
                    printed = None
                    try:
                        printed = strike(kind, number, ring)
                    finally:
                        what = self.what_failed()
                        if printed is None:
                            print(f"{kind} {number} of {who}: {what}",
                                  file=sys.stderr)
                    failed += not printed
                if what:
                    struck += 1
                    missed = 0
                    number += STEP
                else:
                    missed += 1
                    number += 1
            print(f"{who}, {kind}, {'ring' if ring else 'inline'}: {struck} "
                  f"faults, {failed} jobs failed, {self.crashes} of them in "
                  "libraries", file=sys.stderr)
            self.assertGreater(struck, 20 if LONG else 0)

    def what_failed(self):
        try:
            return self.report.read_text().strip()
        except FileNotFoundError:
            return ""

    def test_of_a_filter(self):
        with Daemon(health_interval=3600) as daemon:
            def strike(kind, number, ring):
                return self.print_starved(
                    self.printing.conf(socket=daemon.socket, use_ring=ring),
                    kind, number)
            for ring in (True, False):
                self.sweep("filter", strike, ring)

    def test_of_a_filter_alone(self):
        def strike(kind, number, _):
            return self.print_starved(self.printing.conf(use_daemon=False),
                                      kind, number)
        self.sweep("filter alone", strike, True)

    def print_starved(self, conf, kind, number):
        outcome = self.printing.print_job(
            conf, environment=self.shim(kind, number))
        careless = [name for name in CARELESS if name in self.what_failed()]
        if careless and outcome.status in (-signal.SIGSEGV, -signal.SIGABRT):
            self.assertTrue(self.printing.expected.startswith(outcome.bits))
            self.crashes += 1
            return False
        # An interrupted call is retried.
        return self.printing.check(outcome, may_fail=kind != "interrupt")

    def test_of_a_worker(self):
        libexec = self.printing.folder / "libexec"
        libexec.mkdir(mode=0o755)
        program = within_reach(WORKER)

        def strike(kind, number, ring):
            worker = libexec / "worker-cpu"
            worker.write_text("#!/bin/sh\nexec env " + " ".join(
                f"{name}='{value}'" for name, value in
                self.shim(kind, number).items()) + f" {program} \"$@\"\n")
            worker.chmod(0o755)
            with Daemon(health_interval=3600, stop_timeout=1,
                        environment={"HALFTONED_LIBEXEC": str(libexec)}
                        ) as daemon:
                outcome = self.printing.print_job(self.printing.conf(
                    socket=daemon.socket, use_ring=ring))
            return self.printing.check(outcome)
        for ring in (True, False):
            self.sweep("worker", strike, ring)

    def test_of_the_supervisor(self):
        # System calls of its workers are counted with its own.
        def strike(kind, number, ring):
            folder = tempfile.TemporaryDirectory(prefix="halftoned-")
            os.chmod(folder.name, 0o755)
            daemon = Daemon(folder.name, health_interval=3600, stop_timeout=1,
                            environment=self.shim(kind, number))
            daemon.start()
            try:
                wait_until(lambda: daemon.process.poll() is not None or
                           daemon.socket.exists(), "the daemon")
                outcome = self.printing.print_job(self.printing.conf(
                    socket=daemon.socket, use_ring=ring))
            finally:
                daemon.stop()
                folder.cleanup()
            return self.printing.check(outcome)
        self.sweep("supervisor", strike, True)


if __name__ == "__main__":
    unittest.main(argv=[arg for arg in sys.argv if arg != "--long"])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With few descriptors, little memory and full disks: a job's bits, or a clear
error where it is the filter that is short of something.

With --long every limit in turn is set; else some.
"""

import fcntl
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

from printing import BAND, Printing
from daemon_process import WORKER, Daemon, wait_until, within_reach
import processes

LONG = "--long" in sys.argv
FILES = range(3, 32, 1 if LONG else 5)
MEBIBYTES = range(4, 260, 2 if LONG else 30)
CLIENTS = 40 if LONG else 20
def is_not_ours(outcome):
    """Whether the program ended before its own code ran: by the program loader,
    without memory for its stack, or in a library that initializes itself."""
    return not outcome.bits and (
        outcome.status in (127, -signal.SIGSEGV)
        or "Error in GnuTLS initialization" in outcome.log)


def limit(what, number):
    return lambda: resource.setrlimit(what, (number, number))


class Starved(unittest.TestCase):
    def setUp(self):
        self.printing = Printing([30 * BAND + 17, 40])
        self.addCleanup(self.printing.close)
        self.libexec = self.printing.folder / "libexec"
        self.libexec.mkdir(mode=0o755)

    def starve_filters(self, what, numbers, keys):
        """How many of the jobs came."""
        done = 0
        for number in numbers:
            with self.subTest(number=number, keys=keys):
                outcome = self.printing.print_job(
                    self.printing.conf(**keys), preexec_fn=limit(what, number))
                if is_not_ours(outcome):
                    continue
                done += self.printing.check(outcome, may_fail=True)
        print(f"{self.id()}: {done} of {len(numbers)} filters printed",
              file=sys.stderr)
        self.assertGreater(done, 0)
        self.assertLess(done, len(numbers))

    def starve_each_way(self, what, numbers):
        with Daemon() as daemon:
            for ring in (True, False):
                self.starve_filters(what, numbers, {"socket": daemon.socket,
                                                    "use_ring": ring})
        self.starve_filters(what, numbers, {"use_daemon": False})

    def limited_worker(self, limits):
        """A daemon whose workers begin with these limits of the shell."""
        worker = self.libexec / "worker-cpu"
        worker.write_text(
            f"#!/bin/sh\n{limits}\nexec {within_reach(WORKER)} \"$@\"\n")
        worker.chmod(0o755)
        return {"HALFTONED_LIBEXEC": str(self.libexec)}

    def starve_daemons(self, numbers, make):
        """`make`: keywords of a Daemon, by a number. How many jobs it did."""
        served = 0
        for number in numbers:
            folder = tempfile.TemporaryDirectory(prefix="halftoned-")
            os.chmod(folder.name, 0o755)
            with self.subTest(number=number, make=make.__name__), folder:
                daemon = Daemon(folder.name, stop_timeout=1, **make(number))
                daemon.start()
                try:
                    wait_until(lambda: daemon.process.poll() is not None or
                               daemon.socket.exists(), "the daemon")
                    outcome = self.printing.print_job(
                        self.printing.conf(socket=daemon.socket))
                finally:
                    daemon.stop()
                self.printing.check(outcome)
                served += outcome.moves() == 0
        print(f"{self.id()}: {served} of {len(numbers)} daemons served",
              file=sys.stderr)
        self.assertGreater(served, 0)
        self.assertLess(served, len(numbers))

    def test_a_filter_with_few_descriptors(self):
        self.starve_each_way(resource.RLIMIT_NOFILE, FILES)

    def test_a_filter_with_little_memory(self):
        self.starve_each_way(resource.RLIMIT_AS,
                             [size << 20 for size in MEBIBYTES])

    def test_a_worker_with_few_descriptors(self):
        def few_files(number):
            return {"environment": self.limited_worker(f"ulimit -n {number}")}
        self.starve_daemons(FILES, few_files)

    def test_a_worker_with_little_memory(self):
        def little_memory(number):
            return {"environment":
                    self.limited_worker(f"ulimit -v {number << 10}")}
        self.starve_daemons(MEBIBYTES, little_memory)

    def test_a_supervisor_with_few_descriptors(self):
        def few_files(number):
            return {"wrap": ["prlimit", f"--nofile={number}:{number}"],
                    "environment": self.limited_worker("")}
        self.starve_daemons(FILES, few_files)

    def test_a_supervisor_with_little_memory(self):
        def little_memory(number):
            return {"wrap": ["prlimit", f"--as={number << 20}"],
                    "environment": self.limited_worker("ulimit -v unlimited")}
        self.starve_daemons(MEBIBYTES, little_memory)

    def test_more_clients_than_descriptors(self):
        for who, make in (("worker", {"environment": self.limited_worker(
                               "ulimit -n 16")}),
                          ("supervisor", {"wrap": ["prlimit", "--nofile=16"],
                                          "environment":
                                          self.limited_worker("")})):
            with self.subTest(who=who), Daemon(**make) as daemon:
                before = processes.files_of_idle(daemon)
                conf = self.printing.conf(socket=daemon.socket)
                jobs = [self.printing.start_slowly(conf, job=number)
                        for number in range(CLIENTS)]
                for process, reader in jobs:
                    self.printing.check(
                        self.printing.finish(process, reader, b""))
                processes.files_of_idle(daemon, before)
                # It is as good as ever.
                self.printing.print_by_daemon(daemon, job=CLIENTS)


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.printing = Printing([30 * BAND + 17, 40])
        self.addCleanup(self.printing.close)

    def test_where_the_page_goes(self):
        with Daemon() as daemon:
            for keys in ({"use_daemon": False}, {"socket": daemon.socket}):
                with open("/dev/full", "wb") as full:
                    outcome = self.printing.print_job(
                        self.printing.conf(**keys), stdout=full)
                self.assertEqual(outcome.status, 1)
                self.assertEqual(outcome.log.count("ERROR: "), 1)
                self.assertIn("cannot write the page: No space left on device",
                              outcome.log)

    def test_in_mid_page(self):
        disk = self.printing.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs",
                           str(disk)], capture_output=True).returncode != 0:
            self.skipTest("only root mounts a small disk")
        try:
            with open(disk / "page", "wb") as page:
                outcome = self.printing.print_job(
                    self.printing.conf(use_daemon=False), stdout=page)
            outcome.bits = (disk / "page").read_bytes()
            self.assertGreater(len(outcome.bits), 0)
            self.assertFalse(self.printing.check(outcome, may_fail=True))
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def test_where_the_messages_go(self):
        to_full = ["sh", "-c", "exec \"$@\" 2>/dev/full", "sh"]
        with Daemon(wrap=to_full) as daemon, open("/dev/full", "wb") as full:
            outcome = self.printing.print_job(
                self.printing.conf(socket=daemon.socket), stderr=full)
            self.printing.check(outcome)
            daemon.wait_rows(self.printing.rows)

    def test_where_slots_are_locked(self):
        for folder in ("/nowhere", "/dev/full", "/proc"):
            self.printing.check(self.printing.print_job(
                self.printing.conf(use_daemon=False),
                environment={"CUPS_CACHEDIR": folder}))


    @unittest.skipUnless(LONG, "it takes seconds")
    def test_of_threads_that_nobody_gives_back(self):
        slots = self.printing.folder / "halftoned.slots"
        with open(slots, "wb") as held:
            fcntl.lockf(held, fcntl.LOCK_EX)
            self.printing.check(self.printing.print_job(
                self.printing.conf(use_daemon=False),
                environment={"CUPS_CACHEDIR": str(slots.parent)}))


if __name__ == "__main__":
    unittest.main(argv=[arg for arg in sys.argv if arg != "--long"])

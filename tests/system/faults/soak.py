#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether memory and open files of a daemon grow over a given time.

In each round jobs are printed with and without the ring, several at a time;
others are canceled or killed in the middle, and a client sends nonsense. Then,
without clients, supervisor and worker are measured. Prints least squares' slopes
over all rounds but those of the first tenth, in which a process allocates what it
keeps.

Usage: soak.py MINUTES
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time

from printing import BAND, Printing
from daemon_process import Daemon
import processes

SECONDS_A_ROUND = 2  # at least
# The growth allowed over the whole run, by its slope.
MAX_KIB = 2048
MAX_FILES = 0.5


def slope(points):
    """Least squares', of (x, y)."""
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


class Soak:
    def __init__(self, printing, daemon):
        self.printing, self.daemon = printing, daemon
        self.confs = [
            printing.conf(name, socket=daemon.socket, use_ring=name == "ring",
                          daemon_timeout=30) for name in ("ring", "inline")]
        self.jobs = self.cut_short = 0
        self.files = None  # of supervisor and worker, after the first round
        self.samples = []  # seconds, and KiB and files of both

    def round(self):
        filters = [self.printing.start(conf) for conf in self.confs * 2]
        ends = [self.printing.start(conf, stderr=subprocess.DEVNULL)
                for conf in self.confs]
        for process, number in zip(ends, (signal.SIGTERM, signal.SIGKILL)):
            os.read(process.stdout.fileno(), 1000)  # in mid-page
            process.send_signal(number)
            process.stdout.close()
            process.wait()
            self.cut_short += 1
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(str(self.daemon.socket))
            stranger.sendall(bytes(600))
        for process in filters:
            bits, log = process.communicate()
            assert process.returncode == 0 and bits == self.printing.expected, \
                log.decode()
            assert b"later rows by" not in log, log.decode()
            self.jobs += 1

    def sample(self, seconds):
        # A health check has open files too, but only for a while.
        files = processes.files_of_idle(self.daemon, self.files)
        self.files = self.files or files
        worker = self.daemon.wait_ready()["pid"]
        kib = [processes.resident_kib_of(pid)
               for pid in (self.daemon.process.pid, worker)]
        self.samples.append((seconds, *kib, *files))

    def run(self, seconds):
        begin = time.monotonic()
        next_round = 0
        while next_round < seconds:
            self.round()
            self.sample(time.monotonic() - begin)
            next_round = max(time.monotonic() - begin,
                             next_round + SECONDS_A_ROUND)
            time.sleep(max(0, begin + next_round - time.monotonic()))


def main():
    seconds = 60 * float(sys.argv[1])
    # More than a pipe holds, so that a job that is cut short is in mid-page.
    with contextlib.closing(Printing([30 * BAND + 17, 3 * BAND])) as printing, \
            Daemon(log_level="warning") as daemon:
        soak = Soak(printing, daemon)
        soak.run(seconds)
        workers = daemon.status()["workers"]
        assert [worker["number"] for worker in workers] == [1], workers
    kept = soak.samples[len(soak.samples) // 10:]
    print(f"{soak.jobs} jobs and {soak.cut_short} that were cut short in "
          f"{seconds / 60:g} minutes, {len(kept)} rounds looked at")
    grown = {}
    for at, name in enumerate(["supervisor KiB", "worker KiB",
                               "supervisor files", "worker files"], 1):
        a_second = slope([(sample[0], sample[at]) for sample in kept])
        grown[name] = a_second * (kept[-1][0] - kept[0][0])
        print(f"  {name}: {kept[0][at]} to {kept[-1][at]}, slope "
              f"{3600 * a_second:+.2f} an hour")
    for name, much in grown.items():
        assert much < (MAX_KIB if "KiB" in name else MAX_FILES), name


if __name__ == "__main__":
    main()

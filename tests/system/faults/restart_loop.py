#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""So many jobs at a time, for so many seconds, while each second a worker or
the supervisor is killed, in turn, and started again: every job gives its bits,
and in the end nothing is left.

Usage: restart_loop.py JOBS SECONDS
"""

import itertools
import os
import random
import signal
import sys
import threading
import time

from printing import BAND, PIPE_BYTES, Printing
from daemon_process import Daemon, shared_folder, wait_until
import processes

JOBS_A_SECOND = 10  # that end: a machine can do so many beside other things
TIMEOUT = 2  # seconds


class Jobs:
    """A number of jobs at a time; each is read slowly, and followed by another
    until the end."""

    def __init__(self, printing, confs, count):
        self.printing, self.confs = printing, confs
        self.over = threading.Event()
        self.numbers = itertools.count(1)
        self.done = self.moves = 0
        self.failures = []
        self.lock = threading.Lock()
        pieces = len(printing.expected) // PIPE_BYTES + 1
        self.pause = count / JOBS_A_SECOND / pieces
        self.threads = [threading.Thread(target=self.work)
                        for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def work(self):
        while not self.over.is_set():
            job = next(self.numbers)
            try:
                outcome = self.print_slowly(job)
                self.printing.check(outcome)
            except Exception as error:  # of whatever kind: it is told below
                with self.lock:
                    self.failures.append(f"job {job}: {error}")
                continue
            with self.lock:
                self.done += 1
                self.moves += outcome.moves()

    def print_slowly(self, job):
        process, reader = self.printing.start_slowly(
            self.confs[job % len(self.confs)], job=job,
            environment={"CUPS_CACHEDIR": str(self.printing.folder)})
        bits = b""
        while piece := os.read(reader, PIPE_BYTES):
            bits += piece
            self.over.wait(random.uniform(0, 2 * self.pause))
        return self.printing.finish(process, reader, bits)

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


def kill_worker(daemon):
    """Whether there was one."""
    workers = processes.children_of(daemon.process.pid)
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    return len(workers) > 0


def kill_supervisor(daemon):
    daemon.kill()
    daemon.start()
    return True


def run_loop(daemon, jobs, seconds):
    """How many were killed of each."""
    kills = {kill_worker: 0, kill_supervisor: 0}
    end = time.monotonic() + seconds
    for kill in itertools.cycle(kills):
        if jobs.over.wait(1) or time.monotonic() >= end:
            return kills
        kills[kill] += kill(daemon)


def main():
    count, seconds = int(sys.argv[1]), float(sys.argv[2])
    printing = Printing([20 * BAND + 17, 3 * BAND])
    daemon = Daemon(max_connections_per_user=512, stop_timeout=2)
    daemon.start()
    files = processes.files_of_idle(daemon)
    confs = [printing.conf(name, socket=daemon.socket, use_ring=name == "ring",
                           daemon_timeout=TIMEOUT)
             for name in ("ring", "inline")]
    jobs = Jobs(printing, confs, count)
    try:
        kills = run_loop(daemon, jobs, seconds)
    finally:
        jobs.end()
    files_after = processes.files_of_idle(daemon)
    daemon.stop()
    log = daemon.log()
    worker = shared_folder() / "libexec" / "worker-cpu"
    wait_until(lambda: not processes.of_program(worker), "workers to leave")
    slots = processes.held_slots(printing.folder / "halftoned.slots",
                                 os.cpu_count())
    deaths = log.count("has died: killed by SIGKILL")
    print(f"{jobs.done} jobs, {len(jobs.failures)} failed, {jobs.moves} moves; "
          f"killed: {kills[kill_worker]} workers ({deaths} deaths logged), "
          f"{kills[kill_supervisor]} supervisors; open files before "
          f"{files}, after {files_after}; slots still held: {slots}")
    for failure in jobs.failures[:5]:
        print(failure)
    printing.close()
    assert not jobs.failures and jobs.done >= count
    assert jobs.moves > 0 and deaths > 0 and min(kills.values()) > 0
    assert files == files_after and not slots


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""So many jobs at a time, for so many seconds, while each second a worker or
the supervisor is killed, in turn, and started again: every job gives its bits,
and in the end nothing is left.

Usage: restart_loop.py JOBS SECONDS
"""

import contextlib
import itertools
import os
import signal
import sys
import time

from jobs import Jobs
from printing import BAND, Printing
from daemon_process import Daemon, shared_folder, wait_until
import processes

TIMEOUT = 2  # seconds


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


def report(jobs, kills, deaths, files, files_after, slots):
    print(f"{jobs.done} jobs, {len(jobs.failures)} failed, {jobs.moves} moves; "
          f"killed: {kills[kill_worker]} workers ({deaths} deaths logged), "
          f"{kills[kill_supervisor]} supervisors; open files before "
          f"{files}, after {files_after}; slots still held: {slots}")
    for failure in jobs.failures[:5]:
        print(failure)
    assert not jobs.failures
    assert jobs.moves > 0 and deaths > 0 and min(kills.values()) > 0
    assert not slots, slots


def main():
    count, seconds = int(sys.argv[1]), float(sys.argv[2])
    with contextlib.closing(Printing([1000 * BAND + 17, 3 * BAND])) as printing, \
            Daemon(max_connections_per_user=512, stop_timeout=2) as daemon:
        files = processes.files_of_idle(daemon)
        confs = [printing.conf(name, socket=daemon.socket,
                               use_ring=name == "ring", daemon_timeout=TIMEOUT)
                 for name in ("ring", "inline")]
        with Jobs(printing, confs, count) as jobs:
            kills = run_loop(daemon, jobs, seconds)
        files_after = processes.files_of_idle(daemon, files)
        daemon.stop()
        deaths = daemon.log().count("has died: killed by SIGKILL")
        worker = shared_folder() / "libexec" / "worker-cpu"
        wait_until(lambda: not processes.of_program(worker),
                   "workers to leave")
        slots = processes.held_slots(printing.folder / "halftoned.slots",
                                     len(os.sched_getaffinity(0)))
    report(jobs, kills, deaths, files, files_after, slots)


if __name__ == "__main__":
    main()

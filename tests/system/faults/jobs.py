# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A number of jobs at a time, for as long as somebody wants."""

import itertools
import os
import random
import threading

from printing import PIPE_BYTES

JOBS_A_SECOND = 10  # that end: a machine can do so many beside other things


class Jobs:
    """`with Jobs(...)`: each is read slowly, as a printer would, and followed
    by another; in the end those that have begun come to theirs."""

    def __init__(self, printing, confs, count):
        self.printing, self.confs = printing, confs
        self.over = threading.Event()
        self.numbers = itertools.count(1)
        self.done = self.moves = 0
        self.logs = set()
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
                self.logs.add(outcome.log)

    def print_slowly(self, job):
        process, reader = self.printing.start_slowly(
            self.confs[job % len(self.confs)], job=job,
            environment={"CUPS_CACHEDIR": str(self.printing.folder)})
        bits = b""
        while piece := os.read(reader, PIPE_BYTES):
            bits += piece
            self.over.wait(random.uniform(0, 2 * self.pause))
        return self.printing.finish(process, reader, bits)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

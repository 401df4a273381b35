#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints on two printers while the application is killed by SIGKILL again and
again, and started at once. Each round gives 50 jobs at once, in PDF, JPEG, PNG, text,
PWG raster and PCL, each with a number on its pages, and ends when all have come. A
client whose job is not answered tries again, as CUPS does. It fails if a job that was
answered does not come, if one was printed in part and not as a whole after that, if
pages come that nobody printed, if there are more whole copies than jobs that the
application made, or more of these than the clients' tries.

Usage: kill_campaign.py PROGRAM [--seconds 300] [--every 5] [--jobs 50]
"""

import argparse
import collections
import pathlib
import random
import re
import sys
import tempfile
import threading
import time

from server import Application
from ipp_client import ENUM, Client
from marked_documents import BEGIN, END, document, is_as_expected

PRINTERS = ("one", "two")
BUSY = 0x507  # of raster, while another job prints
DRAFT = [(ENUM, "print-quality", 3)]


def parts(listener):
    """Jobs and what was printed of others, in the order in which they began."""
    return [part for stream in list(listener.streams)
            for part in bytes(stream).split(BEGIN)[1:]]


def copies(listener):
    """How often each whole job came, by its bytes."""
    return collections.Counter(
        part for part in parts(listener) if part.endswith(END))


def unfinished(found, known):
    """Those of the parts that are a job's beginning and that no whole one
    follows; and how many beginnings there are."""
    begun, bad, later = 0, [], set()
    for part in reversed(found):
        if part in known:
            later.add(part)
            continue
        begun += 1
        if not any(whole.startswith(part) for whole in later):
            bad.append(part)
    return bad, begun


class Campaign:
    def __init__(self, app, jobs, every):
        self.app, self.jobs, self.every = app, jobs, every
        self.printers = {name: app.add(name, "pcl5e", pause=0.02)
                         for name in PRINTERS}
        self.expected = {}
        self.kills = self.tries = self.answered = self.came = 0
        self.again, self.lost = 0, []
        self.is_over = threading.Event()

    def learn(self):
        """What each job is on paper, from an application that lives."""
        client = Client(self.app.port)
        for seed in range(self.jobs):
            kind, data = document(seed)
            listener = self.printers[PRINTERS[0]]
            before = sum(copies(listener).values())
            status, _ = client.print(PRINTERS[0], data, kind, options=DRAFT)
            assert status == 0, (kind, hex(status))
            for _ in range(600):
                if sum(copies(listener).values()) > before:
                    break
                time.sleep(0.05)
            new, = copies(listener) - collections.Counter(
                self.expected.values())
            assert is_as_expected(seed, BEGIN + new), (kind, seed)
            self.expected[seed] = new
        assert len(set(self.expected.values())) == self.jobs

    def strike(self):
        while not self.is_over.wait(self.every * random.uniform(0.8, 1.2)):
            self.app.kill()
            self.kills += 1
            self.app.start()

    def submit(self, seed, printer):
        kind, data = document(seed)
        while True:
            self.tries += 1
            try:
                status, _ = Client(self.app.port, timeout=300).print(
                    printer, data, kind, f"job {seed}", DRAFT)
            except OSError:
                time.sleep(0.2)
                continue
            if status == BUSY:
                self.tries -= 1
                time.sleep(0.2)
                continue
            assert status == 0, hex(status)
            self.answered += 1
            return

    def round(self, patience=240):
        """All jobs at once; whole copies of each are counted from here on."""
        before = {name: copies(self.printers[name]) for name in PRINTERS}
        clients = [threading.Thread(target=self.submit,
                                    args=(seed, PRINTERS[seed // 2 % 2]))
                   for seed in range(self.jobs)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        until, missing = time.monotonic() + patience, True
        while missing and time.monotonic() < until:
            time.sleep(0.5)
            new = {name: copies(self.printers[name]) - before[name]
                   for name in PRINTERS}
            missing = [seed for seed in range(self.jobs)
                       if not new[PRINTERS[seed // 2 % 2]]
                       [self.expected[seed]]]
        self.lost += missing or []

    def run(self, seconds):
        self.learn()
        learned = sum(sum(copies(each).values())
                      for each in self.printers.values())
        striker = threading.Thread(target=self.strike)
        striker.start()
        until, rounds = time.monotonic() + seconds, 0
        while time.monotonic() < until and not self.lost:
            self.round()
            rounds += 1
            print(f"round {rounds}: {self.kills} kills, {self.tries} tries, "
                  f"{self.answered} answered, lost {self.lost}", flush=True)
        self.is_over.set()
        striker.join()
        for _ in range(600):  # what is printed again ends, too
            if not list(self.app.spool.iterdir()):
                break
            time.sleep(0.1)
        assert self.app.end() == 0
        for printer in self.printers.values():
            printer.take_all()
        return self.judge(rounds, learned)

    def judge(self, rounds, learned):
        known = set(self.expected.values())
        found = [parts(each) for each in self.printers.values()]
        halves = [unfinished(each, known) for each in found]
        bad = sum(len(each) for each, _ in halves)
        whole = sum(part in known for each in found for part in each) - learned
        # Some were not answered before a kill, and their clients tried again; some
        # of these have no document.
        state = next(self.app.folder.rglob("printers.state")).read_text()
        made = sum(map(int, re.findall(r"NextJobId (\d+)", state))) - \
            len(PRINTERS) - self.jobs
        print(f"{rounds} rounds, {self.kills} kills, {self.tries} tries, "
              f"{self.answered} jobs answered, {len(self.lost)} lost; "
              f"{whole} whole copies of {made} jobs made; "
              f"{sum(begun for _, begun in halves)} printed in part, {bad} of "
              "them not as a whole after that")
        return (not self.lost and not bad
                and self.answered <= whole <= made <= self.tries)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--every", type=float, default=5)
    parser.add_argument("--jobs", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        app = Application(options.program, folder)
        app.start()
        try:
            is_well = Campaign(app, options.jobs, options.every).run(
                options.seconds)
        finally:
            app.kill()
        left = [path.name for path in app.spool.iterdir()]
        print(f"{len(left)} files left in the spool")
        if not is_well:
            pathlib.Path("kill-campaign.log").write_text(app.log_text())
        return 0 if is_well and not left else 1


if __name__ == "__main__":
    sys.exit(main())

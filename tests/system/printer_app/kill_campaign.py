#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints on two printers while the application is killed by SIGKILL again and
again. Each round gives 50 jobs at once, pictures and files of the printer's own,
all different, and ends when all have come. A client whose job is not answered
tries again, as CUPS does. It fails if a job that was answered does not come, if
anything whole comes that was not printed, or if more copies come than the log and
the clients' tries tell of.

Usage: kill_campaign.py PROGRAM [--seconds 300] [--every 5] [--jobs 50]
"""

import argparse
import collections
import pathlib
import random
import re
import struct
import sys
import tempfile
import threading
import time
import zlib

from killed_application import Application
from ipp_client import Client

BEGIN = b"\x1b%-12345X@PJL ENTER LANGUAGE=PCL\r\n\x1bE"
END = b"\x1bE\x1b%-12345X"
FORMATS = ("image/png", "application/vnd.hp-pcl")
PRINTERS = ("one", "two")


def png(seed):
    """A picture that no other seed makes."""
    numbers = random.Random(seed)
    rows = b"".join(b"\0" + bytes(numbers.choice((0, 255)) for _ in range(12))
                    for _ in range(16))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(
        b"IHDR", struct.pack(">IIBBBBB", 12, 16, 8, 0, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def document(seed):
    kind = FORMATS[seed % 2]
    if kind == "image/png":
        return kind, png(seed)
    return kind, BEGIN + f"file {seed}".encode() * 20000 + END


def copies(listener):
    """How often each whole job came, by its bytes."""
    found = collections.Counter()
    for stream in list(listener.streams):
        for part in bytes(stream).split(BEGIN)[1:]:
            if part.endswith(END):
                found[part] += 1
    return found


class Campaign:
    def __init__(self, app, jobs, every):
        self.app, self.jobs, self.every = app, jobs, every
        self.printers = {name: app.add(name, "pcl5e", pause=0.005)
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
            status, number = client.print(PRINTERS[0], data, kind)
            assert status == 0, hex(status)
            for _ in range(600):
                if sum(copies(listener).values()) > before:
                    break
                time.sleep(0.05)
            new, = copies(listener) - collections.Counter(
                self.expected.values())
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
                status, _ = Client(self.app.port, timeout=30).print(
                    printer, data, kind, title=f"job {seed}")
            except OSError:
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
        all_copies = sum((copies(each) for each in self.printers.values()),
                         collections.Counter())
        known = set(self.expected.values())
        strange = [part for part in all_copies if part not in known]
        whole = sum(all_copies.values()) - learned
        told = len(re.findall("is printed again", self.app.log_text()))
        spare = whole - self.answered
        print(f"{rounds} rounds, {self.kills} kills, {self.tries} tries, "
              f"{self.answered} jobs answered, {len(self.lost)} lost; "
              f"{whole} whole copies, {spare} more than answered, {told} jobs "
              f"that the log says are printed again; {len(strange)} that "
              "nobody printed")
        unanswered = self.tries - self.answered
        return not self.lost and not strange and spare <= told + unanswered


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
            app.end()
        left = [path.name for path in app.spool.iterdir()]
        print(f"{len(left)} files left in the spool")
        if not is_well:
            pathlib.Path("kill-campaign.log").write_text(app.log_text())
        return 0 if is_well and not left else 1


if __name__ == "__main__":
    sys.exit(main())

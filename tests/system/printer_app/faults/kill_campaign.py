"""Prints on two printers while the application is killed by SIGKILL again and
again, and started at once. Each round gives 50 jobs at once, in PDF, JPEG, PNG, text,
PWG raster and PCL, and ends when nothing is left to print. A client whose job is not
answered tries again, as CUPS does; each try has a number of its own on its pages. It
fails if a job that was answered does not come, if a try comes twice as a whole, if one
is printed in part and not as a whole after that, or if pages come that nobody printed.

Usage: kill_campaign.py PROGRAM [--seconds 300] [--every 5] [--jobs 50]
"""

import argparse
import collections
import itertools
import pathlib
import random
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.server import Application  # noqa: E402
from kit.ipp_client import ENUM, Client  # noqa: E402
from kit.marked_documents import BEGIN, END, document, number_printed  # noqa: E402

PRINTERS = ("one", "two")
BUSY = 0x507  # of raster, while another job prints
DRAFT = [(ENUM, "print-quality", 3)]


def parts(listener):
    """Complete jobs and parts of other jobs, in the order in which they began."""
    return [BEGIN + part for stream in listener.streams
            for part in bytes(stream).split(BEGIN)[1:]]


def unfinished(found):
    """The incomplete parts that no later complete job begins with, and the number of
    all incomplete parts."""
    begun, bad, later = 0, [], set()
    for part in reversed(found):
        if part.endswith(END):
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
        self.kills, self.numbers = 0, itertools.count()
        # The printer that each number was given to; those that were answered.
        self.given, self.answered = {}, set()
        self.is_over = threading.Event()

    def strike(self):
        while not self.is_over.wait(self.every * random.uniform(0.8, 1.2)):
            self.app.kill()
            self.kills += 1
            self.app.start()

    def submit(self, printer):
        status = None
        while status is None:
            number = next(self.numbers)
            self.given[number] = printer
            kind, data = document(number)
            status = BUSY
            while status == BUSY:
                try:
                    status, _ = Client(self.app.port, timeout=300).print(
                        printer, data, kind, f"try {number}", DRAFT)
                except OSError:
                    status = None
                if status != 0:
                    time.sleep(0.2)
        assert status == 0, hex(status)
        self.answered.add(number)

    def is_idle(self, patience=240):
        """True if the server prints all its jobs before patience ends."""
        until = time.monotonic() + patience
        while list(self.app.spool.iterdir()):
            if time.monotonic() > until:
                return False
            time.sleep(0.1)
        return True

    def round(self):
        clients = [threading.Thread(target=self.submit,
                                    args=(PRINTERS[job % 2],))
                   for job in range(self.jobs)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        return self.is_idle()

    def run(self, seconds):
        striker = threading.Thread(target=self.strike)
        striker.start()
        until, rounds, is_done = time.monotonic() + seconds, 0, True
        while time.monotonic() < until and is_done:
            is_done = self.round()
            rounds += 1
            print(f"round {rounds}: {self.kills} kills, {len(self.given)} tries, "
                  f"{len(self.answered)} answered", flush=True)
        self.is_over.set()
        striker.join()
        is_done = self.is_idle() and is_done
        assert self.app.end() == 0
        for printer in self.printers.values():
            printer.take_all()
        return self.is_well(rounds) and is_done

    def is_well(self, rounds):
        bad, begun, whole, foreign = 0, 0, collections.Counter(), 0
        for name, listener in self.printers.items():
            found = parts(listener)
            halves, count = unfinished(found)
            bad, begun = bad + len(halves), begun + count
            for part in found:
                number = number_printed(part) if part.endswith(END) else None
                whole[number] += part.endswith(END)
                foreign += part.endswith(END) and self.given.get(number) != name
        lost = self.answered - set(whole)
        twice = [number for number, copies in whole.items() if copies > 1]
        for number in twice:
            print(f"{document(number)[0]} {number} came {whole[number]} times")
        print(f"{rounds} rounds, {self.kills} kills, {len(self.given)} tries, "
              f"{len(self.answered)} of them answered: {sum(whole.values())} whole "
              f"copies, {len(lost)} answered ones lost, {len(twice)} twice, "
              f"{foreign} that nobody printed; {begun} printed in part, {bad} of "
              "them not as a whole after that")
        return not (lost or twice or foreign or bad)


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

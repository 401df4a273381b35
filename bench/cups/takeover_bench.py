#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a page stands still when its worker dies or hangs: from the signal to
the first row after the page has moved. A4 at 600 dpi, in mid-page, with bands in
flight; each run has its own daemon.

This program starts the daemon, so that both are scheduled alike; run it with chrt(1)
on a shared machine.

    bench/cups/takeover_bench.py [--runs N]
"""

import os
import pathlib
import random
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import chains
from chains import SYSTEM, record

PARSER = record.parser(__doc__)
PARSER.add_argument("--runs", type=int, default=25)
GIVEN = PARSER.parse_args()
os.environ["HALFTONED"] = str(GIVEN.build / "engine/daemon/halftoned")
os.environ["WORKER_CPU"] = str(GIVEN.build / "engine/daemon/worker/worker-cpu")
os.environ["RASTERTOHALFTONE"] = str(GIVEN.build / "filter/rastertohalftone")
sys.path += [str(SYSTEM / part) for part in ("daemon", "faults")]
from daemon_process import Daemon  # noqa: E402
from printing import FILTER, MOVED  # noqa: E402

DEADLINE = 0.5  # seconds that the daemon may be silent


class Page:
    """On its way through a filter, struck somewhere in the middle."""

    def __init__(self, raster, conf, strike):
        self.strike = strike
        self.at = int(len(raster) * random.uniform(0.2, 0.8))
        self.struck = None
        self.process = subprocess.Popen(
            [FILTER, "1", "user", "title", "1", ""], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
            env=dict(os.environ, HALFTONED_CONF=str(conf)))
        self.feeding = threading.Thread(target=self.feed, args=(raster,))

    def feed(self, raster):
        with self.process.stdin as pipe:
            pipe.write(raster[:self.at])
            self.struck = time.perf_counter()
            self.strike()
            pipe.write(raster[self.at:])

    def stood_still(self):
        """Seconds, and where the page went."""
        out, err = self.process.stdout.fileno(), self.process.stderr.fileno()
        self.feeding.start()
        log, went_on = b"", None
        while True:
            ready, _, _ = select.select([out, err], [], [])
            # Output that is ready together with a message came before it.
            if err in ready and (news := os.read(err, 1 << 16)):
                log += news
                while out in select.select([out], [], [], 0)[0]:
                    if not os.read(out, 1 << 20):
                        break
                continue
            now = time.perf_counter()
            if not os.read(out, 1 << 20):
                break
            if MOVED.encode() in log and not went_on:
                went_on = now
        self.feeding.join()
        assert self.process.wait() == 0
        to = log.decode().partition(MOVED)[2].split()
        return (went_on - self.struck, to[0][:-1]) if went_on else None


def run(raster, number, ring):
    with Daemon(health_interval=3600, stop_timeout=1) as daemon:
        worker = daemon.wait_ready()["pid"]
        conf = daemon.folder / "filter.conf"
        conf.write_text(daemon.filter_conf(use_ring=ring,
                                           daemon_timeout=DEADLINE))
        stood_still = Page(raster, conf,
                           lambda: os.kill(worker, number)).stood_still()
        if number == signal.SIGSTOP:
            os.kill(worker, signal.SIGKILL)
    return stood_still


def main():
    runs = GIVEN.runs
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "noise.ras"
        chains.make_noise(path)
        raster = memoryview(path.read_bytes())
    for number in (signal.SIGKILL, signal.SIGSTOP):
        for ring in (True, False):
            times, went = [], set()
            while len(times) < runs:
                # None: all that was under way had been answered.
                if stood_still := run(raster, number, ring):
                    times.append(1e3 * stood_still[0])
                    went.add(stood_still[1])
            print(f"{number.name}, {'ring' if ring else 'inline'}: median "
                  f"{statistics.median(times):.0f} ms, at most "
                  f"{max(times):.0f} ms, {runs} runs, went first to "
                  f"{' or '.join(sorted(went))}", flush=True)


if __name__ == "__main__":
    main()

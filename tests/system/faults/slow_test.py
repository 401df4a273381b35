# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Those before and behind a filter may take their time, longer than every
deadline between it and the daemon: the same bits, all of them the daemon's.

With --long they take minutes, else seconds.
"""

import os
import sys
import threading
import time
import unittest

from printing import BAND, Printing
from daemon_process import Daemon

LONG = "--long" in sys.argv
DAEMON_TIMEOUT = 0.2  # seconds
PAGE_IDLE = 1
# Longer than the first, and with --long than the time for the rest of a frame.
PAUSE = 30 if LONG else 0.5
SLOW_BYTES = 300 if LONG else 4  # one a second
WAYS = [(engine, ring) for engine in ("auto", "remote")
        for ring in (True, False)]


class Slow(unittest.TestCase):
    def setUp(self):
        # More than a pipe of 1 MiB and the bands in flight take.
        self.printing = Printing([300 * BAND + 17, 3 * BAND])
        self.addCleanup(self.printing.close)

    def print_each_way(self, pass_on):
        """By ring and inline, and where there is no other way out, at once.
        `pass_on` feeds a filter and reads from it, and waits for evictions at
        least once."""
        with Daemon(page_idle=PAGE_IDLE) as self.daemon:
            outcomes = []

            def job(engine, ring):
                name = f"{engine}-{ring}"
                conf = self.printing.conf(
                    name, socket=self.daemon.socket, use_ring=ring,
                    daemon_timeout=DAEMON_TIMEOUT)
                outcomes.append((name, self.job(
                    conf, f"halftone-engine={engine}", pass_on)))
            threads = [threading.Thread(target=job, args=way) for way in WAYS]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(outcomes), len(WAYS))
            for name, outcome in outcomes:
                with self.subTest(way=name):
                    self.printing.check(outcome)
                    self.assertEqual(outcome.moves(), 0, outcome.log)
            done, = self.daemon.wait_rows(
                len(WAYS) * self.printing.rows).values()
            self.assertEqual(done["failed_pages"] + done["cancelled_pages"], 0)
            self.assertEqual(self.daemon.status()["deaths"], {"cpu": 0})

    def wait_evictions(self):
        """Until the page that stands still has lost its place, in every job."""
        self.daemon.wait_status(
            lambda status: sum(done["evicted_pages"] for done in
                               status["engines"].values()) >= len(WAYS),
            "evictions")

    def job(self, conf, options, pass_on):
        source, feeder = os.pipe()
        process, out = self.printing.start_slowly(
            conf, options=options, raster="", stdin=source)
        os.close(source)
        feed, read = pass_on
        feeding = threading.Thread(target=self.feed, args=(feed, feeder))
        feeding.start()
        outcome = self.printing.finish(process, out, read(out))
        feeding.join()
        return outcome

    def feed(self, feed, feeder):
        with open(feeder, "wb", buffering=0) as pipe:
            feed(pipe, self.printing.raster.read_bytes())

    def write_all(self, pipe, raster):
        pipe.write(raster)

    def test_a_printer_that_takes_a_byte_a_second(self):
        def read(out):
            bits = b""
            for _ in range(SLOW_BYTES):
                bits += os.read(out, 1)
                time.sleep(1)
            self.wait_evictions()
            return bits
        self.print_each_way((self.write_all, read))

    def test_a_printer_out_of_paper(self):
        def read(out):
            bits = os.read(out, 3000)
            time.sleep(PAUSE)
            self.wait_evictions()
            return bits
        self.print_each_way((self.write_all, read))

    def test_a_page_that_takes_long_to_be_made(self):
        def feed(pipe, raster):
            half = len(raster) // 2 + 1
            pipe.write(raster[:half])
            time.sleep(PAUSE)
            self.wait_evictions()
            pipe.write(raster[half:])
        self.print_each_way((feed, lambda out: b""))

    def test_a_page_that_comes_row_by_row(self):
        rows = 5

        def feed(pipe, raster):
            at = 2 * len(raster) // 3
            pipe.write(raster[:at])
            for _ in range(rows):
                pipe.write(raster[at:at + 1])
                at += 1
                time.sleep(PAUSE / rows)
            self.wait_evictions()
            pipe.write(raster[at:])
        self.print_each_way((feed, lambda out: b""))


if __name__ == "__main__":
    unittest.main(argv=[arg for arg in sys.argv if arg != "--long"])

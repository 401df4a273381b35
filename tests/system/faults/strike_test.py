# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever dies or hangs while a page is printed, at whatever frame: the same
bits as without a fault, no process left hanging, and proof that the fault was.

With --long every frame of a page of many bands is struck; else a few of them.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "cups"))
sys.path.insert(0, str(HERE.parent / "daemon"))

import cups_raster  # noqa: E402
from daemon_process import LIMIT, Daemon, wait_until  # noqa: E402
from strike_proxy import StrikeProxy  # noqa: E402

FILTER = os.environ["RASTERTOHALFTONE"]
LONG = "--long" in sys.argv
BAND = 128  # rows, as the filter has them
WIDTH = 300
ROWS = 160 * BAND + 17 if LONG else 10 * BAND + 17
TIMEOUT = 0.3  # seconds: what a daemon that hangs is given


def is_gone(pid):
    """Whether it has ended; its parent may not have asked for it yet."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


class Strikes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        cls.addClassCleanup(cls.folder.cleanup)
        os.chmod(cls.folder.name, 0o755)
        cls.raster = pathlib.Path(cls.folder.name) / "page.ras"
        rows = [random.Random(i).randbytes(WIDTH) for i in range(64)]
        header = cups_raster.page_header(WIDTH, ROWS)
        cls.raster.write_bytes(
            cups_raster.sync_word(3) + cups_raster.pack_header(header) +
            b"".join(rows[i * 31 % 64] for i in range(ROWS)))
        cls.expected, log = cls.print_page("use-daemon = false")
        assert ROWS // 8 < len(cls.expected), log

    @classmethod
    def print_page(cls, filter_keys, socket="/nowhere"):
        """What the filter writes and says."""
        conf = pathlib.Path(cls.folder.name) / "filter.conf"
        conf.write_text(f'[daemon]\nsocket = "{socket}"\nuser = "nobody"\n'
                        f"[filter]\ndaemon-timeout = {TIMEOUT}\n"
                        f"{filter_keys}\n")
        printed = subprocess.run(
            [FILTER, "1", "user", "title", "1", "", str(cls.raster)],
            env={**os.environ, "HALFTONED_CONF": str(conf)},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        log = printed.stderr.decode()
        if printed.returncode != 0:
            raise AssertionError(f"the job failed:\n{log}")
        return printed.stdout, log

    def strike(self, at, victim, number, ring):
        """The frames that passed; 0 if there was no frame `at`."""
        with Daemon(stop_timeout=1) as daemon:
            worker = daemon.wait_ready()["pid"]
            pid = worker if victim == "worker" else daemon.process.pid
            proxied = str(daemon.folder / "proxied.sock")
            proxy = StrikeProxy(proxied, str(daemon.socket), at,
                                lambda: os.kill(pid, number))
            try:
                bits, log = self.print_page(
                    f"use-ring = {'true' if ring else 'false'}", proxied)
            finally:
                proxy.close()
                if proxy.struck and number == signal.SIGSTOP:
                    os.kill(pid, signal.SIGCONT)
            self.assertEqual(bits == self.expected, True,
                             f"other bits, struck at {at}:\n{log}")
            if not proxy.struck or number != signal.SIGKILL:
                pass
            elif victim == "supervisor":
                daemon.process.wait(LIMIT)
            else:
                wait_until(lambda: is_gone(worker), "the worker's end")
                daemon.wait_status(
                    lambda status: sum(each["deaths"] for each in
                                       status["workers"]) > 0, "its death")
        wait_until(lambda: is_gone(worker), "the worker to leave")
        self.moved = "and what follows by" in log
        return proxy.frames if proxy.struck else 0

    def strike_each(self, victim, number, ring):
        """How many pages had to go on elsewhere."""
        step = 1 if LONG else 7
        at = 0
        moves = 0
        strikes = 0
        while True:
            with self.subTest(at=at, victim=victim, signal=number, ring=ring):
                if not self.strike(at, victim, number, ring):
                    break
                strikes += 1
                moves += self.moved
            at += step
        self.assertGreaterEqual(strikes, 300 if LONG else 3)
        return moves

    def test_worker_is_killed(self):
        for ring in (True, False):
            self.assertGreater(
                self.strike_each("worker", signal.SIGKILL, ring), 0)

    def test_worker_hangs(self):
        for ring in (True, False):
            self.assertGreater(
                self.strike_each("worker", signal.SIGSTOP, ring), 0)

    def test_supervisor_is_killed(self):
        self.strike_each("supervisor", signal.SIGKILL, True)

    def test_supervisor_hangs(self):
        self.strike_each("supervisor", signal.SIGSTOP, True)


if __name__ == "__main__":
    unittest.main(argv=[arg for arg in sys.argv if arg != "--long"])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The daemon is stopped, replaced and started again, or told to read another
configuration, while jobs are printed. Another process owns its sockets, as systemd
does: they stay, and no client is refused.

With --long very often, else a few times.
"""

import re
import shutil
import signal
import socket
import subprocess
import sys
import unittest

from jobs import Jobs
from printing import BAND, Printing
from daemon_process import GROUP, HALFTONED, WORKER, Daemon

LONG = "--long" in sys.argv
UPGRADES = 60 if LONG else 3
JOBS = 40 if LONG else 8
CONFIG = {"stop_timeout": 2}
# The first page is longer than all that a filter keeps of one whose reader is slow,
# some 21,000 rows: the daemon works on it for as long as the reader takes.
PAGES = [240 * BAND + 17, 3 * BAND]
TURNED_AWAY = "Connection refused|No such file"  # as without a socket

# Becomes the program that it is given, to which descriptors 3 and 4 are passed.
PASS_SOCKETS = """
import os, sys
kept = [os.dup(os.dup(os.dup(int(fd)))) for fd in sys.argv[1:3]]
for at, fd in enumerate(kept, 3):
    os.dup2(fd, at)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[3], sys.argv[3:])
"""


class Upgraded(Daemon):
    """With sockets that outlive it, and workers that are new each time."""

    def __init__(self, **config):
        super().__init__(**config)
        (self.folder / "run").mkdir(mode=0o755)
        self.sockets = [socket.socket(socket.AF_UNIX) for _ in range(2)]
        for listener, path in zip(self.sockets,
                                  (self.socket, self.status_socket)):
            listener.bind(str(path))
            listener.listen(512)
            path.chmod(0o660)
            shutil.chown(path, group=GROUP)
        self.environment.update(
            LISTEN_FDS="2",
            LISTEN_FDNAMES="halftoned.socket:halftoned-status.socket")
        self.generation = 0

    def start(self):
        self.generation += 1
        libexec = self.folder / f"libexec-{self.generation}"
        libexec.mkdir(mode=0o755)
        shutil.copy(WORKER, libexec / "worker-cpu")
        fds = [each.fileno() for each in self.sockets]
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PASS_SOCKETS, *map(str, fds),
                 HALFTONED, "--config", str(self.conf)],
                stdin=subprocess.DEVNULL, stderr=log, pass_fds=fds,
                env={**self.environment, "HALFTONED_LIBEXEC": str(libexec)})

    def __exit__(self, *exception):
        super().__exit__(*exception)
        for listener in self.sockets:
            listener.close()


class Upgrade(unittest.TestCase):
    def while_printing(self, change, pattern):
        """Calls `change` so often, with a daemon and a number from 0 on; what
        the jobs said of this pattern that were printed meanwhile."""
        printing = Printing(PAGES)
        self.addCleanup(printing.close)
        with Upgraded(**CONFIG) as daemon:
            conf = printing.conf(socket=daemon.socket, daemon_timeout=10)
            with Jobs(printing, [conf], JOBS) as jobs:
                for number in range(UPGRADES):
                    daemon.wait_status(
                        lambda status: sum(session["row"] > 0 for session in
                                           status["sessions"]) > 1,
                        "pages on their way")
                    change(daemon, number)
        self.assertEqual(jobs.failures, [])
        print(f"{self.id()}: {UPGRADES} times, {jobs.done} jobs, "
              f"{jobs.moves} moves", file=sys.stderr)
        return re.findall(pattern, "".join(jobs.logs))

    def test_the_daemon_is_replaced(self):
        def replace(daemon, number):
            self.assertEqual(daemon.stop(), 0)
            daemon.start()
            daemon.wait_ready()
            self.assertEqual(daemon.generation, number + 2)
        self.assertEqual(self.while_printing(replace, TURNED_AWAY), [])

    def test_its_workers_are_replaced(self):
        def reload(daemon, number):
            before = daemon.wait_ready()["number"]
            daemon.configure(**CONFIG, threads=1 + number % 2)
            daemon.send(signal.SIGHUP)
            daemon.wait_ready(above=before)
            self.assertEqual(daemon.status()["deaths"], {"cpu": 0})
        # A page that is open is finished where it is.
        self.assertEqual(
            self.while_printing(reload, "moved in mid-page: [1-9]"), [])


if __name__ == "__main__":
    unittest.main(argv=[arg for arg in sys.argv if arg != "--long"])

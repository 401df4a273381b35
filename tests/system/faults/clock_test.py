# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of day that jumps, and programs that stand still for longer than any
deadline: the same bits, all of them the daemon's.
"""

import os
import signal
import time
import unittest

from printing import BAND, Printing
from daemon_process import Daemon, within_reach

CLOCK_SHIM = within_reach(os.environ["CLOCK_SHIM"])


class Clocks(unittest.TestCase):
    def setUp(self):
        self.printing = Printing([40 * BAND + 17, 40])
        self.addCleanup(self.printing.close)

    def test_the_time_of_day_jumps(self):
        jumps = {"LD_PRELOAD": CLOCK_SHIM}
        with Daemon(environment=jumps, health_interval=1,
                    page_idle=1) as daemon:
            for ring in (True, False):
                # A jump is longer than any deadline.
                self.printing.print_by_daemon(daemon, environment=jumps,
                                              use_ring=ring)
            status = daemon.wait_status(
                lambda status: status["health_checks"] > 1, "two checks")
            self.assertEqual(status["health_failures"], 0)
            daemon.wait_rows(2 * self.printing.rows)

    def stop_in_mid_page(self, also_daemon):
        """Everything stands still for longer than the daemon may be silent."""
        with Daemon(page_idle=1) as daemon:
            worker = daemon.wait_ready()["pid"]
            for ring in (True, False):
                process, reader = self.printing.start_slowly(
                    self.printing.conf(socket=daemon.socket, use_ring=ring,
                                       daemon_timeout=0.2))
                bits = os.read(reader, 3000)
                stopped = [process.pid]
                if also_daemon:
                    stopped += [worker, daemon.process.pid]
                for pid in stopped:
                    os.kill(pid, signal.SIGSTOP)
                time.sleep(1.5)
                for pid in reversed(stopped):
                    os.kill(pid, signal.SIGCONT)
                outcome = self.printing.finish(process, reader, bits)
                self.printing.check(outcome)
                self.assertEqual(outcome.moves(), 0, outcome.log)
            daemon.wait_rows(2 * self.printing.rows)

    def test_a_filter_stands_still(self):
        self.stop_in_mid_page(False)

    def test_the_machine_stands_still(self):
        self.stop_in_mid_page(True)


if __name__ == "__main__":
    unittest.main()

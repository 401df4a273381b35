#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What halftone-printer-app tells `halftone check` of servers that run. PRINTER_APP is
the program."""

import http.server
import os
import subprocess
import tempfile
import threading
import unittest

from kit.ipp_client import TEXT, answering
from kit.server import Application, unused_port

PROGRAM = os.environ["PRINTER_APP"]


# What an old server answers when it is asked about the system.
VERSION = (TEXT, "system-firmware-string-version", "8.8.8")


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.app = Application(PROGRAM, folder.name)

    def start(self):
        self.app.start()
        self.addCleanup(self.app.end)

    def report(self, port=0):
        """Lines but those of what is well."""
        done = subprocess.run([PROGRAM, "report", str(port)], text=True,
                              env=self.app.environment, capture_output=True,
                              timeout=60)
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        # A user's own server is told of, too, and here it is the service.
        lines = [line.split("\t") for line in done.stdout.splitlines()
                 if port == 0 or "your halftone-printer-app" not in line]
        self.assertNotEqual(lines, [])
        self.assertEqual({len(line) for line in lines}, {3})
        return [line for line in lines if line[0] != "good"]

    def test_no_server_is_started_or_missed(self):
        self.assertEqual(self.report(), [])
        self.assertEqual(list(self.app.folder.iterdir()), [])

    def test_printers(self):
        self.start()
        (kind, what, mend), = self.report(self.app.port)
        self.assertEqual(kind, "advice")
        self.assertIn("has no printers", what)
        self.assertIn("halftone-printer-app add ", mend)
        self.app.run("add", "-d", "far", "-m", "pcl5e", "-v",
                     "socket://127.0.0.1:1")
        self.assertEqual(self.report(self.app.port), [])
        self.app.run("pause", "-d", "far")
        (kind, what, mend), = self.report(self.app.port)
        self.assertEqual(kind, "wrong")
        self.assertIn("the printer far of the service", what)
        self.assertTrue(mend.endswith("halftone-printer-app resume -d far"))

    @unittest.skipIf(os.geteuid() != 0, "the service is found by root's socket")
    def test_what_cannot_be_reached(self):
        port = unused_port()
        wrong = self.report(port)
        self.assertEqual([line[0] for line in wrong], ["wrong", "wrong"])
        self.assertIn(f"cannot be reached at port {port}", wrong[0][1])
        self.assertIn("halftone-printer-app.sock does not lead", wrong[1][1])

    def test_another_version_runs(self):
        with http.server.HTTPServer(("localhost", 0), answering(0, VERSION)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            kind, what, mend = self.report(server.server_port)[0]
            server.shutdown()
        self.assertEqual(kind, "wrong")
        self.assertIn("is version 8.8.8, but its program is version ", what)
        self.assertIn("systemctl restart halftone-printer-app", mend)


if __name__ == "__main__":
    unittest.main()

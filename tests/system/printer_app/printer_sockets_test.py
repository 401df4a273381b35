#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app on sockets of systemd. PRINTER_APP is the program."""

import os
import shutil
import socket
import subprocess
import sys
import unittest

from kit.ipp_client import Client
from kit.marked_documents import BEGIN, END, PCL
from kit.server import Application, Listener, until

ACTIVATE = shutil.which("systemd-socket-activate")
FILE = BEGIN + b"a file of the printer's own" + END


class SocketsOfSystemd(unittest.TestCase):
    def activated(self, *options):
        """A server that starts for its first client."""
        app = Application(os.environ["PRINTER_APP"])
        self.addCleanup(app.own.cleanup)
        names = [word for name in app.environment for word in ("-E", name)]
        app.process = subprocess.Popen(
            [ACTIVATE, "-l", f"127.0.0.1:{app.port}", *names, app.program, "server",
             *(word for option in ("log-file=-", *options) for word in ("-o", option))],
            env=app.environment, stderr=subprocess.PIPE, text=True)
        self.addCleanup(app.process.stderr.close)
        self.addCleanup(app.process.wait)
        self.addCleanup(app.process.terminate)

        def connects():
            try:
                socket.create_connection(("localhost", app.port)).close()
            except OSError:
                return False
            return True
        until(connects)
        return app

    def test_it_serves_clients_there(self):
        app, printer = self.activated(), Listener()
        until(lambda: any(app.folder.rglob("halftone-printer-app*.sock")) and app.listens())
        app.run("add", "-d", "office", "-m", "pcl5e", "-v", printer.uri)
        status, _ = Client(app.port).print("office", FILE, PCL)
        self.assertEqual(status, 0)
        self.assertEqual(printer.job(0), FILE)
        self.assertEqual(app.end(), 0)

    def test_what_contradicts_them_is_refused(self):
        for option, line in (
                ("listen-hostname=*", "listen-hostname: systemd listens; change its socket unit"),
                ("server-port=1", "server-port: systemd listens on port ")):
            with self.subTest(option):
                app = self.activated(option)
                self.assertEqual(app.process.wait(30), 1)
                self.assertIn(line, app.process.stderr.read())


if __name__ == "__main__":
    if not ACTIVATE:
        sys.exit(77)
    unittest.main()

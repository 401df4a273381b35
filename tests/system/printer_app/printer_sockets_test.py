#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app on sockets of systemd, and beside a socket of another user.
PRINTER_APP is the program."""

import fcntl
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import unittest

from kit.ipp_client import Client
from kit.marked_documents import BEGIN, END, PCL
from kit.server import Application, Listener, ServerTest, until

ACTIVATE = shutil.which("systemd-socket-activate")
USER = "daemon"  # that every system has
FILE = BEGIN + b"a file of the printer's own" + END


@unittest.skipUnless(ACTIVATE, "needs systemd-socket-activate")
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


@unittest.skipUnless(os.geteuid() == 0, "takes other users' places")
class SharedFolderTest(ServerTest):
    """$TMPDIR names a directory to which any user can write."""

    def setUp(self):
        self.shared, self.home = (pathlib.Path(self.new_folder()) for _ in range(2))
        self.shared.chmod(0o1777)
        shutil.chown(self.home, USER)
        shutil.copy(os.environ["PRINTER_APP"], self.shared)

    def run_as_user(self, *words):
        return subprocess.run(
            [self.shared / "halftone-printer-app", *words], user=USER,
            env={"HOME": str(self.home), "TMPDIR": str(self.shared),
                 "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}, timeout=60,
            capture_output=True, text=True)

    def test_another_users_socket_there_gets_nothing(self):
        with socket.socket(socket.AF_UNIX) as squatter:
            path = self.shared / \
                f"halftone-printer-app{pwd.getpwnam(USER).pw_uid}.sock"
            squatter.bind(str(path))
            path.chmod(0o777)
            squatter.listen()
            squatter.setblocking(False)
            asked = self.run_as_user("printers")
            self.assertEqual((asked.returncode, asked.stdout), (0, ""))
            self.assertEqual(self.run_as_user("shutdown").returncode, 0)
            with open(next(self.home.rglob("lock"))) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # waits until the server has ended
            with self.assertRaises(BlockingIOError):
                squatter.accept()

    def test_without_a_folder_of_ones_own_nothing_is_asked(self):
        shutil.chown(self.home, "root")
        asked = self.run_as_user("printers")
        self.assertEqual((asked.returncode, asked.stdout), (1, ""))
        self.assertRegex(asked.stderr, r"\Ahalftone-printer-app: neither TMPDIR nor "
                         r"HOME names a directory that only you can write to\n\Z")
        self.assertEqual(self.run_as_user("drivers").returncode, 0)


if __name__ == "__main__":
    unittest.main()

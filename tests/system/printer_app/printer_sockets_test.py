#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app on sockets of systemd, and the server that a user's command starts.
PRINTER_APP is the program."""

import contextlib
import fcntl
import os
import pathlib
import pwd
import shutil
import signal
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
class OwnServerTest(ServerTest):
    """The server that a command of an ordinary user starts. $TMPDIR names a directory to
    which any user can write."""

    def setUp(self):
        self.shared, folder = (pathlib.Path(self.new_folder()) for _ in range(2))
        self.shared.chmod(0o1777)
        folder.chmod(0o755)
        self.use_home(folder / "home")
        self.program = self.shared / "halftone-printer-app"
        shutil.copy(os.environ["PRINTER_APP"], self.shared)
        self.addCleanup(self.kill)

    def kill(self):
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):  # PAPPL's ends with the other
                os.kill(int(process.name), signal.SIGKILL)

    def use_home(self, home):
        home.mkdir(mode=0o700)
        shutil.chown(home, USER)
        self.home = home
        self.state = home / ".local/state/halftone-printer-app"
        self.socket = self.state / f"tmp/halftone-printer-app{pwd.getpwnam(USER).pw_uid}.sock"

    def environment(self, folder):
        return {"HOME": str(self.home), "TMPDIR": str(folder),
                "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}

    def run_as_user(self, *words, folder=None, **how):
        return subprocess.run(
            [self.program, *words], user=USER, env=self.environment(folder or self.shared),
            timeout=60, capture_output=True, text=True, **how)

    def shut_down(self):
        self.assertEqual(self.run_as_user("shutdown").returncode, 0)
        with open(self.state / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # waits until the server has ended

    def processes(self):
        """The directories in /proc of the server's processes."""
        def runs_program(process):
            try:
                return (process / "exe").readlink() == self.program
            except OSError:
                return False
        return [process for process in pathlib.Path("/proc").glob("[0-9]*")
                if runs_program(process)]

    def add_office(self):
        return self.run_as_user("add", "-d", "office", "-m", "pcl5e", "-v",
                                "socket://127.0.0.1:1")

    def test_another_users_socket_in_the_shared_directory_gets_nothing(self):
        with socket.socket(socket.AF_UNIX) as squatter:
            path = self.shared / self.socket.name
            squatter.bind(str(path))
            path.chmod(0o777)
            squatter.listen()
            squatter.setblocking(False)
            asked = self.run_as_user("printers")
            self.assertEqual((asked.returncode, asked.stdout), (0, ""))
            self.shut_down()
            with self.assertRaises(BlockingIOError):
                squatter.accept()

    def test_without_a_folder_of_ones_own_nothing_is_asked(self):
        shutil.chown(self.home, "root")
        asked = self.run_as_user("printers")
        self.assertEqual((asked.returncode, asked.stdout), (1, ""))
        self.assertRegex(
            asked.stderr, rf"\Ahalftone-printer-app: {self.state}/tmp: must be a directory "
            r"that only you can write to; .*\n\Z")
        self.assertEqual(self.run_as_user("drivers").returncode, 0)

    def test_commands_find_it_with_every_temporary_directory(self):
        own = self.home / "own"
        own.mkdir(mode=0o700)
        shutil.chown(own, USER)
        self.assertIn("starting your own server", self.add_office().stderr)
        self.assertTrue(self.socket.is_socket())
        for folder in own, self.shared, "/no/such/directory":
            listed = self.run_as_user("printers", folder=folder)
            self.assertEqual((listed.stdout, listed.stderr), ("office\n", ""))
            self.assertIn("serves 1 printer", self.run_as_user("report", folder=folder).stdout)
        self.assertEqual(list(own.iterdir()), [])
        self.shut_down()

    def test_it_runs_in_a_long_home_directory(self):
        self.use_home(self.home.with_name("h" * 120))
        self.assertIn("starting your own server", self.add_office().stderr)
        listed = self.run_as_user("printers")
        self.assertEqual((listed.stdout, listed.stderr), ("office\n", ""))
        self.assertIn("serves 1 printer", self.run_as_user("report").stdout)
        self.assertTrue(self.socket.is_socket())
        self.shut_down()

    def test_a_private_server_that_the_user_starts_is_like_any_other(self):
        with subprocess.Popen([self.program, "server", "-o", "private-server=true"],
                              env=self.environment(self.home), user=USER, cwd=self.shared,
                              stderr=subprocess.PIPE) as server:
            # A command would start another one.
            until(self.socket.is_socket)
            self.assertEqual(self.run_as_user("printers").stdout, "")
            self.assertEqual(len(self.processes()), 2)
            for process in self.processes():
                self.assertEqual((process / "cwd").readlink(), self.shared)
                self.assertRegex(str((process / "fd/2").readlink()), "^pipe:")
            self.shut_down()
            self.assertEqual(server.wait(30), 0)

    def test_it_keeps_nothing_of_the_command_that_started_it(self):
        with open(self.shared / "file", "w") as file:
            self.run_as_user("printers", cwd=self.shared, pass_fds=[file.fileno()])
        until(lambda: len(self.processes()) == 2)
        for process in self.processes():
            self.assertEqual((process / "cwd").readlink(), pathlib.Path("/"))
            files = [str(file.readlink()) for file in (process / "fd").iterdir()]
            self.assertEqual([file for file in files if file.startswith(str(self.shared))], [])
        self.shut_down()


if __name__ == "__main__":
    unittest.main()

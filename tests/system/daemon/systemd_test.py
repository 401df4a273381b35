#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftoned and systemd: passed sockets, notifications, and the units."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from daemon_process import GROUP, HALFTONED, Daemon, shared_folder
from notify import Notify
from wire import Client

BUILD = os.environ["BUILD"]
ACTIVATE = shutil.which("systemd-socket-activate")
ANALYZE = shutil.which("systemd-analyze")


class Activated(Daemon):
    """Started by the first client."""

    def __init__(self, names="halftoned.socket:halftoned-status.socket",
                 **config):
        super().__init__(is_ready=False, **config)
        run = self.folder / "run"
        run.mkdir(mode=0o755)
        self.wrap = [ACTIVATE, f"--fdname={names}", "-l", str(self.socket),
                     "-l", str(self.status_socket)]
        for key in ("HALFTONED_LIBEXEC", "PATH"):
            self.wrap += ["-E", key]

    def start(self):
        super().start()
        # A socket is there before anybody may connect to it.
        self.wait_log("Listening on ", 2)
        # As the units say.
        shutil.chown(self.socket, group=GROUP)
        self.socket.chmod(0o660)
        self.status_socket.chmod(0o666)


@unittest.skipUnless(ACTIVATE, "there is no systemd-socket-activate")
class SocketActivation(unittest.TestCase):
    def test_the_first_client_starts_it_and_is_served(self):
        with Activated() as daemon:
            with Client(daemon.socket) as client:
                self.assertEqual(client.worker, 1)
                client.open_page(1, 100, 8)
                client.send_band(1, bytes(800), 8, True)
                self.assertEqual(client.answer(1), 8)
            self.assertEqual(daemon.status()["connections"], 1)
            # The sockets are systemd's: they stay.
            self.assertEqual(daemon.stop(), 0)
            self.assertTrue(daemon.socket.exists())

    def test_a_request_for_the_status_starts_it_too(self):
        with Activated() as daemon:
            self.assertEqual(daemon.status()["state"], "serving")

    def test_its_checks_of_health_find_the_socket(self):
        with Activated(health_interval=1) as daemon:
            status = daemon.wait_status(
                lambda status: status["health_checks"] >= 2, "two checks")
            self.assertEqual(status["health_failures"], 0)

    def test_sockets_of_other_names_are_refused(self):
        with Activated(names="a:halftoned-status.socket") as daemon:
            with Client(daemon.socket, with_hello=False):
                self.assertEqual(daemon.wait_end(), 1)
            self.assertIn("'a', which is not a known stream socket",
                          daemon.log())


class Service(unittest.TestCase):
    def test_it_says_when_it_is_ready_and_when_it_stops(self):
        with Notify() as notify, \
                Daemon(environment=notify.environment()) as daemon:
            notify.until("READY=1")
            notify.until("STATUS=0 connections, 1 worker")
            with Client(daemon.socket):
                notify.until("STATUS=1 connections, 1 worker")
            daemon.send(signal.SIGHUP)
            notify.until("RELOADING=1")
            notify.until("READY=1")
            daemon.stop()
            notify.until("STOPPING=1")

    def test_the_watchdog_hears_of_good_bits_only(self):
        with Notify() as notify, Daemon(
                environment=notify.environment(), health_interval=1) as daemon:
            notify.until("WATCHDOG=1")
            notify.until("WATCHDOG=1")
            hung = daemon.kill_worker(signal.SIGSTOP)
            daemon.wait_status(
                lambda status: not status["workers"][0]["answers"],
                "a silent worker")
            notify.said()
            # Until the worker that hangs has been replaced.
            lines = notify.until("STATUS=0 connections, 0 workers")
            self.assertNotIn("WATCHDOG=1", lines)
            notify.until("WATCHDOG=1")
            daemon.wait_ready(above=hung)


class Units(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        subprocess.run(["cmake", "--install", BUILD, "--component", "daemon"],
                       env={**os.environ, "DESTDIR": str(self.root)},
                       check=True, capture_output=True)

    def tearDown(self):
        self.folder.cleanup()

    def one(self, name):
        path, = self.root.rglob(name)
        return path

    def verify(self, service_lines=""):
        """What systemd finds wrong with the units, as they are installed but
        for the program's path: it wants one that is there."""
        with tempfile.TemporaryDirectory() as folder:
            units = []
            for name in ("halftoned.socket", "halftoned-status.socket",
                         "halftoned.service"):
                unit = pathlib.Path(folder) / name
                text = self.one(name).read_text()
                if name.endswith(".service"):
                    start, = [line for line in text.splitlines()
                              if line.startswith("ExecStart=")]
                    self.assertTrue(start.endswith("/sbin/halftoned"))
                    text = text.replace(start, "ExecStart=" + HALFTONED +
                                        "\n" + service_lines)
                unit.write_text(text)
                units.append(str(unit))
            done = subprocess.run([ANALYZE, "verify", "--man=no", *units],
                                  capture_output=True, text=True)
            return done.stdout + done.stderr

    def test_everything_is_installed_where_it_belongs(self):
        files = sorted("/".join(path.parts[-2:])
                       for path in self.root.rglob("*") if path.is_file())
        # The one in sysusers.d is the user's, the other the configuration.
        self.assertEqual(files, [
            "halftoned/halftoned.conf", "halftoned/worker-cpu",
            "man5/halftoned.conf.5", "man7/halftone-settings.7",
            "man8/halftoned.8", "monitoring/halftoned-dashboard.json",
            "monitoring/halftoned-metrics.socket",
            "monitoring/halftoned-metrics@.service",
            "monitoring/halftoned-rules.yml",
            "sbin/halftoned",
            "system/halftoned-status.socket", "system/halftoned.service",
            "system/halftoned.socket", "sysusers.d/halftoned.conf"])

    def values(self, key):
        return [line.partition("=")[2] for line in
                self.one("halftoned.service").read_text().splitlines()
                if line.startswith(key + "=")]

    def system_calls(self, name):
        """Those of a filter's word."""
        if not name.startswith("@"):
            return {name}
        lines = subprocess.run(
            [ANALYZE, "syscall-filter", name], check=True,
            capture_output=True, text=True).stdout.split("\n")[1:]
        calls = set()
        for line in lines:
            if line.strip() and not line.strip().startswith("#"):
                calls |= self.system_calls(line.strip())
        return calls

    @unittest.skipUnless(ANALYZE, "there is no systemd-analyze")
    def test_it_may_make_no_call_that_it_does_not_need(self):
        allowed = set()
        for words in self.values("SystemCallFilter"):
            calls = set().union(*(self.system_calls(word) for word in
                                  words.removeprefix("~").split()))
            allowed = allowed - calls if words[0] == "~" else allowed | calls
        self.assertLessEqual({"execve", "memfd_create", "prlimit64", "sendmsg",
                              "clone3", "ioctl", "mmap"}, allowed)
        self.assertEqual(allowed & {
            "userfaultfd", "keyctl", "add_key", "request_key", "setuid",
            "setresuid", "setgroups", "chown", "fchownat", "mount", "ptrace",
            "bpf"}, set())

    @unittest.skipUnless(ANALYZE, "there is no systemd-analyze")
    def test_it_is_as_confined_as_a_gpu_allows(self):
        done = subprocess.run(
            [ANALYZE, "security", "--offline=yes", "--threshold=7",
             self.one("halftoned.service")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_comes_back_whatever_happens(self):
        self.assertEqual(self.values("StartLimitIntervalSec"), ["0"])
        self.assertEqual(self.values("OOMPolicy"), ["continue"])
        self.assertEqual(self.values("LimitCORE"), ["0"])

    @unittest.skipUnless(ANALYZE, "there is no systemd-analyze")
    def test_systemd_has_nothing_to_say_about_them(self):
        self.assertEqual(self.verify(), "")
        self.assertIn("NoSuchKey", self.verify("NoSuchKey=yes"))


if __name__ == "__main__":
    shared_folder()
    unittest.main()

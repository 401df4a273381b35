#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How halftoned starts, is configured, and ends."""

import contextlib
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import tempfile
import unittest

from daemon_process import (GROUP, HALFTONED, IS_ROOT, IS_SANITIZED, LIMIT,
                            OTHER_USER, USER, WORKER_USER, Daemon, is_gone,
                            wait_until)
from wire import Client, Ended, Refused

# More bits than a worker can send to a client that does not read.
WIDTH, ROWS = 2048, 512


def begin_page(client):
    """A page whose first answer is not read."""
    client.open_page(1, WIDTH, ROWS)
    client.send_band(1, bytes(WIDTH * ROWS), ROWS, False)


def with_an_answer(status):
    return [session for session in status["sessions"] if session["rows"]]


def run(*arguments, **environment):
    return subprocess.run([HALFTONED, *arguments], capture_output=True,
                          text=True, timeout=LIMIT,
                          env={**os.environ, **environment})


class Stop(unittest.TestCase):
    def test_an_idle_client_does_not_hold_it_up(self):
        with Daemon() as daemon, Client(daemon.socket) as client:
            self.assertEqual(daemon.stop(), 0)
            client.wait_for_end()
            self.assertFalse(daemon.socket.exists())
            self.assertFalse(daemon.status_socket.exists())

    def test_an_open_page_is_finished_first(self):
        with Daemon() as daemon, Client(daemon.socket) as client:
            begin_page(client)
            daemon.wait_status(with_an_answer, "an answer")
            daemon.send(signal.SIGTERM)
            status = daemon.wait_status(
                lambda status: status["state"] == "stopping", "the stop")
            self.assertEqual(status["workers"][0]["state"], "draining")
            with self.assertRaises((FileNotFoundError, ConnectionRefusedError)):
                Client(daemon.socket)
            client.send_band(1, bytes(WIDTH), 1, True)
            self.assertEqual((client.answer(1), client.answer(1)), (ROWS, 1))
            client.wait_for_end()
            self.assertEqual(daemon.wait_end(), 0)

    def test_the_wait_for_a_page_that_never_ends_is_limited(self):
        with Daemon(stop_timeout=1) as daemon, \
                Client(daemon.socket) as client:
            begin_page(client)
            daemon.wait_status(with_an_answer, "an answer")
            self.assertEqual(daemon.stop(), 0)
            self.assertIn("it did not finish in time", daemon.log())
            with self.assertRaises(Ended):
                client.answer(1)

    def test_a_second_signal_ends_immediately(self):
        with Daemon(stop_timeout=3600) as daemon, \
                Client(daemon.socket) as client:
            begin_page(client)
            daemon.wait_status(with_an_answer, "an answer")
            daemon.send(signal.SIGTERM)
            daemon.wait_status(lambda status: status["state"] == "stopping",
                               "the stop")
            self.assertEqual(daemon.stop(), 0)

    def test_a_client_without_a_handshake_hears_that_it_stops(self):
        with Daemon() as daemon, \
                Client(daemon.socket, with_hello=False) as silent, \
                Client(daemon.socket):
            daemon.stop()
            with self.assertRaisesRegex(Refused, "is stopping"):
                silent.frame()

    def test_its_workers_end_with_it_however_it_ends(self):
        with Daemon() as daemon:
            worker = daemon.wait_ready()["pid"]
            daemon.kill()
            wait_until(lambda: is_gone(worker), "the end of the worker")


class Log(unittest.TestCase):
    def test_a_reader_that_does_not_read_it_does_not_stop_the_daemon(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        filled = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                filled += os.write(writer, bytes(4096))
        os.set_blocking(writer, True)
        with Daemon(stderr=writer) as daemon:
            os.close(writer)
            before = daemon.status()["connections"]
            Client(daemon.socket, job=5).close()
            daemon.wait_status(
                lambda status: status["connections"] > before and not any(
                    worker["connections"] for worker in status["workers"]),
                "the end of job 5")
            while filled > 0:
                filled -= len(os.read(reader, filled))
            Client(daemon.socket, job=6).close()
            daemon.stop()
        with os.fdopen(os.dup(reader)) as log:
            lines = log.read().splitlines()
        self.assertRegex(lines[0], r"^halftoned: warning: \d+ log lines were "
                         "dropped$")
        self.assertNotIn("job 5", "".join(lines))
        self.assertIn("job 6", "".join(lines))


class OneInstance(unittest.TestCase):
    def test_a_second_one_does_not_start(self):
        with Daemon() as daemon:
            second = run("--config", str(daemon.conf))
            self.assertEqual(second.returncode, 1)
            self.assertEqual(
                second.stderr, "halftoned: error: another halftoned is "
                f"running and holds {daemon.socket}.lock\n")
            Client(daemon.socket).close()

    def test_a_socket_left_behind_is_replaced(self):
        with Daemon() as daemon:
            daemon.kill()
            self.assertTrue(daemon.socket.exists())
            daemon.start()
            daemon.wait_ready()
            Client(daemon.socket).close()

    def refused(self, daemon, error):
        daemon.start()
        self.assertEqual(daemon.wait_end(), 1)
        self.assertEqual(daemon.log(), f"halftoned: error: {error}\n")

    def test_what_is_in_use_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            daemon = Daemon(folder)
            path = daemon.folder / "used"
            daemon.configure(socket=str(path))
            with socket.socket(socket.AF_UNIX) as other:
                other.bind(str(path))
                os.chmod(path, 0o777)
                other.listen()
                self.refused(daemon, f"another process listens at {path}")
            path.unlink()
            daemon.log_path.unlink()
            path.write_text("a file")
            self.refused(daemon, f"{path} is not a socket")
            self.assertEqual(path.read_text(), "a file")


class Configuration(unittest.TestCase):
    def test_limits_change_while_it_runs(self):
        with Daemon(max_connections_per_user=1) as daemon, \
                Client(daemon.socket):
            with self.assertRaises(Refused):
                Client(daemon.socket)
            daemon.configure(max_connections_per_user=2)
            daemon.send(signal.SIGHUP)
            daemon.wait_log("reloaded the configuration")
            Client(daemon.socket).close()
            self.assertEqual(daemon.wait_ready()["number"], 1)

    def test_other_threads_are_another_worker(self):
        with Daemon(threads=1) as daemon, Client(daemon.socket) as client:
            begin_page(client)
            daemon.wait_status(with_an_answer, "an answer")
            daemon.configure(threads=2)
            daemon.send(signal.SIGHUP)
            self.assertEqual(daemon.wait_ready(above=1)["threads"], 2)
            status = daemon.wait_status(
                lambda status: status["workers"][0]["state"] == "draining",
                "the drain of the old worker")
            self.assertEqual(len(status["workers"]), 2)
            # The page under way stays where it is.
            client.send_band(1, bytes(WIDTH), 1, True)
            self.assertEqual((client.answer(1), client.answer(1)), (ROWS, 1))
            status = daemon.wait_status(
                lambda status: len(status["workers"]) == 1,
                "the end of the old worker")
            self.assertEqual(status["deaths"], {"cpu": 0})

    def test_a_wrong_one_changes_nothing(self):
        with Daemon(max_connections_per_user=1) as daemon:
            daemon.conf.write_text("[daemon]\nthreads = -1\n")
            daemon.send(signal.SIGHUP)
            daemon.wait_log(
                "keeping the old configuration: "
                f"{daemon.conf}, line 2: 'threads' must be a whole number")
            with Client(daemon.socket), self.assertRaises(Refused):
                Client(daemon.socket)

    def test_a_missing_one_changes_nothing(self):
        with Daemon(max_connections_per_user=1) as daemon:
            daemon.conf.unlink()
            daemon.send(signal.SIGHUP)
            daemon.wait_log("warning: keeping the old configuration: "
                            f"{daemon.conf} has been removed")
            with Client(daemon.socket), self.assertRaises(Refused):
                Client(daemon.socket)

    def test_a_wrong_one_prevents_the_start(self):
        with tempfile.TemporaryDirectory() as folder:
            daemon = Daemon(folder, threds=1)
            started = run("--config", str(daemon.conf))
            self.assertEqual(started.returncode, 1)
            self.assertRegex(started.stderr,
                             r"^halftoned: error: .*/halftoned.conf, line 9: "
                             r"unknown key 'threds' in \[daemon\]; did you "
                             r"mean 'threads'\?\n$")

    def test_it_can_be_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            conf = pathlib.Path(folder) / "c"
            conf.write_text("[daemon]\nthreads = 1\n[filter]\nlevels = 4\n")
            good = run("--check-config", str(conf))
            self.assertEqual((good.returncode, good.stdout, good.stderr),
                             (0, "", ""))
            conf.write_text("[daemon]\nmemory = 100000\ngpus = 'none'\n")
            large = run("--check-config", str(conf))
            self.assertEqual((large.returncode, large.stderr), (0, ""))
            self.assertRegex(
                large.stdout, r"^needs more than halftoned.service allows: "
                r"MemoryMax=2003\d\dM; see halftoned\(8\)\n$")
            conf.write_text("[daemon]\nthreads = -1\n[filter]\nlevels = 3\n")
            bad = run("--check-config", HALFTONED_CONF=str(conf))
            self.assertEqual((bad.returncode, bad.stdout), (1, ""))
            self.assertEqual(bad.stderr.splitlines(), [
                f"halftoned: {conf}, line 2: 'threads' must be a whole number "
                "from 0 to 256",
                f"halftoned: {conf}, line 4: 'levels' must be 2, 4, 8 or 16"])
            conf.write_text('[filter]\nlevels = 3\n[daemon]\n'
                            'user = "no-such-user"\ngroup = "no-such-group"\n')
            unknown = run("--check-config", str(conf))
            self.assertEqual(unknown.returncode, 1)
            self.assertEqual(unknown.stderr.splitlines(), [
                f"halftoned: {conf}, line 2: 'levels' must be 2, 4, 8 or 16",
                f"halftoned: {conf}, line 4: there is no user 'no-such-user'",
                f"halftoned: {conf}, line 5: there is no group "
                "'no-such-group'"])
            conf.write_text('[filter]\nengine = "avx1024"\n')
            engine = run("--check-config", str(conf))
            self.assertEqual(engine.returncode, 1)
            self.assertRegex(
                engine.stderr,
                rf"^halftoned: {conf}, line 2: no engine is called 'avx1024'; "
                r"there are auto, (.+, )?scalar, remote\n$")
            for name in ("auto", "scalar", "remote"):
                conf.write_text(f'[filter]\nengine = "{name}"\n')
                self.assertEqual(run("--check-config", str(conf)).returncode, 0)
            curve = pathlib.Path(folder) / "my.curve"
            curve.write_text("0 0\n255 250\n")
            conf.write_text('[filter]\ntone-curve = "my.curve"\nlevels = 4\n'
                            '[queue.a]\nhalftone-type = "clustered"\n'
                            '[queue.b]\ntone-curve = "/no/curve"\n'
                            'levels = 2\n[queue.c]\ngamma = 2\n')
            tones = run("--check-config", str(conf))
            self.assertEqual(tones.returncode, 1)
            self.assertEqual(tones.stderr.splitlines(), [
                f"halftoned: {conf}, line 2: tone curve {curve}, line 2: the "
                "last pair must be 255 255, so that paper stays white",
                f"halftoned: {conf}, line 5: halftone-type clustered has only "
                "two levels, but levels is 4; pages are printed with fine",
                f"halftoned: {conf}, line 7: tone curve /no/curve: "
                "No such file or directory"])
            curve.write_text("0 0\n255 255\n")
            conf.write_text('[filter]\ntone-curve = "my.curve"\nlevels = 4\n'
                            'halftone-type = "floyd-steinberg"\n'
                            '[queue.a]\nlevels = 2\n'
                            'halftone-type = "fine"\n')
            self.assertEqual(run("--check-config", str(conf)).returncode, 0)
            missing = run("--check-config", "/nowhere")
            self.assertEqual(missing.returncode, 1)
            self.assertIn("/nowhere", missing.stderr)

    def test_the_command_line_is_checked(self):
        for arguments, mistake in (
                (["--what", "x"], "unknown option '--what'"),
                (["--config"], "--config: expected a file"),
                (["a"], "unexpected argument 'a'"),
                (["--check-config", "a", "b"], "unexpected argument 'b'"),
                (["--version", "x"], "unexpected argument 'x'")):
            wrong = run(*arguments)
            self.assertEqual((wrong.returncode, wrong.stdout, wrong.stderr),
                             (2, "", f"halftoned: {mistake}; see --help\n"))
        self.assertRegex(run("--version").stdout, r"^halftoned \d+\.\d+")
        self.assertIn("--check-config", run("--help").stdout)

    def test_what_it_says_of_itself_must_arrive(self):
        for option in ("--version", "--help"):
            with open("/dev/full", "w") as full:
                done = subprocess.run([HALFTONED, option], stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "halftoned: standard output: cannot write: "
                                 "No space left on device\n"))


@unittest.skipUnless(IS_ROOT, "only root can become somebody else")
class Root(unittest.TestCase):
    def credentials(self, pid):
        """User, and all capabilities as one number; never root's groups."""
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        words = {line.split(":")[0]: line.split()[1:]
                 for line in status.splitlines()}
        self.assertNotIn("0", words["Gid"] + words["Groups"])
        user, = set(words["Uid"])
        capabilities = 0
        for kind in ("Inh", "Prm", "Eff", "Amb"):
            capabilities |= int(words[f"Cap{kind}"][0], 16)
        return pwd.getpwuid(int(user)).pw_name, capabilities

    def test_nothing_of_root_is_left(self):
        with Daemon(worker_user=USER) as daemon:
            for pid in (daemon.process.pid, daemon.wait_ready()["pid"]):
                self.assertEqual(self.credentials(pid), (USER, 0))
            owner = os.stat(daemon.folder / "run")
            self.assertEqual(owner.st_uid, pwd.getpwnam(USER).pw_uid)

    def test_workers_are_another_user(self):
        cap_setgid_and_setuid = 1 << 6 | 1 << 7
        with Daemon(page_idle=1, stop_timeout=1) as daemon:
            worker = daemon.wait_ready()
            supervisor, capabilities = self.credentials(daemon.process.pid)
            self.assertEqual(supervisor, USER)
            if capabilities:  # else it could not be confined
                self.assertEqual(capabilities, cap_setgid_and_setuid)
                self.assertEqual(self.credentials(worker["pid"]),
                                 (WORKER_USER, 0))
                groups = pathlib.Path(
                    f"/proc/{worker['pid']}/status").read_text()
                self.assertIn("\nGroups:\t \n", groups)
            # It can still end one, and starts another.
            os.kill(worker["pid"], signal.SIGSTOP)
            daemon.configure(threads=1, page_idle=1, stop_timeout=1)
            daemon.send(signal.SIGHUP)
            daemon.wait_ready(above=worker["number"])
            daemon.wait_log("it did not finish in time")
            wait_until(lambda: is_gone(worker["pid"]), "the worker's end")

    @unittest.skipIf(IS_SANITIZED, "sanitized programs are not confined")
    def test_it_works_on_a_kernel_that_cannot_confine(self):
        wrap = ["/usr/bin/python3",
                pathlib.Path(__file__).parent / "without_confinement.py"]
        with Daemon(wrap=wrap) as daemon:
            # Nothing else would keep the supervisor from becoming anybody.
            for pid in (daemon.process.pid, daemon.wait_ready()["pid"]):
                self.assertEqual(self.credentials(pid), (USER, 0))
            Client(daemon.socket).close()
            self.assertEqual(daemon.log().count(
                "debug: this system does not support: Landlock (Function not "
                "implemented), filters for system calls (Function not "
                "implemented)\n"), 1)

    def test_it_does_not_run_as_root_or_an_unknown_user(self):
        for config, error in [
                ({"user": "root"},
                 "line 4: 'user' must be a user other than root"),
                ({"user": "no-such-user"},
                 "line 4: there is no user 'no-such-user'"),
                ({"group": "no-such"},
                 "line 5: there is no group 'no-such'")]:
            with tempfile.TemporaryDirectory() as folder:
                daemon = Daemon(folder, **config)
                started = run("--config", str(daemon.conf))
                self.assertEqual(started.returncode, 1)
                self.assertIn(error, started.stderr)
                self.assertEqual(len(started.stderr.splitlines()), 1)
                self.assertFalse((daemon.folder / "run").exists())

    def test_a_user_starts_it_for_himself(self):
        with tempfile.TemporaryDirectory() as folder:
            uid = pwd.getpwnam(OTHER_USER).pw_uid
            os.chown(folder, uid, uid)
            wrap = ["setpriv", f"--reuid={OTHER_USER}", f"--regid={GROUP}",
                    "--clear-groups"]
            with Daemon(folder, wrap=wrap) as daemon:
                Client(daemon.socket).close()
                self.assertEqual(os.stat(daemon.socket).st_uid, uid)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The status of halftoned, and who may see which parts."""

import json
import os
import signal
import socket
import subprocess
import tempfile
import unittest

from daemon_process import (IS_ROOT, LIMIT, OTHER_USER, ClientOf, Daemon,
                            as_user)
from wire import Client

HALFTONE = os.environ.get("HALFTONE")


def halftone(*arguments):
    return subprocess.run([HALFTONE, "status", *arguments],
                          capture_output=True, text=True, timeout=LIMIT)


class Status(unittest.TestCase):
    def test_sessions_say_how_far_they_are(self):
        with Daemon() as daemon, Client(daemon.socket, job=3, printer="laser",
                                        title="a page") as client:
            client.open_page(4, 100, 8)
            client.send_band(4, bytes(800), 8, False)
            self.assertEqual(client.answer(4), 8)
            session, = daemon.status()["sessions"]
            self.assertEqual(
                {key: session[key] for key in ("job", "printer", "title",
                                               "page", "row", "rows")},
                {"job": 3, "printer": "laser", "title": "a page", "page": 4,
                 "row": 8, "rows": 8})
            self.assertGreater(session["rows_per_second"], 0)

    def test_workers_say_how_fast_they_were(self):
        with Daemon() as daemon, Client(daemon.socket) as client:
            client.open_page(1, 100, 8)
            client.send_band(1, bytes(800), 8, False)
            client.answer(1)
            worker, = daemon.wait_status(
                lambda status: status["health_checks"] > 0,
                "a check, which does not count")["workers"]
            self.assertGreater(worker["gray_bytes_per_second"], 0)
            self.assertLessEqual(worker["gray_bytes_per_second"], 800)
            self.assertEqual(worker["pages_per_second"], 0)
            client.send_band(1, bytes(800), 8, True)
            client.answer(1)
            worker, = daemon.status()["workers"]
            self.assertGreater(worker["pages_per_second"], 0)
            self.assertLessEqual(worker["pages_per_second"], 1)

    @unittest.skipUnless(IS_ROOT, "only root can be several users")
    def test_users_cannot_shut_out_others(self):
        hold = ("import socket, sys\n"
                "held = [socket.socket(socket.AF_UNIX) for _ in range(40)]\n"
                "for each in held: each.connect(sys.argv[1])\n"
                "print('held', flush=True)\n"
                "sys.stdin.read()\n")
        ask = ("import socket, sys\n"
               "asking = socket.socket(socket.AF_UNIX)\n"
               "asking.connect(sys.argv[1])\n"
               "asking.sendall(b'text\\n')\n"
               "print(asking.recv(100).decode())\n")

        def python(user, program, **options):
            return subprocess.Popen(
                as_user(user, ["/usr/bin/python3", "-c", program,
                               daemon.status_socket]),
                stdout=subprocess.PIPE, text=True, **options)
        with Daemon() as daemon:
            holders = [python(user, hold, stdin=subprocess.PIPE)
                       for user in ("bin", "daemon")]
            for holder in holders:
                self.assertEqual(holder.stdout.readline(), "held\n")
            self.assertIn("is serving",
                          python("sys", ask).communicate(timeout=LIMIT)[0])
            self.assertIn("is serving", daemon.ask(b"text\n"))
            for holder in holders:
                holder.communicate()

    @unittest.skipUnless(IS_ROOT, "only root can be several users")
    def test_titles_are_for_their_owners_and_root(self):
        with Daemon() as daemon, \
                ClientOf(OTHER_USER, daemon.socket, "3", "a secret") as client:
            self.assertEqual(client.outcome, "welcome 1")
            asks = ["/usr/bin/python3", "-c",
                    "import socket, sys; s = socket.socket(socket.AF_UNIX); "
                    f"s.connect('{daemon.status_socket}'); "
                    "s.sendall(b'text\\n'); print(s.makefile().read())"]
            for user, sees in ((OTHER_USER, True), ("games", False),
                               ("root", True)):
                told = subprocess.run(as_user(user, asks), text=True,
                                      capture_output=True, check=True).stdout
                self.assertIn("cpu", told)
                self.assertEqual("a secret" in told, sees, user)

    def test_an_invalid_question_gets_an_error(self):
        with Daemon() as daemon:
            self.assertEqual(daemon.ask(b"what?\n"),
                             "ask for text, json or metrics\n")
            self.assertEqual(daemon.ask(b"x" * 64), "")

    def test_a_client_that_asks_and_does_not_read_delays_nobody(self):
        with Daemon() as daemon:
            asking = []
            for question in (b"", b"js", b"json\n", b"metrics\n"):
                asking.append(socket.socket(socket.AF_UNIX))
                asking[-1].connect(str(daemon.status_socket))
                asking[-1].sendall(question)
            for _ in range(10):
                self.assertEqual(daemon.status()["state"], "serving")
            for each in asking:
                each.close()

    def test_a_worker_that_does_not_answer_is_shown(self):
        with Daemon(health_interval=3600) as daemon:
            daemon.kill_worker(signal.SIGSTOP)
            status = daemon.wait_status(
                lambda status: not status["workers"][0]["answers"],
                "a silent worker")
            self.assertEqual(status["workers"][0]["state"], "ready")
            os.kill(status["workers"][0]["pid"], signal.SIGCONT)
            daemon.wait_status(lambda status: status["workers"][0]["answers"],
                               "its answer")


@unittest.skipUnless(HALFTONE, "halftone is not built")
class Command(unittest.TestCase):
    def test_it_prints_what_the_daemon_says(self):
        with Daemon() as daemon:
            at = ["--socket", str(daemon.status_socket)]
            text = halftone(*at)
            self.assertEqual((text.returncode, text.stderr), (0, ""))
            self.assertRegex(text.stdout, r"^halftoned [0-9.]+ is serving")
            self.assertEqual(json.loads(halftone("--json", *at).stdout)
                             ["state"], "serving")
            self.assertIn("halftoned_sessions 0\n",
                          halftone("--metrics", *at).stdout)

    def test_the_configuration_says_where_the_daemon_is(self):
        with Daemon() as daemon:
            environment = {**os.environ, "HALFTONED_CONF": str(daemon.conf)}
            told = subprocess.run([HALFTONE, "status"], env=environment,
                                  capture_output=True, text=True,
                                  timeout=LIMIT)
            self.assertEqual((told.returncode, told.stderr), (0, ""))
            # A daemon of the user that it names is trusted.
            made = subprocess.run(
                [HALFTONE, "convert", "--engine", "remote", "-", "-"],
                env=environment, input=b"P5 8 1 255\n" + bytes(8),
                capture_output=True, timeout=LIMIT)
            self.assertEqual((made.returncode, made.stdout, made.stderr),
                             (0, b"P4\n8 1\n\xff", b""))
            self.assertEqual(sum(engine["pages"] for engine in
                                 daemon.status()["engines"].values()), 1)

    def test_it_prints_nothing_of_what_others_say(self):
        with Daemon() as daemon:
            other = halftone("--socket", str(daemon.socket))
            self.assertEqual((other.returncode, other.stdout), (1, ""))
            self.assertEqual(other.stderr, f"halftone: {daemon.socket} is not "
                             "halftoned's status socket\n")

    def test_it_reports_a_missing_daemon(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/none"
            missing = halftone("--socket", path)
            self.assertEqual((missing.returncode, missing.stdout), (1, ""))
            self.assertEqual(missing.stderr,
                             f"halftone: cannot reach halftoned at {path}: "
                             "No such file or directory\n")


if __name__ == "__main__":
    unittest.main()

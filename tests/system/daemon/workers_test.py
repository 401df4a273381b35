#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workers that die, hang, or are missing; and which jobs are charged."""

import contextlib
import os
import pathlib
import shutil
import signal
import tempfile
import unittest

from daemon_process import IS_ROOT, Daemon, shared_folder, wait_until
from notify import Notify
from wire import Client, Ended, Refused, hello


def sockets_of(pid):
    """The sockets that a process has open, by what they link to."""
    folder = f"/proc/{pid}/fd"
    links = {os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder)}
    return {link for link in links if link.startswith("socket:")}


class Workers(unittest.TestCase):
    def make_worker(self, folder, command):
        """In the folder, a worker that is this command."""
        os.chmod(folder, 0o755)
        worker = shared_folder() / "libexec" / "worker-cpu"
        script = pathlib.Path(folder) / "worker-cpu"
        script.write_text(
            f'#!/bin/sh\nexec {command.format(worker=worker)} "$@"\n')
        script.chmod(0o755)

    def wait_at_work(self, daemon, client):
        client.keep_at_work()
        daemon.wait_status(lambda status: any(
            session["page"] == 1 and session["row"] == 0
            for session in status["sessions"]), "a band in flight")

    def die_working_for(self, daemon, client):
        """Ends the worker while it has a band of this client."""
        self.wait_at_work(daemon, client)
        killed = daemon.kill_worker()
        client.wait_for_end()
        daemon.wait_ready(above=killed)

    def test_a_worker_that_was_killed_is_replaced(self):
        with Daemon() as daemon, Client(daemon.socket) as client:
            killed = daemon.kill_worker()
            with self.assertRaises(Ended):
                client.frame()
            daemon.wait_ready(above=killed)
            status = daemon.status()
            self.assertEqual(status["deaths"], {"cpu": 1})
            self.assertEqual(status["sessions"], [])
            with Client(daemon.socket) as again:
                self.assertEqual(again.worker, killed + 1)

    def test_a_client_waits_for_a_worker_that_starts(self):
        with Daemon() as daemon:
            killed = daemon.kill_worker()
            daemon.wait_log("has died")
            with Client(daemon.socket) as client:
                self.assertGreater(client.worker, killed)

    def test_a_kind_that_keeps_dying_waits_longer_each_time(self):
        with Daemon() as daemon:
            killed = daemon.kill_worker()
            daemon.wait_log("the next cpu worker starts in 0.1 s")
            daemon.wait_ready(above=killed)
            killed = daemon.kill_worker()
            daemon.wait_log("the next cpu worker starts in 0.2 s")
            daemon.wait_ready(above=killed)
            # No job was served: the kind itself is charged.
            daemon.kill_worker()
            daemon.wait_log("the next cpu worker starts in 30.0 s")
            with self.assertRaisesRegex(Refused, "^no worker"):
                Client(daemon.socket)

    def test_a_job_that_workers_die_of_is_refused(self):
        with Daemon() as daemon:
            for _ in range(2):
                with Client(daemon.socket, job=5) as poison, \
                        Client(daemon.socket, job=6) as idle:
                    idle.open_page(1, 100, 8)
                    idle.send_band(1, bytes(800), 8, False)
                    self.assertEqual(idle.answer(1), 8)
                    self.die_working_for(daemon, poison)
            with self.assertRaisesRegex(Refused, "while working for this job"):
                Client(daemon.socket, job=5)
            # It had a page open, but no band in flight.
            Client(daemon.socket, job=6).close()
            self.assertEqual(daemon.status()["refusals"]["banned_job"], 1)

    def test_being_late_is_charged_to_nobody(self):
        with Daemon(health_interval=1) as daemon:
            for _ in range(2):
                with Client(daemon.socket, job=5) as client:
                    self.wait_at_work(daemon, client)
                    hung = daemon.kill_worker(signal.SIGSTOP)
                    client.wait_for_end()
                daemon.wait_ready(above=hung)
            daemon.wait_log("its health check failed", times=2)
            Client(daemon.socket, job=5).close()
            self.assertFalse(any(daemon.status()["refusals"].values()))

    def test_a_worker_that_hangs_is_found_out_and_replaced(self):
        with Daemon(health_interval=1) as daemon:
            hung = daemon.kill_worker(signal.SIGSTOP)
            daemon.wait_status(
                lambda status: not status["workers"][0]["answers"],
                "a silent worker")
            daemon.wait_ready(above=hung)
            status = daemon.status()
            self.assertGreaterEqual(status["health_failures"], 1)
            self.assertEqual(status["deaths"], {"cpu": 1})
            daemon.wait_log("its health check failed")

    def test_health_checks_continue_and_are_not_clients(self):
        with Daemon(health_interval=1, max_connections=1) as daemon, \
                Client(daemon.socket):
            status = daemon.wait_status(
                lambda status: status["health_checks"] >= 3, "three checks")
            self.assertEqual(status["health_failures"], 0)
            self.assertEqual(status["connections"], 1)
            self.assertEqual(len(status["sessions"]), 1)
            self.assertEqual(status["engines"][
                status["workers"][0]["engine"]]["rows"], 0)

    def test_a_missing_worker_is_reported(self):
        with Daemon(is_ready=False,
                    environment={"HALFTONED_LIBEXEC": "/nowhere"}) as daemon:
            daemon.wait_log("cannot start worker 1 (cpu): /nowhere/worker-cpu: "
                            "No such file or directory; retrying in 0.1 s")
            daemon.wait_log("retrying in 0.2 s")

    def test_another_program_is_not_a_worker(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            shutil.copy("/bin/false", pathlib.Path(folder) / "worker-cpu")
            with Daemon(is_ready=False,
                        environment={"HALFTONED_LIBEXEC": folder}) as daemon:
                daemon.wait_log("worker 1 (cpu) has died: exit status 1")
                # The third time it is the kind itself.
                daemon.wait_log("starts in 30.0 s")
                with self.assertRaisesRegex(Refused, "^no worker"):
                    Client(daemon.socket)

    def test_a_worker_without_files_left_serves_its_clients(self):
        # The limit is the worker's alone: the daemon would say other words. A
        # check of health needs files too, so it is over by then.
        with tempfile.TemporaryDirectory() as folder, Notify() as notify:
            self.make_worker(folder, "prlimit --nofile=40 {worker}")
            with Daemon(health_interval=3600, environment={
                    "HALFTONED_LIBEXEC": folder,
                    "NOTIFY_SOCKET": notify.path}) as daemon, \
                    contextlib.ExitStack() as clients:
                notify.until("WATCHDOG=1")
                notify.socket.close()  # which nobody would empty
                served = []
                with self.assertRaises(Ended):
                    for _ in range(40):
                        served.append(
                            clients.enter_context(Client(daemon.socket)))
                daemon.wait_log("the worker has reached its limit of open files")
                for client in served:
                    client.open_page(1, 100, 8)
                    client.send_band(1, bytes(800), 8, True)
                    self.assertEqual(client.answer(1), 8)
                self.assertEqual(daemon.status()["deaths"], {"cpu": 0})

    def test_a_worker_without_files_left_is_not_sick(self):
        with tempfile.TemporaryDirectory() as folder:
            self.make_worker(folder, "prlimit --nofile=40 {worker}")
            with Daemon(health_interval=1, environment={
                    "HALFTONED_LIBEXEC": folder}) as daemon, \
                    contextlib.ExitStack() as clients:
                def fails(status):
                    """Whether two checks have failed since there were no
                    files left; until then, uses those of ended checks."""
                    try:
                        while True:
                            last.append(clients.enter_context(
                                Client(daemon.socket)))
                            before["failures"] = status["health_failures"]
                    except Ended:
                        return (status["health_failures"] >=
                                before["failures"] + 2)
                last, before = [], {"failures": 0}
                status = daemon.wait_status(fails, "two checks that fail")
                # The file that is free now suffices for a connection, but not
                # for its ring.
                last[-1].close()

                def succeeded(status):
                    return status["health_checks"] - status["health_failures"]
                daemon.wait_status(
                    lambda now: succeeded(now) > succeeded(status),
                    "a check that succeeds")
                self.assertEqual(daemon.status()["deaths"], {"cpu": 0})

    def test_a_workers_last_words_are_in_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            self.make_worker(folder, "{worker} --what 1")
            with Daemon(is_ready=False,
                        environment={"HALFTONED_LIBEXEC": folder}) as daemon:
                daemon.wait_log(
                    "halftoned: error: worker 1 (cpu) has died: unknown "
                    "option --what: exit status 1\n")
                for line in daemon.log().splitlines():
                    self.assertTrue(line.startswith("halftoned: "), line)

    def test_a_client_behind_a_worker_that_hangs_is_not_charged(self):
        with Daemon(health_interval=3600) as daemon:
            for _ in range(2):
                with Client(daemon.socket, job=4) as served, \
                        Client(daemon.socket, with_hello=False) as waiting:
                    self.wait_at_work(daemon, served)
                    hung = daemon.kill_worker(signal.SIGSTOP)
                    waiting.send(hello(job=5))
                    daemon.wait_status(
                        lambda status: len(status["sessions"]) == 2,
                        "a client that waits behind the worker")
                    daemon.kill_worker()
                    served.wait_for_end()
                    waiting.wait_for_end()
                daemon.wait_ready(above=hung)
            with self.assertRaisesRegex(Refused, "while working for this job"):
                Client(daemon.socket, job=4)
            Client(daemon.socket, job=5).close()

    @unittest.skipUnless(IS_ROOT, "it is another user's process")
    def test_a_worker_has_nothing_of_the_supervisors(self):
        with Daemon() as daemon, Client(daemon.socket):
            worker = daemon.wait_ready()

            def are_apart():
                # Its channel and the connection, which is the worker's alone;
                # a check of health comes and goes.
                ours = sockets_of(daemon.process.pid)
                its = sockets_of(worker["pid"])
                return ours and len(its) == 2 and not ours & its
            wait_until(are_apart, "two sockets of the worker's own")


if __name__ == "__main__":
    shared_folder()
    unittest.main()

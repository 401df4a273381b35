#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which clients halftoned admits, and which it refuses."""

import array
import contextlib
import os
import pathlib
import signal
import socket
import struct
import unittest

import daemon_process
from daemon_process import OTHER_USER, ClientOf, Daemon, wait_until
from wire import (EVICTED, HELLO_BYTES, PROTOCOL_ERROR, VERSION, Client,
                  Refused, hello)



def lingering():
    """A connection whose last close waits for an hour, and what keeps it so."""
    listener = socket.create_server(("127.0.0.1", 0))
    writer = socket.create_connection(listener.getsockname())
    reader, _ = listener.accept()
    writer.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            writer.send(bytes(1 << 16))
    writer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                      struct.pack("ii", 1, 3600))
    return writer, (listener, reader)


def pass_lingering(peer):
    """Passes such a connection. A process that ends does it, because for it the
    kernel does not linger, should it be the last to close. Returns what keeps
    the connection so."""
    writer, others = lingering()
    wait, go = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            os.read(wait, 1)
            socket.send_fds(peer, [b"x"], [writer.fileno()])
        os._exit(0)
    writer.close()
    os.write(go, b"x")
    os.waitpid(child, 0)
    os.close(wait)
    os.close(go)
    return others


needs_root = unittest.skipUnless(daemon_process.IS_ROOT,
                                 "only root can be several users")


class Admission(unittest.TestCase):
    def refused(self, daemon, name, times=1):
        """A counter says so, and no other one."""
        refusals = {reason: count for reason, count
                    in daemon.status()["refusals"].items() if count}
        self.assertEqual(refusals, {name: times})

    def test_a_client_is_given_to_a_worker(self):
        with Daemon() as daemon, Client(daemon.socket, job=5,
                                        printer="laser") as client:
            self.assertEqual(client.worker, 1)
            session, = daemon.status()["sessions"]
            self.assertEqual(
                (session["job"], session["printer"], session["uid"]),
                (5, "laser", os.geteuid()))

    def test_connections_of_a_user_are_limited(self):
        with Daemon(max_connections_per_user=2) as daemon, \
                Client(daemon.socket) as first, \
                Client(daemon.socket) as second:
            for client in (first, second):
                client.keep_at_work()
            with self.assertRaisesRegex(Refused, "^this user has reached"):
                Client(daemon.socket)
            self.refused(daemon, "connections_of_user")
            second.close()
            daemon.wait_status(lambda status: len(status["sessions"]) == 1,
                               "the end of a session")
            Client(daemon.socket).close()

    def test_a_user_over_the_limit_is_refused_before_the_handshake(self):
        with Daemon(max_connections_per_user=1) as daemon, \
                Client(daemon.socket) as client:
            client.keep_at_work()
            with Client(daemon.socket, with_hello=False) as silent:
                with self.assertRaisesRegex(Refused, "^this user"):
                    silent.frame()
            self.refused(daemon, "connections_of_user")

    def test_a_passed_descriptor_holds_up_nobody(self):
        with Daemon(max_connections_per_user=2) as daemon, \
                Client(daemon.socket) as at_work, \
                contextlib.ExitStack() as stack:
            at_work.keep_at_work()
            for path, begins in (
                    (daemon.socket, b""), (daemon.socket, hello(job=1)),
                    (daemon.socket, hello(job=1)[:20]),
                    (daemon.status_socket, b""),
                    (daemon.status_socket, b"text\n")):
                peer = stack.enter_context(socket.socket(socket.AF_UNIX))
                peer.connect(str(path))
                peer.sendall(begins)
                if len(begins) == HELLO_BYTES:  # it is the worker's now
                    peer.recv(1)
                for each in pass_lingering(peer):
                    stack.enter_context(each)
                peer.close()
                daemon.wait_status(
                    lambda status: len(status["sessions"]) == 1,
                    "the end of a session")
            with Client(daemon.socket) as client:
                self.assertEqual(client.worker, at_work.worker)

    @needs_root
    def test_users_are_counted_apart_and_together(self):
        with Daemon(max_connections=3, max_connections_per_user=2) as daemon, \
                Client(daemon.socket) as first, \
                Client(daemon.socket) as second:
            for client in (first, second):
                client.keep_at_work()
            with ClientOf(OTHER_USER, daemon.socket, "0", "",
                          "work") as other:
                self.assertEqual(other.outcome, "welcome 1")
                uids = [session["uid"]
                        for session in daemon.status()["sessions"]]
                self.assertEqual(len(set(uids)), 2)
                with ClientOf(OTHER_USER, daemon.socket) as another:
                    self.assertIn("reached its limit of connections",
                                  another.outcome)
            self.refused(daemon, "connections")

    @needs_root
    def test_only_the_group_may_connect(self):
        with Daemon() as daemon:
            mode = os.stat(daemon.socket).st_mode & 0o777
            self.assertEqual(mode, 0o660)
            group = daemon_process.GROUP
            try:
                daemon_process.GROUP = "nogroup"
                with ClientOf(OTHER_USER, daemon.socket) as outsider:
                    self.assertIn("Permission denied", outsider.outcome)
            finally:
                daemon_process.GROUP = group

    def test_a_silent_client_is_refused_and_delays_nobody(self):
        with Daemon() as daemon, \
                Client(daemon.socket, with_hello=False) as silent, \
                Client(daemon.socket, with_hello=False) as halting:
            halting.send(hello()[:100])
            Client(daemon.socket).close()
            for late in (silent, halting):
                with self.assertRaisesRegex(Refused, "did not arrive in time"):
                    late.frame()
            self.refused(daemon, "silent", 2)

    def test_a_hello_may_come_in_pieces(self):
        with Daemon() as daemon, \
                Client(daemon.socket, with_hello=False) as slow:
            for byte in hello():
                slow.send(bytes([byte]))
            slow.greet()

    def test_a_client_that_leaves_in_the_middle_does_no_harm(self):
        with Daemon() as daemon:
            for count in (0, 1, HELLO_BYTES - 1):
                with Client(daemon.socket, with_hello=False) as client:
                    client.send(hello()[:count])
            Client(daemon.socket).close()
            self.assertFalse(any(daemon.status()["refusals"].values()))

    def test_a_client_that_gave_up_while_it_was_stopped_is_not_served(self):
        with Daemon() as daemon:
            daemon.send(signal.SIGSTOP)
            stat = pathlib.Path(f"/proc/{daemon.process.pid}/stat")
            wait_until(lambda: stat.read_text().rpartition(")")[2].split()[0]
                       == "T", "the stop")
            with Client(daemon.socket, with_hello=False) as client:
                client.send(hello(job=5))
            daemon.send(signal.SIGCONT)
            Client(daemon.socket, job=6).close()
            wait_until(lambda: "job 6" in daemon.log(), "its line")
            self.assertNotIn("job 5", daemon.log())
            self.assertFalse(any(daemon.status()["refusals"].values()))

    def test_garbage_is_refused(self):
        good = hello(printer="laser")
        garbage = [os.urandom(HELLO_BYTES), bytes(HELLO_BYTES),
                   b"GET / HTTP/1.1\r\n".ljust(HELLO_BYTES, b"\n"),
                   good[:20] + b"\xff" + good[21:],
                   hello(printer="a\nb"), hello(title=b"\xff")]
        with Daemon() as daemon:
            for data in garbage:
                with Client(daemon.socket, with_hello=False) as client:
                    client.send(data)
                    with self.assertRaises(Refused) as refusal:
                        client.greet()
                    self.assertEqual(refusal.exception.code, PROTOCOL_ERROR)
            Client(daemon.socket).close()
            self.refused(daemon, "malformed", len(garbage))
            self.assertEqual(daemon.status()["deaths"], {"cpu": 0})

    def test_a_hello_with_a_descriptor_is_refused(self):
        with Daemon() as daemon, \
                Client(daemon.socket, with_hello=False) as client:
            client.socket.sendmsg(
                [hello()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                             array.array("i", [0]))])
            with self.assertRaises(Refused):
                client.greet()
            self.refused(daemon, "malformed")

    def test_another_version_is_refused(self):
        with Daemon() as daemon:
            for version in (0, VERSION - 1, VERSION + 1, 65535):
                with self.assertRaisesRegex(Refused, "another protocol version"):
                    Client(daemon.socket, version=version)
            self.refused(daemon, "version", 4)

    def test_silent_clients_of_one_user_are_limited(self):
        with Daemon() as daemon:
            silent = [Client(daemon.socket, with_hello=False)
                      for _ in range(32)]
            with self.assertRaisesRegex(Refused, "^too many connections"):
                Client(daemon.socket)
            for client in silent:
                client.close()

            def is_welcome():
                try:
                    Client(daemon.socket).close()
                    return True
                except Refused:
                    return False
            wait_until(is_welcome, "a place among the silent")

    def test_a_worker_may_be_wanted_or_avoided(self):
        with Daemon() as daemon:
            Client(daemon.socket, wanted=1, avoided=7).close()
            for words in ({"wanted": 7}, {"avoided": 1}):
                with self.assertRaisesRegex(Refused, "^no worker"):
                    Client(daemon.socket, **words)
            self.refused(daemon, "no_worker", 2)

    def test_the_idlest_connection_makes_room_at_the_limit(self):
        for limit in ("max_connections", "max_connections_per_user"):
            with self.subTest(limit), Daemon(**{limit: 3}) as daemon, \
                    Client(daemon.socket, job=1) as idlest, \
                    Client(daemon.socket, job=2) as later, \
                    Client(daemon.socket, job=3) as first:
                for job in (first, later):
                    job.open_page(1, 100, 8)
                    job.send_band(1, bytes(800), 8, False)
                    self.assertEqual(job.answer(1), 8)

                def is_welcome():
                    try:
                        return Client(daemon.socket, job=4)
                    except Refused:
                        return None
                with wait_until(is_welcome, "a place"):
                    with self.assertRaisesRegex(Refused, "^this idle connection was "
                                                         "evicted"):
                        idlest.frame()
                    # The others are still served.
                    for job in (first, later):
                        job.send_band(1, bytes(800), 8, True)
                        self.assertEqual(job.answer(1), 8)
                    status = daemon.wait_status(
                        lambda status: len(status["sessions"]) == 3,
                        "the end of the idlest")
                    self.assertEqual(
                        sorted(session["job"] for session in
                               status["sessions"]), [2, 3, 4])
                    self.assertEqual(status["dismissed"], 1)

    def test_a_page_of_a_connection_that_makes_room_is_evicted(self):
        with Daemon(max_connections=1) as daemon, \
                Client(daemon.socket, job=1) as idle:
            idle.open_page(1, 100, 8)
            idle.send_band(1, bytes(800), 8, False)
            self.assertEqual(idle.answer(1), 8)
            self.is_soon_welcome(daemon)
            self.assertEqual(idle.frame()[0], EVICTED)
            with self.assertRaisesRegex(Refused, "^this idle connection was evicted"):
                idle.frame()

    def is_soon_welcome(self, daemon, before=lambda: None):
        """Another client finds a place."""
        def is_welcome():
            before()
            try:
                Client(daemon.socket, job=4).close()
                return True
            except Refused:
                return False
        wait_until(is_welcome, "a place")

    def test_a_client_that_does_not_read_its_answers_makes_room(self):
        with Daemon(max_connections=1) as daemon, \
                Client(daemon.socket, job=1) as deaf:
            deaf.open_page(1, 65536, 16)
            for _ in range(6):
                deaf.send_band(1, bytes(65536 * 16), 16, False)
            self.is_soon_welcome(daemon)

    def test_a_client_that_only_pings_makes_room(self):
        with Daemon(max_connections=1) as daemon, \
                Client(daemon.socket, job=1) as pinger:
            pinger.open_page(1, 100, 8)
            pinger.send_band(1, bytes(800), 8, True)
            self.assertEqual(pinger.answer(1), 8)
            # A band of a page that is over.
            self.is_soon_welcome(
                daemon, lambda: pinger.send_band(1, bytes(800), 8, True))

    def test_refusals_do_not_fill_the_log(self):
        with Daemon(log_level="info") as daemon:
            for _ in range(300):
                with self.assertRaisesRegex(Refused, "^no worker"):
                    Client(daemon.socket, wanted=7)
            self.refused(daemon, "no_worker", 300)
            daemon.stop()
            self.assertLessEqual(daemon.log().count("refused: no worker"), 150)
            daemon.wait_log("more log lines about this user were suppressed")

    def test_a_page_is_counted_row_by_row(self):
        with Daemon() as daemon, Client(daemon.socket) as client:
            client.open_page(1, 100, 8)
            client.send_band(1, bytes(800), 8, False)
            client.send_band(1, bytes(500), 5, True)
            self.assertEqual((client.answer(1), client.answer(1)), (8, 5))
            engine, = daemon.status()["engines"].values()
            self.assertEqual((engine["rows"], engine["bands"], engine["pages"],
                              engine["pixels"]), (13, 2, 1, 1300))

    def test_data_right_after_the_hello_is_left_to_the_worker(self):
        with Daemon() as daemon, \
                Client(daemon.socket, with_hello=False) as client:
            frames, client.send = [], lambda data: frames.append(data)
            client.open_page(1, 100, 8)
            client.send_band(1, bytes(800), 8, True)
            client.socket.sendall(hello() + b"".join(frames))
            client.greet()
            self.assertEqual(client.answer(1), 8)


if __name__ == "__main__":
    unittest.main()

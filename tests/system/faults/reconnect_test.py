# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A job whose daemon stops and starts again: where its pages are halftoned, and how
often the job asks for a worker."""

import math
import os
import socket
import struct
import threading
import time
import unittest

from printing import LIMIT, Printing
from daemon_process import Daemon
import wire

ROWS = 20  # of a page
PAGES = 100  # of the job that is printed at once; all are the same


class Paged:
    """A filter that gets its pages one by one."""

    def __init__(self, printing, conf, job=1):
        raster = printing.raster.read_bytes()
        self.page = raster[4:4 + (len(raster) - 4) // PAGES]
        self.out_page = (len(printing.expected) - 4) // PAGES
        self.printing, self.pages = printing, 0
        self.source, feeder = os.pipe()
        self.process = printing.start(conf, job=job, raster="",
                                      stdin=self.source)
        os.close(self.source)
        self.feeder = open(feeder, "wb", buffering=0)
        self.feeder.write(raster[:4])
        self.out = self.process.stdout
        self.bits = b""

    def feed(self, share=1):
        """Feeds a share of the next page, from where it stands."""
        self.feeder.write(self.page[:int(share * len(self.page))])
        self.rest = self.page[int(share * len(self.page)):]

    def finish_page(self):
        self.feeder.write(self.rest)
        self.pages += 1
        self.bits += self.out.read(4 + self.pages * self.out_page -
                                   len(self.bits))

    def print_page(self):
        self.feed()
        self.finish_page()

    def print_until(self, true, what):
        """Prints pages until the condition is true."""
        end = time.monotonic() + LIMIT
        while not true():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.print_page()

    def end(self):
        """What it said."""
        self.feeder.close()
        self.bits += self.out.read()
        _, log = self.process.communicate()
        log = log.decode()
        assert self.process.returncode == 0, log
        page = self.printing.expected[4:4 + self.out_page]
        assert self.bits[4:] == self.pages * page, log
        return log


class FakeDaemon:
    """Accepts connections, and treats them as `answers` say, one after the other;
    the last answer applies to all that follow. Records the avoided workers."""

    def __init__(self, folder, answers):
        self.path = folder / "fake.sock"
        self.avoided = []
        self.answers = answers
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        self.kept = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            hello = b""
            while len(hello) < wire.HELLO_BYTES:
                hello += client.recv(wire.HELLO_BYTES - len(hello))
            self.avoided.append(struct.unpack_from("<IHIII", hello)[4])
            answer = self.answers[min(len(self.avoided), len(self.answers)) - 1]
            answer(self, client)

    def hang_up(self, client):
        client.close()

    def be_silent(self, client):
        self.kept.append(client)

    def die_in_mid_page(self, client):
        """As worker 7, when the first band has come."""
        payload = struct.pack("<I", 7) + wire.text("scalar") + bytes(4)
        header = struct.pack("<IHHIIIII", 0x314E5448, wire.VERSION,
                             wire.WELCOME, 0, 0, len(payload), 0,
                             wire.checksum(payload))
        client.sendall(header + struct.pack("<I", wire.checksum(header)) +
                       payload)
        client.recv(1)
        client.close()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for client in self.kept:
            client.close()


class Reconnect(unittest.TestCase):
    def setUp(self):
        self.printing = Printing([ROWS] * PAGES)
        self.addCleanup(self.printing.close)

    def fake(self, *answers):
        fake = FakeDaemon(self.printing.folder, answers)
        self.addCleanup(fake.close)
        return fake

    def conf(self, socket, **keys):
        """A configuration with a timeout that not even a slow daemon exceeds."""
        return self.printing.conf(socket=socket, daemon_timeout=3600, **keys)

    def served(self, daemon):
        """The number of pages that the daemon has finished."""
        return sum(done["pages"] for done in
                   daemon.status()["engines"].values())

    def test_pages_go_to_the_daemon_when_it_is_back(self):
        folder = self.printing.folder / "daemon"
        folder.mkdir(mode=0o755)
        daemon = Daemon(folder)
        job = Paged(self.printing, self.conf(daemon.socket))
        job.print_page()
        for _ in range(2):
            with daemon:
                job.print_until(lambda: self.served(daemon) > 1, "the daemon")
                daemon.kill()
                job.print_page()
        log = job.end()
        # Once by the first page, however many there were.
        self.assertEqual(log.count("row 0 and later rows by"), 1, log)
        self.assertRegex(log, r"DEBUG: pages begun without the daemon: \d+; "
                         "moved in mid-page: 0\n")

    def test_a_daemon_that_is_not_there_is_asked_less_and_less(self):
        fake = self.fake(FakeDaemon.hang_up)
        begin = time.monotonic()
        outcome = self.printing.print_job(self.conf(fake.path))
        seconds = time.monotonic() - begin
        self.printing.check(outcome)
        # After pauses of 1/4 second, 1/2, 1 …
        most = 1 + int(math.log2(1 + seconds / 0.25))
        self.assertLessEqual(len(fake.avoided), most)
        self.assertGreater(len(fake.avoided), 0)
        self.assertIn(f"pages begun without the daemon: {PAGES}", outcome.log)

    def test_a_worker_that_has_died_is_avoided(self):
        fake = self.fake(FakeDaemon.die_in_mid_page)
        outcome = self.printing.print_job(
            self.conf(fake.path, use_ring=False))
        self.printing.check(outcome)
        self.assertEqual(fake.avoided[:2], [0, 7])

    def test_a_worker_is_not_avoided_forever(self):
        fake = self.fake(FakeDaemon.die_in_mid_page, FakeDaemon.hang_up)
        job = Paged(self.printing, self.conf(fake.path, use_ring=False))
        job.print_until(lambda: len(fake.avoided) > 2, "a third question")
        job.end()
        self.assertEqual(fake.avoided[:3], [0, 7, 0])

    def test_nobody_who_is_silent_after_a_death_is_waited_for(self):
        fake = self.fake(FakeDaemon.die_in_mid_page, FakeDaemon.be_silent)
        outcome = self.printing.print_job(
            self.conf(fake.path, use_ring=False))
        self.printing.check(outcome)
        self.assertEqual(fake.avoided[:2], [0, 7])

    def test_nobody_who_is_silent_from_the_first_is_waited_for(self):
        fake = self.fake(FakeDaemon.be_silent)
        outcome = self.printing.print_job(self.conf(fake.path))
        self.printing.check(outcome)
        self.assertGreater(len(fake.avoided), 0)
        self.assertIn("the daemon did not answer within 1000 ms", outcome.log)

    def test_a_poison_job_ends_in_its_own_process(self):
        with Daemon() as daemon:
            conf = self.conf(daemon.socket)
            job = Paged(self.printing, conf, job=5)
            other = Paged(self.printing, conf, job=6)
            for deaths in (1, 2):
                before = self.served(daemon)
                job.print_until(lambda: self.served(daemon) > before,
                                "the daemon")
                job.feed(0.5)
                # Another client of this job has a band in flight.
                with wire.Client(daemon.socket, job=5) as client:
                    client.keep_at_work()
                    daemon.wait_status(
                        lambda status: any(session["page"] == 1 and
                                           session["row"] == 0 and
                                           session["printer"] == ""
                                           for session in status["sessions"]),
                        "a band in flight")
                    killed = daemon.kill_worker()
                daemon.wait_ready(above=killed)
                job.finish_page()
                self.assertEqual(daemon.status()["deaths"], {"cpu": deaths})
            job.print_until(
                lambda: daemon.status()["refusals"]["banned_job"] > 0,
                "its refusal")
            before = self.served(daemon)
            job.print_page()
            self.assertEqual(self.served(daemon), before)
            # Everybody else is served.
            other.print_page()
            self.assertEqual(self.served(daemon), before + 1)
            for each in (job, other):
                each.end()


if __name__ == "__main__":
    unittest.main()

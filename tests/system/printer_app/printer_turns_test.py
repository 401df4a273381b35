#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of jobs in halftone-printer-app, and the fate of their documents.
PRINTER_APP is the program."""

import fcntl
import socket
import struct
import termios
import threading
import time
import unittest

from kit.ipp_client import (BOOLEAN, CANCELED, COMPLETED, INTEGER, KEYWORD, MIME,
                            NOT_SUPPORTED, PAUSE, PENDING, PROCESSING, RESUME, Client)
from kit.marked_documents import PCL, own, pdf, png, raster
from kit.server import ServerTest, until

RELEASE_JOB, CREATE_JOB, SEND_DOCUMENT = 0x0d, 0x05, 0x06
HELD, DATE = 4, 0x31
TOO_MUCH = 0x41e  # account-limit-reached
RASTER = "image/pwg-raster"


def at(seconds):
    """The attribute that makes a job wait until then."""
    when = time.gmtime(seconds)
    return DATE, "job-hold-until-time", struct.pack(
        ">HBBBBBBcBB", *when[:6], 0, b"+", 0, 0)


def naming(kind):
    return [(MIME, "document-format", kind)] if kind else []


class TurnsTest(ServerTest):
    def setUp(self):
        self.start()
        self.printer = self.app.add("office", "pcl5e")

    def hand_over(self, document, kind=PCL, *options, client=None):
        """Submits a document; returns the job's number."""
        status, job = (client or self.client).print("office", document, kind,
                                                    options=options)
        self.assertEqual(status, 0)
        return job

    def state(self, job):
        return self.client.state("office", job)

    def ended(self, job):
        return until(lambda: (found := self.state(job)) >= CANCELED and found)

    def documents(self):
        return list(self.app.spool.glob("document-*"))

    def test_many_jobs_are_printed_once_each_and_in_their_order(self):
        self.printer.may_take.clear()
        # On an idle printer, any of several simultaneous jobs could begin first, so one
        # job occupies it.
        numbers, lock = {self.hand_over(own(32)): 32}, threading.Lock()
        until(lambda: self.printer.streams)

        def hand_over(first):
            client = Client(self.app.port)
            for number in range(first, first + 8):
                job = self.hand_over(own(number), client=client)
                with lock:
                    numbers[job] = number
        threads = [threading.Thread(target=hand_over, args=(first,))
                   for first in range(0, 32, 8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.printer.may_take.set()
        for job in numbers:
            self.assertEqual(self.ended(job), COMPLETED)
        until(lambda: len(self.printer.jobs) == len(self.printer.streams))
        came = b"".join(map(bytes, self.printer.streams))
        self.assertEqual(came, b"".join(own(numbers[job])
                                        for job in sorted(numbers)))
        until(lambda: not self.documents())

    def test_each_job_has_a_connection_of_its_own(self):
        self.hand_over(own(9), PCL, (KEYWORD, "job-hold-until", "indefinite"))
        for number in range(2):
            self.hand_over(own(number))
            self.assertEqual(self.printer.job(number), own(number))

    def test_each_format_is_printed(self):
        page = raster(400, 300, dpi=300)
        for kind, document in ((PCL, own(1)), ("image/png", png(2)),
                               ("application/pdf", pdf(3)), (RASTER, page)):
            for said in kind, "application/octet-stream":
                with self.subTest(kind=kind, said=said):
                    self.assertEqual(self.ended(self.hand_over(document, said)),
                                     COMPLETED, self.app.log_text()[-1500:])

    def test_a_document_of_unknown_format_is_in_the_printers_language(self):
        """If its client names no format, or this language in Create-Job."""
        document = b"\1" + own(1)
        for created in None, PCL, "application/octet-stream":
            for sent in None, "application/octet-stream":
                status, (*_, job) = self.client.say("office", CREATE_JOB, *naming(created))
                self.assertEqual(status, 0)
                number, = job["job-id"]
                status, _ = self.client.say(
                    "office", SEND_DOCUMENT, (INTEGER, "job-id", number), *naming(sent),
                    (BOOLEAN, "last-document", True), document=document)
                if created == PCL or not (created or sent):
                    self.assertEqual((status, self.ended(number)), (0, COMPLETED))
                else:
                    self.assertEqual(status, NOT_SUPPORTED)
        self.assertEqual([bytes(stream) for stream in self.printer.streams],
                         [document] * 3)

    def test_raster_waits_while_its_printer_is_paused_and_outlasts_a_kill(self):
        self.client.say("office", PAUSE)
        jobs = [self.hand_over(raster(400, 300, dpi=300), RASTER),
                self.hand_over(own(1))]
        self.assertEqual([self.state(job) for job in jobs], [PENDING] * 2)
        self.app.kill()
        self.app.start()
        self.assertEqual([self.state(job) for job in jobs], [PENDING] * 2)
        self.assertEqual(self.printer.streams, [])
        self.client.say("office", RESUME)
        self.assertEqual([self.ended(job) for job in jobs], [COMPLETED] * 2)

    def test_a_held_job_lets_others_pass_until_it_is_released(self):
        held = self.hand_over(own(1), PCL, (KEYWORD, "job-hold-until", "indefinite"))
        soon = int(time.time()) + 2
        later = self.hand_over(own(2), PCL, at(soon))
        much_later = self.hand_over(own(4), PCL, at(soon + 3600))
        self.assertEqual(self.ended(self.hand_over(own(3))), COMPLETED)
        self.assertEqual(self.ended(later), COMPLETED)
        self.assertGreaterEqual(time.time(), soon)
        for job in held, much_later:
            self.assertEqual(self.state(job), HELD)
        self.assertEqual(self.client.say("office", RELEASE_JOB,
                                         (INTEGER, "job-id", held))[0], 0)
        self.assertEqual(self.ended(held), COMPLETED)

    def test_a_printer_goes_with_its_jobs_and_their_documents(self):
        self.printer.may_take.clear()
        printing = self.hand_over(own(1) + bytes(8 << 20))
        self.hand_over(own(2))
        until(lambda: self.state(printing) == PROCESSING)
        self.app.run("delete", "-d", "office")
        until(lambda: not self.documents())

    def test_a_client_that_reads_no_pages_keeps_no_printer(self):
        page = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

        def waiting():
            return struct.unpack("i", fcntl.ioctl(client, termios.FIONREAD, bytes(4)))[0]
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(next(self.app.folder.rglob("halftone-printer-app*.sock"))))
            client.sendall(page)
            until(lambda: client.recv(1 << 16, socket.MSG_PEEK).rstrip().endswith(b"</html>"))
            size, pages = waiting(), 1
            with self.assertRaises(AssertionError):  # the server waits, too
                while True:
                    client.sendall(page)
                    pages += 1
                    until(lambda: waiting() == size * pages, 2)
            self.assertGreater(pages, 2)
            self.app.run("delete", "-d", "office")
            self.assertEqual(self.app.run("printers"), "")


class HoldsTest(ServerTest):
    def test_held_jobs_leave_room_for_others(self):
        """Even those of an earlier server."""
        self.start("user-jobs=2")
        self.app.add("office", "pcl5e")

        def hold(number):
            return Client(self.app.port, f"user{number}").print(
                "office", own(number), PCL,
                options=[(KEYWORD, "job-hold-until", "indefinite")])
        (_, first), (_, second) = hold(1), hold(2)
        self.assertEqual(hold(3)[0], TOO_MUCH)
        self.app.kill()
        self.app.start()
        for job in first, second:
            self.assertEqual(self.client.state("office", job), HELD)
        self.assertEqual(hold(4)[0], TOO_MUCH)
        status, job = self.client.print("office", own(5), PCL)
        self.assertEqual(status, 0)
        until(lambda: self.client.state("office", job) == COMPLETED)
        self.client.cancel("office", first)
        self.assertEqual(hold(6)[0], 0)
        self.assertEqual(hold(7)[0], TOO_MUCH)


if __name__ == "__main__":
    unittest.main()

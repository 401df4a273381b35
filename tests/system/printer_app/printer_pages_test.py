#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Raster that halftone-printer-app prints page by page while its client still sends.
PRINTER_APP is the program."""

import os
import queue
import signal
import tempfile
import threading
import time
import unittest

from kit.ipp_client import (ABORTED, CANCELED, CANCEL_JOB, COMPLETED, INTEGER, PAUSE, RESUME,
                            Client)
from kit.marked_documents import PCL, own, raster
from kit.server import Application, until

RASTER, URF = "image/pwg-raster", "image/urf"
FORMAT_ERROR = 0x0411
PAGE_TIMEOUT = 2
GOES = object()
EJECT = b"\x1b*rC\f"  # at the end of a page of PCL

FIRST = raster(400, 300, dpi=300)
NEXT = FIRST[4:]


def urf(width, height):
    line = bytes([0, 128])
    return b"UNIRAST\0" + bytes(4) + b"\x08\x00\x01\x04" + bytes(8) + b"".join(
        number.to_bytes(4, "big") for number in (width, height, 300)) + bytes(8) + \
        line * height


class Sender:
    """A client that sends what it is given, piece by piece."""

    def __init__(self, app, printer, kind=RASTER):
        self.pieces, self.answer = queue.Queue(), None
        self.client = Client(app.port)
        self.thread = threading.Thread(target=self.send, args=(printer, kind),
                                       daemon=True)
        self.thread.start()

    def send(self, printer, kind):
        try:
            self.answer = self.client.print(printer, self.all(), kind)
        except OSError as error:
            self.answer = error

    def all(self):
        while piece := self.pieces.get():
            if piece is GOES:
                raise OSError("the client goes")
            yield piece

    def give(self, *pieces):
        for piece in pieces:
            self.pieces.put(piece)

    def end(self):
        """The status, and the job's number."""
        self.give(None)
        self.thread.join(60)
        return self.answer


class PagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.app = Application(os.environ["PRINTER_APP"], folder.name,
                               options=[f"page-timeout={PAGE_TIMEOUT}"])
        self.app.start()
        self.addCleanup(self.app.kill)
        self.client = Client(self.app.port)
        self.printer = self.app.add("office", "pcl5e")

    def came(self):
        return b"".join(map(bytes, self.printer.streams))

    def pages(self):
        return self.came().count(EJECT)

    def state(self, job):
        return self.client.state("office", job)

    def begin(self, kind=RASTER, first=FIRST):
        """A client whose first page the printer has."""
        sender, before = Sender(self.app, "office", kind), self.pages()
        sender.give(first)
        until(lambda: self.pages() == before + 1)
        return sender

    def print(self, document, kind=PCL):
        status, job = self.client.print("office", document, kind)
        self.assertEqual(status, 0)
        return job

    def active(self):
        _, groups = self.client.say("office", 0x0a)
        return [group["job-id"][0] for group in groups if "job-id" in group]

    def expect_empty_spool(self):
        until(lambda: not list(self.app.spool.glob("document-*")))

    def test_each_page_is_printed_before_the_next_one_comes(self):
        sender = self.begin()
        for page in range(2, 5):
            sender.give(NEXT)
            until(lambda: self.pages() == page)
        status, job = sender.end()
        self.assertEqual(status, 0)
        until(lambda: self.state(job) == COMPLETED)
        streamed = self.came()
        whole = self.print(FIRST + 3 * NEXT, RASTER)
        until(lambda: self.state(whole) == COMPLETED)
        until(lambda: self.came() == 2 * streamed)
        self.expect_empty_spool()

    def test_urf_is_printed_so_too(self):
        sender = self.begin(URF, urf(400, 300))
        sender.give(urf(400, 300)[12:])
        until(lambda: self.pages() == 2)
        self.assertEqual(sender.end()[0], 0)

    def test_no_byte_of_a_page_is_printed_before_the_page_is_whole(self):
        sender = Sender(self.app, "office")
        sender.give(FIRST[:-1])
        until(lambda: list(self.app.spool.glob("document-*.part")))
        job = self.print(own(1))
        until(lambda: self.state(job) == COMPLETED)
        # The printer's own thread may still read what it has been sent.
        until(lambda: len(self.came()) >= len(own(1)))
        self.assertEqual(self.came(), own(1))
        sender.give(FIRST[-1:])
        until(lambda: self.pages() == 1)
        self.assertEqual(sender.end()[0], 0)

    def test_a_drip_between_pages_holds_no_other_job(self):
        sender = self.begin()
        stop = threading.Event()

        def drip():
            for byte in NEXT:
                if stop.wait(1):
                    return
                sender.give(bytes([byte]))
        threading.Thread(target=drip, daemon=True).start()
        dripping, = self.active()
        job = self.print(own(1))
        until(lambda: self.state(job) == COMPLETED)
        self.assertEqual(self.state(dripping), ABORTED)
        self.assertIn("the client is too slow with a page", self.app.log_text())
        stop.set()

    def test_a_slow_client_keeps_a_printer_that_nobody_else_needs(self):
        sender = self.begin()
        time.sleep(2 * PAGE_TIMEOUT)  # for as long as the job would be ended
        sender.give(NEXT)
        until(lambda: self.pages() == 2)
        status, job = sender.end()
        until(lambda: self.state(job) == COMPLETED)

    def test_jobs_that_are_whole_begin_before_one_that_arrives(self):
        self.client.say("office", PAUSE)
        sender = Sender(self.app, "office")
        sender.give(FIRST)
        until(self.active)
        job = self.print(own(1))
        self.client.say("office", RESUME)
        until(lambda: self.pages() == 1)
        self.assertTrue(self.came().startswith(own(1)))
        self.assertEqual(self.state(job), COMPLETED)
        self.assertEqual(sender.end()[0], 0)

    def test_a_wrong_page_ends_the_job_after_the_pages_before_it(self):
        short = raster(400, 300, dpi=300)[4:-1]
        for wrong in (b"\0" * 1796, raster(400, 300, dpi=300, bits=1)[4:], short):
            with self.subTest(size=len(wrong)):
                sender, before = self.begin(), self.pages()
                job, = self.active()
                sender.give(wrong)
                self.assertEqual(sender.end()[0], FORMAT_ERROR)
                until(lambda: self.state(job) == ABORTED)
                self.assertEqual(self.pages(), before)
                self.expect_empty_spool()

    def test_a_job_whose_client_has_gone_is_aborted(self):
        sender = self.begin()
        job, = self.active()
        sender.give(NEXT[:-1], GOES)
        until(lambda: self.state(job) == ABORTED)
        self.assertEqual(self.pages(), 1)
        self.expect_empty_spool()

    def test_a_job_that_arrives_can_be_canceled(self):
        sender = self.begin()
        job, = self.active()
        self.assertEqual(self.client.say("office", CANCEL_JOB,
                                         (INTEGER, "job-id", job))[0], 0)
        until(lambda: self.state(job) == CANCELED)
        sender.give(NEXT)
        self.assertEqual(sender.end(), (0, job))
        self.expect_empty_spool()

    def test_a_job_that_arrives_does_not_outlast_the_end_of_pappl(self):
        sender = self.begin()
        job, = self.active()
        os.kill(self.app.behind(), signal.SIGKILL)
        until(lambda: self.state(job) == ABORTED)
        sender.give(NEXT)
        self.assertEqual(sender.end(), (0, job))
        self.assertEqual(self.pages(), 1)
        self.expect_empty_spool()

    def test_a_job_that_arrives_does_not_outlast_a_kill(self):
        self.begin()
        job, = self.active()
        self.app.kill()
        self.app.start()
        self.assertEqual(self.state(job), ABORTED)
        self.expect_empty_spool()
        self.assertEqual(self.pages(), 1)


if __name__ == "__main__":
    unittest.main()

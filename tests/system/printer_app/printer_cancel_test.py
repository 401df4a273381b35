#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What printers and other jobs get when a job is canceled. PRINTER_APP is the program."""

import os
import random
import time
import unittest

from kit.ipp_client import CANCELED, COMPLETED, INTEGER, KEYWORD, PAUSE, PROCESSING, RESUME
from kit.marked_documents import BEGIN, END, PCL, numbers_of, own, pdf_of, png, png_of
from kit.server import Listener, ServerTest, until, unused_port

FILE = BEGIN + b"a file of the printer's own" + END
RELEASE_JOB = 0x0d
END_OF_PAGE = b"\x1b*rC\f"
NOISE = png_of(1200, 1600, random.Random(1).randbytes(1200 * 1600))
GRAY = pdf_of(["0.5 g 0 0 595 842 re f"] * 20, [(0, 0, 595, 842)] * 20)


class Cancel(ServerTest):
    def setUp(self):
        self.start()

    def state(self, printer, job):
        return until(lambda: (found := self.client.state(printer, job)) and
                     found >= CANCELED and found)

    def jammed(self, name="jammed"):
        """A printer that takes nothing until it may."""
        printer = Listener(pause=0.001)
        printer.may_take.clear()
        self.app.run("add", "-d", name, "-m", "pcl5e", "-v", printer.uri)
        return printer

    def waits_for(self, printer, name, job):
        """True if the job prints, and no more of it comes for a while: the printer
        is full, or the program is slow."""
        lengths = {printer.queued() for _ in range(10) if not time.sleep(0.05)}
        return (len(lengths) == 1 and lengths != {0}
                and self.client.state(name, job) == PROCESSING)

    def test_a_job_that_is_canceled_leaves_nothing(self):
        self.app.run("add", "-d", "far", "-m", "pcl5e", "-v",
                     f"socket://127.0.0.1:{unused_port()}")
        _, first = self.client.print("far", FILE, PCL)
        _, second = self.client.print("far", FILE, PCL)
        self.assertEqual(self.client.cancel("far", second), 0)
        self.assertEqual(self.state("far", second), CANCELED)
        self.client.cancel("far", first)
        until(lambda: not list(self.app.spool.iterdir()))

    @unittest.skipUnless(os.path.exists("/usr/lib/cups/filter/texttopdf"),
                         "texttopdf is not installed")
    def test_a_text_that_is_canceled_is_copied_no_further(self):
        self.app.add("office", "pcl5e")
        text = b"\xe9" * (200 << 20)
        _, job = self.client.print("office", text, "text/plain")
        # The copy, which is removed when the job ends.
        path = until(lambda: next(self.app.folder.rglob("text-*/text"), None))
        with path.open("rb") as copy:
            self.client.cancel("office", job)
            self.assertEqual(self.state("office", job), CANCELED)
            self.assertLess(os.fstat(copy.fileno()).st_size, len(text))

    def test_a_printer_that_takes_nothing_does_not_hold_a_canceled_job(self):
        printer = self.jammed()
        kinds = [(own(1), PCL), (NOISE, "image/png")]
        for data, kind in kinds:
            with self.subTest(kind):
                _, first = self.client.print("jammed", data, kind)
                until(lambda: self.waits_for(printer, "jammed", first))
                _, second = self.client.print("jammed", png(2), "image/png")
                self.assertEqual(self.client.cancel("jammed", first), 0)
                self.assertEqual(self.state("jammed", first), CANCELED)
                # The next job waits for the printer, and not for the first job.
                self.assertEqual(self.client.cancel("jammed", second), 0)
                self.assertEqual(self.state("jammed", second), CANCELED)

    def test_a_truncated_page_ends_before_the_next_page_begins(self):
        """It is the last page of its job."""
        for name, data, kind, copies in (("picture", NOISE, "image/png", 99),
                                         ("document", GRAY, "application/pdf", 2)):
            with self.subTest(name):
                printer = self.jammed(name)
                options = [(INTEGER, "copies", copies)]
                _, first = self.client.print(name, data, kind, options=options)
                until(lambda: self.waits_for(printer, name, first))
                _, second = self.client.print(name, png(2), "image/png")
                self.client.cancel(name, first)
                self.assertEqual(self.state(name, first), CANCELED)
                printer.may_take.set()
                self.assertEqual(self.state(name, second), COMPLETED)
                # If the printer had room for the end of the truncated page, then the next
                # job comes by a connection of its own.
                printed = until(lambda: (got := b"".join(map(bytes, printer.streams)))
                                .count(END) == 2 and got)
                jobs = printed.split(BEGIN)[1:]
                self.assertEqual([job.count(END) for job in jobs], [1, 1])
                self.assertEqual(jobs[0].count(END_OF_PAGE), 1)
                self.assertEqual(numbers_of(jobs[1]), [2])

    def test_a_printer_that_drops_a_truncated_page_gets_the_next_job(self):
        """Such as one that hangs and is switched off and on."""
        printer = self.jammed()
        _, first = self.client.print("jammed", NOISE, "image/png")
        until(lambda: self.waits_for(printer, "jammed", first))
        _, second = self.client.print("jammed", FILE, PCL)
        self.client.cancel("jammed", first)
        self.assertEqual(self.state("jammed", first), CANCELED)
        printer.drops_next = True
        printer.may_take.set()
        self.assertEqual(self.state("jammed", second), COMPLETED)
        self.assertEqual(printer.job(1), FILE)

    def test_a_job_that_may_not_begin_keeps_no_connection(self):
        """Otherwise the printer would wait for the rest of the truncated page."""
        for why in "hold", "pause":
            with self.subTest(why):
                printer = self.jammed(why)
                options = [(KEYWORD, "job-hold-until", "indefinite")] if why == "hold" else []
                _, first = self.client.print(why, NOISE, "image/png")
                until(lambda: self.waits_for(printer, why, first))
                _, second = self.client.print(why, png(2), "image/png", options=options)
                if why == "pause":
                    self.assertEqual(self.client.say(why, PAUSE)[0], 0)
                self.assertEqual(self.client.cancel(why, first), 0)
                self.assertEqual(self.state(why, first), CANCELED)
                printer.may_take.set()
                printer.job(0)
                if why == "pause":
                    self.client.say(why, RESUME)
                else:
                    self.client.say(why, RELEASE_JOB, (INTEGER, "job-id", second))
                self.assertEqual(self.state(why, second), COMPLETED)
                self.assertEqual(numbers_of(printer.job(1)), [2])

    def test_the_next_job_is_no_part_of_a_canceled_file(self):
        printer = self.jammed()
        _, first = self.client.print("jammed", own(1), PCL)
        until(lambda: self.waits_for(printer, "jammed", first))
        _, second = self.client.print("jammed", FILE, PCL)
        self.client.cancel("jammed", first)
        self.assertEqual(self.state("jammed", first), CANCELED)
        printer.may_take.set()
        self.assertEqual(self.state("jammed", second), COMPLETED)
        printer.take_all()
        self.assertTrue(own(1).startswith(printer.streams[0]))
        self.assertEqual([bytes(stream) for stream in printer.streams[1:]], [FILE])


if __name__ == "__main__":
    unittest.main()

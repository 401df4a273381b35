#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents that would take all of the memory, the disk or the time of their printer
fail, and the error names the limit. PRINTER_APP is the program."""

import os
import pathlib
import subprocess
import unittest
import zlib

from kit.ipp_client import (ABORTED, CANCELED, COMPLETED, INTEGER, KEYWORD, PAUSE,
                            PROCESSING, RESUME)
from kit.marked_documents import BEGIN, END, PCL, pdf
from kit.server import ServerTest, until, use_own_mounts

RELEASE_JOB = 0x0d
TEXT_TO_PDF = "/usr/lib/cups/filter/texttopdf"
# Some of this draws for ever.
IMAGES = ("/s 60000 string def 0 1 59999 { s exch rand 255 and put } for "
          "{ s 0 rand 255 and put gsave 500 500 scale 200 300 8 "
          "[200 0 0 300 0 0] { s } image grestore showpage } loop")
PAGES = ("/R { rand 60000 mod 100 div } bind def { 1000 { "
         "R R moveto R R lineto stroke } repeat showpage } loop")
MEMORY = "/a %d array def 0 1 %d { a exch 65000 string put } for "


def pdf_of_shared_contents(pages, size):
    """All pages draw one packed stream of `size` bytes."""
    packed = zlib.compress(b"0 0 1 1 re f\n" * (size // 13))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>",
               b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
                   pages, b" ".join(b"%d 0 R" % (4 + i) for i in range(pages))),
               b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
               % (len(packed), packed),
               *[b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] "
                 b"/Contents 3 0 R >>"] * pages]
    made = b"%PDF-1.4\n"
    places = []
    for number, each in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    return made + (b"xref\n0 %d\n0000000000 65535 f \n%strailer\n"
                   b"<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
                       len(places) + 1, b"".join(places), len(places) + 1,
                       len(made)))


class LimitsTest(ServerTest):
    def setUp(self):
        self.conf = pathlib.Path(self.new_folder()) / "app.conf"
        self.limit("")
        self.start(HALFTONED_CONF=str(self.conf))
        self.printer = self.app.add("office", "pcl5e")

    def limit(self, line):
        self.conf.write_text(f"[filter]\n{line}\n")

    def state(self, job):
        return until(lambda: (found := self.client.state("office", job)) and
                     found >= ABORTED and found, 300)

    def assert_fails(self, limit, what, document, kind="application/postscript",
                     need="it needs more than "):
        """what: the limit in the error."""
        self.limit(limit)
        before = len(self.app.log_text())
        status, job = self.client.print("office", document, kind)
        self.assertEqual((status, self.state(job)), (0, ABORTED))
        error, = [line for line in self.app.log_text()[before:].splitlines()
                  if line.startswith("E ")]
        self.assertIn(f"{need}{what} ({limit.split()[0]} in halftoned.conf)", error)
        # Nothing of it is left.
        self.assertEqual(list(self.app.folder.rglob("document.pdf")), [])

    def assert_prints(self):
        self.limit("")
        status, job = self.client.print("office", pdf(1), "application/pdf")
        self.assertEqual((status, self.state(job)), (0, COMPLETED))

    def test_post_script_that_needs_too_much(self):
        for limit, program, what in (
                ("render-disk = 16", IMAGES, "16 MiB of temporary files"),
                ("render-memory = 256", MEMORY % (60000, 59999), "256 MiB of memory"),
                ("render-time = 1", "{} loop", "1 s of a CPU core for a page"),
                # Output is no progress if no page can be printed before its end.
                ("render-time = 1", PAGES, "10 s of a CPU core in total")):
            with self.subTest(limit, what=what):
                self.assert_fails(limit, what, b"%!PS\n" + program.encode())
        self.assert_fails(
            "render-memory-total = 200", "200 MiB of memory",
            b"%!PS\n" + (MEMORY % (4000, 3999) + "{} loop").encode(),
            need="renderers of all jobs together need more than ")
        self.assert_prints()

    @unittest.skipUnless(os.path.exists(TEXT_TO_PDF), "texttopdf is not installed")
    def test_text_that_needs_too_much(self):
        for what, text in ("pages", b"\f" * 1000000), ("text", b"\r" * (17 << 20)):
            with self.subTest(what):
                self.assert_fails("render-disk = 16", "16 MiB of temporary files",
                                  text, "text/plain")
        self.assert_prints()

    def test_a_pdf_document_whose_sheets_need_too_much(self):
        self.assert_fails("render-disk = 16", "16 MiB of temporary files",
                          pdf_of_shared_contents(100, 1000000), "application/pdf")
        self.assert_prints()

    def test_a_document_of_very_many_pages(self):
        document = pdf_of_shared_contents(20000, 100)
        self.assert_fails("render-time = 1", "1 s of a CPU core before its first page",
                          document, "application/pdf")
        # Enough, unless each page takes longer than the one before.
        self.limit("render-time = 40")
        status, job = self.client.print("office", document, "application/pdf")
        until(lambda: any(self.printer.streams), 120)
        self.client.cancel("office", job)
        self.assertEqual(status, 0)
        until(lambda: self.client.state("office", job) == CANCELED)


@unittest.skipUnless(os.path.exists(TEXT_TO_PDF), "texttopdf is not installed")
class TextTest(ServerTest):
    def test_text_prints_although_its_program_is_killed_once(self):
        """As the kernel does if it has no memory left."""
        folder = pathlib.Path(self.new_folder())
        program = folder / "filter/texttopdf"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\nmkdir {folder}/killed && kill -9 $$\n"
                           f"exec {TEXT_TO_PDF} \"$@\"\n")
        program.chmod(0o755)
        self.start(CUPS_SERVERBIN=str(folder))
        self.app.add("office", "pcl5e")
        _, job = self.client.print("office", b"once\n", "text/plain")
        until(lambda: (self.client.state("office", job) or 0) >= CANCELED)
        self.assertTrue((folder / "killed").exists())
        self.assertEqual(self.client.state("office", job), COMPLETED)


class PatienceTest(ServerTest):
    def test_a_conversion_keeps_other_jobs_waiting_for_a_limited_time(self):
        self.start("page-timeout=1")
        printer = self.app.add("office", "pcl5e")
        _, endless = self.client.print("office", b"%!PS\n{ } loop\n",
                                       "application/postscript")
        until(lambda: self.client.state("office", endless) == PROCESSING)
        _, other = self.client.print("office", BEGIN + END, PCL)
        until(lambda: self.client.state("office", other) == COMPLETED)
        self.assertIn(BEGIN + END, printer.streams)
        self.assertEqual(self.client.state("office", endless), ABORTED)
        self.assertIn("its conversion takes long, and other jobs wait",
                      self.app.log_text())


class SmallDiskTest(ServerTest):
    # 13 MB of a temporary file; where they do not fit, it waits for ever.
    FILLS = ("%!\n/s 65000 string def null (w) .tempfile /f exch def pop "
             "200 { { f s writestring } stopped { { } loop } if } repeat "
             "f closefile 100 100 100 100 rectfill showpage\n")

    def waits_for_room(self, document, kind):
        disk = self.new_disk("8m")
        self.start(folder=str(disk), log=self.new_log())
        self.app.add("small", "pcl5e")
        _, job = self.client.print("small", document, kind)
        until(lambda: "spool-area-full" in self.client.reasons("small"))
        self.assertEqual(self.client.state("small", job), PROCESSING)
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        found = until(lambda: (now := self.client.state("small", job)) and
                      now >= CANCELED and now)
        self.assertEqual(found, COMPLETED, self.app.log_text())
        self.assertEqual(self.client.reasons("small"), ["none"])

    def test_a_job_that_ends_because_of_the_disk_waits_for_room(self):
        """Although its end makes room."""
        self.waits_for_room(self.FILLS.encode(), "application/postscript")

    @unittest.skipUnless(os.path.exists(TEXT_TO_PDF), "texttopdf is not installed")
    def test_a_text_that_is_too_large_for_the_disk_waits_for_room(self):
        self.waits_for_room(b"\n" + b"\xa0\r" * (7 << 18) + b"A line.\n", "text/plain")

    def test_a_full_disk_stops_no_job_that_needs_none(self):
        disk = self.new_disk("32m")
        self.start("page-timeout=1", folder=str(disk), log=self.new_log())
        printer = self.app.add("small", "pcl5e")
        self.client.say("small", PAUSE)
        (_, first), (_, second) = (
            self.client.print("small", pdf(number), "application/pdf")
            for number in (1, 2))
        _, passes = self.client.print("small", BEGIN + END, PCL)
        _, late = self.client.print("small", BEGIN + END, PCL, options=[
            (KEYWORD, "job-hold-until", "indefinite")])
        fill = disk / "fill"
        fill.touch()
        free = os.statvfs(disk)
        with fill.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_bsize - (512 << 10))
        self.client.say("small", RESUME)
        self.assertEqual(printer.job(0), BEGIN + END)
        until(lambda: "spool-area-full" in self.client.reasons("small"))
        self.assertEqual([self.client.state("small", job) for job in (passes, first)],
                         [COMPLETED, PROCESSING])
        # A document that keeps it waiting too long ends; the next one waits for it.
        self.client.say("small", RELEASE_JOB, (INTEGER, "job-id", late))
        until(lambda: self.client.state("small", late) == COMPLETED)
        self.assertEqual(self.client.state("small", first), ABORTED)
        self.assertIn("too many files are open, and other jobs wait", self.app.log_text())
        self.assertNotEqual(self.client.state("small", second), ABORTED)
        fill.unlink()
        until(lambda: self.client.state("small", second) == COMPLETED)
        self.assertEqual(self.client.reasons("small"), ["none"])


if __name__ == "__main__":
    use_own_mounts()
    unittest.main()

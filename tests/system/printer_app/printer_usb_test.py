#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app in front of a USB printer that goes away. PRINTER_APP is the
program, USB_PRINTER a libusb whose only printer is a pipe."""

import contextlib
import fcntl
import os
import pathlib
import random
import signal
import struct
import termios
import time
import unittest
from select import PIPE_BUF, select

from kit.ipp_client import ABORTED, CANCELED, COMPLETED, GET_JOB, INTEGER, KEYWORD
from kit.marked_documents import BEGIN, PCL, pdf_of, png, png_of, raster
from kit.server import ServerTest, until

FILE = BEGIN + bytes(10000)
PAGES = pdf_of(["0 0 99 99 re f"] * 30, [(0, 0, 595, 842)] * 30)
END_OF_PAGE = b"\x1b*rC\f"
RELEASE_JOB = 0x0d
MOST = 1 << 18  # that the pipe holds


class UsbTest(ServerTest):
    def setUp(self):
        path = pathlib.Path(self.new_folder()) / "printer"
        self.mark_of_use = path.with_name("held")  # by another program
        os.mkfifo(path)
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, self.pipe)
        self.start(LD_PRELOAD=os.environ["USB_PRINTER"], USB_PIPE=str(path),
                   USB_HELD=str(self.mark_of_use))
        self.app.run("add", "-d", "usb", "-m", "pcl5e", "-v", "usb://Acme/Laser?serial=7")

    def print(self, document, kind, room):
        """The job's state, its number of printed pages, and what came; room: the bytes
        that the printer takes before it goes away."""
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, room or PIPE_BUF)
        before = os.write(self.pipe, b"" if room else bytes(PIPE_BUF))
        _, job = self.client.print("usb", document, kind)
        until(lambda: (self.client.state("usb", job) or 0) >= CANCELED)
        _, groups = self.client.say("usb", GET_JOB, (INTEGER, "job-id", job))
        end = next(group for group in groups if "job-state" in group)
        came = b""
        with contextlib.suppress(BlockingIOError):
            came = os.read(self.pipe, MOST)
        return end["job-state"][0], end["job-impressions-completed"][0], came[before:]

    def test_a_job_that_the_printer_does_not_take_is_aborted(self):
        for document, kind in ((FILE[:100], PCL), (FILE, PCL), (png(1), "image/png"),
                               (raster(400, 300, dpi=300), "image/pwg-raster"),
                               (PAGES, "application/pdf")):
            with self.subTest(kind=kind, size=len(document)):
                self.assertEqual(self.print(document, kind, 0), (ABORTED, 0, b""))

    def test_a_printer_that_another_program_holds_for_a_moment_prints(self):
        self.mark_of_use.touch()
        self.assertEqual(self.print(FILE, PCL, MOST), (COMPLETED, 1, FILE))
        self.assertFalse(self.mark_of_use.exists())
        self.assertNotIn("cannot be reached", self.app.log_text())

    def test_a_part_of_a_write_is_not_the_whole(self):
        self.assertEqual(self.print(FILE, PCL, PIPE_BUF), (ABORTED, 0, FILE[:PIPE_BUF]))
        # It is there again.
        self.assertEqual(self.print(FILE, PCL, MOST), (COMPLETED, 1, FILE))

    def test_pages_that_it_has_got_are_counted(self):
        state, printed, came = self.print(PAGES, "application/pdf", MOST)
        self.assertEqual((state, printed, came.count(END_OF_PAGE)), (COMPLETED, 30, 30))
        state, printed, came = self.print(PAGES, "application/pdf", MOST // 4)
        self.assertEqual((state, printed), (ABORTED, came.count(END_OF_PAGE)))
        self.assertIn(printed, range(1, 30))

    def held(self):
        """The number of bytes that the printer has got."""
        return struct.unpack("i", fcntl.ioctl(self.pipe, termios.FIONREAD, bytes(4)))[0]

    def programs(self):
        """The processes that PAPPL's has started for the printer."""
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended
                if (self.app.status("PPid", pid=path.name) == self.app.behind() and
                        b"device-write" in (path / "cmdline").read_bytes()):
                    yield int(path.name)

    def jam(self, document, kind):
        """A job of which the printer takes the first bytes, and the rest when it has room."""
        self.app.end()
        self.app.environment["USB_WAITS"] = "1"
        self.app.start()
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, PIPE_BUF)
        _, job = self.client.print("usb", document, kind)
        until(lambda: self.held() and self.stands_still())
        return job

    def stands_still(self):
        """True if the server writes nothing for a while: the printer is full."""
        numbers = pathlib.Path(f"/proc/{self.app.behind()}/io")
        written = {numbers.read_text().split("wchar: ")[1].split()[0]
                   for _ in range(10) if not time.sleep(0.05)}
        return len(written) == 1

    def test_a_canceled_page_ends_before_the_next_job_begins(self):
        first = self.jam(png_of(1200, 1600, random.Random(1).randbytes(1200 * 1600)),
                         "image/png")
        held = [(KEYWORD, "job-hold-until", "indefinite")]
        _, second = self.client.print("usb", FILE, PCL, options=held)
        self.client.cancel("usb", first)
        until(lambda: self.client.state("usb", first) == CANCELED)
        came = b""

        def has_come(what):
            nonlocal came
            with contextlib.suppress(BlockingIOError):
                came += os.read(self.pipe, MOST)
            return what in came
        self.app.run("pause", "-d", "usb")
        self.client.say("usb", RELEASE_JOB, (INTEGER, "job-id", second))
        until(lambda: has_come(END_OF_PAGE))
        self.app.run("resume", "-d", "usb")
        until(lambda: has_come(FILE))
        self.assertEqual(came.count(END_OF_PAGE), 1)
        self.assertTrue(came.endswith(FILE))

    def test_a_process_that_is_killed_leaves_nothing_at_the_printer(self):
        """A program that waits there would send its bytes before the next job's."""
        job = self.jam(FILE, PCL)
        program, = map(os.pidfd_open, self.programs())
        self.addCleanup(os.close, program)
        os.kill(self.app.behind(), signal.SIGKILL)
        self.assertNotEqual(select([program], [], [], 30)[0], [])
        self.assertEqual(os.read(self.pipe, PIPE_BUF), FILE[:PIPE_BUF])
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, MOST)
        until(lambda: self.client.state("usb", job) == COMPLETED)
        self.assertEqual(os.read(self.pipe, MOST), FILE)


if __name__ == "__main__":
    unittest.main()

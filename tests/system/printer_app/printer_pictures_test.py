#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures that are too large, or whose jobs are canceled. PRINTER_APP is the
program."""

import os
import pathlib
import random
import unittest

from kit.ipp_client import ABORTED, CANCELED, COMPLETED, INTEGER, PROCESSING
from kit.marked_documents import PCL, numbers_of, own, png, png_of
from kit.server import Listener, ServerTest, until, use_own_mounts

COPIES = [(INTEGER, "copies", 5)]
# A page that is scaled with 29 MiB.
WIDE = png_of(90000, 300, random.Random(1).randbytes(90000 // 8 * 300), bits=1,
              dpi=(11000, 26))


class PictureTest(ServerTest):
    def state(self, printer, job):
        return until(lambda: (found := self.client.state(printer, job)) and
                     found >= CANCELED and found, 60)

    def jam(self, name, picture):
        """Begins five copies on a printer that takes nothing until it may, and has no
        room for them."""
        printer = Listener(pause=0.001)
        printer.may_take.clear()
        self.app.run("add", "-d", name, "-m", "pcl5e", "-v", printer.uri)
        _, job = self.client.print(name, picture, "image/png", options=COPIES)
        until(lambda: printer.queued() > 100000)
        return printer, job


class LimitsTest(PictureTest):
    def test_printers_that_are_out_of_paper_keep_no_memory(self):
        """Two such pictures need almost all that there is."""
        self.start("server-memory=128")
        for name in "ann", "bob":
            self.client.user = name
            self.jam(f"out-for-{name}", WIDE)
        self.client.user = "cleo"
        self.app.add("ready", "pcl5e")
        _, job = self.client.print("ready", WIDE, "image/png")
        self.assertEqual(self.state("ready", job), COMPLETED)

    def test_a_picture_that_takes_too_long_fails(self):
        conf = pathlib.Path(self.new_folder()) / "app.conf"
        conf.write_text("[filter]\nrender-time = 1\n")
        self.start(HALFTONED_CONF=str(conf))
        printer = self.app.add("calm", "pcl5e")
        slow = png_of(30000, 30000, bytes(3750 * 30000), bits=1)
        _, job = self.client.print("calm", slow, "image/png")
        self.assertEqual(self.state("calm", job), ABORTED)
        error, = [line for line in self.app.log_text().splitlines()
                  if line.startswith("E ")]
        self.assertIn("the picture: needs more than 1 s of a CPU core (render-time in "
                      "halftoned.conf)", error)
        _, job = self.client.print("calm", png(2), "image/png")
        self.assertEqual(self.state("calm", job), COMPLETED)
        self.assertEqual(numbers_of(printer.job(1)), [2])


class PicturesTest(PictureTest):
    def setUp(self):
        self.start()

    def test_copies_are_made_once(self):
        """The document is gone when the second copy begins."""
        printer, job = self.jam("slow", png(2))
        document, = [path for path in self.app.spool.glob("p0*") if path.suffix != ".ipp"]
        document.chmod(0o600)
        os.truncate(document, 0)
        printer.may_take.set()
        self.assertEqual(self.state("slow", job), COMPLETED)
        self.assertEqual(numbers_of(printer.job(0)), [2] * 5)

    def test_a_picture_of_too_many_pixels_is_refused_with_what_to_do(self):
        self.app.run("add", "-d", "small", "-m", "pcl5e", "-v", Listener().uri)
        huge = png_of(100000, 100000, bytes(100000))
        _, job = self.client.print("small", huge, "image/png")
        self.assertEqual(self.state("small", job), ABORTED)
        self.assertIn("has too many pixels for a file of this size; send it with fewer "
                      "pixels", self.app.log_text())

    def test_a_canceled_picture_is_not_read_to_its_end(self):
        """An interlaced one is made in a file, 400 MB that are written seven times."""
        def written():
            io = pathlib.Path(f"/proc/{self.app.behind()}/io").read_text()
            return int(io.split("wchar: ")[1].split()[0])
        self.app.run("add", "-d", "calm", "-m", "pcl5e", "-v", Listener().uri)
        before = written()
        _, first = self.client.print("calm", png_of(
            20000, 20000, bytes(2505 * 20000), bits=1, interlaced=1), "image/png")
        until(lambda: written() > before + (50 << 20))
        self.assertEqual(self.client.cancel("calm", first), 0)
        _, second = self.client.print("calm", png(2), "image/png")
        self.assertEqual(self.state("calm", second), COMPLETED)
        self.assertEqual(self.state("calm", first), CANCELED)
        self.assertLess(written() - before, 2 << 30)


class SmallDiskTest(PictureTest):
    def setUp(self):
        """Sheets do not fit on the disk."""
        self.start(folder=str(self.new_disk("32m")), log=self.new_log())
        self.printer = self.app.add("small", "pcl5e")

    def test_a_picture_whose_copy_needs_too_much_of_the_disk_is_refused(self):
        """An interlaced one, which the server keeps in a file."""
        for rows, state in (9000, ABORTED), (5000, COMPLETED):
            _, job = self.client.print("small", png_of(2000, rows, bytes(2005 * rows),
                                                       interlaced=1), "image/png")
            self.assertEqual(self.state("small", job), state, rows)
        self.assertIn("the picture: needs 18 MiB of disk space for a temporary copy, which "
                      "is more than its user may have now", self.app.log_text())

    def test_a_picture_prints_without_a_file_for_its_sheet(self):
        _, job = self.client.print("small", png(2), "image/png", options=COPIES)
        self.assertEqual(self.state("small", job), COMPLETED)
        self.assertEqual(numbers_of(self.printer.job(0)), [2] * 5)

    def test_a_picture_that_is_scaled_with_much_memory_prints_only_from_a_file(self):
        _, job = self.client.print("small", WIDE, "image/png")
        self.assertEqual(self.state("small", job), ABORTED)
        self.assertRegex(self.app.log_text(), "the picture: needs [0-9]+ MiB of disk space")


class WaitingTest(PictureTest):
    def wait(self, *options):
        """A sheet leaves too little to the same user for an interlaced picture."""
        self.start(*options, folder=str(self.new_disk("90m")), log=self.new_log())
        _, first = self.jam("slow", png(2))
        printer = self.app.add("ready", "pcl5e")
        _, second = self.client.print("ready", png_of(
            3000, 6000, bytes(3005 * 6000), interlaced=1), "image/png")
        until(lambda: "spool-area-full" in self.client.reasons("ready"))
        self.assertEqual(self.client.state("ready", second), PROCESSING)
        self.assertIn("waits, because other pictures", self.app.log_text())
        return printer, first, second

    def test_a_picture_waits_for_the_disk_without_its_printer(self):
        printer, first, second = self.wait()
        printer.take_all()  # other hosts can use it
        self.client.cancel("slow", first)
        self.assertEqual(self.state("ready", second), COMPLETED, self.app.log_text())
        self.assertEqual(self.client.reasons("ready"), ["none"])
        self.assertEqual(printer.job(1).count(b"\x1b*rC\f"), 1)

    def test_a_picture_that_keeps_another_job_waiting_too_long_ends(self):
        printer, _, second = self.wait("page-timeout=1")
        _, third = self.client.print("ready", own(3), PCL)
        self.assertEqual(self.state("ready", third), COMPLETED)
        self.assertEqual(printer.job(1), own(3))
        self.assertEqual(self.state("ready", second), ABORTED)
        self.assertIn("the picture: other pictures use the space on the disk for temporary "
                      "files, and other jobs wait", self.app.log_text())
        self.assertEqual(self.client.reasons("ready"), ["none"])


if __name__ == "__main__":
    use_own_mounts()
    unittest.main()

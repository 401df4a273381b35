#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures that are too large, or whose jobs are canceled. PRINTER_APP is the
program."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from kit.ipp_client import ABORTED, CANCELED, COMPLETED
from kit.marked_documents import png, png_of
from kit.server import Listener, ServerTest, until


class PicturesTest(ServerTest):
    def setUp(self):
        self.start()

    def state(self, printer, job):
        return until(lambda: (found := self.client.state(printer, job)) and
                     found >= CANCELED and found)

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


@unittest.skipUnless(os.geteuid() == 0, "mounts a disk")
class SmallDiskTest(ServerTest):
    def test_a_picture_whose_copy_needs_too_much_of_the_disk_is_refused(self):
        """An interlaced one, which the server keeps in a file."""
        disk = pathlib.Path(self.new_folder())
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m,mode=700", "disk",
                               disk], capture_output=True, text=True)
        if done.returncode:
            self.skipTest(done.stderr)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        log = tempfile.NamedTemporaryFile()
        self.addCleanup(log.close)
        self.start(folder=str(disk), log=pathlib.Path(log.name))
        self.app.add("small", "pcl5e")
        for rows, state in (9000, ABORTED), (5000, COMPLETED):
            _, job = self.client.print("small", png_of(2000, rows, bytes(2005 * rows),
                                                       interlaced=1), "image/png")
            found = until(lambda: (now := self.client.state("small", job)) and
                          now >= CANCELED and now)
            self.assertEqual(found, state, rows)
        self.assertIn("the picture: needs 18 MiB of disk space for a temporary copy, which "
                      "is more than its user may have now", self.app.log_text())


if __name__ == "__main__":
    unittest.main()

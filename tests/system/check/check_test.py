#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone check` beside a real CUPS and a real daemon: each state of the machine that
is made wrong is said, with what mends it, and nothing is said once it is mended.

Usage: check_test.py BUILD_FOLDER [unittest arguments]
"""

import socket
import subprocess
import sys

from check_case import LIMIT, WELL, CheckCase
import adopt_case
from adopt_case import HERE

sys.path.insert(0, str(HERE.parent / "daemon"))
from daemon_process import OTHER_USER, Daemon  # noqa: E402


class Check(CheckCase):
    def test_calm_where_all_is_well(self):
        self.assertEqual(self.assert_well(), WELL)
        with Daemon() as daemon:
            self.conf.write_text(daemon.conf.read_text())
            said = self.assert_well("--verbose")
            for line in ("halftoned.conf has no mistakes",
                         "rastertohalftone has the owner and the mode that CUPS needs",
                         "pdftohalftone has the owner and the mode that CUPS needs",
                         "halftone-rip has the owner and the mode that CUPS needs",
                         "pdftohalftone has version",
                         "halftone-rip has version",
                         "rastertohalftone has version",
                         "worker-cpu has version", "laser: adopted",
                         "other: can be adopted", "MiB free in",
                         "Ghostscript has version",
                         "1 ready worker", f"serves at {daemon.socket}",
                         f"filters can connect to {daemon.socket}"):
                self.assertIn(line, said)
            self.check_what_another_user_sees()

    def check_what_another_user_sees(self):
        run = self.check(user=OTHER_USER, group="nogroup", extra_groups=[])
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertTrue(run.stdout.endswith(WELL), run.stdout)
        self.assertRegex(run.stdout, "this user cannot see: .*filters can connect to "
                                     "halftoned.*sudo halftone check")

    def test_models_of_this_machine(self):
        run = self.halftone("models", "pwg raster")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"\AHalftoned PWG Raster Printer, \S+ +no: it "
                         "already prints through rastertohalftone; .*\n\\Z")
        run = self.halftone("models", "laserjet series pcl 4")
        self.assertRegex(run.stdout, r"\AHP LaserJet Series PCL 4/5\S* +"
                         "can be adopted\n\\Z")
        run = self.halftone("models", "no such printer")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"\Ahalftone: CUPS has no model .*; .*\n\Z")

    def test_what_is_wrong_comes_from_every_check(self):
        """And what mends it; machine_test.cc tries all that can be wrong."""
        self.conf.write_text("[filter]\ngama = 2\n")
        self.conf.chmod(0o600)
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(self.folder / "left.sock"))
        (self.folder / "left.sock").chmod(0o600)
        self.addCleanup((self.folder / "left.sock").unlink)
        with open(self.conf, "a") as conf:
            conf.write(f'[daemon]\nsocket = "{self.folder}/left.sock"\n'
                       f'status-socket = "{self.folder}/no.sock"\n')
        program = self.cups.root / "bin/filter/rastertohalftone"
        self.addCleanup(program.chmod, 0o755)
        program.chmod(0o775)
        worker = self.folder / "worker-cpu"
        self.hide(worker)
        worker.write_text("#!/bin/sh\necho worker-cpu 99.9\n")
        worker.chmod(0o755)
        convs = self.cups.root / "share/mime/halftoned.convs"
        self.hide(convs)
        empty = self.folder / "empty"
        empty.mkdir()
        self.environment["CUPS_SERVER"] = "/nowhere"
        self.addCleanup(self.environment.update, PATH=self.environment["PATH"],
                        CUPS_SERVER=self.cups.socket)
        self.environment["PATH"] = str(empty)
        self.assert_wrong(
            f"^wrong: {self.conf}, line 2: unknown key 'gama' in .filter.*; "
            f"type: sudoedit {self.conf}$",
            f"^wrong: {self.conf} is not readable by all users.*; "
            f"type: sudo chmod a\\+r {self.conf}$",
            f"^wrong: {worker} has version 99.9, but halftone has version ",
            f"^wrong: {program} is writable by users other than root",
            "^wrong: cannot reach halftoned at .*no.sock: No such file.*; "
            "type: sudo ",
            "^wrong: .*left.sock belongs to the group root, but CUPS runs filters with "
            "the group lp; type: sudo chgrp lp ",
            "^wrong: cannot reach halftoned at .*left.sock: ",
            f"^wrong: {program} is writable by users other than root.*; "
            f"type: sudo chmod 755 {program}$",
            f"^wrong: {convs} is missing; ",
            "^wrong: PDF cannot be printed: Ghostscript is missing ",
            "^wrong: CUPS does not reply at /nowhere; type: ")

    def test_a_cups_that_was_started_without_the_filters(self):
        share = self.cups.root / "share/mime"
        files = [self.cups.root / "bin/filter" / name
                 for name in ("rastertohalftone", "pdftohalftone",
                              "halftone-rip")]
        files += [share / f"halftoned.{kind}" for kind in ("types", "convs")]
        hidden = [path.with_name(path.name + ".hidden") for path in files]
        self.addCleanup(self.halftone, "adopt", "laser")
        self.addCleanup(self.restart_cups)
        self.cups.stop()
        for path, place in zip(files, hidden):
            path.rename(place)
        try:
            self.cups.start()
            self.assert_wrong(*(f"^wrong: {path} is missing; " for path in files),
                              "^wrong: laser cannot print: CUPS has not found "
                              "rastertohalftone")
        finally:
            for path, place in zip(files, hidden):
                place.rename(path)
        wrong = "^wrong: cupsd does not know rastertohalftone: it was " \
                "started before the filter was installed; type: sudo .*cups"
        self.assert_wrong(wrong)
        # Before a queue is adopted, too.
        self.succeed("release", "laser")
        self.assert_wrong(wrong)
        self.restart_cups()
        self.succeed("adopt", "laser")
        self.assert_well()

    def test_what_nobody_can_read_is_no_success(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([self.program, "check"], stdout=full,
                                 stderr=subprocess.PIPE, text=True,
                                 env=self.environment, timeout=LIMIT)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Ahalftone: standard output: .*\n\Z")


if __name__ == "__main__":
    adopt_case.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone check` beside a real CUPS and a real daemon: each state of the machine that
is made wrong is said, with what mends it, and nothing is said once it is mended.

Usage: check_test.py BUILD_FOLDER [unittest arguments]
"""

import re
import shutil
import socket
import subprocess
import sys

from check_case import LIMIT, WELL, CheckCase
import adopt_case
from adopt_case import HERE, SOURCE

sys.path.insert(0, str(HERE.parent / "daemon"))
from daemon_process import OTHER_USER, Daemon  # noqa: E402


class Check(CheckCase):
    # A machine that is well.

    def test_calm_where_all_is_well(self):
        self.assertEqual(self.assert_well(), WELL)
        said = self.assert_well("--verbose")
        for line in ("halftoned.conf has no mistakes",
                     "rastertohalftone is as CUPS wants it",
                     "pdftohalftone is as CUPS wants it",
                     "halftone-rip is as CUPS wants it",
                     "pdftohalftone is of version",
                     "halftone-rip is of version",
                     "rastertohalftone is of version",
                     "worker-cpu is of version", "laser: adopted",
                     "other: can be adopted", "MiB free in"):
            self.assertIn(line, said)

    def test_well_with_a_daemon_too(self):
        with Daemon() as daemon:
            self.conf.write_text(daemon.conf.read_text())
            said = self.assert_well("--verbose")
            for line in ("1 ready worker", f"serves at {daemon.socket}",
                         f"filters may connect to {daemon.socket}"):
                self.assertIn(line, said)

    def test_models_of_this_machine(self):
        run = self.halftone("adopt", "--models", "pwg raster")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"\AHalftoned PWG Raster Printer, \S+ +no: it "
                         "already prints through rastertohalftone; .*\n\\Z")
        run = self.halftone("adopt", "--models", "laserjet series pcl 4")
        self.assertRegex(run.stdout, r"\AHP LaserJet Series PCL 4/5\S* +"
                         "can be adopted\n\\Z")
        run = self.halftone("adopt", "--models", "no such printer")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"\Ahalftone: CUPS has no model .*; .*\n\Z")

    def test_any_user_may_ask(self):
        run = self.check(user="nobody", group="nogroup", extra_groups=[])
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertTrue(run.stdout.endswith(WELL), run.stdout)

    def test_what_a_user_may_not_see_is_said(self):
        with Daemon() as daemon:
            self.conf.write_text(daemon.conf.read_text())
            run = self.check(user=OTHER_USER, group="nogroup",
                             extra_groups=[])
            self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
            self.assertRegex(run.stdout, "not seen by this user: .*halftoned "
                             "lets filters connect.*sudo halftone check")

    # Configuration.

    def test_wrong_configuration(self):
        self.conf.write_text("[filter]\ngama = 2\n[queue.laser]\ngamma = 99\n")
        self.assert_wrong(
            f"^wrong: {self.conf}, line 2: unknown key 'gama' in .filter.*; "
            f"type: sudoedit {self.conf}$",
            f"^wrong: {self.conf}, line 4: 'gamma' must be .*; type: ")
        self.conf.write_text("[filter\n")
        self.assert_wrong(f"^wrong: {self.conf}, line 1: ")

    def test_a_curve_that_is_not_there(self):
        self.conf.write_text('[queue.laser]\ntone-curve = "none.curve"\n')
        self.assert_wrong("line 2: .*none.curve")

    def test_configuration_that_filters_cannot_read(self):
        self.conf.chmod(0o600)
        self.assert_wrong(f"^wrong: {self.conf} cannot be read by everybody.*; "
                          f"type: sudo chmod a\\+r {self.conf}$")

    # The daemon.

    def test_a_socket_that_was_left_behind(self):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(self.folder / "left.sock"))
        self.addCleanup((self.folder / "left.sock").unlink)
        self.conf.write_text(f'[daemon]\nsocket = "{self.folder}/left.sock"\n'
                             f'status-socket = "{self.folder}/no.sock"\n')
        run = self.check()
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, "wrong: cannot reach halftoned at "
                         ".*no.sock: No such file.*; type: sudo ")
        self.assertRegex(run.stdout, "wrong: cannot reach halftoned at "
                         ".*left.sock: ")

    def test_a_daemon_that_does_not_answer(self):
        path = self.folder / "silent.sock"
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(path))
            self.addCleanup(path.unlink)
            silent.listen()
            self.conf.write_text(
                f'[daemon]\nsocket = "{self.folder}/no.sock"\n'
                f'status-socket = "{path}"\n')
            self.assert_wrong("^wrong: halftoned does not answer; type: ",
                              words=("--timeout", "5"))

    def test_a_socket_of_another_group(self):
        with Daemon() as daemon:
            self.conf.write_text(daemon.conf.read_text())
            shutil.chown(daemon.socket, group="games")
            self.assert_wrong(
                f"^wrong: {daemon.socket} is for the group games, but CUPS "
                f"runs filters with the group lp; type: sudo chgrp lp ")

    def test_filters_that_use_no_daemon_need_none(self):
        self.conf.write_text(self.conf.read_text() +
                             "[filter]\nuse-daemon = false\n")
        self.assertIn("use-daemon = false", self.assert_well("-v"))

    # Programs.

    def test_a_program_of_another_version(self):
        worker = self.folder / "worker-cpu"
        self.hide(worker)
        version = re.search(r"project\(halftoned VERSION (\S+)",
                            (SOURCE / "CMakeLists.txt").read_text())[1]
        old = "9" * len(version)
        worker.write_text(f"#!/bin/sh\necho worker-cpu {old}\n")
        worker.chmod(0o755)
        self.assert_wrong(f"^wrong: {worker} is of version {old}, but halftone "
                          f"of {re.escape(version)}; install all parts ")
        worker.write_text("#!/bin/sh\nexit 1\n")
        self.assert_wrong(f"^wrong: {worker} does not say its version")
        worker.chmod(0o775)
        self.assert_wrong(f"^wrong: {worker} can be changed by others")

    def test_without_the_program_that_knows_cups(self):
        self.hide(self.folder / "halftone-adopt")
        self.assert_wrong("halftone-adopt is missing, so queues cannot be "
                          "looked at; .*cups-filter-halftone$")

    # The filter, and what belongs to it.

    def test_without_the_filters(self):
        programs = [self.cups.root / "bin/filter" / name
                    for name in ("rastertohalftone", "pdftohalftone",
                                "halftone-rip")]
        hidden = [program.with_name(f"hidden-{program.name}")
                  for program in programs]
        for program, place in zip(programs, hidden):
            program.rename(place)
        try:
            self.restart_cups()
            self.assert_wrong(*(f"^wrong: {program} is missing; "
                                for program in programs),
                              "^wrong: laser cannot print: CUPS has not found "
                              "rastertohalftone")
        finally:
            for program, place in zip(programs, hidden):
                place.rename(program)
            self.restart_cups()

    def test_a_filter_that_cups_does_not_run(self):
        program = self.cups.root / "bin/filter/rastertohalftone"
        self.addCleanup(program.chmod, 0o755)
        self.addCleanup(shutil.chown, program, "root")
        program.chmod(0o775)
        self.assert_wrong("can be changed by others",
                          f"^wrong: {program} can be written by others than "
                          f"root.*; type: sudo chmod 755 {program}$")
        program.chmod(0o700)
        self.assert_wrong("cannot be run by others than root; type: sudo chmod")
        program.chmod(0o755)
        shutil.chown(program, "daemon")
        self.assert_wrong("can be changed by others",
                          f"^wrong: {program} does not belong to root.*; "
                          f"type: sudo chown root: {program}$")

    def programs(self, **texts):
        """Only these programs are in PATH, for this test."""
        folder = self.folder / "programs"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        for name, text in texts.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        path = self.environment["PATH"]
        self.addCleanup(self.environment.update, PATH=path)
        self.environment["PATH"] = str(folder)

    def test_without_ghostscript(self):
        self.assertRegex(self.assert_well("--verbose"),
                         r"good: Ghostscript is of version \d")
        self.programs()
        self.assert_wrong(r"^wrong: PDF cannot be printed: Ghostscript is "
                          r"missing \(gs: .*\); .*install.* ghostscript$")

    def test_a_ghostscript_that_does_not_run(self):
        self.programs(gs="#!/bin/sh\necho gs: no libgs >&2\nexit 127\n")
        self.assert_wrong(r"^wrong: PDF cannot be printed: gs --version fails "
                          r"\(gs: no libgs\); .*ghostscript$")
        (self.folder / "programs/gs").write_text(
            "#!/bin/sh\nexec /bin/sleep 600\n")
        self.assert_wrong("^wrong: PDF cannot be printed: gs --version has not "
                          "answered for 2 seconds; ", words=("--timeout", "2"))

    def test_a_cups_that_was_not_restarted(self):
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

    def test_without_mime_types_and_models(self):
        for name in ("mime/halftoned.convs", "drv/halftoned.drv"):
            path = self.cups.root / "share" / name
            path.rename(path.with_suffix(".hidden"))
            try:
                self.assert_wrong(f"^wrong: {path} is missing; ")
            finally:
                path.with_suffix(".hidden").rename(path)

    # CUPS itself.

    def test_without_cups(self):
        self.environment["CUPS_SERVER"] = "/nowhere"
        self.addCleanup(self.environment.update, CUPS_SERVER=self.cups.socket)
        self.assert_wrong("^wrong: CUPS does not answer at /nowhere; type: ")

    def test_cups_that_does_not_answer(self):
        path = self.folder / "cups.sock"
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(path))
            self.addCleanup(path.unlink)
            silent.listen()
            self.environment["CUPS_SERVER"] = str(path)
            self.addCleanup(self.environment.update,
                            CUPS_SERVER=self.cups.socket)
            self.assert_wrong("^wrong: CUPS has not answered for 1 seconds; ",
                              words=("--timeout", "1"))

    def test_what_nobody_can_read_is_no_success(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([self.program, "check"], stdout=full,
                                 stderr=subprocess.PIPE, text=True,
                                 env=self.environment, timeout=LIMIT)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Ahalftone: standard output: .*\n\Z")


if __name__ == "__main__":
    adopt_case.main()

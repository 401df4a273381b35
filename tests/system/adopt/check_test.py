#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone check` beside a real CUPS and a real daemon: each state that is made
wrong is said, with what mends it, and nothing is said once it is mended.

Usage: check_test.py BUILD_FOLDER [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys

import adopt_case
from adopt_case import HERE, SOURCE, AdoptCase

import pcl
from private_cups import PrivateCups, wait_until

BUILD = pathlib.Path(sys.argv[1]).resolve()
os.environ["HALFTONED"] = str(BUILD / "engine/daemon/halftoned")
os.environ["WORKER_CPU"] = str(BUILD / "engine/daemon/worker/worker-cpu")
sys.path.insert(0, str(HERE.parent / "daemon"))
from daemon_process import OTHER_USER, Daemon  # noqa: E402

LIMIT = 60  # seconds
# A backend that says what its URI says, and waits for ever, as those do whose
# printer is off; or ends with a status, as those do that give up.
BACKEND = """\
#!/usr/bin/python3
import os, sys, time, urllib.parse
if len(sys.argv) < 6:
    sys.exit()
words = urllib.parse.unquote(os.environ["DEVICE_URI"].split(":/", 1)[1])
print(words, file=sys.stderr, flush=True)
if words.startswith("ERROR: "):
    sys.exit(int(words[-1]))
while True:
    time.sleep(60)
"""
WELL = "nothing is wrong\n"


class Check(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "says").write_text(BACKEND)
        cls.cups = PrivateCups(
            {name: cls.build / "filter" / name
             for name in ("rastertohalftone", "pdftohalftone",
                          "halftone-rip")},
            backends={"says": cls.folder / "says"},
            data=[adopt_case.DRV / "sample.drv"] +
                 [SOURCE / f"ppd/halftoned.{kind}"
                  for kind in ("drv", "types", "convs")])
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.cups.start()
        shutil.copy(os.environ["WORKER_CPU"], cls.folder)
        cls.conf = cls.folder / "halftoned.conf"
        cls.environment.update(
            CUPS_SERVER=cls.cups.socket,
            CUPS_SERVERROOT=str(cls.cups.root / "etc"),
            HALFTONED_CONF=str(cls.conf))
        for queue in ("laser", "other"):
            cls.cups.add_queue(queue, cls.ppd("cups", "laserjet"),
                               f"file:{cls.cups.out}/{queue}.prn")
        assert cls.halftone("adopt", "laser").returncode == 0

    def setUp(self):
        # Nobody listens there, and nothing is there.
        self.conf.write_text(
            f'[daemon]\nsocket = "{self.folder}/no/halftoned.sock"\n'
            f'status-socket = "{self.folder}/no/status.sock"\n')
        self.conf.chmod(0o644)

    def check(self, *words, **options):
        return self.halftone("check", *words, timeout=LIMIT, **options)

    def assert_well(self, *words):
        run = self.check(*words)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertTrue(run.stdout.endswith(WELL), run.stdout)
        return run.stdout

    def assert_wrong(self, *patterns, words=(), **options):
        """What is wrong is a line for each pattern, and nothing else."""
        run = self.check(*words, **options)
        self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
        *lines, end = run.stdout.splitlines()
        wrong = [line for line in lines if line.startswith("wrong: ")]
        self.assertRegex(end, f"^{len(wrong)} things? (is|are) wrong$")
        self.assertEqual(len(wrong), len(patterns), run.stdout)
        for line, pattern in zip(wrong, patterns):
            self.assertRegex(line, pattern)
        return run.stdout

    def hide(self, path):
        """As if the file had never been there, for this test."""
        hidden = path.with_name(path.name + ".hidden")
        path.rename(hidden)
        self.addCleanup(hidden.rename, path)

    def restart_cups(self):
        self.cups.stop()
        self.cups.start()

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

    def test_without_a_renderer(self):
        filters = self.cups.root / "bin/filter"
        known = [filters / name
                 for name in ("gstoraster", "pdftoraster", "mupdftoraster")]
        *others, last = [path for path in known if path.exists()]
        for path in others:
            self.hide(path)
        self.assertIn(f"there is the renderer {last.name}",
                      self.assert_well("--verbose"))
        self.hide(last)
        self.assert_wrong(f"^wrong: PDF cannot be printed: .*{filters}/gstoraster; "
                          ".*cups-filters$")
        self.conf.write_text(self.conf.read_text() + '[filter]\nrenderer = "mine"\n')
        self.assert_wrong("^wrong: .* names the renderer mine, which is not in "
                          f"{filters}/; type: sudoedit {self.conf}$")
        self.conf.write_text(self.conf.read_text().replace("mine", "pdftopdf"))
        self.assertIn("there is the renderer pdftopdf",
                      self.assert_well("--verbose"))

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

    def test_another_renderer_needs_no_ghostscript(self):
        self.conf.write_text(self.conf.read_text() +
                             '[filter]\nrenderer = "pdftopdf"\n')
        self.programs()
        self.assert_well()

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

    # Queues.

    def test_a_queue_that_drifted(self):
        uri = f"file:{self.cups.out}/drifts.prn"
        self.cups.add_queue("drifts", self.ppd("cups", "zebra"), uri)
        self.addCleanup(self.cups.command, "lpadmin", "-x", "drifts")
        self.assertEqual(self.halftone("adopt", "drifts").returncode, 0)
        self.cups.add_queue("drifts", self.ppd("cups", "zebra"), uri)
        said = self.assert_wrong("^wrong: drifts has drifted: its PPD file has "
                                 "been replaced since; type: halftone adopt "
                                 "drifts$")
        command = re.search("type: halftone (.*)", said)[1].split()
        self.assertEqual(self.halftone(*command).returncode, 0)
        self.assert_well()

    def test_a_driver_that_was_removed(self):
        driver = self.cups.root / "bin/filter/rastertohp"
        self.hide(driver)
        self.assert_wrong(f"^wrong: laser: its driver is not there: {driver}; ")

    def test_a_queue_that_is_stopped(self):
        self.cups.command("cupsdisable", "-r", "no paper", "laser")
        self.addCleanup(self.cups.command, "cupsenable", "laser")
        self.assert_wrong("^wrong: laser is stopped: no paper; type: sudo "
                          "cupsenable laser$")
        self.cups.command("cupsenable", "laser")
        # A queue of others is theirs.
        self.cups.command("cupsdisable", "other")
        self.addCleanup(self.cups.command, "cupsenable", "other")
        self.assert_well()

    # Printers and jobs.

    def job_of(self, queue, uri, *options):
        """A job on a queue of the test's own, which goes with the test."""
        self.cups.add_queue(queue, self.ppd("cups", "laserjet"), uri)
        self.addCleanup(self.cups.command, "lpadmin", "-x", queue)
        self.addCleanup(self.cups.command, "cancel", "-a", "-x", queue)
        self.assertEqual(self.halftone("adopt", queue).returncode, 0)
        return self.cups.print_file(queue, self.document("a.pdf", 1), options)

    def job_is(self, job, state):
        wait_until(lambda: self.cups.job_state(job) == state,
                   f"job {job} is {state}")

    def assert_soon_wrong(self, *patterns):
        """As soon as a job has waited for long enough."""
        wait_until(lambda: self.check().returncode, "something is wrong")
        wait_until(lambda: self.check().stdout.count("wrong: ") ==
                   len(patterns), "all of it")
        return self.assert_wrong(*patterns)

    def test_printers_that_are_off(self):
        # Nobody listens at a port of a socket that is closed.
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            uri = f"socket://127.0.0.1:{closed.getsockname()[1]}"
        off = self.job_of("off", uri)
        german = self.job_of(
            "offde", "says:/WARNING:%20Der%20Drucker%20antwortet%20nicht.")
        keyword = self.job_of("offkey", "says:/STATE:%20%2Boffline-report")
        for job in (off, german, keyword):
            self.job_is(job, "processing")
        # A job that has just begun is not wrong.
        self.assert_well()
        rest = r", and job {} has waited for \d+ seconds; switch it on, or " \
               r"look at its cable and its address, {}; to give up, type: " \
               r"cancel {}$"
        said = self.assert_soon_wrong(
            r"^wrong: off's printer does not answer \(The printer may not "
            r"exist or is unavailable at this time\)" +
            rest.format(off, uri, off),
            r"^wrong: offde's printer does not answer \(Der Drucker antwortet "
            r"nicht\)" + rest.format(german, "says:/.*", german),
            r"^wrong: offkey's printer does not answer \(offline-report\)" +
            rest.format(keyword, "says:/.*", keyword))
        for command in re.findall("type: (cancel .*)", said):
            self.cups.command(*command.split())
        for job in (off, german, keyword):
            self.cups.wait(job)
        self.assert_well()

    def test_a_printer_that_needs_attention(self):
        job = self.job_of("jam", "says:/STATE:%20%2Bmedia-jam-error")
        self.job_is(job, "processing")
        self.assert_soon_wrong(
            rf"^wrong: jam's printer needs attention: media-jam-error, and job "
            rf"{job} has waited for \d+ seconds?; look at the printer; ")
        self.cups.cancel(job)
        self.cups.wait(job)
        self.assertRegex(self.assert_well(), "^advice: jam's printer needs "
                         "attention: media-jam-error; look at the printer\n")

    def test_a_queue_that_its_backend_stopped(self):
        job = self.job_of("burnt", "says:/ERROR:%20it%20burns%204")
        wait_until(lambda: "disabled" in self.cups.command(
            "lpstat", "-p", "burnt").stdout, "the queue is stopped")
        self.assert_wrong(
            rf"^wrong: burnt is stopped: .*, and job {job} has waited for \d+ "
            r"seconds? \(it burns 4\); type: sudo cupsenable burnt$")

    def test_a_queue_that_accepts_no_jobs(self):
        self.cups.command("cupsreject", "laser")
        self.addCleanup(self.cups.command, "cupsaccept", "laser")
        said = self.assert_wrong("^wrong: laser accepts no jobs; type: sudo "
                                 "cupsaccept laser$")
        command = re.search("type: sudo (.*)", said)[1].split()
        self.cups.command(*command)
        self.assert_well()

    def test_jobs_that_are_held(self):
        held = self.job_of("held", f"file:{self.cups.out}/held.prn",
                           "job-hold-until=indefinite")
        said = self.assert_wrong(
            rf"^wrong: job {held} of held, \d+ seconds? old, is held; to print "
            rf"it now, type: lp -i {held} -H resume; to give up, type: cancel "
            rf"{held}$")
        command = re.search("type: (lp [^;]*)", said)[1].split()
        self.cups.command(*command)
        self.assertEqual(self.cups.wait(held), "completed")
        self.assert_well()
        night = self.cups.print_file("held", self.document("a.pdf", 1),
                                     ["job-hold-until=23:59:59"])
        self.assertRegex(
            self.assert_well(), rf"^advice: job {night} of held is held until "
            r"23:59:59; to print it now, type: lp ")

    def test_a_job_that_is_tried_again(self):
        job = self.job_of("again", "says:/ERROR:%20it%20burns%206")
        self.job_is(job, "held")
        self.assert_wrong(
            rf"^wrong: job {job} of again, \d+ seconds? old, has failed, and "
            r"CUPS will try it again \(it burns 6\); to print it now, type: ")

    def test_a_job_whose_filter_failed(self):
        driver = self.cups.root / "bin/filter/rastertohp"
        self.hide(driver)
        driver.write_text("#!/bin/sh\necho ERROR: no ink >&2\nexit 1\n")
        driver.chmod(0o755)
        job = self.job_of("sick", f"file:{self.cups.out}/sick.prn")
        self.assertEqual(self.cups.wait(job), "stopped")
        said = self.assert_wrong(
            rf"^wrong: job {job} of sick, \d+ seconds? old, is stopped: "
            rf"(no ink|Filter failed); to print it again, type: lp -i {job} -H "
            r"restart; to give up, ")
        driver.with_name("rastertohp.hidden").rename(driver)
        shutil.copy(driver, driver.with_name("rastertohp.hidden"))
        command = re.search("type: (lp [^;]*)", said)[1].split()
        self.cups.command(*command)
        wait_until(lambda: self.cups.job_state(job) == "completed", "the job")
        self.assert_well()

    def test_a_queue_that_is_printed_without_settings(self):
        self.cups.conf.write_text("[filter]\ngamma = 0\n")
        self.addCleanup(self.cups.conf.unlink)
        job = self.cups.print_file("laser", self.document("a.pdf", 1))
        self.assertEqual(self.cups.wait(job), "completed")
        self.assert_wrong("^wrong: laser is printed without settings of "
                          "halftoned.conf.*; see halftoned.conf")
        self.cups.conf.write_text("")
        job = self.cups.print_file("laser", self.document("a.pdf", 1))
        self.assertEqual(self.cups.wait(job), "completed")
        self.assert_well()

    # A page.

    def spooled(self, queue, notes=r"\Z"):
        """The PDF document that --print hands over, its words, and its job."""
        self.cups.command("cupsdisable", queue)
        try:
            run = self.check("--print", queue)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex(run.stderr, rf"\A{notes}")
            said = re.fullmatch(rf"{queue}: prints a page, job (\d+)\n",
                                run.stdout)
            self.assertTrue(said, run.stdout)
            job = int(said[1])
            document = self.folder / "page.pdf"
            shutil.copy(self.cups.root / f"spool/d{job:05}-001", document)
        finally:
            self.cups.command("cupsenable", queue)
        words = subprocess.run(
            ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE",
             "-sDEVICE=txtwrite", "-sOutputFile=-", document], check=True,
            stdout=subprocess.PIPE, text=True).stdout
        return document, words, job

    def test_a_page_with_the_settings_in_words(self):
        self.cups.command("lpadmin", "-p", "laser", "-o", "Resolution=300dpi",
                          "-o", "halftone-brightness-default=11")
        self.addCleanup(self.cups.command, "lpadmin", "-p", "laser", "-R",
                        "halftone-brightness-default")
        self.conf.write_text("[filter]\ngamma = 1.5\n[queue.laser]\n"
                             'halftone-type = "clustered"\ntoner-save = 7\n')
        document, words, job = self.spooled("laser")
        for line in ("Queue: laser", "Driver: HP LaserJet Series PCL 4/5",
                     "Resolution: 300dpi", "halftone-type: clustered",
                     "cluster-size: 4", "brightness: 11", "gamma: 1.5",
                     "toner-save: 7", "dot-gain: ", "engine: the daemon's"):
            self.assertIn(line, words)
        self.assertNotIn("dot-diameter", words)
        self.assertEqual(self.cups.wait(job), "completed",
                         "\n".join(self.cups.job_log(job)[-40:]))
        (_, rows), = pcl.read_pages(
            (self.cups.out / "laser.prn").read_bytes())
        self.assertGreater(sum(map(any, rows)), 1000)
        # As many grays as there are steps: they are there.
        pixels = subprocess.run(
            ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE",
             "-sDEVICE=pgmraw", "-r72", "-sOutputFile=-", document],
            check=True, stdout=subprocess.PIPE).stdout
        self.assertGreater(len(set(pixels[100:])), 100)

    def test_a_page_without_the_settings_that_are_wrong(self):
        self.conf.write_text("[filter]\ngamma = 0\ntoner-save = 7\n")
        _, words, job = self.spooled(
            "laser", r"halftone: note: .*line 2: 'gamma' must be .*\n\Z")
        self.assertIn("toner-save: 7", words)
        self.assertNotIn("gamma: 0", words)
        self.assertEqual(self.cups.wait(job), "completed")

    def test_a_page_says_where_the_filter_is_not_used(self):
        _, words, job = self.spooled("other")
        self.assertIn("does not print through rastertohalftone", words)
        self.assertNotIn("gamma", words)
        self.assertEqual(self.cups.wait(job), "completed")

    def test_the_page_is_as_large_as_the_queues(self):
        self.cups.command("lpadmin", "-p", "other", "-o", "PageSize=A5")
        document, _, job = self.spooled("other")
        self.assertRegex(document.read_bytes(),
                         rb"/MediaBox \[0 0 42\d\.\d+ 59\d\.\d+ \]")
        self.cups.wait(job)

    def test_pages_that_are_refused(self):
        self.cups.command("lpadmin", "-p", "raw", "-E", "-v", "file:/dev/null")
        self.addCleanup(self.cups.command, "lpadmin", "-x", "raw")
        for queue, why in (("nobody", "has no such queue"),
                           ("raw", "has no driver")):
            run = self.check("--print", queue)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertRegex(run.stderr, rf"\Ahalftone: {queue}: .*{why}.*\n\Z")

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

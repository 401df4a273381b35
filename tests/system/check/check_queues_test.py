#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone check` on queues, printers and jobs of a real CUPS: each that is in trouble
is said, with what mends it. And the page of `halftone test-page`.

Usage: check_queues_test.py BUILD_FOLDER [unittest arguments]
"""

import re
import shutil
import subprocess

from check_case import CheckCase
import adopt_case

import pcl
from ports import unused_port
from private_cups import wait_until


class CheckQueues(CheckCase):
    # Queues.

    def test_a_queue_that_drifted(self):
        uri = f"file:{self.cups.out}/drifts.prn"
        self.cups.add_queue("drifts", self.ppd("cups", "zebra"), uri)
        self.addCleanup(self.cups.command, "lpadmin", "-x", "drifts")
        self.assertEqual(self.halftone("adopt", "drifts").returncode, 0)
        self.cups.add_queue("drifts", self.ppd("cups", "zebra"), uri)
        said = self.assert_wrong("^wrong: drifts is out of date: its PPD file was "
                                 "replaced after adoption; type: halftone adopt "
                                 "drifts$")
        command = re.search("type: halftone (.*)", said)[1].split()
        self.assertEqual(self.halftone(*command).returncode, 0)
        self.assert_well()

    def test_a_driver_that_was_removed(self):
        driver = self.cups.root / "bin/filter/rastertohp"
        self.hide(driver)
        self.assert_wrong(f"^wrong: laser: its driver is missing: {driver}; ")

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
        uri = f"socket://127.0.0.1:{unused_port()}"
        off = self.job_of("off", uri)
        german = self.job_of(
            "offde", "says:/WARNING:%20Der%20Drucker%20antwortet%20nicht.")
        keyword = self.job_of("offkey", "says:/STATE:%20%2Boffline-report")
        for job in (off, german, keyword):
            self.job_is(job, "processing")
        # A job that has just begun is not wrong.
        self.assert_well()
        rest = r", and job {} has waited for \d+ seconds; switch it on, or " \
               r"check its cable and its address, {}; to cancel it, type: " \
               r"cancel {}$"
        said = self.assert_soon_wrong(
            r"^wrong: off's printer does not reply \(The printer may not "
            r"exist or is unavailable at this time\)" +
            rest.format(off, uri, off),
            r"^wrong: offde's printer does not reply \(Der Drucker antwortet "
            r"nicht\)" + rest.format(german, "says:/.*", german),
            r"^wrong: offkey's printer does not reply \(offline-report\)" +
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
            rf"{job} has waited for \d+ seconds?; check the printer; ")
        self.cups.cancel(job)
        self.cups.wait(job)
        self.assertRegex(self.assert_well(), "^advice: jam's printer needs "
                         "attention: media-jam-error; check the printer\n")

    def test_a_queue_that_its_backend_stopped(self):
        job = self.job_of("burnt", "says:/ERROR:%20it%20burns%204")
        wait_until(lambda: "disabled" in self.cups.command(
            "lpstat", "-p", "burnt").stdout, "the queue is stopped")
        self.assert_wrong(
            rf"^wrong: burnt is stopped: (?=.*it burns 4).*, and job {job} has "
            r"waited for \d+ seconds?.*; type: sudo cupsenable burnt$")

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
            rf"it now, type: lp -i {held} -H resume; to cancel it, type: cancel "
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
            r"restart; to cancel it, ")
        driver.with_name("rastertohp.hidden").rename(driver)
        shutil.copy(driver, driver.with_name("rastertohp.hidden"))
        command = re.search("type: (lp [^;]*)", said)[1].split()
        self.cups.command(*command)
        wait_until(lambda: self.cups.job_state(job) == "completed", "the job")
        self.assert_well()

    def test_a_queue_with_invalid_settings(self):
        self.cups.conf.write_text("[filter]\ngamma = 0\n")
        self.addCleanup(self.cups.conf.unlink)
        job = self.cups.print_file("laser", self.document("a.pdf", 1))
        self.assertEqual(self.cups.wait(job), "completed")
        self.assert_wrong("^wrong: laser ignores invalid settings in "
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
            run = self.halftone("test-page", queue)
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
        self.assertNotIn("screen-angle", words)
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
            run = self.halftone("test-page", queue)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertRegex(run.stderr, rf"\Ahalftone: {queue}: .*{why}.*\n\Z")


if __name__ == "__main__":
    adopt_case.main()

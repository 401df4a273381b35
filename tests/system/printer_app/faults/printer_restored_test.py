#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The printers that halftone-printer-app has after its next start, and the canceled jobs
that it no longer has. PRINTER_APP is the program."""

import contextlib
import os
import subprocess
import unittest

from printer_kept_test import CANCEL_JOBS, CREATE_JOB, HELD, RELEASE_JOB, KeptTest

from kit.ipp_client import (CANCEL_JOB, CANCELED, COMPLETED, DISABLE, ENABLE, ENUM,
                            GET_PRINTER, INTEGER, KEYWORD, PROCESSING, URI)
from kit.marked_documents import PCL, own
from kit.server import until, use_own_mounts

CANCEL_MY_JOBS, INTERNAL = 0x39, 0x500


class PrintersTest(KeptTest):
    def defaults(self):
        _, groups = self.client.say("office", GET_PRINTER)
        return {name: value for name, value in groups[1].items()
                if name.endswith(("-default", "-ready", "-configured")) or
                name in ("printer-location", "printer-geo-location", "printer-name",
                         "printer-organization", "printer-dns-sd-name")}

    def test_settings_outlive_a_kill_once_they_are_answered(self):
        self.set((URI, "printer-geo-location", "geo:1.5,2.5"),
                 (KEYWORD, "halftone-type-default", "fine"),
                 (KEYWORD, "media-default", "iso_a5_148x210mm"),
                 (KEYWORD, "print-color-mode-default", "auto"),
                 (ENUM, "print-quality-default", 5))
        before = self.defaults()
        self.restart()
        self.assertEqual(self.defaults(), before)
        self.assertEqual(
            [before[name] for name in (
                "printer-geo-location", "halftone-type-default", "media-default",
                "print-color-mode-default", "print-quality-default")],
            [[b"geo:1.5,2.5"], [b"fine"], [b"iso_a5_148x210mm"], [b"auto"], [5]])

    def test_a_printer_that_is_resumed_stays_so(self):
        self.app.run("pause", "-d", "office")
        for words, is_paused in (("pause", True), ("resume", False), ("resume", False)):
            self.app.run(words, "-d", "office")
            self.restart()
            state = 5 if is_paused else 3
            until(lambda: self.client.say("office", GET_PRINTER)[1][1][
                "printer-state"] == [state])

    def test_a_printer_that_is_disabled_stays_so(self):
        for operation, accepts in ((DISABLE, False), (DISABLE, False), (ENABLE, True)):
            self.assertEqual(self.client.say("office", operation)[0], 0)
            self.app.kill()
            self.app.start()
            self.restart()
            until(lambda: self.client.say("office", GET_PRINTER)[1][1][
                "printer-is-accepting-jobs"] == [bytes([accepts])])
            status, _ = self.client.print("office", own(1), PCL)
            self.assertEqual(status == 0, accepts)

    def test_a_printer_whose_driver_is_missing_waits_for_it_with_its_jobs(self):
        self.set((URI, "printer-geo-location", "geo:1,2"))
        jobs = self.held(2)
        self.app.add("other", "pcl5e")
        before = self.defaults()
        self.app.end()
        state = self.app.folder / "printers.state"
        text = state.read_text()
        state.write_text(text.replace('driver="pcl5e"', 'driver="gone"', 1))
        for _ in range(2):
            self.app.start()
            self.assertEqual(self.app.run("printers").split(), ["other"])
            self.assertIn("Printer office and its jobs are missing until the next "
                          "start: the driver gone cannot be used.", self.app.log_text())
            job = self.client.print("other", own(2), PCL)[1]
            until(lambda: self.state(job, "other") == COMPLETED)
            self.set((URI, "printer-geo-location", "geo:3,4"), printer="other")
            self.app.kill()
        state.write_text(state.read_text().replace('driver="gone"', 'driver="pcl5e"'))
        self.app.start()
        self.assertEqual(self.defaults(), before)
        self.assertEqual([self.state(job) for job in jobs], [HELD, HELD])
        for job in jobs:
            self.client.say("office", RELEASE_JOB, (INTEGER, "job-id", job))
        until(lambda: [self.state(job) for job in jobs] == [COMPLETED] * 2)
        self.assertEqual(b"".join(map(bytes, self.printer.streams)).count(own(1)), 2)

    def test_a_printer_of_its_name_replaces_a_missing_one(self):
        jobs = self.held(2)
        self.app.end()
        state = self.app.folder / "printers.state"
        state.write_text(state.read_text().replace('driver="pcl5e"', 'driver="gone"'))
        self.app.start()
        self.app.run("add", "-d", "OFFICE", "-m", "pcl5e", "-v", self.printer.uri)
        self.assertEqual(len(self.records()), 2)
        self.restart()
        self.assertEqual(self.app.run("printers").split(), ["OFFICE"])
        self.assertEqual(self.records(), [])
        self.assertEqual(list(self.app.spool.iterdir()), [])
        self.assertIsNone(self.state(jobs[0]))


class ReadOnlyTest(KeptTest):
    @contextlib.contextmanager
    def read_only(self):
        """No file can be added or removed, as on a disk that has failed."""
        with contextlib.ExitStack() as stack:
            # At the end, the spool is writable before an end can be saved.
            for folder in self.app.folder / "jobs", self.app.spool:
                if os.geteuid() != 0:
                    folder.chmod(0o500)
                    stack.callback(folder.chmod, 0o700)
                    continue
                for words in ["--bind", folder], ["-o", "remount,bind,ro"]:
                    done = subprocess.run(["mount", *words, folder], capture_output=True,
                                          text=True)
                    if done.returncode:
                        self.skipTest(done.stderr)
                    if words[0] == "--bind":
                        stack.callback(subprocess.run, ["umount", "-l", folder], check=True)
            yield

    def record(self, job, number=1):
        return (self.app.folder / "jobs" / f"p{number:05}j{job:09}").read_text()

    def test_an_unsaved_cancellation_is_an_error_until_it_is_saved(self):
        for operation in CANCEL_JOB, CANCEL_JOBS, CANCEL_MY_JOBS:
            with self.subTest(operation):
                job, = self.held(1)
                words = [(INTEGER, "job-id", job)] if operation == CANCEL_JOB else []
                with self.read_only():
                    status, groups = self.client.say("office", operation, *words)
                    self.assertEqual(status, INTERNAL)
                    self.assertIn(b"disk", groups[0]["status-message"][0])
                    self.assertEqual(self.state(job), CANCELED)
                    self.assertIn("Read-only" if os.geteuid() == 0 else "denied",
                                  self.app.log_text())
                until(lambda: 'state="7"' in self.record(job))
                until(lambda: not list(self.app.spool.iterdir()))
                self.restart()
                self.assertEqual(self.state(job), CANCELED)

    def test_an_unsaved_cancellation_is_no_error_of_another_job(self):
        job, = self.held(1)
        # This one has no document that could print again.
        other = self.client.say("office", CREATE_JOB)[1][1]["job-id"][0]
        with self.read_only():
            self.assertEqual(self.client.cancel("office", job), INTERNAL)
            self.assertEqual(self.client.cancel("office", other), 0)
            self.assertEqual(self.client.say("office", CANCEL_JOBS)[0], INTERNAL)

    def test_an_unsaved_cancellation_of_a_printing_job_is_an_error(self):
        jammed = self.app.add("jammed", "pcl5e")
        jammed.may_take.clear()
        _, job = self.client.print("jammed", own(1) + bytes(8 << 20), PCL)
        until(lambda: self.state(job, "jammed") == PROCESSING)
        with self.read_only():
            self.assertEqual(self.client.cancel("jammed", job), INTERNAL)
            until(lambda: self.state(job, "jammed") == CANCELED)
        until(lambda: 'state="7"' in self.record(job, 2))
        self.restart()
        self.assertEqual(self.state(job, "jammed"), CANCELED)


if __name__ == "__main__":
    use_own_mounts()
    unittest.main()

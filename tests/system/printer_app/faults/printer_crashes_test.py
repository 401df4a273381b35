#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app when PAPPL's process ends, hangs or takes all memory, and when a
reader of documents fails. PRINTER_APP is the program, HUNGRY_PAPPL a library that takes
all memory on SIGUSR2."""

import contextlib
import fcntl
import os
import pathlib
import signal
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.ipp_client import (ABORTED, CANCELED, COMPLETED, KEYWORD,  # noqa: E402
                            PROCESSING)
from kit.marked_documents import PCL, own, pdf, pdf_of, progressive_jpeg  # noqa: E402
from kit.server import until  # noqa: E402
from printer_faults_test import UNAVAILABLE, FaultsTest  # noqa: E402


class CrashTest(FaultsTest):
    def test_pappl_is_started_again_and_jobs_go_on(self):
        self.start()
        self.printer.may_take.clear()
        _, job = self.client.print("office", own(1) + bytes(8 << 20), PCL)
        until(lambda: self.client.state("office", job) == PROCESSING)
        os.kill(self.app.behind(), signal.SIGKILL)
        self.printer.may_take.set()
        self.assertEqual(self.state(job), COMPLETED)
        self.assertIn("PAPPL ended by signal 9; it is started again.",
                      self.app.log_text())
        self.prints()
        self.assertEqual(self.app.end(), 0)

    def test_a_pappl_that_keeps_ending_ends_the_server_which_can_start_again(self):
        self.start()
        for _ in range(6):
            behind = self.app.behind()
            os.kill(behind, signal.SIGKILL)

            def has_gone_on():
                if self.app.process.poll() is not None:
                    return True
                try:
                    return self.app.behind() != behind
                except (IndexError, OSError):
                    return False
            until(has_gone_on)
        # A failure, after which systemd always starts the service again.
        self.assertEqual(self.app.process.wait(60), 1)
        self.assertIn("PAPPL keeps ending: the server gives up.", self.app.log_text())
        unit = (pathlib.Path(__file__).parents[4] / "systemd"
                / "halftone-printer-app.service.in").read_text()
        self.assertIn("\nRestart=on-failure\n", unit)
        self.assertIn("\nStartLimitIntervalSec=0\n", unit)
        self.app.start()
        self.prints()
        self.assertEqual(self.app.end(), 0)

    def test_a_pappl_that_stands_still_is_killed_and_jobs_go_on(self):
        self.start("answer-timeout=2")
        self.printer.may_take.clear()
        _, job = self.client.print("office", own(1) + bytes(8 << 20), PCL)
        until(lambda: self.client.state("office", job) == PROCESSING)
        waiting = self.client.print("office", own(2), PCL)[1]
        os.kill(self.app.behind(), signal.SIGSTOP)
        # A job that arrives meanwhile is refused or printed once.
        status, _ = self.client.print("office", own(3), PCL)
        self.assertIn(status, (0, UNAVAILABLE))
        self.assertIn("PAPPL has not answered for 2 s; its process is killed.",
                      self.app.log_text())
        self.printer.may_take.set()
        self.assertEqual(self.state(job), COMPLETED)
        self.assertEqual(self.state(waiting), COMPLETED)
        self.prints()
        printed = b"".join(map(bytes, self.printer.streams))
        self.assertEqual([printed.count(own(each)) for each in (2, 3, 7)],
                         [1, int(status == 0), 1])
        self.assertEqual(self.app.end(), 0)

    def test_files_of_documents_that_a_killed_process_left_are_removed(self):
        self.start()
        left, used, other = (self.app.folder / f"halftone-printer-app-{name}"
                             for name in ("left", "used", "backup"))
        for folder in left, used, other:
            folder.mkdir()
            (folder / "sheets.pdf").write_bytes(b"%PDF")
            if folder != other:
                (folder / ".halftoned").touch()
        holder = os.open(used / ".halftoned", os.O_RDONLY)
        self.addCleanup(os.close, holder)
        fcntl.flock(holder, fcntl.LOCK_EX)
        os.kill(self.app.behind(), signal.SIGKILL)
        until(lambda: not left.exists())
        self.prints()
        for folder in used, other:
            self.assertTrue((folder / "sheets.pdf").exists())
        self.assertEqual(self.app.end(), 0)

    def test_a_start_that_takes_long_is_no_silence(self):
        """Many jobs with many values, from a version that did not limit them."""
        self.start("answer-timeout=1")
        self.client.print("office", own(1), PCL, options=[
            (KEYWORD, "job-hold-until", "indefinite")])
        self.app.end()
        record, = (self.app.folder / "jobs").iterdir()
        reference, = self.app.spool.glob("p0*.prn")
        attributes, = self.app.spool.glob("p0*.ipp")
        document, = self.app.spool.glob("document-*")
        value = b"\x34\0%b\0\0\x4a\0\0\0\x12finishing-template\x44\0\0\0\x04none\x37\0\0\0\0"
        name = b"\x0efinishings-col"
        many = value % name + value % b"\0" * 900
        self.assertEqual(attributes.read_bytes()[-1:], b"\x03")
        attributes.write_bytes(attributes.read_bytes()[:-1] + many + b"\x03")
        for job in range(2, 120):
            def copy(path, text=None):
                new = path.with_name(path.name.replace("j000000001", f"j{job:09}"))
                new.write_bytes(text or path.read_bytes())
                new.chmod(path.stat().st_mode)
            number = f"document-{job:032x}"
            document.with_name(number).write_bytes(document.read_bytes())
            copy(attributes)
            copy(reference, reference.read_bytes().replace(
                document.name[-32:].encode(), number[-32:].encode()))
            copy(record, record.read_bytes().replace(b'id="1"', b'id="%d"' % job))
        self.app.start()
        self.prints()
        self.assertNotIn("has not answered", self.app.log_text())
        self.assertEqual(len(self.app.run("jobs", "-d", "office").splitlines()), 120)
        self.assertEqual(self.app.end(), 0)

    def test_no_web_address_ends_pappls_process(self):
        self.start()
        for _ in range(3):
            self.client.print("office", own(1), PCL, options=[
                (KEYWORD, "job-hold-until", "indefinite")])
        behind = self.app.behind()
        for index in ("-1", "-2", "", "abc", "%00", "0", "1", "3", "4", "50", "999999",
                      "2147483647", "99999999999999999999", "1&job-index=-1"):
            for path in "/office", "/office/jobs":
                with urllib.request.urlopen(f"http://localhost:{self.app.port}{path}"
                                            f"?job-index={index}") as answer:
                    self.assertEqual(answer.status, 200)
                    answer.read()
        self.assertEqual(self.app.behind(), behind)
        self.assertEqual(self.app.end(), 0)

    def test_a_printer_that_cannot_be_reached_delays_no_other(self):
        """And it does not delay the end of the server."""
        self.start()
        uri = "snmp://127.0.0.9/"
        self.app.run("add", "-d", "gone", "-m", "pcl5e", "-v", uri)
        self.client.print("gone", b"A line.\n", "text/plain")

        tasks = pathlib.Path(f"/proc/{self.app.behind()}/task")

        def stopped():
            """The program that looks for the printer. By itself, it would end soon, and
            run again seconds later."""
            end = time.monotonic() + 60
            while time.monotonic() < end:
                for path in tasks.glob("*/children"):
                    with contextlib.suppress(OSError):
                        for pid in path.read_text().split():
                            if uri in pathlib.Path(f"/proc/{pid}/cmdline").read_text():
                                os.kill(int(pid), signal.SIGSTOP)
                                return int(pid)
            raise AssertionError("no program looks for the printer")

        def outlives_a_job(program):
            """False: it was about to end."""
            self.prints()
            with contextlib.suppress(ProcessLookupError):
                os.kill(program, signal.SIGKILL)
                return True
            return False
        while not outlives_a_job(stopped()):
            pass
        self.assertEqual(self.app.end(), 0)

    def begun_job(self):
        """A job of which the printer has a part, and accepts no more."""
        self.printer.may_take.clear()
        _, job = self.client.print("office", own(1) + bytes(8 << 20), PCL)
        until(lambda: self.client.state("office", job) == PROCESSING)
        return job

    def ended(self, times):
        """Waits until PAPPL has ended and started again so many times."""
        until(lambda: self.app.log_text().count("it is started again.") == times)

    def test_a_job_that_ends_pappl_twice_is_aborted(self):
        self.start()
        job = self.begun_job()
        waiting = self.client.print("office", own(2), PCL)[1]
        os.kill(self.app.behind(), signal.SIGSEGV)
        self.ended(1)
        until(lambda: self.client.state("office", job) == PROCESSING)
        os.kill(self.app.behind(), signal.SIGSEGV)
        self.ended(2)
        self.printer.may_take.set()
        self.assertEqual(self.state(job), ABORTED)
        self.assertEqual(self.state(waiting), COMPLETED)
        self.assertIn(f"Job {job} of printer 1 is aborted: the application ended "
                      "twice while it printed.", self.app.log_text())
        self.prints()

    def test_after_an_end_jobs_that_had_begun_print_one_at_a_time(self):
        self.start()
        other = self.app.add("other", "pcl5e")
        other.may_take.clear()
        jobs = {"office": self.begun_job()}
        jobs["other"] = self.client.print("other", own(3) + bytes(8 << 20), PCL)[1]

        def states():
            return [self.client.state(*each) for each in jobs.items()]
        until(lambda: states() == [PROCESSING] * 2)
        os.kill(self.app.behind(), signal.SIGSEGV)
        self.ended(1)
        until(lambda: PROCESSING in states())
        self.assertEqual(states().count(PROCESSING), 1)
        first = next(name for name, job in jobs.items()
                     if self.client.state(name, job) == PROCESSING)
        # Other jobs do not wait for it, not even after one that waits for it.
        third = self.app.add("third", "pcl5e")
        printers = {"office": self.printer, "other": other, "third": third}
        second = next(name for name in jobs if name != first)
        printers[second].may_take.set()
        for name in second, "third":
            _, job = self.client.print(name, own(4), PCL)
            until(lambda: self.client.state(name, job) == COMPLETED)
        self.assertEqual(states().count(PROCESSING), 1)
        # A new job may be the cause of the next crash.
        third.may_take.clear()
        jobs["third"] = self.client.print("third", own(5) + bytes(8 << 20), PCL)[1]
        until(lambda: self.client.state("third", jobs["third"]) == PROCESSING)
        printers[second].may_take.clear()
        os.kill(self.app.behind(), signal.SIGSEGV)
        self.ended(2)
        until(lambda: PROCESSING in states())
        self.assertEqual(states().count(PROCESSING), 1)
        self.assertNotIn(ABORTED, states())
        self.assertEqual(self.client.state(first, jobs[first]), PROCESSING)
        os.kill(self.app.behind(), signal.SIGSEGV)
        self.ended(3)
        for printer in printers.values():
            printer.may_take.set()
        for name, job in jobs.items():
            until(lambda: self.client.state(name, job) ==
                  (ABORTED if name == first else COMPLETED))

    def test_a_pappl_that_takes_all_memory_is_killed_and_jobs_go_on(self):
        self.start("server-memory=300", LD_PRELOAD=os.environ["HUNGRY_PAPPL"])
        job = self.begun_job()
        waiting = self.client.print("office", own(2), PCL)[1]
        before = self.app.behind()
        limits = pathlib.Path(f"/proc/{before}/limits").read_text()
        self.assertRegex(limits, rf"Max data size +{300 << 20} +unlimited")
        os.kill(before, signal.SIGUSR2)
        self.ended(1)  # no client is connected
        self.printer.may_take.set()
        self.assertEqual(self.state(job), COMPLETED)
        self.assertEqual(self.state(waiting), COMPLETED)
        self.assertIn("PAPPL has used up its memory (server-memory); its process is "
                      "killed.", self.app.log_text())
        self.assertNotEqual(self.app.behind(), before)
        self.prints()

    def test_a_picture_takes_no_memory_of_other_jobs(self):
        """It would take all that the process has left, but for a part in thirty."""
        memory = 512 << 20
        self.start("server-memory=512")
        self.app.add("photos", "pcl5e")
        job = self.begun_job()
        before = self.app.behind()
        left = memory - (self.app.status("VmData", pid=before) << 10) - memory // 30
        for rows, state in (left // 2 // 30000, ABORTED), (500, COMPLETED):
            _, picture = self.client.print("photos", progressive_jpeg(30000, rows),
                                           "image/jpeg")
            found = until(lambda: (now := self.client.state("photos", picture)) and
                          now >= CANCELED and now)
            self.assertEqual((self.app.behind(), found), (before, state))
        self.assertRegex(self.app.log_text(), "the picture: needs [0-9]+ MiB of memory, of "
                         "which a picture gets at most 128; send it with fewer pixels")
        self.printer.may_take.set()
        self.assertEqual(self.state(job), COMPLETED)
        printed = b"".join(map(bytes, self.printer.streams))
        self.assertEqual(printed.count(own(1)), 1)
        self.assertEqual(self.app.end(), 0)

    def test_sheets_for_slow_printers_take_no_memory_of_other_jobs(self):
        """Eight jobs of ten gray sheets, 4 MiB each, of which no printer accepts two."""
        self.start("server-memory=300")
        gray = pdf_of(["0.5 g 0 0 595 842 re f"] * 10, [(0, 0, 595, 842)] * 10)
        slow = {f"slow{number}": self.app.add(f"slow{number}", "pcl5e")
                for number in range(8)}
        before = self.app.behind()
        for printer in slow.values():
            printer.may_take.clear()
        jobs = {name: self.client.print(name, gray, "application/pdf")[1]
                for name in slow}

        def are_begun():
            return all(printer.queued() for printer in slow.values())
        until(are_begun, 120)
        _, job = self.client.print("office", gray, "application/pdf")
        until(lambda: self.client.state("office", job) == COMPLETED, 120)
        for printer in slow.values():
            printer.may_take.set()
        for name, job in jobs.items():
            until(lambda: self.client.state(name, job) == COMPLETED, 120)
        self.assertEqual(self.app.behind(), before)
        self.assertNotIn("is killed", self.app.log_text())
        self.assertEqual(self.app.end(), 0)

    def test_a_server_ends_although_pappl_stands_still(self):
        self.start("answer-timeout=2")
        os.kill(self.app.behind(), signal.SIGSTOP)
        self.app.process.terminate()
        self.assertEqual(self.app.process.wait(30), 1)

    def test_a_pappl_that_ends_again_and_again_ends_the_server(self):
        self.start()
        while self.app.process.poll() is None:
            with contextlib.suppress(OSError, IndexError, ProcessLookupError):
                os.kill(self.app.behind(), signal.SIGKILL)
        self.assertEqual(self.app.process.returncode, 1)


class ReaderTest(FaultsTest):
    """The reader of PDF documents fails: a script that the test provides."""

    def begun(self, script):
        """Prints a document with `script` as the reader; returns the job's number."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        reader = pathlib.Path(folder.name, "halftone-sheets")
        reader.write_text("#!/bin/sh\n" + script)
        reader.chmod(0o755)
        self.start(folder=folder.name, HALFTONED_LIBEXEC=folder.name)
        status, job = self.client.print("office", pdf(1), "application/pdf")
        self.assertEqual(status, 0)
        return job

    def test_a_reader_that_fails_ends_its_job_alone(self):
        for script, why in (
                ("kill -SEGV $$", "was ended by signal 11"),
                ("exit 3", "failed with status 3"),
                ("exit 0", "ended early"),
                ("echo pages 1; read line", "ended early"),
                ("echo pages many", "has no page"),
                ("echo pages 1; read line; echo sheet of gold", "an invalid answer"),
                ("echo bad it is torn", "it is torn"),
                ("yes | tr -d '\\n' 2>/dev/null", "no end")):
            with self.subTest(script):
                job = self.begun(script)
                self.assertEqual(self.state(job), ABORTED)
                self.assertIn(why, self.app.log_text())
                self.prints()
                self.assertEqual(self.app.end(), 0)

    def test_a_reader_that_is_killed_is_started_again(self):
        """As by a kernel that is short of memory."""
        reader = os.path.dirname(os.environ["PRINTER_APP"]) + "/sheets/halftone-sheets"
        for before in ("", "echo pages 1; "):
            job = self.begun("[ -e $0.was ] || "
                             f"{{ touch $0.was; {before}kill -KILL $$; }}\n"
                             f'exec {reader} "$@"\n')
            self.assertEqual(self.state(job), COMPLETED)
            self.assertEqual(self.app.end(), 0)

    def test_a_job_is_canceled_while_its_document_is_read(self):
        job = self.begun("exec sleep 1000")
        until(lambda: self.client.state("office", job) == PROCESSING)
        self.assertEqual(self.client.cancel("office", job), 0)
        self.assertEqual(self.state(job), CANCELED)
        self.prints()


if __name__ == "__main__":
    unittest.main()

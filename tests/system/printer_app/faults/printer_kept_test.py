#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The data that halftone-printer-app saves for its next start, and the files per job.
PRINTER_APP is the program. Disks need root."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.ipp_client import (ABORTED, BOOLEAN, CANCELED, COMPLETED,  # noqa: E402
                            DISABLE, ENABLE, ENUM, GET_JOB, GET_PRINTER, INTEGER,
                            KEYWORD, MIME, PAUSE, PROCESSING, RESUME, SET_PRINTER, URI,
                            Client)
from kit.marked_documents import PCL, own, pdf, png, raster  # noqa: E402
from kit.server import ServerTest, until, use_own_mounts  # noqa: E402
from kit.web import WebApplication  # noqa: E402

HOLD_JOB, RELEASE_JOB, CANCEL_JOBS, CREATE_JOB, SEND_DOCUMENT, WAITING, HELD = (
    0x0c, 0x0d, 0x38, 0x05, 0x06, 3, 4)
CLOSED = "socket://127.0.0.1:1"
INDEFINITE = [(KEYWORD, "job-hold-until", "indefinite")]


class KeptTest(ServerTest):
    def setUp(self):
        self.begin()

    def begin(self, *options, **how):
        self.start(*options, **how)
        self.printer = self.app.add("office", "pcl5e")

    def held(self, count):
        return [self.client.print("office", own(1), PCL, options=INDEFINITE)[1]
                for _ in range(count)]

    def state(self, job, printer="office"):
        return self.client.state(printer, job)

    def set(self, *values, printer="office"):
        status, _ = self.client.say(printer, SET_PRINTER, job=values)
        self.assertEqual(status, 0)

    def restart(self):
        self.app.kill()
        self.app.start()

    def records(self):
        return sorted((self.app.folder / "jobs").iterdir())


class FilesTest(KeptTest):
    def files(self):
        """What changes when somebody writes to a file, or another takes its
        place."""
        return {path: (found.st_ino, found.st_mtime_ns, found.st_ctime_ns)
                for folder in (self.app.spool, self.app.folder / "jobs")
                for path in folder.iterdir() for found in [path.stat()]}

    def waiting(self, count):
        """Jobs whose files no longer change, and the state of all files."""
        jobs = self.held(count)
        until(lambda: len(self.files()) == 4 * count and
              all(document.stat().st_mode & 0o777 == 0o400 for document in
                  self.app.spool.glob("p0*.prn")))
        return jobs, self.files()

    def assert_untouched(self, before):
        after = self.files()
        self.assertEqual([path.name for path in before
                          if after.get(path) != before[path]], [])

    def test_a_job_touches_no_file_of_another(self):
        others, before = self.waiting(5)
        job = self.client.print("office", own(2), PCL)[1]
        until(lambda: self.state(job) == COMPLETED)
        canceled, = self.held(1)
        self.assertEqual(self.client.cancel("office", canceled), 0)
        until(lambda: len(self.files()) == len(before) + 2)
        self.assert_untouched(before)
        self.assertEqual(len(self.records()), len(others) + 2)

    def test_a_start_and_lost_news_touch_no_file_of_a_waiting_job(self):
        documents = {path: found for path, found in self.waiting(5)[1].items()
                     if path.suffix == ".prn"}
        self.restart()
        before = self.files() | documents
        # Reports of so many changes in the spool are lost.
        most = int(pathlib.Path("/proc/sys/fs/inotify/max_queued_events").read_text())
        os.kill(self.app.behind(), signal.SIGSTOP)
        for number in range(most + 1):
            (self.app.spool / f"other-{number % 2}").touch()
        os.kill(self.app.behind(), signal.SIGCONT)
        for number in range(2):
            (self.app.spool / f"other-{number}").unlink()
        for _ in range(3):
            job = self.client.print("office", own(2), PCL)[1]
            until(lambda: self.state(job) == COMPLETED)
        self.assert_untouched(before)

    def test_jobs_that_are_canceled_together_leave_nothing(self):
        jobs = self.held(5)
        self.assertEqual(self.client.say("office", CANCEL_JOBS)[0], 0)
        until(lambda: not list(self.app.spool.iterdir()))
        self.restart()
        self.assertEqual([self.state(job) for job in jobs], [7] * 5)

    def test_jobs_that_are_canceled_as_they_arrive_leave_nothing(self):
        def hand_over():
            client = Client(self.app.port)
            for document, kind in [(own(1), PCL), (png(1), "image/png"),
                                   (raster(400, 300, 300), "image/pwg-raster")] * 12:
                _, job = client.print("office", document, kind, options=INDEFINITE)
                client.cancel("office", job)
                client.say("office", CANCEL_JOBS)
        threads = [threading.Thread(target=hand_over) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        until(lambda: not list(self.app.spool.iterdir()))
        self.assertEqual([record for record in self.records()
                          if 'state="7"' not in record.read_text()], [])

    def test_records_of_ended_jobs_are_limited(self):
        """PAPPL itself remembers as many."""
        self.app.end()
        for job in range(1, 181):
            (self.app.folder / "jobs" / f"p00001j{job:09}").write_text(
                f'Job id="{job}" name="old" username="tester" format="{PCL}" '
                'state="9" created="1" completed="2"\n')
        self.app.start()
        job = self.client.print("office", own(2), PCL)[1]
        self.assertEqual(job, 181)
        until(lambda: self.state(job) == COMPLETED)
        until(lambda: len(self.records()) == 100)
        self.assertEqual(self.records()[-1].name, f"p00001j{job:09}")

    def test_jobs_of_a_version_without_records_stay(self):
        jobs = self.held(3)
        self.app.end()
        state = self.app.folder / "printers.state"
        lines = [record.read_text() for record in self.records()]
        before, after = state.read_text().split("</Printer>\n")
        state.write_text(before + "".join(lines) + "</Printer>\n" + after)
        for record in self.records():
            record.unlink()
        self.app.start()
        until(lambda: len(self.records()) == 3)
        # First with jobs in the state and in records, then in records alone.
        for name in "one", "two":
            self.restart()
            self.assertEqual([self.state(job) for job in jobs], [4] * 3)
            self.app.add(name, "pcl5e")  # which rewrites the state
        self.assertEqual(len(self.app.run("jobs", "-d", "office").splitlines()), 3)

    def test_a_document_that_is_no_file_ends_its_job_alone(self):
        printed = (own(1), PCL), (png(1), "image/png"), (pdf(1), "application/pdf")
        jobs = [self.client.print("office", *each, options=INDEFINITE)[1]
                for each in printed]
        for document in self.app.spool.glob("document-*"):
            document.unlink()
            os.mkfifo(document)
        for job in jobs:
            self.client.say("office", RELEASE_JOB, (INTEGER, "job-id", job))
            until(lambda: self.state(job) == ABORTED)
        job = self.client.print("office", own(2), PCL)[1]
        until(lambda: self.state(job) == COMPLETED)
        self.assertEqual(self.app.end(), 0)

    def test_starts_leave_no_files(self):
        self.app.run("drivers")
        self.app.end()
        log = self.app.folder / "log"
        log.unlink()
        names = [{path.name for path in self.app.folder.iterdir()}]
        for _ in range(2):
            self.app.process = subprocess.Popen(
                [self.app.program, "server", "-o", f"server-port={self.app.port}",
                 "-o", "log-level=info"], env=self.app.environment)
            until(self.app.listens)
            self.app.run("drivers")
            self.app.end()
            names.append({path.name for path in self.app.folder.iterdir()})
        self.assertEqual(names[1:], [names[0] | {"log", "printers.state.last-good"}] * 2)
        self.assertEqual([name for name in names[0] if name.startswith("pappl")], [])
        self.assertIn("Ended.", log.read_text())

    def test_a_job_that_fails_is_never_taken_for_printed(self):
        """The marks of the document, which a killed server leaves, decide."""
        page, picture = raster(400, 300, 300), png(1)
        documents = (
            (own(2), PCL, COMPLETED, 0o010), (page, "image/pwg-raster", COMPLETED, 0o010),
            (page[:len(page) // 2], "image/pwg-raster", ABORTED, 0o011),
            # The printer gets nothing of it.
            (picture[:len(picture) // 2], "image/png", ABORTED, 0))
        kept = pathlib.Path(self.new_folder())
        for number, (document, kind, end, marks) in enumerate(documents):
            with self.subTest(kind=kind, end=end):
                job = self.client.print("office", document, kind,
                                        options=INDEFINITE)[1]
                name = next(path for path in self.app.spool.glob("p0*")
                            if path.suffix != ".ipp")
                os.link(name, kept / str(number))
                self.client.say("office", RELEASE_JOB, (INTEGER, "job-id", job))
                until(lambda: self.state(job) == end)
                found = (kept / str(number)).stat().st_mode & 0o011
                self.assertEqual(found, marks)

    def test_an_empty_document_never_changes_its_job(self):
        def send(is_last, document=b""):
            return self.client.say(
                "office", SEND_DOCUMENT, (INTEGER, "job-id", job),
                (MIME, "document-format", PCL), (BOOLEAN, "last-document", is_last),
                document=document)[0]
        made = self.client.say("office", CREATE_JOB)[1]
        job = next(group["job-id"][0] for group in made if "job-id" in group)
        self.assertEqual([send(0), send(1)], [0x400, 0x400])
        self.assertEqual(send(0, b"1"), 0)
        until(lambda: self.state(job) == COMPLETED)
        # The job has a document, so the last request closes it.
        self.assertEqual([send(0), send(1)], [0x400, 0])
        self.assertEqual(self.state(job), COMPLETED)
        until(lambda: not list(self.app.spool.iterdir()))

    def test_waiting_jobs_count_for_their_users_after_a_start(self):
        self.app.end()
        self.begin("user-jobs=3", "user-spool=1")
        too_much, part = 0x041e, 1 << 18
        def hold(size=1, expected=0):
            status, job = self.client.print("office", b"x" * size, PCL,
                                            options=INDEFINITE)
            self.assertEqual(status, expected, self.app.log_text())
            return job
        def cancel(job):
            self.assertEqual(self.client.cancel("office", job), 0)
        def kill_pappl():
            process = self.app.behind()
            os.kill(process, signal.SIGKILL)
            until(lambda: self.app.behind() != process)
        jobs = [hold(), hold(), hold()]
        for start in kill_pappl, self.restart:
            start()
            hold(expected=too_much)
            cancel(jobs.pop())
            large = hold(3 * part)
            cancel(jobs.pop())
            start()
            # One more job may wait, but is too large.
            hold(part, expected=too_much)
            cancel(large)
            jobs += [hold(), hold()]


class DirectoryTest(KeptTest):
    def setUp(self):
        self.begin("file-devices=true")

    def test_a_directory_has_a_new_file_for_each_job(self):
        folder = pathlib.Path(self.new_folder())
        made = folder / "made"
        made.mkdir()
        os.symlink(folder / "outside", made / "link.prn")
        self.app.run("add", "-d", "files", "-m", "pcl5e", "-v", f"file://{made}")
        for number, title in enumerate(["same"] * 3 + ["link", "../up", "x" * 255]):
            status, job = self.client.print("files", b"%d" % number, PCL, title)
            self.assertEqual(status, 0)
            until(lambda: self.state(job, "files") == COMPLETED)
        os.remove(made / "link.prn")
        self.assertEqual(
            {path.name: path.read_bytes() for path in made.iterdir()},
            {"same.prn": b"0", "same-2.prn": b"1", "same-3.prn": b"2",
             "link-2.prn": b"3", ".._up.prn": b"4", "x" * 200 + ".prn": b"5"})
        self.assertEqual(os.listdir(folder), ["made"])


class AttributesTest(KeptTest):
    maxDiff = None

    OPTIONS = [(INTEGER, "copies", 3), (ENUM, "print-quality", 5),
               (KEYWORD, "sides", "two-sided-long-edge"), (INTEGER, "job-priority", 7),
               (KEYWORD, "halftone-type", "fine"), *INDEFINITE]
    # PAPPL makes the URIs again.
    CHANGING = ("job-uri", "job-printer-uri", "job-uuid", "job-printer-up-time", "time-at-creation",
                "job-state-message", "time-at-processing", "time-at-completed")

    def attributes(self, job):
        _, groups = self.client.say("office", GET_JOB, (INTEGER, "job-id", job))
        return {name: value for name, value in groups[1].items()
                if name not in self.CHANGING}

    def test_a_job_is_the_same_after_a_kill(self):
        job = self.client.print("office", png(1), "image/png", 'a "title" \\ of \n two',
                                self.OPTIONS)[1]
        before = self.attributes(job)
        self.restart()
        self.assertEqual(self.attributes(job), before)
        self.assertEqual([before["copies"], before["halftone-type"],
                          before["job-hold-until"]], [[3], [b"fine"], [b"indefinite"]])

    def test_holds_and_releases_outlive_a_kill(self):
        """Also while the server ends, which takes as long as the job that prints."""
        def has(job, word):
            options = next(self.app.spool.glob(f"p00001j{job:09}*.ipp"))
            return word in options.read_bytes()
        for ends in False, True:
            with self.subTest(ends=ends):
                self.printer.may_take.clear()
                _, prints = self.client.print("office", own(1) + bytes(8 << 20), PCL)
                until(lambda: self.state(prints) == PROCESSING)
                jobs = self.held(2)
                waiting = self.client.print("office", own(2), PCL)[1]
                if ends:
                    self.app.process.terminate()
                    until(lambda: "Ending after" in self.app.log_text())
                for what, job in (RELEASE_JOB, jobs[0]), (HOLD_JOB, waiting):
                    status, _ = self.client.say("office", what, (INTEGER, "job-id", job))
                    self.assertEqual(status, 0)
                for what in PAUSE, RESUME, DISABLE, ENABLE:
                    status, _ = self.client.say("office", what)
                    self.assertEqual(status, 0x502 if ends else 0)
                until(lambda: has(waiting, b"indefinite"))
                until(lambda: not has(jobs[0], b"indefinite"))
                self.restart()
                self.printer.may_take.set()
                until(lambda: self.state(jobs[0]) == COMPLETED)
                self.assertEqual([self.state(jobs[1]), self.state(waiting)], [HELD, HELD])


class RecordsTest(KeptTest):
    """The directory of records is missing, so none can be written."""
    kind = WebApplication

    def setUp(self):
        super().setUp()
        self.jobs = self.app.folder / "jobs"
        self.app.run("pause", "-d", "office")

    @contextlib.contextmanager
    def unwritable(self):
        away = self.app.folder / "away"
        self.jobs.rename(away)
        try:
            yield
        finally:
            away.rename(self.jobs)

    def create(self):
        status, groups = self.client.say("office", CREATE_JOB)
        return status, next((group["job-id"][0] for group in groups
                             if "job-id" in group), None)

    def send(self, job):
        return self.client.say("office", SEND_DOCUMENT, (INTEGER, "job-id", job),
                               (MIME, "document-format", PCL),
                               (BOOLEAN, "last-document", 1), document=own(2))[0]

    def test_a_job_that_cannot_be_saved_is_canceled(self):
        document = self.app.folder / "document.prn"
        document.write_bytes(own(1))
        with self.unwritable():
            for kind, content in (PCL, own(1)), ("image/pwg-raster", raster(400, 300, 300)):
                self.assertEqual(self.client.print("office", content, kind)[0], 0x500)
            self.assertEqual(self.create()[0], 0x500)
            done = subprocess.run(
                [self.app.program, "submit", "-d", "office", document],
                env=self.app.environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn("The job cannot be saved", done.stderr)
        self.assertEqual([self.state(job) for job in range(1, 5)], [CANCELED] * 4)
        until(lambda: not list(self.app.spool.iterdir()))
        until(lambda: len(self.records()) == 4)
        _, job = self.client.print("office", own(2), PCL)
        self.restart()
        self.assertEqual([self.state(job) for job in range(1, 6)],
                         [CANCELED] * 4 + [WAITING])
        self.app.run("resume", "-d", "office")
        until(lambda: self.state(job) == COMPLETED)
        self.assertEqual(list(map(bytes, self.printer.streams)), [own(2)])

    def test_a_job_is_saved_as_soon_as_it_can_be(self):
        sent, kept = self.create()[1], self.records()
        before = kept[0].read_text()
        with self.unwritable():
            self.app.fill_in("/office/", {"action": "print-test-page"})
            self.assertEqual(self.send(sent), 0)
            until(lambda: self.app.log_text().count("cannot be saved") >= 2)
        until(lambda: len(self.records()) == 2 and kept[0].read_text() != before)
        self.restart()
        self.assertEqual(self.state(sent), WAITING)

    def test_a_job_is_saved_at_the_end(self):
        job = self.create()[1]
        with self.unwritable():
            self.assertEqual(self.send(job), 0)
            until(lambda: "cannot be saved" in self.app.log_text())
        self.assertEqual(self.app.end(), 0)
        self.assertIn(f'format="{PCL}"', self.records()[0].read_text())

    def test_the_log_names_a_job_that_is_never_saved(self):
        job = self.create()[1]
        with self.unwritable():
            self.assertEqual(self.send(job), 0)
            until(lambda: "cannot be saved" in self.app.log_text())
            self.assertEqual(self.app.end(), 0)
        self.assertIn(f"Job {job} of printer 1 is lost, or its last change",
                      self.app.log_text())


class DiskTest(KeptTest):
    kind = WebApplication

    def setUp(self):
        self.disk = self.new_disk("2m")

    def fill(self):
        with open(self.disk / "filler", "ab", buffering=0) as filler:
            with contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(4096))

    def test_a_full_disk_takes_no_documents_and_keeps_nothing_of_them(self):
        log = tempfile.NamedTemporaryFile()
        self.addCleanup(log.close)
        self.begin(folder=str(self.disk), log=pathlib.Path(log.name))
        self.fill()
        for _ in range(3):
            status, _ = self.client.print("office", b"1", PCL)
            self.assertGreaterEqual(status, 0x400)
            until(lambda: not list(self.app.spool.iterdir()))
        (self.disk / "filler").unlink()
        job = self.client.print("office", b"2", PCL)[1]
        until(lambda: self.state(job) == COMPLETED)
        until(lambda: not list(self.app.spool.iterdir()))

    def test_a_full_disk_forgets_a_canceled_job(self):
        log = tempfile.NamedTemporaryFile()
        self.addCleanup(log.close)
        self.begin(folder=str(self.disk), log=pathlib.Path(log.name))
        job = self.client.print("office", b"1", PCL, options=INDEFINITE)[1]
        self.fill()
        self.assertEqual(self.client.cancel("office", job), 0)
        self.restart()
        self.assertIn(self.state(job), (CANCELED, ABORTED))

    def test_printers_are_saved_while_the_disk_of_documents_is_full(self):
        spool = self.disk / "spool"
        self.begin(f"spool-directory={spool}")
        self.fill()
        self.assertEqual(self.client.say("office", CREATE_JOB)[0], 0x500)
        self.app.run("add", "-d", "new", "-m", "pcl5e", "-v", CLOSED)
        self.set((URI, "printer-geo-location", "geo:1,2"))
        self.restart()
        self.assertEqual(sorted(self.app.run("printers").split()), ["new", "office"])
        _, groups = self.client.say("office", GET_PRINTER)
        self.assertEqual(groups[1]["printer-geo-location"], [b"geo:1,2"])

    def test_a_change_that_cannot_be_saved_is_an_error(self):
        log = tempfile.NamedTemporaryFile()
        self.addCleanup(log.close)
        self.begin(folder=str(self.disk), log=pathlib.Path(log.name))
        self.fill()
        for words in (("add", "-d", "new", "-m", "pcl5e", "-v", CLOSED),
                      ("modify", "-d", "office", "-o", "halftone-type=fine"),
                      ("pause", "-d", "office")):
            with self.subTest(words[0]):
                done = subprocess.run(
                    [self.app.program, *words], env=self.app.environment,
                    capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 1)
                self.assertIn("cannot be saved", done.stderr)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.app.fill_in("/office/printing", {"halftone-type": "fine"})
        self.assertIn(b"cannot be saved", refused.exception.read())
        (self.disk / "filler").unlink()
        self.app.run("modify", "-d", "office", "-o", "halftone-type=bi-level")
        self.restart()
        self.assertEqual(sorted(self.app.run("printers").split()), ["new", "office"])


if __name__ == "__main__":
    use_own_mounts()
    unittest.main()

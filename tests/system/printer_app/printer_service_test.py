#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app as a service: jobs outlast its restarts, hostile jobs do not end
it, and no job leaves files behind. PRINTER_APP is the program."""

import fcntl
import os
import pathlib
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

from kit.server import Application, Listener, ServerTest, until, unused_port
from kit.ipp_client import (ABORTED, CANCELED, COMPLETED, KEYWORD, PAUSE,
                            PENDING, PROCESSING, RESUME, Client)
from kit.marked_documents import (BEGIN, END, PCL, numbers_of, own, pdf, png,
                                  png_of, raster)

FILE = BEGIN + b"a file of the printer's own" + END
NOISE = png_of(1200, 1600, random.Random(1).randbytes(1200 * 1600))
TITLE = "A-title-that-nobody-reads"
# The only output of a sub-command that starts a server.
STARTING = rb"\Ahalftone-printer-app: starting your own server[^\n]*\n\Z"


def for_long(start):
    """An endless document; a client that has an answer reads no more of it."""
    yield start
    for _ in range(400):
        yield bytes(1 << 16)


def bomb():
    """A picture of 200,000 x 200,000 pixels by its header, with 30 MB of zeros."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    header = struct.pack(">IIBBBBB", 200000, 200000, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(bytes(30 << 20))) + chunk(b"IEND", b""))


def packed(byte, megabytes):
    """Packed twice: gigabytes would be a few kilobytes."""
    once = zlib.compressobj(9)
    data = b"".join(once.compress(byte * (1 << 20)) for _ in range(megabytes))
    return zlib.compress(data + once.flush(), 9)


def pdf_bomb():
    """A page whose size is not the paper's, with 600 MiB of blanks to draw."""
    content = packed(b" ", 600)
    objects = [b"<</Type/Catalog/Pages 2 0 R>>",
               b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Contents 4 0 R>>",
               b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n"
               % len(content) + content + b"\nendstream"]
    return b"%PDF-1.7\n" + b"".join(
        b"%d 0 obj%s endobj\n" % (number, body)
        for number, body in enumerate(objects, 1)) + b"trailer<</Root 1 0 R>>"


class Service(ServerTest):
    def setUp(self):
        self.start()

    def spooled(self):
        return [path.name for path in self.app.spool.iterdir()]

    def state(self, printer, job):
        return until(lambda: (found := self.client.state(printer, job)) and
                     found >= CANCELED and found)

    def wait_for_begin(self):
        """Waits until a job of the previous server begins."""
        until(lambda: "Starts on far" in self.app.log_text())

    def test_jobs_wait_for_the_next_start(self):
        port = unused_port()
        self.app.run("add", "-d", "far", "-m", "pcl5e", "-v",
                     f"socket://127.0.0.1:{port}")
        for _ in range(3):
            status, _ = self.client.print("far", FILE, PCL, TITLE)
            self.assertEqual(status, 0)
        status, _ = self.client.print(
            "far", png(1), "image/png", TITLE,
            [(KEYWORD, "halftone-type", "bi-level")])
        self.assertEqual(status, 0)
        self.app.kill()
        self.app.log.write_text("")
        self.app.start()
        self.wait_for_begin()
        self.assertEqual(self.app.end(), 0)
        self.assertEqual(len([name for name in self.spooled()
                              if name.endswith((".prn", ".png"))]), 4)
        printer = Listener(port=port)
        self.app.start()
        until(lambda: sum(bytes(each).count(END)
                          for each in printer.streams) == 4)
        data = b"".join(bytes(each) for each in printer.streams)
        self.assertEqual(data.count(FILE), 3)
        until(lambda: not self.spooled())
        self.assertIn("is printed again", self.app.log_text())
        self.assertNotIn(TITLE.lower(), self.app.log_text().lower())

    def test_a_paused_printer_stays_paused(self):
        printer = self.app.add("office", "pcl5e")
        self.app.add("other", "pcl5e")
        for end in (self.app.end, self.app.kill):
            self.client.say("office", PAUSE)
            _, job = self.client.print("office", own(1), PCL)
            until(lambda: "1" in next(
                self.app.folder.rglob("printers.paused")).read_text())
            end()
            self.app.start()
            _, other = self.client.print("other", own(2), PCL)
            self.assertEqual(self.state("other", other), COMPLETED)
            self.assertEqual(self.client.state("office", job), PENDING)
            self.client.say("office", RESUME)
            self.assertEqual(self.state("office", job), COMPLETED)
        self.assertEqual(bytes(printer.streams[0]), own(1))

    def test_jobs_are_printed_in_their_order(self):
        printer = self.app.add("office", "pcl5e")
        printer.may_take.clear()
        jobs = [self.client.print("office", own(number) + bytes(
            (8 << 20) if number == 1 else 0), PCL)[1] for number in range(1, 8)]
        until(lambda: self.client.state("office", jobs[0]) == PROCESSING)
        printer.may_take.set()
        for job in jobs:
            self.assertEqual(self.state("office", job), COMPLETED)
        printer.take_all()
        came = re.findall(rb"%s(file \d)" % re.escape(BEGIN),
                          b"".join(map(bytes, printer.streams)))
        self.assertEqual(came, [b"file %d" % number for number in range(1, 8)])

    def test_one_server_has_the_printers(self):
        """Another server of the same user prints one line; listing drivers is allowed."""
        other = Application(self.app.program, self.app.folder)
        other.environment["TMPDIR"] = str(self.app.folder / "elsewhere")
        (self.app.folder / "elsewhere").mkdir()
        other.spawn(stderr=subprocess.PIPE, text=True)
        said = other.process.communicate(timeout=30)[1]
        self.assertNotEqual(other.process.returncode, 0)
        self.assertIn("another server keeps its printers and jobs there", said)
        self.assertIn("pcl5e", other.run("drivers"))
        self.assertIsNone(self.app.process.poll())

    def refuses(self, *options):
        """The message of a second server, which refuses to start with these options."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        other = Application(self.app.program, folder.name, options=options)
        other.spawn(stderr=subprocess.PIPE, text=True)
        said = other.process.communicate(timeout=30)[1]
        self.assertNotEqual(other.process.returncode, 0)
        return said

    def test_documents_have_a_directory_for_one_server_alone(self):
        self.assertIn("another server keeps documents there",
                      self.refuses(f"spool-directory={self.app.spool}"))
        for name in "document-final.pdf", "document-0.part", "p00001j1-x", "letter":
            with tempfile.TemporaryDirectory() as folder:
                own = pathlib.Path(folder, name)
                own.write_text("mine")
                self.assertIn(f"{folder}: has other files, such as {name}",
                              self.refuses(f"spool-directory={folder}"))
                self.assertEqual(own.read_text(), "mine")

    def test_a_log_that_cannot_be_moved_stops_nothing(self):
        (self.app.folder / "log.O").mkdir()
        self.app.end()
        self.app.log.write_bytes(bytes(1 << 20))
        self.app.start()
        self.app.run("printers")
        until(lambda: self.app.log.stat().st_size < 1 << 19)
        self.app.end()
        # A file of somebody else's stays as it is.
        self.app.log = "-"
        output = self.app.folder / "output"
        output.write_bytes(bytes(1 << 20))
        with output.open("ab") as stderr:
            self.app.start(stderr=stderr)
        self.app.run("printers")
        self.app.end()
        self.assertGreater(output.stat().st_size, 1 << 20)

    def test_a_port_that_is_taken_is_reported(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        other = Application(self.app.program, folder.name)
        other.port = self.app.port
        self.assert_taken(other)

    def assert_taken(self, other):
        other.spawn(stderr=subprocess.PIPE, text=True)
        said = other.process.communicate(timeout=30)[1]
        self.assertNotEqual(other.process.returncode, 0)
        self.assertIn("server-port: in use by another program", said)

    @unittest.skipUnless(socket.has_ipv6, "needs IPv6")
    def test_a_port_that_is_taken_in_one_family_is_reported(self):
        """Clients would find the other program first."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for listen in "*", "localhost":
            for address in "::", "::1":
                other = Application(self.app.program, folder.name, listen=listen)
                with socket.socket(socket.AF_INET6) as squatter:
                    squatter.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                    squatter.bind((address, other.port))
                    squatter.listen()
                    self.assert_taken(other)

    def test_the_end_of_its_terminal_ends_it_as_others_do(self):
        self.app.process.send_signal(signal.SIGHUP)
        self.assertEqual(self.app.process.wait(75), 0)
        self.assertIn("Ended.", self.app.log_text())
        # With nohup(1), the server goes on.
        self.app.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.app.process.send_signal(signal.SIGHUP)
        self.assertEqual(self.app.run("printers"), "")
        self.app.end()
        self.app.start()

    def test_a_limit_of_file_size_ends_a_document_and_not_the_server(self):
        self.app.end()
        self.app.start(preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)))
        self.app.add("limited", "pcl5e")
        self.assertNotEqual(self.client.print("limited", FILE + bytes(1 << 17), PCL)[0], 0)
        self.assertIn("File too large", self.app.log_text())
        self.assertEqual(self.client.print("limited", FILE, PCL)[0], 0)
        self.app.end()
        self.app.start()

    def test_it_can_open_as_many_files_as_the_system_allows(self):
        for pid in self.app.process.pid, self.app.behind():
            soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            self.assertEqual(soft, min(hard, 1 << 19))

    def test_a_sub_command_that_starts_a_server_ends_its_output(self):
        self.app.end()
        done = subprocess.run(
            f"{self.app.program} printers 2>&1 | cat", shell=True, timeout=60,
            env=self.app.environment, capture_output=True)
        self.assertRegex(done.stdout, STARTING)
        self.app.run("shutdown")
        self.app.start()

    def test_printers_are_deleted_by_the_name_that_they_were_added_by(self):
        self.app.add("first", "pcl5e")
        self.app.add("second", "zpl-203dpi")
        self.app.run("default", "-d", "second")
        self.app.run("delete", "-d", "first")
        self.assertEqual(self.app.run("printers").split(), ["second"])

    def test_a_signal_while_it_starts_ends_it(self):
        self.app.run("add", "-d", "far", "-m", "pcl5e", "-v",
                     f"socket://127.0.0.1:{unused_port()}")
        self.assertEqual(self.client.print("far", FILE, PCL)[0], 0)
        self.app.kill()
        # The signal is pending before the program's first line runs.
        self.app.spawn(preexec_fn=lambda: signal.pthread_sigmask(
            signal.SIG_BLOCK, [signal.SIGTERM]))
        self.assertEqual(self.app.end(), 0)
        # The signal comes as soon as the program visibly blocks it.
        self.app.spawn()
        until(lambda: self.app.status("SigBlk", 16) >> signal.SIGTERM - 1 & 1)
        self.assertEqual(self.app.end(), 0)
        self.assertEqual(len([name for name in self.spooled()
                              if name.endswith(".prn")]), 1)

    def test_a_document_that_is_not_whole_is_not_printed(self):
        self.app.add("near", "pcl5e")

        def half():
            yield FILE[:20]
            self.app.kill()
            yield FILE[20:]
        with self.assertRaises(OSError):
            self.client.print("near", half(), PCL)
            raise OSError
        self.app.start()
        self.assertEqual(self.spooled(), [])
        self.assertIsNone(self.client.state("near", 1))

    def test_hostile_jobs_end_and_leave_nothing(self):
        printer = self.app.add("labels", "zpl-203dpi")
        picture = png(3)
        page = raster(400, 300)
        jobs = [("image/pwg-raster", b"RaS2PwgR" + bytes(5000)),
                ("image/pwg-raster", os.urandom(5000)),
                ("image/pwg-raster", raster(400, 300, dpi=77)),
                ("image/pwg-raster", raster(200, 300, bits=24, space="SRGB")),
                ("image/pwg-raster", raster(60000, 3)),
                ("image/urf", b"UNIRAST\0\0\0\0\1" + bytes(40)),
                ("image/urf", b"UNIRAST\0\xff\xff\xff\xff"),
                ("image/pwg-raster", for_long(page)),
                ("image/png", picture[:len(picture) // 2]),
                ("image/png", bomb()),
                ("image/png", b"\x89PNG\r\n\x1a\n" + os.urandom(3000)),
                ("image/jpeg", b"\xff\xd8\xff\xe0" + os.urandom(3000)),
                ("image/jpeg", bytes(100)),
                ("application/pdf", b"%PDF-1.7\n" + os.urandom(3000)),
                ("application/postscript", b"%!PS\nno such operator\n")]
        states = set()
        for kind, data in jobs:
            try:
                status, job = Client(self.app.port).print("labels", data, kind,
                                                          TITLE)
            except OSError:
                continue  # the server stopped reading
            if status < 0x100:
                states.add(self.state("labels", job))
        self.assertEqual(states, {ABORTED})
        self.assertIsNone(self.app.process.poll())
        status, job = self.client.print("labels", picture, "image/png", TITLE)
        self.assertEqual((status, self.state("labels", job)), (0, COMPLETED))
        until(lambda: not self.spooled())
        self.assertNotIn(TITLE.lower(), self.app.log_text().lower())
        del printer

    def test_a_document_that_unpacks_to_gigabytes_is_refused(self):
        self.app.add("office", "pcl5e")
        _, job = self.client.print("office", pdf_bomb(), "application/pdf")
        self.assertEqual(self.state("office", job), ABORTED)
        self.assertIn("more than 256 MiB of contents", self.app.log_text())
        peak = self.app.status("VmHWM", pid=self.app.behind())
        self.assertLess(peak, 200 << 10, "KiB")

    def test_concurrent_jobs_share_the_processors(self):
        def jammed(name):
            printer = Listener()
            printer.may_take.clear()
            self.app.run("add", "-d", name, "-m", "pcl5e", "-v", printer.uri)

        def renderers(number, name):
            """Those of the `number`th job that has some."""
            _, job = self.client.print(name, document, "application/pdf")
            counts = until(lambda: (found := re.findall(
                r"(\d+) renderers make 60 pages", self.app.log_text()))
                and len(found) == number and found)
            return job, int(counts[-1])
        document = pdf(*range(1, 61))
        for name in ("first", "second", "third"):
            jammed(name)
        processors = len(os.sched_getaffinity(0))
        job, most = renderers(1, "first")
        self.assertGreater(most, min(processors, 2) - 1)
        _, more = renderers(2, "second")
        self.assertEqual(more, max(1, min(most, processors - most)))
        _, more = renderers(3, "third")
        self.assertGreaterEqual(more, 1)
        self.client.cancel("first", job)
        self.assertEqual(self.state("first", job), CANCELED)

    def test_a_server_is_started_by_a_program_in_the_path(self):
        self.app.kill()
        program = pathlib.Path(self.app.program)
        environment = dict(self.app.environment, PATH=str(program.parent))

        def run(*words, **options):
            done = subprocess.run([program.name, *words], env=environment,
                                  cwd="/", timeout=60, text=True, **options)
            self.assertEqual(done.returncode, 0)
            return done.stdout
        # What the server keeps open until it ends.
        end, said = os.pipe()
        self.addCleanup(os.close, end)
        try:
            run("add", "-d", "far", "-m", "pcl5e", "-v",
                f"socket://127.0.0.1:{unused_port()}",
                stdout=said, stderr=said)
        finally:
            os.close(said)
        self.assertEqual(run("printers", stdout=subprocess.PIPE), "far\n")
        run("shutdown")
        with open(end, "rb", closefd=False) as everything:
            self.assertRegex(everything.read(), STARTING)
        with open(self.app.folder / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # waits until the server has ended


if __name__ == "__main__":
    unittest.main()

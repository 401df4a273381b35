#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app when clients fall silent or disconnect, and when the disk is full.
PRINTER_APP is the program. Disks need root."""

import contextlib
import gzip
import http.client
import os
import pathlib
import socket
import subprocess
import sys
import threading
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.ipp_client import (ABORTED, CANCELED, CHARSET, COLLECTION,  # noqa: E402
                            COMPLETED, END, GET_PRINTER, INTEGER, KEYWORD, LANGUAGE, MEMBER,
                            MIME, NAME, PRINT_JOB, PROCESSING, URI, Client, answer_of,
                            message)
from kit.server import Listener, ServerTest, until, use_own_mounts  # noqa: E402
from ports import unused_port  # noqa: E402
from kit.marked_documents import PCL, numbers_of, own, pdf, png, raster  # noqa: E402

ROWS = 300
UNAVAILABLE = 0x502  # the service
BAD_PACKING = 0x410  # compression-error
GET_PRINTERS = 0x4006


class FaultsTest(ServerTest):
    def start(self, *options, **how):
        super().start(*options, **how)
        self.printer = self.app.add("office", "pcl5e")

    def state(self, job):
        return until(lambda: (found := self.client.state("office", job)) and
                     found >= CANCELED and found)

    def prints(self):
        """Checks that a whole job still prints."""
        status, job = self.client.print("office", own(7), PCL)
        self.assertEqual((status, self.state(job)), (0, COMPLETED))
        until(lambda: own(7) in b"".join(map(bytes, self.printer.streams)))


class ClientTest(FaultsTest):
    TIMEOUT = 1

    def setUp(self):
        self.start(f"client-timeout={self.TIMEOUT}")

    def send(self, kind, data, chunked=True):
        """A connection with a request whose document continues after `data`."""
        words = [(CHARSET, "attributes-charset", "utf-8"),
                 (LANGUAGE, "attributes-natural-language", "en"),
                 (URI, "printer-uri",
                  f"ipp://localhost:{self.app.port}/ipp/print/office"),
                 (NAME, "requesting-user-name", "tester"),
                 (MIME, "document-format", kind)]
        body = message(PRINT_JOB, words) + data
        connection = socket.create_connection(("127.0.0.1", self.app.port))
        self.addCleanup(connection.close)
        connection.sendall(
            b"POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/ipp\r\n" +
            (b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(body), body)
             if chunked else
             b"Content-Length: %d\r\n\r\n%s" % (len(body) + 1000, body)))
        return connection

    def test_a_silent_client_makes_no_job(self):
        page = raster(400, ROWS, dpi=300)
        before = self.client.print("office", own(3), PCL)[1]
        for kind, data in (PCL, own(1)), ("image/pwg-raster", page[:-500]):
            for chunked in True, False:
                with self.subTest(kind=kind, chunked=chunked):
                    silent = self.send(kind, data, chunked)
                    # It holds nothing meanwhile.
                    self.prints()
                    silent.settimeout(30)
                    self.assertEqual(silent.recv(1), b"")
        after = self.client.print("office", own(3), PCL)[1]
        self.assertEqual(after, before + 5)
        self.assertNotIn(own(1), b"".join(map(bytes, self.printer.streams)))

    def test_a_client_that_drips_holds_nothing(self):
        drip = self.send("image/pwg-raster", raster(400, ROWS, dpi=300)[:-500])
        for _ in range(4):
            # The server drops this client if printing takes longer than its timeout.
            with contextlib.suppress(ConnectionError):
                drip.sendall(b"1\r\n\0\r\n")
            self.prints()
        self.assertEqual(self.client.state("office", 5), None)

    def test_a_client_that_goes_makes_no_job(self):
        for chunked in True, False:
            with self.subTest(chunked=chunked):
                before = self.client.print("office", own(3), PCL)[1]
                self.send(PCL, own(1), chunked).close()
                self.prints()
                self.assertIsNone(self.client.state("office", before + 2))
        self.assertNotIn(own(1), b"".join(map(bytes, self.printer.streams)))
        until(lambda: not list(self.app.spool.iterdir()))

    def test_values_of_another_kind_are_left_out(self):
        """PAPPL crashes if a value is not a keyword, and again at each start."""
        for member in ("media-size-name", "media-source", "media-tracking",
                       "media-type"):
            with self.subTest(member):
                paper = [(COLLECTION, "media-col", b""), (MEMBER, "", member),
                         (INTEGER, "", 7), (END, "", b"")]
                status, job = self.client.print("office", png(5), "image/png",
                                                options=paper)
                self.assertEqual((status, self.state(job)), (0, COMPLETED))
                self.assertIn(f"Left out: media-col: {member} has the wrong type: "
                              "integer.", self.app.log_text())
        self.prints()

    def test_half_a_request_is_not_waited_for(self):
        for start in (b"P", b"POST /ipp/print/office HTTP/1.1\r\nHost: loc",
                      b"GET / HTTP/1.1\r\nHost: localhost\r\n"):
            with self.subTest(start):
                half = socket.create_connection(("127.0.0.1", self.app.port))
                self.addCleanup(half.close)
                half.settimeout(30)
                half.sendall(start)
                with contextlib.suppress(ConnectionResetError):
                    while half.recv(4096):
                        pass
        self.prints()


class PackedTest(FaultsTest):
    def test_documents_are_unpacked_or_refused(self):
        self.start()
        own7, half = own(7), len(own(7)) // 2
        whole = gzip.compress(own7)
        raw = zlib.compressobj(wbits=-15)
        deflated = raw.compress(own7) + raw.flush()
        pieces = gzip.compress(own7[:half]) + gzip.compress(own7[half:])
        for outer, inner, document, status in (
                (False, None, own7, 0), (True, None, own7, 0),
                (False, "gzip", whole, 0), (True, "gzip", whole, 0),
                (False, "deflate", deflated, 0), (False, "gzip", pieces, 0),
                *((False, "gzip", whole[:-cut], BAD_PACKING) for cut in (1, 8, 12)),
                (False, "deflate", deflated[:-3], BAD_PACKING),
                (False, "gzip", pieces[:-12], BAD_PACKING),
                (False, "gzip", own7, BAD_PACKING),
                (False, "deflate", whole, BAD_PACKING),
                (False, "gzip", whole + b"more", BAD_PACKING)):
            with self.subTest(outer=outer, inner=inner, size=len(document)):
                words = [(CHARSET, "attributes-charset", "utf-8"),
                         (LANGUAGE, "attributes-natural-language", "en"),
                         (URI, "printer-uri", self.app.uri("office")),
                         (MIME, "document-format", PCL)]
                words += [(KEYWORD, "compression", inner)] if inner else []
                body = message(PRINT_JOB, words) + document
                came = len(self.printer.jobs)
                self.assertEqual(self.post(body, outer), status)
                if status == 0:
                    self.assertTrue(self.printer.job(came) == own7)
        self.prints()
        self.assertTrue(all(job == own7 for job in self.printer.jobs))

    def post(self, body, is_packed):
        """The status; None without an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.app.port, timeout=30)
        try:
            connection.request(
                "POST", "/ipp/print/office", gzip.compress(body) if is_packed else body,
                {"Content-Type": "application/ipp",
                 **({"Content-Encoding": "gzip"} if is_packed else {})})
            answer = connection.getresponse()
            return answer_of(answer.read())[0]
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class FullDiskTest(FaultsTest):
    def setUp(self):
        self.disk = self.new_disk("6m")
        self.start(folder=str(self.disk), log=self.new_log())

    def fill(self):
        """All but a little, if the application has not let go of some."""
        with open(self.disk / "filler", "ab", buffering=0) as filler:
            with contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(4096))

    def state_file(self):
        return next(self.disk.rglob("printers.state")).read_text()

    def test_printers_and_jobs_outlast_a_full_disk(self):
        self.app.run("add", "-d", "far", "-m", "pcl5e", "-v",
                     "socket://127.0.0.1:1")
        kept = self.client.print("far", png(1), "image/png")[1]
        self.fill()
        before = self.state_file()
        refused = 0
        # The front end keeps the larger documents, PAPPL the others.
        for size in [9 << 20, 200 << 10] * 4:
            with contextlib.suppress(OSError):
                status, job = self.client.print("office", own(1) + bytes(size), PCL)
                refused += status >= 0x400
        self.assertEqual(refused, 8)
        until(lambda: "cannot be saved" in self.app.log_text() or
              self.state_file() != before)
        self.app.kill()
        after = self.state_file()
        self.assertEqual(after.count("<Printer "), 2)
        self.assertEqual(after.count("</Printer>"), 2)
        # The server also starts with a full disk, and prints the waiting jobs.
        self.fill()
        self.app.log.write_text("")
        self.app.start()
        self.assertEqual(sorted(self.app.run("printers").split()),
                         ["far", "office"])
        self.assertIn(self.client.state("far", kept), (3, PROCESSING),
                      self.app.log_text())
        self.app.kill()
        (self.disk / "filler").unlink()
        self.app.start()
        self.assertEqual(sorted(self.app.run("printers").split()),
                         ["far", "office"])
        self.prints()


    def test_a_job_waits_while_the_disk_is_full(self):
        """Its printer is found again at a moment when there is no room."""
        port = unused_port()
        self.app.run("add", "-d", "late", "-m", "pcl5e", "-v",
                     f"socket://127.0.0.1:{port}")
        job = self.client.print("late", pdf(1), "application/pdf")[1]
        until(lambda: "offline" in self.client.reasons("late"))
        disk = os.statvfs(self.disk)
        self.limit_files(disk.f_files - disk.f_ffree + 2)
        printer = Listener(port=port)
        until(lambda: "spool-area-full" in self.client.reasons("late"))
        self.assertEqual(self.client.state("late", job), PROCESSING)
        printer.take_all()  # other hosts can use it
        self.limit_files(disk.f_files)
        until(lambda: self.client.state("late", job) == COMPLETED)
        self.assertEqual(self.client.reasons("late"), ["none"])
        printer.take_all()
        self.assertEqual(numbers_of(printer.jobs[-1]), [1])

    def limit_files(self, number):
        subprocess.run(["mount", "-o", f"remount,nr_inodes={number}", self.disk],
                       check=True)


class ShortRasterTest(FaultsTest):
    def test_raster_that_ends_early_in_a_whole_request_is_answered(self):
        self.start()
        page = raster(1200, 3000, 300)
        self.client.timeout = 20
        _, job = self.client.print("office", page[:len(page) // 3],
                                   "image/pwg-raster")
        self.assertEqual(self.state(job), ABORTED)
        self.assertIn("the page lacks its last rows", self.app.log_text())
        self.prints()


class FloodTest(FaultsTest):
    """More connections than the server accepts."""

    CONNECTIONS = 600

    def test_a_users_connections_cost_neither_threads_nor_other_users_jobs(self):
        self.start()
        before = self.app.status("VmRSS")
        with contextlib.ExitStack() as flood:
            if os.geteuid() == 0:
                os.seteuid(1)
            try:
                for _ in range(self.CONNECTIONS):
                    flood.enter_context(socket.create_connection(
                        ("127.0.0.1", self.app.port)))
            finally:
                if os.getuid() == 0:
                    os.seteuid(0)
            if os.geteuid() != 0:  # the connections are of the user that prints
                with self.assertRaises(OSError):
                    self.prints()
            else:
                self.prints()
                self.assertLess(self.app.status("Threads"), 110)
                self.assertLess(self.app.status("VmRSS") - before, 30 << 10)
        until(self.is_heard)
        self.prints()

    def is_heard(self):
        try:
            return self.client.state("office", 1) or True
        except OSError:
            return False


class WaitingTest(FaultsTest):
    """Raster that waits for a printer while others come: of what PAPPL refuses
    meanwhile it takes locks in two orders."""

    ROUNDS = 25

    def test_jobs_that_wait_block_no_others(self):
        self.start()
        jammed = self.app.add("jammed", "pcl5e")
        jammed.may_take.clear()
        _, job = self.client.print("jammed", own(1) + bytes(8 << 20), PCL)
        until(lambda: self.client.state("jammed", job) == PROCESSING)
        failed, page = [], raster(1200, 64)

        def ask(say):
            client = Client(self.app.port, timeout=30)
            try:
                for _ in range(self.ROUNDS):
                    say(client)
            except TimeoutError as error:
                failed.append(error)

        def waiting(client):
            status, _ = client.print("jammed", page, "image/pwg-raster")
            if status != 0:
                failed.append(status)
        threads = [threading.Thread(target=ask, args=(say,)) for say in (
            *[waiting] * 4,
            *[lambda client: client.print("office", own(2), PCL)] * 2,
            *[lambda client: client.say(None, GET_PRINTERS)] * 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])


    def test_jobs_wait_for_a_printer_that_closes_connections_at_once(self):
        """As one does that prints for another computer."""
        self.start()
        busy = self.app.add("busy", "pcl5e")
        busy.is_busy, documents = True, [own(1), own(2) + bytes(8 << 20), own(3)]
        jobs = [self.client.print("busy", document, PCL)[1] for document in documents]
        until(lambda: busy.closed >= 2)
        until(lambda: "offline" in self.client.reasons("busy"))
        self.assertEqual(self.client.cancel("busy", jobs[2]), 0)
        until(lambda: self.client.state("busy", jobs[2]) == CANCELED)
        self.prints()
        self.assertEqual(busy.jobs, [])
        until(lambda: busy.closed >= 4)
        self.assertEqual(self.app.log_text().count("closed the connection at once"), 1)
        busy.is_busy = False
        for job in jobs[:2]:
            until(lambda job=job: self.client.state("busy", job) == COMPLETED)
        busy.take_all()
        self.assertEqual([bytes(each) for each in busy.jobs], documents[:2])


class DeletionTest(FaultsTest):
    ROUNDS = 12

    def setUp(self):
        self.start()

    def test_printers_go_while_jobs_come(self):
        listener, done = self.app.add("gone", "pcl5e"), threading.Event()
        self.addCleanup(done.set)
        pages = [(own(3), PCL), (png(4), "image/png"), (pdf(5), "application/pdf")]

        def print_all():
            client = Client(self.app.port)
            while not done.is_set():
                for document, kind in pages:
                    # Any answer is right, including that the printer does not exist.
                    with contextlib.suppress(OSError):
                        client.print("gone", document, kind)
                        client.say("gone", GET_PRINTER)
        threads = [threading.Thread(target=print_all) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(self.ROUNDS):
            self.app.run("delete", "-d", "gone")
            self.app.run("add", "-d", "gone", "-m", "pcl5e", "-v", listener.uri)
        done.set()
        for thread in threads:
            thread.join()
        self.assertIsNone(self.app.process.poll())
        self.prints()

    def test_a_printer_goes_that_takes_no_bytes(self):
        name = "j\u00e4mmed"
        jammed = self.app.add(name, "pcl5e")
        jammed.may_take.clear()
        _, job = self.client.print(name, own(1) + bytes(8 << 20), PCL)
        until(lambda: self.client.state(name, job) == PROCESSING)
        self.app.run("delete", "-d", name)
        until(lambda: self.app.run("printers").split() == ["office"])
        until(lambda: not list(self.app.spool.glob("p0*")))
        self.app.add(name, "zpl-203dpi")
        self.prints()


if __name__ == "__main__":
    use_own_mounts()
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app in front of a printer that is a socket: what arrives,
decoded, are the bits of the definition. And what it refuses. PRINTER_APP is the
program, LATER_PAPPL a library that says to be libpappl 1.4."""

import concurrent.futures
import os
import re
import socket
import subprocess
import sys
import tempfile
import unittest

from kit.application import (Application, ApplicationTest, HEIGHT, PROGRAM, WIDTH,
                             gray_rows, ink_of)
import cups_raster
from kit import decoders
from kit.ipp_client import GET_PRINTER, KEYWORD, Client
import pcl
from kit.server import Listener


class PrinterAppTest(ApplicationTest):
    def test_pcl_has_the_bits_of_the_definition(self):
        printer, gray = self.add("laser", "pcl5e"), gray_rows()
        self.submit("laser", self.raster(600, gray))
        (_, rows), = pcl.read_pages(printer.job(0))
        skip = 600 * 71 // 300 // 8
        expected = [row[skip:] for row in
                    ink_of(gray, "dpi=600,black-point=32")]
        while not any(expected[-1]):
            expected.pop()
        self.assertEqual(rows, expected)

        self.submit("laser", self.raster(300, gray),
                    "halftone-type=clustered", "halftone-toner-save=25",
                    "halftone-text-edges=off")
        (_, rows), = pcl.read_pages(printer.job(1))
        expected = [row[300 * 71 // 300 // 8:] for row in ink_of(
            gray, "dpi=300,black-point=32,halftone-type=clustered,"
            "toner-save=25,text-edges=off")]
        while not any(expected[-1]):
            expected.pop()
        self.assertEqual(rows, expected)

    def test_zpl_has_the_bits_of_the_definition(self):
        printer, gray = self.add("labels", "zpl-203dpi"), gray_rows()
        self.submit("labels", self.raster(203, gray))
        data = printer.job(0)
        (label,) = decoders.zpl(data)
        self.assertEqual(label.rows, ink_of(
            gray, "dpi=203,black-point=32,technology=thermal"))

    def test_pwg_has_the_bits_of_the_definition(self):
        printer, gray = self.add("office", "pwg"), gray_rows()
        self.submit("office", self.raster(600, gray))
        data = printer.job(0)
        header = cups_raster.unpack_header(data[4:4 + cups_raster.V2_BYTES],
                                           ">")
        self.assertEqual(header["cupsBitsPerPixel"], 1)
        rows, _ = cups_raster.unpack_rows(data, 4 + cups_raster.V2_BYTES,
                                          header)
        self.assertTrue(bytes(rows) == b"".join(
            ink_of(gray, "dpi=600,black-point=32")))

    def test_bad_raster_is_refused_and_the_server_goes_on(self):
        printer, gray = self.add("refuses", "zpl-203dpi"), gray_rows()
        whole = self.raster(203, gray)
        bit_page = cups_raster.page_header(
            WIDTH, HEIGHT, "K", bits=1, dpi=(203, 203),
            MediaClass=b"PwgRaster", cupsBytesPerLine=(WIDTH + 7) // 8)
        bits = cups_raster.sync_word(2, ">") + cups_raster.pack_page(
            bit_page, bytes((WIDTH + 7) // 8 * HEIGHT), 2, ">")
        client = Client(self.server.port)
        # libcups would allocate as much for a line.
        long = {**bit_page, "cupsBytesPerLine": 4177329923}
        for data, why in ((whole[:len(whole) // 2], "lacks its last rows"),
                          (self.raster(600, gray), "does not have the page"),
                          (whole + cups_raster.pack_header(long, 2, ">"),
                           "page 2 is damaged, incomplete or not 8-bit gray")):
            jobs = len(printer.jobs)
            client.print("refuses", data, "application/octet-stream")
            self.assertEqual(b"^XGR" in printer.job(jobs), "page 2" in why)
            self.wait_for_log(why)
        jobs = len(printer.jobs)
        # These do not reach the printer.
        for data, why in ((whole[:100], "the raster has no page"),
                          (bits, "page 1 is damaged, incomplete or not 8-bit gray")):
            client.print("refuses", data, "application/octet-stream")
            self.wait_for_log(why)
        self.submit("refuses", whole)
        self.assertIn(b"^XGR", printer.job(jobs))

    def refusal(self, driver):
        """What the user reads who adds a printer with it."""
        done = subprocess.run(
            [os.environ["PRINTER_APP"], "add", "-d", "refused", "-m", driver,
             "-v", "socket://127.0.0.1:9"], env=self.server.environment,
            stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1),
                         done.stderr)
        return done.stderr

    @unittest.skipUnless(os.access("/usr/lib/cups/filter/texttopdf", os.X_OK),
                         "needs cups-filters")
    def test_text_goes_on_after_any_character(self):
        printer, client = self.add("text", "pcl5e"), Client(self.server.port)
        pages = []
        for odd, end in ((b"plain", b"\n"), (b"plain", b"\r"),
                         ("\U0001f600".encode(), b"\n"),
                         ("Köln".encode("latin-1"), b"\n"),
                         (b"\xff\xf0", b"\n"), ("\uffff".encode(), b"\n")):
            text = b"".join(b"line %d" % i + end + odd + end
                            for i in range(75))
            status, _ = client.print("text", text, "text/plain")
            self.assertEqual(status, 0)
            pages.append(len(pcl.read_pages(printer.job(len(pages)))))
        self.assertGreater(pages[0], 1)
        self.assertEqual(pages, pages[:1] * len(pages))

    def test_many_answers_at_a_time_are_whole(self):
        """PAPPL's answers share a printer's collections."""
        self.add("shared", "pcl5e")
        client = Client(self.server.port)
        wanted = [(KEYWORD, "requested-attributes", "media-size-supported"),
                  (KEYWORD, "", "media-col-database")]
        whole = client.say("shared", GET_PRINTER, *wanted)
        self.assertEqual(whole[0], 0)
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            for answer in threads.map(
                    lambda _: client.say("shared", GET_PRINTER, *wanted),
                    range(1000)):
                self.assertTrue(answer == whole, answer[0])

    def test_an_unknown_driver_is_refused_with_a_list_of_drivers(self):
        self.assertRegex(self.refusal("pcl_5e"),
                         "there is no driver pcl_5e; did you mean pcl5e[?] "
                         "Choose auto, pwg, pcl5e, .* or escpos-58mm-180dpi\n")
        self.assertIn("no driver no such; choose auto",
                      self.refusal("no\x1bsuch"))

    def test_a_server_of_one_printer_is_refused(self):
        self.assertIn("unknown option", self.refused_at_start(
            "-o", "server-options=no-multi-queue"))

    def test_a_file_is_no_printer_unless_the_server_says_so(self):
        with tempfile.NamedTemporaryFile() as file:
            uri = f"file://{file.name}"
            words = ("add", "-d", "file", "-m", "pcl5e", "-v", uri)
            done = subprocess.run([PROGRAM, *words], env=self.server.environment,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn("a printer can be a file only if the server has the option "
                          "file-devices=true", done.stderr)
            self.run_app("add", "-d", "null", "-m", "pcl5e", "-v",
                         "file:///dev/null")
            self.run_app("delete", "-d", "null")
            other = Application(PROGRAM, options=["file-devices=true"])
            other.start()
            try:
                other.run(*words)
            finally:
                other.close()

    def test_a_program_hands_on_what_other_devices_get(self):
        printer, page = Listener(), b"page" * 100_000
        program = subprocess.Popen(
            [PROGRAM, "device-write", printer.uri], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env=self.server.environment)
        self.assertEqual(program.stdout.read(8), bytes(8))
        program.stdin.write(page)
        program.stdin.close()
        counts = [int.from_bytes(program.stdout.read(8), sys.byteorder)]
        while counts[-1] not in (0, len(page)):
            counts.append(int.from_bytes(program.stdout.read(8), sys.byteorder))
        self.assertEqual(counts, sorted(counts))
        self.assertEqual((program.wait(60), printer.job(0)), (0, page))
        program.stdout.close()
        unreachable = subprocess.run(
            [PROGRAM, "device-write", "usb://nobody/nothing"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
            env=self.server.environment)
        self.assertEqual((unreachable.returncode, unreachable.stdout), (1, b""))

    def connect_by_program(self, uri):
        """The program's status, and the files that it hands over."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            program = subprocess.run([PROGRAM, "device-connect", uri], stdin=theirs,
                                     env=self.server.environment, timeout=60)
            theirs.close()
            _, files, _, _ = socket.recv_fds(ours, 1, 2)
        return program.returncode, files

    def test_a_program_hands_over_its_connection_to_a_printer(self):
        printer = Listener()
        status, files = self.connect_by_program(printer.uri)
        self.assertEqual((status, len(files)), (0, 1))
        with socket.socket(fileno=files[0]) as connection:
            connection.sendall(b"page")
        self.assertEqual(printer.job(0), b"page")
        for none in "usb://nobody/nothing", "file:///dev/null":
            self.assertEqual(self.connect_by_program(none), (1, []))

    def refused_at_start(self, *options, **environment):
        done = subprocess.run(
            [PROGRAM, "server", *options], capture_output=True, text=True,
            env=dict(self.server.environment, **environment), timeout=60)
        self.assertEqual(done.returncode, 1)
        return done.stderr

    def test_a_server_that_would_be_unsafe_does_not_start(self):
        for option in "file-devices", "private-server":
            self.assertIn(f"{option}: must be true or false", self.refused_at_start(
                "-o", f"{option}=perhaps"))
        for memory in ("0", "127", "much"):
            self.assertIn("server-memory: must be 128 or more", self.refused_at_start(
                "-o", f"server-memory={memory}"))
        # A misspelled option must not leave the server without passwords.
        for option, fault in (("auth-servce=cups", "auth-servce: no such option"),
                              ("auth-service=", "auth-service: has no value"),
                              # PAM would use the service `other`.
                              ("auth-service=halftone-none", "auth-service: no PAM service "
                               "halftone-none that the server can read in "
                               "/etc/pam.d or /usr/lib/pam.d\n")):
            self.assertIn(fault, self.refused_at_start("-o", option))
        self.assertIn("libpappl is version 1.4 or later", self.refused_at_start(
            LD_PRELOAD=os.environ["LATER_PAPPL"]))

    def test_nothing_stands_before_a_library_and_nothing_private_is_called(self):
        def names(file, *kinds):
            lines = subprocess.run(["nm", "-D", file], capture_output=True, text=True,
                                   check=True).stdout.splitlines()
            return {line.split()[-1].split("@")[0] for line in lines
                    if line.split()[-2] in kinds}
        needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True,
                                check=True).stdout
        of_libraries = set()
        for file in re.findall(r"=> (/\S+)", needed):
            if re.match("lib(pappl|cups|c|usb|avahi)[-.]", os.path.basename(file)):
                of_libraries |= names(file, "T", "W", "i")
        self.assertIn("papplPrinterDelete", of_libraries)
        self.assertEqual(names(PROGRAM, "T", "W") & of_libraries, set())
        self.assertEqual([name for name in names(PROGRAM, "U")
                          if name.startswith("_pappl")], [])

    def test_known_devices_have_drivers(self):
        for commands, driver in (("PCL5e,PJL", "pcl5e"), ("ZPL", "zpl-203dpi"),
                                 ("URF,PWGRaster", "pwg"), ("ESC/P2", None)):
            shown = self.run_app(
                "drivers", "-o", f"device-id='MFG:A;MDL:B;CMD:{commands};'")
            self.assertEqual(shown.split()[:1], [driver] if driver else [])


if __name__ == "__main__":
    unittest.main()

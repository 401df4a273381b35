#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What clients see of halftone-printer-app: its web pages, ipptool's tests and a
queue of CUPS of the model `everywhere`. PRINTER_APP is the program, LIBHALFTONE
the C library. Needs root, for a cupsd of its own."""

import concurrent.futures
import pathlib
import struct
import subprocess
import sys
import socket
import unittest
import urllib.error
import zlib

from kit import application as printing
from kit import decoders
from kit.server import Listener
from kit.web import Form, WebApplication

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "cups"))
import pcl  # noqa: E402
import urf  # noqa: E402
from private_cups import PrivateCups, become_root, wait_until  # noqa: E402

# The backend, which keeps what it sends.
BACKEND = """#!/bin/bash
backend=/usr/lib/cups/backend/ipp
[ $# -gt 0 ] || exec $backend
if [ $# -gt 5 ]; then
  cp "$6" "$HALFTONED_OUT/$1.sent"
  exec -a "$DEVICE_URI" $backend "$@"
fi
tee "$HALFTONED_OUT/$1.sent" | (exec -a "$DEVICE_URI" $backend "$@")
"""


def gray_png(width, height, gray):
    lines = b"".join(b"\0" + gray[y * width:][:width] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(lines)),
                       (b"IEND", b"")):
        data += struct.pack(">I", len(body)) + kind + body
        data += struct.pack(">I", zlib.crc32(kind + body))
    return data


def without_white(rows):
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


class ClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.app = WebApplication(printing.PROGRAM)
        cls.app.start()
        cls.addClassCleanup(cls.app.close)

    def add(self, name, driver="pcl5e", *options):
        printer = Listener()
        self.app.run("add", "-d", name, "-m", driver, "-v", printer.uri,
                     *options)
        return printer

    def attributes(self, printer, wanted="all"):
        shown = subprocess.run(
            ["ipptool", "-tv", "-d", f"wanted={wanted}", self.app.uri(printer),
             "/dev/stdin"], capture_output=True, text=True, input="""{
               OPERATION Get-Printer-Attributes
               GROUP operation-attributes-tag
               ATTR charset attributes-charset utf-8
               ATTR naturalLanguage attributes-natural-language en
               ATTR uri printer-uri $uri
               ATTR keyword requested-attributes $wanted
             }""").stdout
        return {line.split(" (")[0].strip(): line.split(") = ")[1]
                for line in shown.splitlines() if ") = " in line}


class WebTest(ClientsTest):
    def test_settings_have_names(self):
        self.add("named")
        self.assertIn("named", self.app.page("/"))
        form = Form(self.app.page("/named/printing"))
        self.assertEqual(form.texts["halftone-type"]["clustered"],
                         "Clustered dots")
        self.assertEqual(form.texts["halftone-brightness"]["20"],
                         "20 % (Lighter)")
        texts = [text for name, choices in form.texts.items()
                 if name.startswith("halftone-") for text in choices.values()]
        self.assertGreater(len(texts), 70)
        self.assertNotIn("", texts)
        german = Form(self.app.page("/named/printing", language="de"))
        self.assertEqual(german.texts["halftone-type"]["clustered"],
                         "Punktgruppen")
        self.assertEqual(german.texts["halftone-type"]["auto"], "Automatisch")

    def test_a_form_that_is_sent_twice_adds_one_printer(self):
        def add(name):
            try:
                return self.app.fill_in("/addprinter", {
                    "printer_name": name, "device_uri": "socket",
                    "hostname": "127.0.0.1:9", "driver_name": "pcl5e"})
            except urllib.error.HTTPError as refused:
                return refused.read()

        names = [f"Twice{i}" for i in range(10)]
        for name in names:
            with concurrent.futures.ThreadPoolExecutor(2) as clicks:
                said = list(clicks.map(add, [name] * 2))
            self.assertEqual(sum(isinstance(each, bytes) for each in said), 1, said)
        printers = self.app.run("printers").split()
        self.assertEqual([printers.count(name) for name in names], [1] * 10)

    def test_a_printer_is_added_and_its_defaults_stay(self):
        printer = Listener()
        self.app.fill_in("/addprinter", {
            "printer_name": "Desk", "device_uri": "socket",
            "hostname": printer.uri.removeprefix("socket://"),
            "driver_name": "pcl5e"})
        is_taken, exists, is_bad, has_forms = (
            b"The server has a page of this name.\n", b"Printer Desk exists already.\n",
            b"A printer's name must not be empty, begin with a period or a blank, end "
            b"with a blank, consist of underscores, or contain /, % or invisible "
            b"characters; its maximum length is 127 bytes.\n",
            b"A printer's name must not contain separate accents, or special forms of "
            b"letters such as full-width ones.\n")
        for name, why in (("DESK", exists), ("Desk__", exists), ("Halftone-Inner", is_taken),
                          ("config", is_taken), ("config_", is_taken), ("config?", is_taken),
                          ("Desk ", is_bad), ("__", is_bad), ("x" * 128, is_bad),
                          ("Ga\u0308rtner", has_forms), ("\uff24esk", has_forms)):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.app.fill_in("/addprinter", {"printer_name": name})
            self.assertEqual(refused.exception.read(), why)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.app.fill_in("/addprinter", {
                "printer_name": "Long", "device_uri": "socket://x/" + 507 * '"' + "|MDL:L;"})
        self.assertEqual(refused.exception.read(), b"The device's address is too long.\n")
        self.assertIn("Changes saved", self.app.fill_in(
            "/Desk/printing", {"halftone-type": "clustered"}))
        self.assertEqual(self.app.end(), 0)
        self.app.start()
        self.assertEqual(
            Form(self.app.page("/Desk/printing")).fields["halftone-type"],
            "clustered")
        gray, width = printing.gray_rows(), printing.WIDTH
        file = self.app.folder / "page.pwg"
        file.write_bytes(printing.ApplicationTest().raster(600, gray))
        self.app.run("submit", "-d", "Desk", "-o",
                     "document-format=image/pwg-raster", str(file))
        (_, rows), = pcl.read_pages(printer.job(0))
        expected = printing.ink_of(
            gray, "dpi=600,black-point=32,halftone-type=clustered", width)
        self.assertEqual(rows, without_white(
            [row[600 * 71 // 300 // 8:] for row in expected]))

    def test_a_form_that_is_saved_unchanged_changes_nothing(self):
        self.add("labels", "zpl-203dpi")
        before = Form(self.app.page("/labels/printing")).fields
        self.assertEqual(before["print-darkness"], "50")
        self.app.fill_in("/labels/printing", {})
        after = Form(self.app.page("/labels/printing")).fields
        del before["session"], after["session"]
        self.assertEqual(before, after)

    def test_forms_that_are_saved_unchanged_are_taken(self):
        for driver in "pwg", "pcl5e", "epl2-203dpi", "escpos-80mm":
            self.add(driver, driver)
            for path in "media", "printing", "config":
                self.assertIn("Changes saved", self.app.fill_in(
                    f"/{driver}/{path}", {}), path)

    def test_a_paper_has_a_size_and_a_type_of_the_printer(self):
        self.add("roll", "zpl-203dpi")
        custom = {"ready0-size": "custom"}
        for changes in ({"ready0-type": "{"}, {"ready0-size": "huge"},
                        custom | {"ready0-custom-width": "0"},
                        custom | {"ready0-custom-length": "nan"},
                        custom | {"ready0-custom-units": "km"}):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.app.fill_in("/roll/media", changes)
            *_, (name, _) = changes.items()
            self.assertEqual(refused.exception.read().decode(),
                             f"The page does not offer this value of {name}.\n")
        self.assertIn("Changes saved", self.app.fill_in("/roll/media", custom))

    def test_a_printer_whose_paper_has_no_size_prints(self):
        printer = self.add("damaged", "zpl-203dpi")
        self.app.end()
        state = self.app.folder / "printers.state"
        text = state.read_text()
        at = text.index("media-col-default", text.index("name=\"damaged\""))
        end = text.index("\n", at)
        state.write_text(text[:at] + 'media-col-default source="main-roll" type="{"'
                         + text[end:])
        self.app.start()
        file = self.app.folder / "picture.png"
        file.write_bytes(gray_png(64, 64, bytes(64 * 64)))
        self.app.run("submit", "-d", "damaged", str(file))
        label, = decoders.zpl(printer.job(0))
        self.assertTrue(any(map(any, label.rows)))

    def test_a_waiting_job_is_canceled(self):
        self.add("held")
        self.app.page("/held/", Form(self.app.page("/held/")).fields |
                      {"action": "hold-new-jobs"})
        # PAPPL holds no raster.
        file = self.app.folder / "picture.png"
        file.write_bytes(gray_png(64, 64, bytes(64 * 64)))
        self.app.run("submit", "-d", "held", str(file))
        jobs = Form(self.app.page("/held/jobs")).fields
        self.assertIn("job-id", jobs)
        self.assertIn("Job canceled", self.app.page(
            "/held/jobs", jobs | {"action": "cancel-job"}))
        self.assertNotIn("cancel-job", self.app.page("/held/jobs"))

    def test_a_test_page_is_printed(self):
        printer = self.add("tested")
        takes_pdf = "application/pdf" in self.attributes("tested")[
            "document-format-supported"]
        said = self.app.page("/tested/", Form(self.app.page("/tested/")).fields |
                             {"action": "print-test-page"})
        self.assertIn("Test page printed", said)
        self.assertIn("Test Page", self.app.page("/tested/jobs"))
        if takes_pdf:
            (_, rows), = pcl.read_pages(printer.job(0))
            self.assertTrue(any(map(any, rows)))
        wait_until(lambda: not list(
            self.app.folder.glob("halftone-test*")),
            "the test page's file is removed")

    def test_devices_are_listed_where_avahi_is_not(self):
        self.app.run("devices")
        self.app.page("/addprinter")

    def test_requests_leave_nothing_behind(self):
        self.add("steady")
        self.assertEqual(self.attributes("steady").keys(),
                         self.attributes("steady").keys())
        self.assertNotIn("printer-strings-languages-supported",
                         self.attributes("steady"))


class IppTest(ClientsTest):
    def test_clients_of_airprint_find_what_they_look_for(self):
        self.add("air")
        has = self.attributes("air")
        self.assertIn("image/urf", has["document-format-supported"])
        self.assertLess({"W8", "DM1", "RS300-600", "PQ3-4-5"},
                        set(has["urf-supported"].split(",")))
        self.assertEqual(has["print-rendering-intent-supported"], "auto")
        self.assertIn("MFG:Generic;", has["printer-device-id"])
        self.assertLess({"halftone-type", "halftone-toner-save"},
                        set(has["job-creation-attributes-supported"].split(",")))

    def test_printers_of_every_driver_of_ours_have_the_same_maker(self):
        drivers = [line.split()[0] for line in self.app.run("drivers").splitlines()]
        self.assertIn("tspl-203dpi", drivers)
        for driver in drivers:
            self.add(f"made-{driver}", driver)
            self.assertIn("MFG:Generic;",
                          self.attributes(f"made-{driver}")["printer-device-id"])

    def test_jobs_of_many_clients_are_printed_once_each(self):
        printer = self.add("busy")
        file = self.app.folder / "small.png"
        file.write_bytes(gray_png(64, 64, bytes(64 * 64)))
        words = ["ipptool", "-qf", file, "-d", "filetype=image/png",
                 self.app.uri("busy"), *["print-job.test"] * 5]
        clients = [subprocess.Popen(words) for _ in range(8)]
        self.assertEqual([client.wait() for client in clients], [0] * 8)
        wait_until(lambda: "queued-job-count" in (
            has := self.attributes("busy", "queued-job-count")) and
            has["queued-job-count"] == "0", "all jobs are printed", 240)
        self.assertIsNone(self.app.process.poll())
        with printer.came:
            printer.came.wait_for(lambda: sum(
                len(pcl.read_pages(job)) for job in printer.jobs) >= 40, 30)
        self.assertEqual(sum(len(pcl.read_pages(job))
                             for job in printer.jobs), 40)

    def test_ipptool_prints_plain_and_compressed(self):
        printer = self.add("tool")
        file = self.app.folder / "tool.pwg"
        file.write_bytes(printing.ApplicationTest().raster(
            600, printing.gray_rows()))
        jobs = []
        for test in ("validate-job", "print-job", "print-job-gzip",
                     "print-job-deflate", "get-completed-jobs"):
            done = subprocess.run(
                ["ipptool", "-tf", file, "-d", "filetype=image/pwg-raster",
                 self.app.uri("tool"), f"{test}.test"],
                capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            if test.startswith("print-job"):
                jobs.append(printer.job(len(jobs)))
        self.assertEqual(jobs, [jobs[0]] * 3)


class CupsTest(ClientsTest):
    """A queue `everywhere` sends raster, unless the application takes PDF; the
    line for that is removed, so that there is gray to compare with."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.printer = cls.add(cls, "Laser")
        backend = cls.app.folder / "ipp"
        backend.write_text(BACKEND)
        cls.cups = PrivateCups({}, backends={"ipp": backend})
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.cups.start()
        cls.cups.add_queue_of_model("everywhere", "everywhere",
                                    cls.app.uri("Laser"))
        ppd = cls.cups.root / "etc/ppd/everywhere.ppd"
        wait_until(ppd.exists, "CUPS has made a PPD file")
        cls.ppd = "".join(line for line in ppd.read_text().splitlines(True)
                          if not line.startswith("*cupsFilter2") or
                          "image/" in line)
        cls.queue("raster", cls.ppd)
        cls.pdf = cls.cups.root / "sample.pdf"
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sPAPERSIZE=a6", "-sDEVICE=pdfwrite", "-dpages=3",
                        f"-sOutputFile={cls.pdf}", TESTS / "cups/sample.ps"],
                       check=True)
        cls.picture = cls.cups.root / "picture.jpg"
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sPAPERSIZE=a6", "-sDEVICE=jpeggray", "-r100",
                        "-dpages=1", f"-sOutputFile={cls.picture}",
                        TESTS / "cups/sample.ps"], check=True)

    @classmethod
    def queue(cls, name, ppd):
        file = cls.cups.root / f"{name}.ppd"
        file.write_text(ppd)
        cls.cups.add_queue(name, file, cls.app.uri("Laser"))

    def print(self, queue, document, *options, media="A6", copies=1):
        """What the printer got, and what CUPS sent."""
        before = len(self.printer.jobs)
        job = self.cups.print_file(queue, document, [f"media={media}", *options],
                                   copies)
        state = self.cups.wait(job)
        self.assertEqual(state, "completed",
                         "\n".join(self.cups.job_log(job)[-40:]))
        return (self.printer.job(before),
                (self.cups.out / f"{job}.sent").read_bytes())

    def assert_dots(self, got, sent, *options):
        pages, gray_pages = pcl.read_pages(got), urf.read_pages(sent)
        self.assertEqual(len(pages), len(gray_pages))
        for (_, rows), (header, gray) in zip(pages, gray_pages):
            dpi = header["HWResolution0"]
            expected = printing.ink_of(gray, ",".join(
                (f"dpi={dpi}", "black-point=32") + options), header["cupsWidth"])
            self.assertEqual(rows, without_white(
                [row[dpi * 71 // 300 // 8:] for row in expected]))
        return [header["HWResolution0"] for header, _ in gray_pages]

    def test_pdf_and_text_become_the_dots_of_the_definition(self):
        text = self.cups.root / "text.txt"
        text.write_text("Sphinx of black quartz, judge my vow.\n" * 5)
        self.assertEqual(self.assert_dots(*self.print("raster", text)), [300])
        got, sent = self.print("raster", self.pdf, "page-ranges=2-2",
                               "print-quality=5")
        self.assertEqual(self.assert_dots(got, sent), [600])

    def test_jpeg_is_printed(self):
        (_, rows), = pcl.read_pages(self.print("raster", self.picture)[0])
        self.assertGreater(sum(map(any, rows)), 1000)

    def test_pages_copies_and_sides_arrive(self):
        got, _ = self.print("everywhere", self.pdf, "page-ranges=1-2",
                            "sides=two-sided-long-edge", copies=2)
        said = {name: value for name, value, _ in pcl.commands(got)}
        # Pages come twice, or the printer makes the copies.
        self.assertEqual(len(pcl.read_pages(got)) * said[b"&lX"], 4)
        self.assertEqual(said[b"&lS"], 1)

    def test_options_arrive_by_a_queue_without_a_driver_alone(self):
        self.cups.add_queue_of_model("raw", "raw", self.app.uri("Laser"))
        paper, before = "iso_a6_105x148mm", len(self.printer.jobs)
        self.app.run("submit", "-d", "Laser", "-o", f"media={paper}", "-o",
                     "halftone-type=clustered", str(self.picture))
        clustered = self.printer.job(before)
        got, _ = self.print("raw", self.picture, "halftone-type=clustered",
                            media=paper)
        self.assertEqual(pcl.read_pages(got), pcl.read_pages(clustered))
        # CUPS drops it.
        got, _ = self.print("raster", self.picture, "halftone-type=clustered")
        self.assertNotEqual(pcl.read_pages(got), pcl.read_pages(clustered))


if __name__ == "__main__":
    become_root()
    try:
        # PAPPL and CUPS ask for it each time that they start.
        socket.gethostbyname(socket.gethostname())
    except OSError:
        print("SKIPPED: this machine's own name has no address")
        sys.exit(77)
    unittest.main()

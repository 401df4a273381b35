#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone add` against real IPP printers (ippeveprinter) that say different
things of themselves, in a real CUPS: the queue has what the printer has, jobs
arrive in a form that it takes, and printers that take no bits are refused.

Usage: add_test.py BUILD_FOLDER [unittest arguments]; exits 77 where
ippeveprinter or dbus-daemon is not installed.
"""

import os
import random
import re
import shutil
import subprocess
import sys

import adopt_case
from adopt_case import SOURCE, AdoptCase
from ipp_printer import BUS, Printer, attributes
from ports import unused_port
from private_cups import PrivateCups, wait_until

import cups_raster  # noqa: E402
import urf  # noqa: E402


def read_pages(data):
    return (urf if data.startswith(b"UNIRAST") else cups_raster).read_pages(data)


def dots_of(header, rows):
    """Rows of "0" and "1", 1 for black, of bits or of their gray."""
    width, line = header["cupsWidth"], header["cupsBytesPerLine"]
    for at in range(0, len(rows), line):
        row = rows[at:at + line]
        if header["cupsColorSpace"] == 3:
            yield f"{int.from_bytes(row, 'big'):0{8 * line}b}"[:width]
        else:
            assert header["cupsColorSpace"] == 18 and set(row) <= {0, 255}
            yield row.translate(bytes([49] + 255 * [48])).decode()


class Add(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        filters = cls.build / "filter"
        cls.cups = PrivateCups(
            {name: filters / name
             for name in ("rastertohalftone", "pdftohalftone")},
            data=[SOURCE / f"ppd/halftoned.{kind}"
                  for kind in ("types", "convs", "drv")] +
            [*(SOURCE / "ppd").glob("*.po"), adopt_case.DRV / "sample.drv"])
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.cups.start()
        cls.environment["CUPS_SERVER"] = cls.cups.socket
        (cls.folder / "bus.conf").write_text(BUS.format(cls.folder / "bus"))
        bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={cls.folder}/bus.conf", "--nofork",
             "--nopidfile"], stderr=subprocess.DEVNULL)
        cls.addClassCleanup(bus.wait)
        cls.addClassCleanup(bus.terminate)
        wait_until((cls.folder / "bus").exists, "the bus is there")

    def printer(self, said="", formats="image/pwg-raster", command=None):
        printer = Printer(self.folder, unused_port(),
                          f"unix:path={self.folder}/bus", said, formats, command)
        self.addCleanup(printer.stop)
        return printer

    def refuse(self, *words):
        run = self.halftone("add", *words)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        return run.stderr

    def ppd(self, name):  # pylint: disable=arguments-differ
        path = self.cups.root / f"etc/ppd/{name}.ppd"
        tested = subprocess.run(["cupstestppd", "-W", "filters", path],
                                stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(tested.returncode, 0, tested.stdout)
        return path.read_text(encoding="utf-8")

    def pages(self, printer, name, options):
        """What arrives of three pages that are printed with these options."""
        before = printer.kept()
        job = self.cups.print_file(name, self.document("three.pdf", 3), options)
        self.assertEqual(self.cups.wait(job), "completed",
                         "\n".join(self.cups.job_log(job)[-40:]))
        file, = printer.kept() - before
        data = file.read_bytes()
        return read_pages(data)

    def arrives(self, printer, name, options):
        """The page headers of these."""
        return [header for header, _ in self.pages(printer, name, options)]

    def test_a_queue_has_what_its_printer_has(self):
        printer = self.printer(attributes())
        self.assertEqual(
            self.succeed("add", "acme", printer.uri),
            "acme: added; Acme Laser 5, PWG raster, halftoned, 2 sizes of "
            "paper, 2 resolutions, two-sided\n")
        ppd = self.ppd("acme")
        for line in ("*DefaultPageSize: A5", "*DefaultResolution: 300dpi",
                     # The paper that has margins, not the one without.
                     '*ImageableArea A4/A4: "11.9906 11.9906 583.2850 829.8992"',
                     '*ImageableArea A5/A5: "14.1732 17.0079 405.3543 578.2677"',
                     '*InputSlot Tray2/Tray 2: "<</MediaPosition 21>>',
                     '*cupsBackSide: "Rotated"', "*cupsManualCopies: False",
                     "*DefaultDuplex: DuplexNoTumble",
                     "*ParamCustomPageSize Width: 1 points 215.4331 612.2835"):
            self.assertIn(f"\n{line}", ppd)
        self.assertNotIn("dd_One", ppd)
        self.assertNotIn("cupsPrintQuality Draft", ppd)
        # A second time, as for a queue of the same printer.
        self.assertTrue(self.succeed("add", "acme", printer.uri).startswith(
            "acme: has a new driver; "))
        for options, width, height, dots, words in (
                (["media=A5", "sides=two-sided-short-edge"], 1748, 2480, 300,
                 {"Duplex": 1, "Tumble": 1}),
                (["media=A5", "sides=two-sided-long-edge"], 1748, 2480, 300,
                 {"Duplex": 1, "Tumble": 0}),
                # With "media", CUPS 2.4.18 uses the defaults of InputSlot and MediaType.
                (["PageSize=A4", "sides=one-sided", "Resolution=600dpi",
                  "InputSlot=Tray2", "MediaType=Labels"], 4960, 7015, 600,
                 {"Duplex": 0, "MediaPosition": 21, "MediaType": b"labels"})):
            headers = self.arrives(printer, "acme", options)
            self.assertGreaterEqual(len(headers), 3)
            for header in headers:
                wanted = dict(words, cupsWidth=width, cupsHeight=height,
                              HWResolution0=dots, cupsBitsPerColor=1,
                              cupsColorSpace=3)
                self.assertEqual({name: header[name] for name in wanted},
                                 wanted)

    def test_a_printer_as_it_comes(self):
        """What ippeveprinter says without an attribute file."""
        printer = self.printer()
        self.assertIn("5 sizes of paper, 1 resolution",
                      self.succeed("add", "plain", printer.uri, "--dry-run") +
                      self.succeed("add", "plain", printer.uri).replace(
                          "2 resolutions", "1 resolution"))
        self.assertIn("*cupsManualCopies: True", self.ppd("plain"))
        self.assertNotIn("*Duplex", self.ppd("plain"))
        self.assertEqual(len(self.arrives(printer, "plain", ["media=A4"])), 3)

    def test_printers_that_take_only_gray_get_the_same_dots(self):
        options = ["media=A5", "sides=two-sided-long-edge"]
        bits = self.printer(attributes())
        self.succeed("add", "bits", bits.uri)
        wanted = self.pages(bits, "bits", options)
        for name, words, said in (
                ("gray", "PWG raster in gray", attributes(
                    pwg_raster_document_type_supported="sgray_8,srgb_8")),
                ("urf", "URF", attributes(
                    document_format_supported="image/urf",
                    pwg_raster_document_type_supported="",
                    pwg_raster_document_resolution_supported="",
                    pwg_raster_document_sheet_back="",
                    urf_supported="V1.4,W8,SRGB24,RS300-600,DM3"))):
            with self.subTest(printer=name):
                printer = self.printer(
                    said, "image/urf" if name == "urf" else "image/pwg-raster")
                self.assertIn(f"Acme Laser 5, {words}, halftoned",
                              self.succeed("add", name, printer.uri))
                self.assertIn('*cupsBackSide: "Rotated"', self.ppd(name))
                pages = self.pages(printer, name, options)
                self.assertEqual(len(pages), len(wanted))
                for got, want in zip(pages, wanted):
                    self.assertEqual(got[0]["cupsBitsPerPixel"], 8)
                    for field in ("cupsWidth", "cupsHeight", "HWResolution0"):
                        self.assertEqual(got[0][field], want[0][field])
                    # Two-sided, along the long edge.
                    self.assertEqual(got[0].get("sides", 3), 3)
                    # For URF Ghostscript leaves out the margins, so that
                    # tints begin elsewhere.
                    inks = [sum(row.count("1") for row in dots_of(*page))
                            for page in (got, want)]
                    self.assertAlmostEqual(inks[0] / inks[1], 1, delta=0.01)
                self.assert_same_dots(self.ppd(name))

    def assert_same_dots(self, ppd):
        """As for a printer that takes bits, of the same raster."""
        header = cups_raster.page_header(1240, 150, dpi=(300, 300),
                                         PageSize0=298, PageSize1=420)
        gray = cups_raster.sync_word(3) + cups_raster.pack_page(
            header, random.Random(7).randbytes(1240 * 150))
        outputs = []
        for said in (None, "pwg-raster last"):
            path = self.folder / "output.ppd"
            path.write_text(ppd if not said else re.sub(
                r'(\*halftonedOutput: )".*"', rf'\1"{said}"', ppd))
            data = subprocess.run(
                [self.build / "filter/rastertohalftone", "1", "u", "t", "1",
                 ""], input=gray, check=True, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=dict(os.environ, PPD=str(path), HALFTONED_CONF="/none"),
            ).stdout
            outputs.append([list(dots_of(*page)) for page in read_pages(data)])
        self.assertTrue(outputs[0] == outputs[1])
        self.assertIn("1", outputs[0][0][70])

    def test_printers_that_take_no_raster_are_refused(self):
        color = self.printer(attributes(
            pwg_raster_document_type_supported="srgb_8"))
        self.assertIn("the printer does not accept black or gray raster",
                      self.refuse("color", color.uri))
        self.assertNotIn("color", self.cups.command("lpstat", "-e").stdout)

    def add_everywhere(self, name, printer):
        """The file that CUPS makes."""
        try:
            self.cups.add_queue_of_model(name, "everywhere", printer.uri)
        except RuntimeError as error:
            # It looks for their resolutions among keywords.
            if "does not support required IPP attributes" in str(error):
                self.skipTest("CUPS 2.4.10 makes no everywhere queue for printers "
                              "that take PWG raster alone")
            raise
        path = self.cups.root / f"etc/ppd/{name}.ppd"
        wait_until(path.exists, "CUPS has asked the printer")
        return path

    def test_an_everywhere_queue_is_adopted(self):
        """And prints the dots that our own queue of that printer prints."""
        printer = self.printer(attributes())
        path = self.add_everywhere("mono", printer)
        before = path.read_bytes()
        options = ["media=A5", "sides=two-sided-long-edge",
                   "cupsPrintQuality=Normal", "Resolution=600dpi"]
        gray = self.arrives(printer, "mono", options)
        self.assertEqual({header["cupsBitsPerPixel"] for header in gray}, {8})
        self.assertEqual(self.succeed("adopt", "mono"), "mono: adopted\n")
        pages = self.pages(printer, "mono", options)
        self.succeed("add", "ours", printer.uri)
        wanted = self.pages(printer, "ours", options)
        self.assertEqual(len(pages), len(wanted))
        for (header, rows), (of_ours, wanted_rows) in zip(pages, wanted):
            for field in ("cupsWidth", "cupsHeight", "HWResolution0", "Duplex",
                          "cupsBitsPerPixel", "cupsColorSpace"):
                self.assertEqual(header[field], of_ours[field], field)
            self.assertEqual(header["cupsBitsPerPixel"], 1)
            # Our file rounds margins, which scales a picture a little; on
            # another place of the sheet some third of the dots would differ.
            differing = (int.from_bytes(rows, "big") ^
                         int.from_bytes(wanted_rows, "big"))
            self.assertLess(f"{differing:b}".count("1"), len(rows) * 8 / 100)
        self.assertEqual(self.succeed("adopt", "mono"),
                         "mono: is already adopted\n")
        self.assertEqual(self.succeed("release", "mono"), "mono: released\n")
        self.assertEqual(path.read_bytes(), before)

    def test_an_everywhere_queue_is_told_what_to_type(self):
        """And typing it is enough."""
        printer = self.printer(attributes(
            pwg_raster_document_type_supported="sgray_8"))
        self.add_everywhere("office", printer)
        run = self.halftone("adopt", "office")
        self.assertEqual(run.returncode, 1)
        self.assertIn("but not 1-bit raster, and halftones gray itself",
                      run.stderr)
        typed = run.stderr.strip().rsplit("type: halftone ", 1)[1]
        self.assertEqual(typed, f"add office {printer.uri}")
        self.assertTrue(self.succeed(*typed.split()).startswith(
            "office: has a new driver; "))
        pages = self.pages(printer, "office", ["media=A4"])
        for _, rows in pages:
            self.assertLessEqual(set(rows), {0, 255})

    def test_staples_are_told_to_the_printer(self):
        """Which CUPS says to the printer; pages do not know of it."""
        said = self.folder / "said"
        said.mkdir()
        command = self.folder / "say"
        command.write_text(f'#!/bin/sh\necho "$IPP_FINISHINGS" >>{said}/jobs\n')
        command.chmod(0o755)
        printer = self.printer(
            attributes(finishings_supported="3,4,20,74,28999"), command=command)
        self.assertIn("two-sided, staples, punches",
                      self.succeed("add", "stapler", printer.uri))
        ppd = self.ppd("stapler")
        self.assertIn('\n*cupsIPPFinishings 20/staple-top-left: '
                      '"*StapleLocation StapleTopLeft"\n', ppd)
        self.assertNotIn("28999", ppd)
        for options in (["StapleLocation=StapleTopLeft"], ["finishings=4"],
                        ["StapleLocation=Staple", "PunchMedia=PunchDualLeft"],
                        []):
            job = self.cups.print_file("stapler", self.document("one.pdf", 1),
                                       ["media=A5", *options])
            self.assertEqual(self.cups.wait(job), "completed")
        self.assertEqual((said / "jobs").read_text().split("\n"),
                         ["staple-top-left", "staple", "punch-dual-left,staple",
                          "none", ""])

    def test_names_of_hosts_are_addresses(self):
        printer = self.printer(attributes())
        host = printer.uri.split("/")[2]
        self.succeed("add", "named", host)
        self.assertIn(f"ipp://{host}/ipp/print",
                      self.cups.command("lpstat", "-v", "named").stdout)
        self.assertEqual(len(self.arrives(printer, "named", ["media=A4"])), 3)
        self.succeed("add", "by-socket", "192.0.2.7", "--language", "zpl")
        self.assertIn("socket://192.0.2.7",
                      self.cups.command("lpstat", "-v", "by-socket").stdout)

    def test_a_slow_port_gets_the_type_that_sends_less(self):
        advice = ("; its parallel port is slow: to send less, type: sudo halftone set "
                  "old halftone-type=screen screen-lpi=150 screen-angle=0\n")
        for uri, language, has_advice in (("parallel:/dev/lp0", "pcl5e", True),
                                          ("socket://192.0.2.7", "pcl5e", False),
                                          ("parallel:/dev/lp0", "zpl", False)):
            added = self.succeed("add", "old", uri, "--language", language, "-n")
            self.assertEqual(added.endswith(advice), has_advice, added)

    def test_encrypted(self):
        printer = self.printer(attributes())
        uri = printer.uri.replace("ipp:", "ipps:")
        self.succeed("add", "secret", uri)
        self.assertEqual(len(self.arrives(printer, "secret", ["media=A4"])), 3)

    def test_addresses_and_names(self):
        for words, why in (
                (("a b", "ipp://localhost/"), "a queue's name has 1 … 127"),
                (("n", "socket://localhost"), "give --language or --model"),
                (("n", "dnssd://Acme._pdl-datastream._tcp.local/"),
                 "give --language or --model"),
                (("n", "dnssd://Acme._ipp._tcp.local/?uuid=0"),
                 "no printer on this network has the name in dnssd://Acme."),
                (("n", "ipps://Acme%20Laser._ipps._tcp.local/"),
                 "no printer on this network has the name in ipps://Acme%20"),
                (("n", f"localhost:{unused_port()}"),
                 "no printer replies at localhost"),
                (("n", f"ipp://localhost:{unused_port()}/"),
                 "no printer replies at localhost"),
                (("n", "ipp://localhost:x/"), "is not an address: "),
                (("n", "socket://localhost", "--model", "no.ppd"),
                 "unknown model no.ppd; lpinfo -m lists the models")):
            self.assertIn(why, self.refuse(*words))

    def test_printers_by_their_language(self):
        for language, filter_name in (("pcl5e", "rastertohp"),
                                      ("zpl", "rastertolabel"),
                                      ("epl2", "rastertolabel"),
                                      ("epl1", "rastertolabel"),
                                      ("cpcl", "rastertolabel")):
            name = f"by-{language}"
            out = self.cups.out / name
            out.touch()  # since 2.4.17, cupsd needs an existing file
            self.succeed("add", name, f"file:{out}", "--language", language)
            self.assertRegex(self.ppd(name), rf'application/x-halftoned-raster '
                             rf'\S+ \d+ {filter_name}"')
            job = self.cups.print_file(name, self.document("one.pdf", 1))
            self.assertEqual(self.cups.wait(job), "completed")
            self.assertIn("pdftohalftone", "\n".join(self.cups.job_log(job)))
            self.assertGreater(out.stat().st_size, 100)
        listed = self.succeed("list")
        self.assertRegex(listed, r"(?m)^by-zpl +adopted$")
        self.assertRegex(listed, r"(?m)^by-pcl5e +added: it already prints through "
                                 r"rastertohalftone$")
        self.assertEqual(self.succeed("adopt", "by-pcl5e"),
                         "by-pcl5e: already prints through rastertohalftone\n")
        self.assertIn("to remove the queue, type: lpadmin -x by-pcl5e",
                      self.succeed("release", "by-pcl5e"))
        self.succeed("release", "by-zpl")
        self.assertNotIn("halftoned", re.sub(r"\*%.*", "", self.ppd("by-zpl")))

    def test_a_queue_of_another_printer_stays(self):
        printer = self.printer(attributes())
        self.succeed("add", "other", f"file:{self.cups.out}/o", "--language",
                     "pcl5e")
        before = self.ppd("other")
        self.assertIn("a queue of this name exists, for file:",
                      self.refuse("other", printer.uri))
        self.assertEqual(self.ppd("other"), before)


def main():
    missing = [name for name in ("ippeveprinter", "dbus-daemon")
               if not shutil.which(name)]
    if missing:
        print("SKIPPED, nothing was tested: there is no " + ", no ".join(missing))
        sys.exit(77)
    adopt_case.main()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`add -m auto`: the driver follows from what the printer says it is: an adopted PPD
file, a driver of the table, a PPD file of the machine. HALFTONE_ADOPT is a program;
application.py says what else there is."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from kit import application as base
from kit.server import Listener

FILTERS = pathlib.Path("/usr/lib/cups/filter")
DRV = pathlib.Path("/usr/share/cups/drv")
ADD = """{
    OPERATION Create-Printer
    GROUP operation-attributes-tag
    ATTR charset attributes-charset utf-8
    ATTR naturalLanguage attributes-natural-language en
    ATTR uri system-uri $uri
    ATTR keyword printer-service-type print
    ATTR keyword smi55357-driver auto
    ATTR uri smi55357-device-uri $device
    GROUP printer-attributes-tag
    ATTR name printer-name $name
    ATTR text printer-device-id "$id"
    STATUS successful-ok }"""
HL_2030 = "MFG:Brother;CMD:PJL,HBP;MDL:HL-2030 series;CLS:PRINTER;"


class AutoTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="printer-auto-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.here = pathlib.Path(cls.folder.name)
        adopt = os.environ["HALFTONE_ADOPT"]
        # Root takes programs from folders of root's alone.
        (cls.here / "libexec").mkdir(0o700)
        (cls.here / "libexec/halftone-adopt").symlink_to(adopt)
        os.environ["HALFTONED_LIBEXEC"] = str(cls.here / "libexec")
        cls.ppds = cls.here / "ppd"
        cls.ppds.mkdir(mode=0o755)
        subprocess.run(["ppdc", "-d", cls.here / "made", DRV / "sample.drv"],
                       check=True, capture_output=True)
        subprocess.run([adopt, "adopt", "--ppd", cls.here / "made/laserjet.ppd",
                        cls.ppds / "mine.ppd"], check=True, capture_output=True)
        base.ApplicationTest.setUpClass(cls.folder.name)
        cls.addClassCleanup(base.ApplicationTest.tearDownClass)
        cls.app = base.ApplicationTest("run_app")

    def add(self, name, device_id):
        """The printer, and what the server says of it."""
        printer = Listener()
        test = self.here / "add"
        test.write_text(ADD)
        done = subprocess.run(
            ["ipptool", "-tv", "-d", f"device={printer.uri}", "-d",
             f"name={name}", "-d", f"id={device_id}",
             f"ipp://localhost:{self.app.server.port}/ipp/system", str(test)],
            capture_output=True, text=True, timeout=60)
        return printer, done.stdout

    def print_on(self, name, printer, dpi, *options):
        gray = base.gray_rows()
        self.app.submit(name, self.app.raster(dpi, gray), *options)
        return printer.job(0)

    def test_an_adopted_file_of_the_model_comes_first(self):
        printer, said = self.add(
            "mine", "MFG:Hewlett-Packard;CMD:PCL;MDL:HP LaserJet;CLS:PRINTER;")
        self.assertIn("successful-ok", said)
        # rastertohp has no PJL; pcl5e has.
        self.assertTrue(self.print_on("mine", printer, 300).startswith(b"\x1bE"))

    def test_then_the_table(self):
        printer, said = self.add(
            "table", "MFG:HP;CMD:PJL,PCL;MDL:HP LaserJet 4250;CLS:PRINTER;")
        self.assertIn("successful-ok", said)
        self.assertTrue(self.print_on("table", printer, 300).startswith(
            b"\x1b%-12345X"))

    @unittest.skipUnless((FILTERS / "rastertobrlaser").exists(),
                         "brlaser is not installed")
    def test_then_files_of_the_machine(self):
        printer, said = self.add("brother", HL_2030)
        self.assertIn("successful-ok", said)
        self.assertIn(b"@PJL SET ECONOMODE = ON", self.print_on(
            "brother", printer, 600, "brlaserEconomode=True"))
        adopted = self.ppds / "brother-hl-2030.ppd"
        self.assertIn("*halftonedOutput", adopted.read_text())
        self.assertIn("ppd-brother-hl-2030", self.app.run_app("drivers"))
        # The next one has the same.
        self.add("second", HL_2030)
        self.assertEqual(sorted(each.name for each in self.ppds.iterdir()),
                         ["brother-hl-2030.ppd", "mine.ppd"])
        self.assertEqual(base.ApplicationTest.server.end(), 0)
        base.ApplicationTest.server.start()
        self.app.submit("brother", self.app.raster(600, base.gray_rows()))
        self.assertIn(b"@PJL SET ECONOMODE = OFF", printer.job(1))

    def test_what_nobody_knows_is_refused_with_what_to_do(self):
        for device_id, why in (
                ("MFG:Acme;CMD:X;MDL:Vapour 1;", "no driver is known for ACME "
                 "VAPOUR 1; choose a driver with -m DRIVER"),
                # Its driver takes colors.
                ("MFG:HP;CMD:MLC,PCL,PML;MDL:DESKJET 990C;",
                 "no driver is known for HP DESKJET 990C"),
                ("CMD:X;", "the printer does not say what it is; choose")):
            _, said = self.add("nobody", device_id)
            self.assertIn(why, said)
        done = subprocess.run(
            [base.PROGRAM, "add", "-d", "silent", "-m", "auto", "-v",
             Listener().uri], env=base.ApplicationTest.server.environment, text=True,
            stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^[^\n]*the printer does not say what it "
                         "is; choose a driver with -m DRIVER[^\n]*\n$")
        self.assertEqual(self.app.run_app("printers").count("nobody"), 0)


if __name__ == "__main__":
    unittest.main()

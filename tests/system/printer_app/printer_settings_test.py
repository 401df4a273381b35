#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone set`, `show`, `preview --queue` and `test-page` of printers of the
application, where CUPS has no such queue or does not run. installed.py says what there
has to be."""

import http.server
import tempfile
import threading
import unittest

from kit import decoders
from kit.installed import Installed
from kit.ipp_client import answering

NOT_FOUND = 0x406


class SettingsOfPrinters(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.installed = Installed(folder.name)
        self.server, self.conf = self.installed.server, self.installed.conf
        self.server.start()
        self.addCleanup(lambda: self.server.process.poll() is None and
                        self.server.close())
        self.printer = self.server.add("Label printer", "zpl-203dpi")
        self.server.run("modify", "-d", "Label printer", "-o", "halftone-gamma=2")

    def start_cups(self):
        cups = http.server.ThreadingHTTPServer(("127.0.0.1", 0), answering(NOT_FOUND))
        self.addCleanup(cups.server_close)
        self.addCleanup(cups.shutdown)
        threading.Thread(target=cups.serve_forever, daemon=True).start()
        self.server.environment["CUPS_SERVER"] = "127.0.0.1:%d" % cups.server_port

    def succeed(self, *words, note=r"\A\Z"):
        run = self.installed.run(*words)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, note)
        return run.stdout

    def check_that_it_is_shown(self):
        said = self.succeed("set", "Label printer", "brightness=15")
        self.assertRegex(said, rf"\ALabel printer: brightness = 15  \({self.conf}, ")
        shown = self.succeed("show", "Label printer").splitlines()
        by_default = "the printer's default, by halftone-printer-app modify -o "
        for line in (rf"brightness = 15  ({self.conf}, line 2)",
                     f"gamma = 2  ({by_default}halftone-gamma=...)",
                     "technology = thermal  (its driver)",
                     "contrast = 0  (the default)"):
            self.assertIn(line, shown)

    def test_what_is_set_is_shown(self):
        self.check_that_it_is_shown()
        self.start_cups()
        self.check_that_it_is_shown()
        self.succeed("unset", "Label printer", "--all-settings")
        self.assertEqual(self.conf.read_text(), "")

    def test_overriding_values_are_reported(self):
        self.succeed("set", "Label printer", "gamma=3", "technology=laser",
                     note=r"\A(halftone: note: Label printer: jobs still print with "
                          r"(technology thermal, from its driver|gamma 2, from the "
                     r"printer's default, by .*)\n){2}\Z")

    def test_settings_are_kept_for_a_server_that_is_not_running(self):
        self.server.end()
        self.start_cups()
        self.succeed("set", "Label printer", "gamma=3",
                     note=r"\Ahalftone: note: Label printer: .*no server is running\n\Z")
        run = self.installed.run("show", "Label printer")
        self.assertEqual(run.returncode, 1)
        self.assertIn("gamma = 3", run.stdout)
        self.assertRegex(run.stderr, r"\Ahalftone: Label printer: CUPS has no such "
                         r"queue.*; halftone-printer-app: no server is running\n\Z")

    def test_a_preview_is_of_the_printer(self):
        image = self.installed.folder / "gray.pgm"
        image.write_bytes(b"P5 64 64 255\n" + bytes(range(64)) * 64)
        said = self.succeed("preview", "--queue", "Label printer", image, "-o",
                            self.installed.folder / "out.png")
        self.assertIn("dpi: 203", said)

    def test_a_page_with_the_settings_is_printed(self):
        self.assertEqual(self.succeed("test-page", "Label printer"),
                         "Label printer: prints a page, job 1\n")
        label, = decoders.zpl(self.printer.job(0))
        self.assertTrue(any(map(any, label.rows)))


if __name__ == "__main__":
    unittest.main()

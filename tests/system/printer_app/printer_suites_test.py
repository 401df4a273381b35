#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ipptool's suites (Debian: cups-ipp-utils) against halftone-printer-app: IPP/1.1,
IPP/2.0 and IPP Everywhere, for a printer of each kind. Only the tests and attributes
that docs/measurements/printer-app.md lists fail. PRINTER_APP is the program; `--show`
prints the counts and what failed."""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from kit.application import ApplicationTest
import cups_raster
from kit.marked_documents import jpeg, pdf

SUITES = pathlib.Path("/usr/share/cups/ipptool")
NAMES = ("ipp-1.1", "ipp-2.0", "ipp-everywhere")
PRINTERS = ("pwg", "pcl5e", "zpl-203dpi", "tspl-203dpi")
PAPERS = {"a4": (595, 842), "letter": (612, 792), "4x6": (288, 432)}
IS_SHOWN = "--show" in sys.argv
# What is not as a suite expects, by the beginning of the test's name, and why.
KNOWN = {
    "RFC 8011 section 4.2.5: Get-Printer-Attributes Operation (default)": {
        "orientation-requested-default",  # 7, none: PWG 5100.13, later than the suite
        "printer-up-time"},  # PAPPL's is 0 for a second
    "PWG 5100.12 section 6.2": {
        "orientation-requested-default",
        "media-supported"},  # names with a period, such as 2.25x1.25in
    "PWG 5100.14 section 5.1/5.2": {
        # No printer here can show itself, or is asked for its supplies.
        "identify-actions-default", "identify-actions-supported",
        "printer-supply", "printer-supply-description",
        "overrides-supported",  # PAPPL has none
        "pwg-raster-document-sheet-back"},  # of printers without duplex
}
LEAST = 33  # tests that pass, of any suite


def raster(paper, dpi):
    """A white page, with a black row."""
    points = PAPERS[paper]
    width, height = (side * dpi // 72 for side in points)
    header = cups_raster.page_header(
        width, height, "SW", dpi=(dpi, dpi), MediaClass=b"PwgRaster",
        PageSize0=points[0], PageSize1=points[1])
    def rows(tone, count):
        row = cups_raster.pack_bits(bytes([tone]) * width, 1)[1:]
        return b"".join(bytes([min(256, count - at) - 1]) + row
                        for at in range(0, count, 256))
    return cups_raster.sync_word(2, ">") + cups_raster.pack_header(header, 2, ">") + \
        rows(255, height - 100) + rows(0, 1) + rows(255, 99)


def make_documents(folder):
    """All that the suites name; what no printer here takes is empty."""
    for suite in SUITES.glob("*.test"):
        shutil.copy(suite, folder)
        for name in re.findall(r"^\s*FILE ([\w./-]+)$", suite.read_text(), re.M):
            if not name.startswith(".."):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()
    for file in folder.rglob("*"):
        paper = next((name for name in PAPERS if name in file.name), "a4")
        samples = re.fullmatch(r"pwg-raster-samples-(300|600)dpi",
                               file.parent.parent.name)
        if samples and file.parent.name == "sgray-8":
            file.write_bytes(raster(paper, int(samples[1])))
        elif file.suffix == ".pdf":
            file.write_bytes(pdf(1))
        elif file.suffix == ".ps":
            file.write_text("%!PS\n72 72 99 99 rectfill showpage\n")
        elif file.suffix == ".jpg":
            file.write_bytes(jpeg(1))


def results(suite, uri, folder):
    """Counts by result, and what each test that failed expected: attributes, most of
    them."""
    shown = subprocess.run(
        ["ipptool", "-tI", "-f", folder / "color.jpg", uri, f"{suite}.test"],
        cwd=folder, capture_output=True, text=True, timeout=400)
    counts, failed, wrong = collections.Counter(), {}, set()
    for line in (shown.stdout + shown.stderr).splitlines():
        if found := re.fullmatch(r"    (\S.*?)\s+\[(PASS|FAIL|SKIP)\]", line):
            counts[found[2]] += 1
            wrong = failed.setdefault(found[1], set()) if found[2] == "FAIL" else set()
        elif found := re.match(r"\s+EXPECTED: (\S+)", line):
            wrong.add(found[1])
    return counts, failed


@unittest.skipUnless(SUITES.is_dir() and shutil.which("ipptool"), "no ipptool")
class SuitesTest(ApplicationTest):
    def test_what_the_suites_ask_for_is_so(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_documents(folder)
            for printer in PRINTERS:
                self.run_app("add", "-d", printer, "-m", printer, "-v",
                             "file:///dev/null")
                for suite in NAMES:
                    with self.subTest(printer=printer, suite=suite):
                        self.check(printer, suite, folder)

    def check(self, printer, suite, folder):
        counts, failed = results(suite, self.server.uri(printer), folder)
        if IS_SHOWN:
            print(f"{printer}, {suite}:", dict(counts), failed, flush=True)
        self.assertGreaterEqual(counts["PASS"], LEAST)
        for test, wrong in failed.items():
            known = next((names for begin, names in KNOWN.items()
                          if test.startswith(begin)), set())
            self.assertEqual(wrong - known, set(), test)


if __name__ == "__main__":
    if IS_SHOWN:
        sys.argv.remove("--show")
    unittest.main()

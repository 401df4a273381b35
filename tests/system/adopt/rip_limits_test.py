#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents that halftone-rip has Ghostscript draw are kept to the limits of
halftoned.conf, whichever way its call goes, and say nothing to cupsd.

Usage: rip_limits_test.py BUILD_FOLDER [unittest arguments]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cups"))
import documents  # noqa: E402

PPD = """*PPD-Adobe: "4.3"
*NickName: "A printer"
*DefaultResolution: 300dpi
*halftonedOutput: "cups-raster"
"""
WRITE = b"(t) (w) .tempfile exch pop 64 { dup s writestring } repeat closefile "


class RipLimits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftone-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.gs = self.folder / "gs"
        self.gs.symlink_to(BUILD / "filter/halftone-rip")
        (self.folder / "a.ppd").write_text(PPD)

    def run_rip(self, program, limit=""):
        (self.folder / "h.conf").write_text(f"[filter]\n{limit}\n")
        return subprocess.run(
            [self.gs, "-q", "-dBATCH", "-dSAFER", "-dNOPAUSE", "-r300",
             "-g300x300", "-sDEVICE=pbmraw", "-sOutputFile=-", "-"],
            input=b"%!PS\n/s 65000 string def\n" + program,
            capture_output=True, timeout=300,
            env={**os.environ, "TMPDIR": str(self.temporary),
                 "PPD": str(self.folder / "a.ppd"),
                 "HALFTONED_CONF": str(self.folder / "h.conf")})

    def errors(self, program, limit):
        run = self.run_rip(program, limit)
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertNotEqual(run.returncode, 0)
        return [line for line in run.stderr.decode().splitlines()
                if line.startswith("ERROR:")]

    def test_a_document_that_needs_too_much_fails(self):
        for program, limit, what in (
                (b"{} loop", "render-time = 1", "1 s of a CPU core for a page"),
                (b"8 { " + WRITE + b"} repeat {} loop", "render-disk = 16",
                 "16 MiB of temporary files")):
            if b".tempfile" in program and not documents.may_make_files():
                continue
            self.assertEqual(
                self.errors(program, limit),
                ["ERROR: cannot print: Ghostscript cannot render it: it needs more "
                 f"than {what} ({limit.split()[0]} in halftoned.conf)"])

    def test_messages_of_a_document_are_no_messages_to_cupsd(self):
        run = self.run_rip(b"(%stderr) (w) file dup (PPD: a=b\n) writestring "
                           b"flushfile (ATTR: c=d\n) print showpage\n")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stderr.decode().splitlines()
        for line in ("PPD: a=b", "ATTR: c=d"):
            self.assertNotIn(line, lines)
            self.assertIn("DEBUG: " + line, lines)


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv[1])
    if not shutil.which("gs"):
        print("needs Ghostscript")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])

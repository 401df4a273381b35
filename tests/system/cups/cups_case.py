# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of rastertohalftone in a real CUPS share: a cupsd with our queues,
documents to print, and a look at what came out."""

import pathlib
import re
import subprocess
import sys
import unittest

import cups_raster
from private_cups import PrivateCups, become_root

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent.parent
CAPTURED = "application/x-halftoned-captured"


class CupsCase(unittest.TestCase):
    """One cupsd and one set of documents serve all tests of a class."""

    build = None  # the build folder

    @classmethod
    def setUpClass(cls):
        cls.cups = PrivateCups(
            {"rastertohalftone": cls.build / "filter/rastertohalftone",
             "pdftohalftone": cls.build / "filter/pdftohalftone",
             "capture": HERE / "capture"},
            backends={"stuck": HERE / "stuck_printer"},
            data=[SOURCE / "ppd/halftoned.drv",
                  *(SOURCE / "ppd").glob("*.po")],
            types=f"{CAPTURED}\napplication/x-halftoned-raster\n",
            convs="application/vnd.cups-raster " + CAPTURED + " 0 capture\n"
                  + CAPTURED + " application/x-halftoned-raster 10 "
                  "rastertohalftone\n")
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.cups.start()
        cls.made = cls.cups.root / "made"
        cls.made.mkdir()
        subprocess.run(["ppdc", "-d", cls.made, SOURCE / "ppd/halftoned.drv"],
                       check=True)
        cls.pdf = cls.document("pdfwrite", "sample.pdf", "-dpages=1")
        cls.pdf3 = cls.document("pdfwrite", "sample3.pdf", "-dpages=3")

    @classmethod
    def document(cls, device, name, *arguments):
        path = cls.made / name
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sPAPERSIZE=a6", f"-sDEVICE={device}",
                        f"-sOutputFile={path}", *arguments,
                        HERE / "sample.ps"], check=True)
        return path

    def add_queue(self, base, changes=(), captured=True, uri=None):
        """A queue of one of our PPD files, with some texts replaced."""
        name = f"q{len(list(self.made.glob('*.ppd')))}"
        text = (self.made / f"{base}.ppd").read_text()
        if captured:
            # The raster is captured between two filters.
            text = re.sub(r'\*cupsFilter2: "application/vnd.cups-pdf .*\n', "",
                          text)
            changes = [('"application/vnd.cups-raster ', f'"{CAPTURED} '),
                       *changes]
        for old, new in changes:
            self.assertTrue(old in text, old)
            text = text.replace(old, new)
        ppd = self.made / f"{name}.ppd"
        ppd.write_text(text)
        self.cups.add_queue(name, ppd, uri or f"file:{self.output(name)}")
        return name

    def output(self, queue):
        return self.cups.out / f"{queue}.ras"

    def assert_completes(self, queue, document, options=(), copies=1):
        job = self.cups.print_file(queue, document, options, copies)
        state = self.cups.wait(job)
        log = "\n".join(self.cups.job_log(job)[-60:])
        self.assertEqual(state, "completed", log)
        return job

    def assert_exact(self, queue, job, *recipe):
        """The output is the definition applied to the captured raster."""
        gray = self.cups.out / f"{job}.gray"
        run = subprocess.run(
            [self.build / "tests/system/cups/expect_raster", gray,
             self.output(queue), *recipe], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        gray.unlink()
        return int(re.search(r"(\d+) pages$", run.stdout)[1])

    def print_exactly(self, base, document, options=("Resolution=300dpi", "media=A6"),
                      changes=(), recipe=(), pages=1, copies=1):
        queue = self.add_queue(base, changes)
        job = self.assert_completes(queue, document, options, copies)
        self.assertEqual(self.assert_exact(queue, job, *recipe), pages)
        return job, cups_raster.read_pages(self.output(queue).read_bytes())

    def pages_counted(self, job):
        return [line for line in self.cups.job_log(job)
                if line.startswith("PAGE:")]


def main():
    """Runs the tests of the program, whose first argument is the build folder."""
    become_root()
    CupsCase.build = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()

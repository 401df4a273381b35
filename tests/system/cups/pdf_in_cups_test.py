#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pdftohalftone in a real CUPS: whatever options a job has, it prints what the same
queue prints through gstoraster and rastertohalftone, with a black point; and only
documents that come as PDF go through it.

Usage: pdf_in_cups_test.py BUILD_FOLDER [unittest arguments]
"""

import re
import subprocess

import cups_case
from cups_case import CupsCase
from private_cups import wait_until

PDF_LINE = r'\*cupsFilter2: "application/vnd.cups-pdf .*\n'
OPTIONS = (
    ["number-up=2"], ["number-up=4", "number-up-layout=btrl"],
    ["page-ranges=3-14"], ["page-set=even"], ["outputorder=reverse"],
    ["sides=two-sided-long-edge"], ["sides=two-sided-short-edge"],
    ["fit-to-page", "PageSize=A5"], ["landscape"], ["mirror"],
    ["print-scaling=none"], ["media=Custom.300x400"], ["Duplex=DuplexTumble"],
    ["multiple-document-handling=separate-documents-collated-copies"],
    ["multiple-document-handling=separate-documents-uncollated-copies"],
)


class PdfInCups(CupsCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cups.conf.write_text("[filter]\nmachine-threads = 4\n"
                                 "parallel-pages = 3\nblack-point = 0\n")
        cls.pdf17 = cls.document("pdfwrite", "sample17.pdf", "-dpages=17")
        cls.sizes = cls.made / "sizes.pdf"
        script = " ".join(
            f"<</PageSize[{size}]>> setpagedevice /Times-Roman findfont 40 "
            f"scalefont setfont 40 40 moveto ({size}) show showpage"
            for size in ("298 420", "420 298", "612 792", "595 842") * 4)
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sDEVICE=pdfwrite", f"-sOutputFile={cls.sizes}", "-c",
                        script], check=True)

    def queues(self, base):
        """The model, and the same without the filter."""
        parallel = self.add_queue(base, captured=False)
        serial = f"{parallel}-serial"
        ppd = self.made / f"{serial}.ppd"
        text = (self.made / f"{parallel}.ppd").read_text()
        self.assertRegex(text, PDF_LINE)
        ppd.write_text(re.sub(PDF_LINE, "", text))
        self.cups.add_queue(serial, ppd, f"file:{self.output(serial)}")
        return parallel, serial

    def filters(self, job):
        return re.findall(r"Started filter \S*/(\S+)",
                          "\n".join(self.cups.job_log(job)))

    def assert_same(self, queues, document, options, copies=1):
        options = ["Resolution=300dpi", *options]
        parallel, serial = queues
        job = self.assert_completes(parallel, document, options, copies)
        other = self.assert_completes(serial, document, options, copies)
        self.assertEqual(self.filters(job)[-1:], ["pdftohalftone"])
        self.assertEqual(self.filters(other)[-2:],
                         ["gstoraster", "rastertohalftone"])
        self.assertTrue(self.output(parallel).read_bytes() ==
                        self.output(serial).read_bytes(), options)
        self.assertEqual(self.pages_counted(job), self.pages_counted(other))
        return "\n".join(self.cups.job_log(job))

    def test_options_that_change_pages(self):
        queues = self.queues("htcups")
        for options in OPTIONS:
            with self.subTest(options=options):
                copies = 2 if "copies" in options[0] else 1
                self.assert_same(queues, self.pdf17,
                                 ["media=A6", *options], copies)

    def test_most_of_them_have_several_renderers(self):
        queues = self.queues("htcups")
        for options in ([], ["number-up=2"], ["Duplex=DuplexTumble"],
                        ["landscape"], ["outputorder=reverse"]):
            log = self.assert_same(queues, self.pdf17, ["media=A6", *options])
            self.assertRegex(log, "[23] renderers make (9|17) pages")
            self.assertNotIn("one renderer makes", log)

    def test_pages_of_many_sizes(self):
        queues = self.queues("htcups")
        for options in ([], ["fit-to-page"], ["print-scaling=none"]):
            self.assert_same(queues, self.sizes, ["media=A5", *options])

    def test_pwg_raster(self):
        for base in ("htpwg", "htpwgfl", "htpwgro", "htpwgmt"):
            queues = self.queues(base)
            for options in ([], ["Duplex=DuplexNoTumble"],
                            ["Duplex=DuplexTumble"]):
                with self.subTest(base=base, options=options):
                    log = self.assert_same(queues, self.pdf17,
                                           ["media=A6", *options])
                    self.assertEqual(bool(options) and base != "htpwg",
                                     "backs are turned" in log)

    def test_images_do_not_go_through_it(self):
        queue = self.add_queue("htcups", captured=False)
        image = self.document("png16m", "sample.png", "-dpages=1")
        job = self.assert_completes(queue, image, ["media=A6"])
        self.assertEqual(self.filters(job)[-1], "rastertohalftone")

    def test_a_cancelled_job_leaves_nothing(self):
        queue = self.add_queue("htcups", captured=False, uri="stuck:/")
        temporary = self.cups.root / "spool/tmp"
        job = self.cups.print_file(queue, self.pdf17, ["media=A6"])
        wait_until(lambda: list(temporary.glob("halftoned-*")), "it is printed")
        self.cups.cancel(job)
        self.assertEqual(self.cups.wait(job), "canceled")
        wait_until(lambda: not list(temporary.glob("halftoned-*")), "it is gone")


if __name__ == "__main__":
    cups_case.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pdftohalftone in a real CUPS: whatever options a job has, it prints what the same
queue prints through gstoraster and rastertohalftone, with a black point; and only
documents that come as PDF go through it.

Usage: pdf_in_cups_test.py BUILD_FOLDER [unittest arguments]
"""

import concurrent.futures
import queue
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
# Those for which several renderers work at a time.
SHARED = ("media=A6", "number-up=2", "Duplex=DuplexTumble", "landscape",
          "outputorder=reverse")
# Pages of black and white, of all that draws, and a gray one after each third.
BLACK_PAGES = """
/Times-Roman findfont 11 scalefont setfont
/stencil { gsave translate 90 90 scale 64 64 true [64 0 0 64 0 0]
  { (\\125\\252\\360\\017) } imagemask grestore } bind def
1 1 16 { /page exch def
  page 4 mod 0 eq { 0.5 setgray 40 40 90 90 rectfill } if
  0 setgray
  20 20 moveto page 20 string cvs show ( Hamburgefonstiv) show
  1 1 1 setrgbcolor 20 34 moveto (nothing) show
  0 0 0 setrgbcolor 20 48 moveto (Sphinx) false charpath 0.3 setlinewidth stroke
  1 1 9 { dup 0.13 mul setlinewidth newpath 150 200 3 -1 roll 8 mul 0 300 arc
          stroke } for
  newpath 150 300 moveto 40 7 rlineto stroke
  gsave 0 setgray 30 100 100 60 rectfill 1 setgray 40 120 moveto
  (white on black) show grestore
  30 220 stencil newpath 200 330 40 0 360 arc clip 150 290 100 80 rectfill
  initclip showpage } for
"""
# Cases at a time, with two jobs each.
AT_ONCE = 3


class PdfInCups(CupsCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cups.conf.write_text("[filter]\nmachine-threads = 12\n"
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

    @staticmethod
    def filters(log):
        return re.findall(r"Started filter \S*/(\S+)", "\n".join(log))

    def print_both(self, queues, document, options):
        """The jobs, their states and what they printed, at the same time."""
        copies = 2 if any("copies" in option for option in options) else 1
        jobs = [self.cups.print_file(name, document,
                                     ["Resolution=300dpi", *options], copies)
                for name in queues]
        states = [self.cups.wait(job) for job in jobs]
        return jobs, states, [self.output(name).read_bytes()
                              if state == "completed" else b""
                              for name, state in zip(queues, states)]

    def logs_of_same(self, base, document, cases):
        """Prints each case, which is a job's options, on both queues; they must
        print the same. Gives the logs of the jobs with the filter."""
        idle = queue.SimpleQueue()
        for _ in range(AT_ONCE):
            idle.put(self.queues(base))

        def print_case(options):
            queues = idle.get()
            try:
                return self.print_both(queues, document, options)
            finally:
                idle.put(queues)

        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            printed = list(pool.map(print_case, cases))
        for options, (jobs, states, outputs) in zip(cases, printed):
            with self.subTest(base=base, options=options):
                logs = [self.cups.job_log(job) for job in jobs]
                self.assertEqual(states, ["completed"] * 2, logs)
                self.assertEqual(self.filters(logs[0])[-1:], ["pdftohalftone"])
                self.assertEqual(self.filters(logs[1])[-2:],
                                 ["gstoraster", "rastertohalftone"])
                self.assertTrue(outputs[0] == outputs[1], options)
                self.assertEqual(*([line for line in log
                                    if line.startswith("PAGE:")]
                                   for log in logs))
                yield options, "\n".join(logs[0])

    def test_options_that_change_pages(self):
        cases = [["media=A6", *options] for options in ([], *OPTIONS)]
        for options, log in self.logs_of_same("htcups", self.pdf17, cases):
            if options[-1] in SHARED:
                self.assertRegex(log, "[23] renderers make (9|17) pages")
                self.assertNotIn("one renderer makes", log)

    def test_pages_of_black_and_white(self):
        """They are rendered in one bit, beside gray ones and by themselves."""
        mixed, black = self.made / "mixed.pdf", self.made / "black.pdf"
        for path, text in ((mixed, BLACK_PAGES),
                           (black, BLACK_PAGES.replace("0.5 setgray", ""))):
            subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                            "-sDEVICE=pdfwrite", "-g2980x4200",
                            f"-sOutputFile={path}", "-c", text], check=True)
        cases = [["media=A6", *options] for options in (
            [], ["number-up=2"], ["Duplex=DuplexTumble"], ["page-ranges=2-3"],
            ["halftone-type=screen", "text-edges=soft"])]
        for base in ("htcups", "htpwg"):
            compared = list(self.logs_of_same(base, mixed, cases))
            self.assertIn("renderers for one bit: 1", compared[0][1])
            for _, log in list(self.logs_of_same(base, black, cases)):
                self.assertRegex(log, "in one bit: |renderers for one bit: ")

    def test_pages_of_many_sizes(self):
        cases = [["media=A5", *options]
                 for options in ([], ["fit-to-page"], ["print-scaling=none"])]
        compared = list(self.logs_of_same("htcups", self.sizes, cases))
        self.assertEqual(len(compared), len(cases))

    def test_pwg_raster(self):
        cases = [["media=A6", *options] for options in (
            [], ["Duplex=DuplexNoTumble"], ["Duplex=DuplexTumble"])]
        for base in ("htpwg", "htpwgfl", "htpwgro", "htpwgmt"):
            for options, log in self.logs_of_same(base, self.pdf17, cases):
                self.assertEqual(len(options) > 1 and base != "htpwg",
                                 "back sides are rotated or mirrored" in log)

    def test_images_do_not_go_through_it(self):
        name = self.add_queue("htcups", captured=False)
        image = self.document("png16m", "sample.png", "-dpages=1")
        job = self.assert_completes(name, image, ["media=A6"])
        self.assertEqual(self.filters(self.cups.job_log(job))[-1],
                         "rastertohalftone")

    def test_a_canceled_job_leaves_nothing(self):
        name = self.add_queue("htcups", captured=False, uri="stuck:/")
        temporary = self.cups.root / "spool/tmp"
        job = self.cups.print_file(name, self.pdf17, ["media=A6"])
        wait_until(lambda: list(temporary.glob("pdftohalftone-*")), "it is printed")
        self.cups.cancel(job)
        self.assertEqual(self.cups.wait(job), "canceled")
        wait_until(lambda: not list(temporary.glob("pdftohalftone-*")), "it is gone")


if __name__ == "__main__":
    cups_case.main()

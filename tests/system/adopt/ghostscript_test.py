#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Queues of foomatic-rip are adopted: what Ghostscript's devices write has our
dots, bit for bit the definition applied to Ghostscript's gray; everything else in
it is what it was. Wrappers, canceled jobs and documents that Ghostscript cannot
read go as before.

Usage: ghostscript_test.py BUILD_FOLDER [unittest arguments]
"""

import pathlib
import subprocess
import tempfile

import adopt_case
import foomatic
import labels
import ptouch
import pxl
from adopt_case import HERE, SOURCE, AdoptCase

import cups_raster
import pcl
from private_cups import PrivateCups, wait_until

SETTINGS = ["black-point=0"]  # Ghostscript's black is black here
ENCODER = """\
#!/bin/sh
# A printer's encoder, which tells how it was called.
echo "encoder $*"
exec cat
"""
COAT = """\
#!/bin/bash
# Ghostscript, whose gray raster is kept.
case "$*" in
  *-dcupsBitsPerColor=8*)
    if [ -e "$HALFTONED_OUT/die" ]; then
      /usr/bin/gs "$@" | head -c 1000000
      kill -KILL $$
    fi
    /usr/bin/gs "$@" | tee "$HALFTONED_OUT/$HALFTONED_JOB.gray"
    exit "${PIPESTATUS[0]}" ;;
  *-sDEVICE=cups*)
    /usr/bin/gs "$@" | tee "$HALFTONED_OUT/$HALFTONED_JOB.dots"
    exit "${PIPESTATUS[0]}" ;;
esac
exec /usr/bin/gs "$@"
"""
WRAPPER = """\
#!/bin/sh
# As foo2zjs-wrapper: Ghostscript through a pipe of its own.
(gs -q -dBATCH -dSAFER -dNOPAUSE -r600x600 -g2475x3500 -sDEVICE=pbmraw \\
    -sOutputFile="|cat 1>&3" -_ >/dev/null) 3>&1
"""


class GhostscriptDevices(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cups = PrivateCups(
            {"halftone-rip": cls.build / "filter/halftone-rip",
             "rastertohalftone": cls.build / "filter/rastertohalftone",
             "gs": cls.script("gs", COAT),
             "encoder": cls.script("encoder", ENCODER),
             "rastertoptch": pathlib.Path("/usr/lib/cups/filter/rastertoptch"),
             "foo2oak-wrapper": cls.script("foo2oak-wrapper", WRAPPER)},
            backends={"stuck": HERE.parent / "cups/stuck_printer"},
            data=[SOURCE / f"ppd/halftoned.{kind}"
                  for kind in ("types", "convs")])
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.stand_in = cls.cups.root / "libexec/ghostscript"
        cls.stand_in.mkdir(parents=True)
        (cls.stand_in / "gs").symlink_to(
            cls.cups.root / "bin/filter/halftone-rip")
        cls.cups.start()
        cls.environment["CUPS_SERVER"] = cls.cups.socket
        cls.pdf = cls.document("one.pdf", 1)
        cls.pdf3 = cls.document("three.pdf", 3)

    @classmethod
    def script(cls, name, text):
        path = cls.folder / name
        path.write_text(text)
        return path

    def add(self, name, command, adopt=True, **words):
        queue = f"{name}-{len(list(self.folder.glob('*.ppd')))}"
        path = self.folder / f"{queue}.ppd"
        path.write_text(foomatic.ppd(name, command, **words))
        self.cups.add_queue(queue, path, f"file:{self.output(queue)}")
        if adopt:
            self.succeed("adopt", queue)
        return queue

    def output(self, queue):
        return self.cups.out / f"{queue}.prn"

    def print(self, queue, *options, document=None):
        job = self.cups.print_file(queue, document or self.pdf, options)
        state = self.cups.wait(job)
        log = "\n".join(self.cups.job_log(job)[-80:])
        self.assertEqual(state, "completed", log)
        return self.output(queue).read_bytes(), job

    def print_both(self, name, command, *options, document=None):
        """What is printed without us and with us."""
        queue = self.add(name, command, adopt=False)
        before, _ = self.print(queue, *options, document=document)
        self.succeed("adopt", queue)
        after, job = self.print(queue, *options, document=document)
        self.assertNotEqual(before, after)
        self.assertEqual(
            [line for line in self.cups.job_log(job)
             if line.startswith("PAGE:")],
            [f"PAGE: {page + 1} 1"
             for page in range(3 if document == self.pdf3 else 1)])
        return before, after, job

    def assert_exact(self, pages, job, *settings):
        """Pages, [(width, rows)], are the definition of Ghostscript's gray."""
        gray = self.cups.out / f"{job}.gray"
        bits = self.folder / "bits.ras"
        raster = cups_raster.sync_word(3)
        found = cups_raster.read_pages(gray.read_bytes())
        self.assertEqual(len(pages), len(found))
        for (header, _), (_, rows) in zip(found, pages):
            size = (header["cupsWidth"] + 7) // 8
            header = dict(header, cupsColorSpace=3, cupsBitsPerColor=1,
                          cupsBitsPerPixel=1, cupsBytesPerLine=size)
            rows = rows + [bytes(size)] * (header["cupsHeight"] - len(rows))
            raster += cups_raster.pack_page(header, b"".join(rows))
        bits.write_bytes(raster)
        run = subprocess.run(
            [self.build / "tests/system/cups/expect_raster", gray, bits,
             *SETTINGS, *settings], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_an_encoder_behind_ghostscript(self):
        _, after, job = self.print_both(
            "pbmraw", foomatic.device("pbmraw", " | encoder -x"),
            document=self.pdf3)
        called, _, pages = after.partition(b"\n")
        self.assertEqual(called, b"encoder -x")
        self.assert_exact(foomatic.read_pbm(pages), job)

    def test_a_wrapper(self):
        _, after, job = self.print_both("foo2oak", "foo2oak-wrapper %A")
        self.assert_exact(foomatic.read_pbm(after), job)

    def test_pcl(self):
        """ljet4 itself leaves out what is beyond the printer's margins."""
        before, after, job = self.print_both(
            "ljet4", foomatic.device("ljet4"), "InputSlot=Lower",
            document=self.pdf3)
        self.assertEqual(self.besides_rows(before), self.besides_rows(after))
        self.assert_exact_above_the_margin(after, job)

    def test_a_device_that_dithers(self):
        """Its trays are those of another numbering, and are not asked for."""
        _, after, job = self.print_both(
            "lj4dith", foomatic.device("lj4dith"), "InputSlot=Lower")
        self.assertNotIn(b"&lH", [command for command, _, _ in
                                  pcl.commands(after)])
        self.assert_exact_above_the_margin(after, job)

    def assert_exact_above_the_margin(self, data, job, margin=100):
        gray = self.cups.out / f"{job}.gray"
        heights, clipped = [], cups_raster.sync_word(3)
        for header, rows in cups_raster.read_pages(gray.read_bytes()):
            height = header["cupsHeight"] - margin
            size = header["cupsBytesPerLine"]
            header = dict(header, cupsHeight=height)
            clipped += cups_raster.pack_page(header, rows[:height * size])
            heights.append(height)
        gray.write_bytes(clipped)
        pages = zip(pcl.read_pages(data, 2475), heights)
        self.assert_exact([(width, rows[:height])
                           for (width, rows), height in pages], job)

    @staticmethod
    def besides_rows(data):
        """The commands of PCL but those that send rows."""
        return [(command, value) for command, value, _ in pcl.commands(data)
                if command not in (b"*bW", b"*bM", b"*bY", b"*pY")]

    def text(self, name, color):
        """A page of text in a color."""
        source = self.folder / f"{name}.ps"
        source.write_text(f"%!PS\n/Times-Roman findfont 30 scalefont setfont "
                          f"{color} 50 300 moveto (Text) show showpage\n")
        path = self.folder / f"{name}.pdf"
        subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER",
                        "-sPAPERSIZE=a6", "-sDEVICE=pdfwrite", f"-sOutputFile={path}", source],
                       check=True)
        return path

    def test_black_text_is_printed_as_before(self):
        """By Ghostscript alone, from the document itself."""
        for device in "ljet4", "lj5mono":
            queue = self.add(device, foomatic.device(device), adopt=False)
            text = self.text("black", "0 setgray")
            before, _ = self.print(queue, document=text)
            self.succeed("adopt", queue)
            for kind in "auto", "clustered", "bi-level":
                after, job = self.print(queue, f"cupsHalftoneType={kind}",
                                        document=text)
                self.assertEqual(before, after)
                self.assertFalse((self.cups.out / f"{job}.gray").exists())
                self.assertIn("PAGE: 1 1", self.cups.job_log(job))

    def test_black_text_is_what_halftoning_makes_of_it(self):
        queue = self.add("pbmraw", foomatic.device("pbmraw", " | cat"))
        pages = []
        for name, color, is_black in (
                ("black", "0 setgray", True),
                ("ink", "0 0 0 1 setcmykcolor", True),
                ("covered", "0.5 setgray 9 9 2 2 rectfill 1 setgray"
                 " 8 8 4 4 rectfill 0 setgray", False)):
            data, job = self.print(queue, document=self.text(name, color))
            pages += foomatic.read_pbm(data)
            halftoned = (self.cups.out / f"{job}.gray").exists()
            self.assertNotEqual(halftoned, is_black)
        self.assertTrue(any(any(row) for row in pages[0][1]))
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])

    def test_text_in_gray_is_halftoned(self):
        queue = self.add("pbmraw", foomatic.device("pbmraw", " | cat"))
        data, job = self.print(queue, document=self.text("gray", "0.5 setgray"))
        self.assert_exact(foomatic.read_pbm(data), job)
        # Not through PostScript, which costs as much again.
        self.assertNotIn("pdf-to-ps", "\n".join(self.cups.job_log(job)))

    def test_pcl_xl(self):
        before, after, job = self.print_both(
            "pxlmono", foomatic.device("pxlmono"), "InputSlot=Lower",
            document=self.pdf3)
        self.assert_exact(pxl.read_pages(after), job)
        self.assertEqual(self.pages_begun(before), self.pages_begun(after))

    @staticmethod
    def pages_begun(data):
        return [attributes for operator, attributes, _ in pxl.operators(data)
                if operator == pxl.BEGIN_PAGE]

    def test_release_is_complete(self):
        queue = self.add("ljet4", foomatic.device("ljet4"), adopt=False)
        installed = self.cups.root / f"etc/ppd/{queue}.ppd"
        before = installed.read_bytes()
        self.succeed("adopt", queue)
        adopted = installed.read_bytes()
        self.assertEqual(adopted.count(b" halftone-rip\""), 2)
        self.succeed("release", queue)
        self.assertEqual(installed.read_bytes(), before)

    def test_labels(self):
        """Brother's, whose encoder takes the raster of Ghostscript's device
        cups; all else in its output is what it was."""
        for model, paper in (("QL-570-ptouch-ql", (176, 284)),
                             ("PT-2430PC-ptouch-pt", (68, 283))):
            with self.subTest(model=model):
                queue = model.lower()
                self.cups.add_queue(queue, self.ppd("ptouch", model),
                                    f"file:{self.output(queue)}")
                label = self.folder / f"{queue}.ps"
                label.write_text(labels.wedge(*paper))
                before, _ = self.print(queue, document=label)
                self.succeed("adopt", queue)
                after, job = self.print(queue, document=label)
                self.assertNotEqual(before, after)
                rows = labels.rows_in_page(
                    *(self.cups.out / f"{job}.{kind}" for kind in ("gray", "dots")))
                self.assert_exact([(8 * len(rows[0]), rows)], job,
                                  "technology=thermal")
                self.assertEqual(labels.ink_of(ptouch.read_rows(after)),
                                 labels.ink_of(rows))
                self.assertEqual(ptouch.commands(before),
                                 ptouch.commands(after))

    def test_foo2zjs(self):
        """Its real encoders, and its own decoders, which write PBM."""
        frame = self.folder / "frame.ps"
        frame.write_text(
            "%!PS\n<</PageSize [612 792]>> setpagedevice 100 600 200 2 rectfill\n"
            "0 1 99 {dup 110 div setgray 100 exch 450 add 200 1 rectfill} for "
            "showpage\n")
        for model, decoder in (("HP-LaserJet_1020", "zjsdecode"),
                               ("HP-LaserJet_P1005", "xqxdecode")):
            with self.subTest(model=model):
                queue = model.lower()
                self.cups.add_queue(queue, self.ppd("foo2zjs", model),
                                    f"file:{self.output(queue)}")
                self.succeed("adopt", queue)
                data, job = self.print(queue, "PageSize=Letter",
                                       "Resolution=600x600dpi", document=frame)
                with tempfile.TemporaryDirectory() as folder:
                    subprocess.run([decoder, "-d", f"{folder}/page"], input=data,
                                   check=True, stdout=subprocess.DEVNULL)
                    file, = pathlib.Path(folder).iterdir()
                    (_, rows), = foomatic.read_pbm(file.read_bytes())
                rows = labels.placed(rows, self.cups.out / f"{job}.gray")
                self.assert_exact([(8 * len(rows[0]), rows)], job)

    def refusal(self, name, command, **words):
        queue = self.add(name, command, adopt=False, **words)
        run = self.halftone("adopt", queue)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        return run.stderr

    def test_what_is_refused(self):
        self.assertIn("halftones itself",
                      self.refusal("ps", "cat%A%Z"))
        self.assertIn("Ghostscript's device ijs",
                      self.refusal("ijs", foomatic.device("ijs")))
        self.assertIn("prints in color",
                      self.refusal("cljet5", foomatic.device("ljet4"),
                                   color=True))

    def test_an_unknown_device_prints_nothing(self):
        """As when the PPD file is changed after the adoption."""
        queue = self.add("ljet4", foomatic.device("ljet4"))
        installed = self.cups.root / f"etc/ppd/{queue}.ppd"
        installed.write_text(installed.read_text().replace(
            "-sDEVICE=ljet4", "-sDEVICE=cdj550"))
        job = self.cups.print_file(queue, self.pdf)
        self.assertEqual(self.cups.wait(job), "stopped")
        log = "\n".join(self.cups.job_log(job))
        self.assertRegex(log, r"cannot print: Ghostscript\\?'s device cdj550")
        self.assertIn(f"halftone release {queue}", log)
        self.assertNotIn(b"*b", self.output(queue).read_bytes())

    def test_settings_of_foomatic_that_lead_elsewhere(self):
        """By which no dot would be ours: nothing is printed."""
        queue = self.add("ljet4", foomatic.device("ljet4"))
        conf = self.cups.root / "etc/foomatic-rip.conf"
        conf.write_text("debug: 0\ngspath: /usr/bin/gs\n")
        self.addCleanup(conf.unlink)
        job = self.cups.print_file(queue, self.pdf)
        self.assertEqual(self.cups.wait(job), "stopped")
        log = "\n".join(self.cups.job_log(job))
        self.assertIn("foomatic-rip.conf has gspath", log)
        self.assertIn(f"halftone release {queue}", log)
        self.assertEqual(self.output(queue).read_bytes(), b"")

    def test_a_renderer_that_dies(self):
        """Its page is not printed, and the job fails."""
        queue = self.add("ljet4", foomatic.device("ljet4"))
        (self.cups.out / "die").touch()
        self.addCleanup((self.cups.out / "die").unlink)
        job = self.cups.print_file(queue, self.pdf)
        self.assertEqual(self.cups.wait(job), "stopped")
        self.assertIn("cannot print: ", "\n".join(self.cups.job_log(job)))
        self.assertNotIn(b"*b", self.output(queue).read_bytes())

    def test_a_canceled_job_leaves_nothing_behind(self):
        queue = self.add("ljet4", foomatic.device("ljet4"))
        self.cups.command("lpadmin", "-p", queue, "-v", "stuck:/")
        job = self.cups.print_file(queue, self.pdf3)
        wait_until(lambda: self.processes_of(job), "the job runs")
        self.cups.cancel(job)
        self.assertEqual(self.cups.wait(job), "canceled")
        wait_until(lambda: not self.processes_of(job), "all of it ends")

    @staticmethod
    def processes_of(job):
        """Those that halftone-rip has started."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                variables = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"HALFTONED_JOB=%d" % job in variables:
                found.append(path.parent.name)
        return found


if __name__ == "__main__":
    adopt_case.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert of PDF and PostScript, through the system's Ghostscript and
through false ones that fail in their own ways.
"""

import contextlib
import itertools
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import unittest
import zlib

from convert_case import Case, HALFTONE, pgm, noise, tiff_rows, tiff_tags

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cups"))
import documents  # noqa: E402
from pdf_file import pdf_file  # noqa: E402
from private_cups import wait_until  # noqa: E402

# Pages of 72 x 36 points; page n has a black box of n x 10 points.
PAGES = b"""%!PS
<</PageSize [72 36]>> setpagedevice
1 1 3 { 10 mul 0 0 3 -1 roll 10 rectfill showpage } for
"""
EPS = b"""%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 100 200 172 236
100 200 36 36 rectfill showpage
"""


def make_pdf(*streams, page=b""):
    """A PDF file of pages of 72 x 36 points with these contents and PAGE."""
    kids = b" ".join(b"%d 0 R" % (3 + 2 * i) for i in range(len(streams)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>",
               b"<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 72 36]>>"
               % (kids, len(streams))]
    for i, stream in enumerate(streams):
        objects += [b"<</Type/Page/Parent 2 0 R/Contents %d 0 R%s>>" % (4 + 2 * i, page),
                    b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream)]
    return pdf_file(objects)


def make_picture(name, data):
    """A PDF file with a picture of 8 x 8 pixels that this filter unpacks."""
    return pdf_file([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 72 36]>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
        b"<</Length 22>>stream\n36 0 0 36 0 0 cm /X Do\nendstream",
        b"<</Subtype/Image/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray"
        b"/Filter/%s/Length %d>>stream\n%s\nendstream" % (name, len(data), data)])


def jbig2_segment(number, kind, data):
    return struct.pack(">IBBBI", number, kind, 0, 1, len(data)) + data


PDF = make_pdf(*(b"0 0 %d 10 re f" % (10 * n) for n in (1, 2, 3)))


def black(rows):
    return sum(bin(byte).count("1") for byte in rows)


@unittest.skipUnless(shutil.which("gs"), "needs Ghostscript")
class Documents(Case):
    def setUp(self):
        super().setUp()
        self.pdf = self.path("in.pdf", PDF)
        self.ps = self.path("in.ps", PAGES)

    def test_become_files_of_as_many_pages(self):
        for source in (self.pdf, self.ps):
            self.convert(source, self.path("o.tif"), "--dpi", "144")
            data = (self.dir / "o.tif").read_bytes()
            tags = tiff_tags(data)
            self.assertEqual(len(tags), 3)
            for number, page in enumerate(tags, 1):
                self.assertEqual((page[256], page[257]), ([144], [72]))
                self.assertEqual((page[282], page[283]), ([144], [144]))
                self.assertEqual(black(tiff_rows(data, number - 1)),
                                 20 * number * 20)

    def test_become_numbered_files_where_a_file_holds_one_page(self):
        for name in ("png", "bmp"):
            self.convert(self.pdf, self.path("o." + name), "--dpi", "72")
            self.assertEqual(
                sorted(os.listdir(self.dir)),
                sorted(["in.pdf", "in.ps", *("o-%03d.%s" % (i, name)
                                             for i in (1, 2, 3))]))
            for i in (1, 2, 3):
                page = self.path("o-%03d.%s" % (i, name))
                if name == "png":
                    out = self.convert(page, "-")
                    self.assertEqual(black(out[9:]), 100 * i)
                os.unlink(page)
        # The number is that of the page; one page needs none.
        self.convert(self.pdf, self.path("o.png"), "--dpi", "72", "--pages", "2-3")
        self.assertEqual(sorted(os.listdir(self.dir))[2:],
                         ["o-002.png", "o-003.png"])
        self.convert(self.pdf, self.path("o.png"), "--dpi", "72", "--pages", "2")
        self.assertTrue((self.dir / "o.png").exists())

    def test_never_overwrite_what_is_no_file(self):
        os.mkdir(self.path("o-002.png"))
        run = self.run_halftone("convert", self.pdf, self.path("o.png"),
                                "--dpi", "72")
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"o-002.png: exists, and is not a regular file", run.stderr)
        self.assertEqual(sorted(os.listdir(self.dir)),
                         ["in.pdf", "in.ps", "o-001.png", "o-002.png"])

    def test_give_the_pages_that_are_chosen(self):
        for source in (self.pdf, self.ps):
            for pages, expected in (("1,3", [1, 3]), ("2-", [2, 3]),
                                    ("3", [3])):
                out = self.convert(source, "-", "--dpi", "72", "--pages", pages)
                size = len(out) // len(expected)
                self.assertEqual([black(out[i * size + 9:(i + 1) * size])
                                  // 100 for i in range(len(expected))],
                                 expected)
            for pages, missing in (("4", 4), ("2-7", 4), ("1,5-6", 5),
                                   ("9-", 9)):
                self.fails(source, self.path("o.tif"), "--dpi", "72",
                           "--pages", pages, says=f"has no page {missing}")

    def test_come_through_pipes(self):
        expected = self.convert(self.pdf, "-", "--dpi", "100")
        for data in (PDF, PAGES):
            self.assertEqual(self.convert("-", "-", "--dpi", "100", input=data), expected)
        cat = subprocess.Popen(["cat", self.pdf], stdout=subprocess.PIPE)
        self.assertEqual(self.convert("-", "-", "--dpi", "100", stdin=cat.stdout), expected)
        cat.wait()
        cat.stdout.close()

    def test_are_turned_and_fitted(self):
        def size_of(source, *options):
            out = self.convert(source, "-", "--pages", "1", *options)
            return tuple(map(int, out.split(b"\n")[1].split()))

        for options, size in (("600x300", (600, 150)),
                              ("600x300 --rotate 90", (300, 300)),
                              ("254 --size 100x40mm", (1000, 400)),
                              ("254 --size 100x40mm --rotate 270", (1000, 400))):
            self.assertEqual(size_of(self.pdf, "--dpi", *options.split()), size)
        self.assertEqual(size_of(self.path("a.eps", EPS), "--dpi", "72"), (72, 36))
        self.assertEqual(*(self.convert(self.pdf, "-", "--dpi", "100", "--size",
                                        "2x2in", *fit)
                           for fit in ([], ["--scaling", "fit"])))
        # It is drawn larger, not scaled: edges are sharp.
        out = self.convert(self.pdf, "-", "--pages", "3", "--dpi", "100",
                           "--size", "4x2in")
        self.assertEqual(len(set(out[len(b"P4\n400 200\n"):][:50 * 100])), 1)

    def test_colors_are_as_dark_where_pages_mix_them_in_cmyk(self):
        def dots(page):
            out = self.convert(self.path("ink.pdf", make_pdf(*fills, page=page)), "-",
                               "--dpi", "80", "--halftone-type", "fine")
            return [black(out[i:i + 400]) for i in range(9, len(out), 409)]

        fills = [ink + b" 0 0 72 36 re f" for ink in (
            b"0 0 0 1 k", b"0 g", b".2 .4 .6 rg", b".1 .6 .8 .2 k", b".4 g")]
        plain = dots(b"")
        self.assertEqual(plain[:2], [80 * 40] * 2)
        for pair in zip(plain, dots(b"/Group<</S/Transparency/CS/DeviceCMYK>>")):
            self.assertAlmostEqual(*pair, delta=32)

    def test_without_a_resolution_say_so(self):
        self.fails(self.pdf, self.path("o.png"),
                   says="in.pdf: is a document, which has no pixels; give the "
                        "resolution of the device, such as --dpi 600")
        for size, says in (("50mm", "give both sides of --size"),
                           ("50x50mm --scaling fill", "can only be fitted")):
            self.fails(self.pdf, self.path("o.png"), "--dpi", "600", "--size",
                       *size.split(), says=says)
        self.fails(self.pdf, "/dev/null", "--format", "png", "--dpi", "72",
                   says="choose one with --pages, or write to a file")

    def test_that_are_broken_are_one_line_and_leave_nothing(self):
        for name, data in (("cut.pdf", PDF[:300]),
                           ("empty.pdf", b"%PDF-1.4\n"),
                           ("noise.pdf", b"%PDF-1.4\n" + noise(300, 9)),
                           ("wrong.ps", b"%!PS\nfoo bar\n"),
                           ("later.ps", PAGES + b"foo bar\n"),
                           ("none.ps", b"%!PS\n"),
                           ("lines.ps", b"%!PS\n(a\nError: b\x1b[1m\n) print foo\n")):
            out = "o.tif" if len(name) % 2 else "o.pbm"
            self.fails(self.path(name, data), self.path(out), "--dpi",
                       "72", says=name + ": ")

    def test_with_a_page_that_cannot_be_drawn_are_not_called_whole(self):
        for bad in (make_pdf(b"0 0 10 10 re f", b"0 0 10 10 re f (", b"1 2 3 Do"),
                    make_pdf(b"/None gs 0 0 10 10 re f",
                             page=b"/Group<</S/Transparency/CS/DeviceGray>>")):
            self.fails(self.path("bad.pdf", bad), self.path("o.tif"), "--dpi",
                       "72", says="bad.pdf: Ghostscript cannot render it: ")

    def test_with_a_picture_or_pattern_that_is_omitted_are_not_called_whole(self):
        packed = zlib.compress(bytes(8))
        page = jbig2_segment(0, 48, struct.pack(">IIIIBH", 8, 8, 0, 0, 0, 0))
        region = struct.pack(">IIIIB", 8, 8, 0, 0, 0)
        for bad in (make_picture(b"JBIG2Decode", page + jbig2_segment(1, 36, region)),
                    make_picture(b"JBIG2Decode", page + jbig2_segment(1, 38, region))):
            self.fails(self.path("bad.pdf", bad), self.path("o.tif"), "--dpi", "72",
                       says="bad.pdf: Ghostscript cannot render it: it does not "
                            "support a picture")
        pattern = make_pdf(b"/Pattern cs /P scn 0 0 36 36 re f",
                           page=b"/Resources<</Pattern<</P <</PatternType 2"
                                b"/Shading<</ShadingType 9>>>>>>>>")
        self.fails(self.path("bad.pdf", pattern), self.path("o.tif"), "--dpi", "72",
                   says="bad.pdf: Ghostscript cannot render it: ")
        # Other readers, too, draw what there is.
        for name, data in ((b"FlateDecode", packed[:-4] + b"none"),
                           (b"FlateDecode", packed[:4]), (b"DCTDecode", b"nothing"),
                           (b"CCITTFaxDecode", bytes(40)), (b"JBIG2Decode", page)):
            self.convert(self.path("good.pdf", make_picture(name, data)),
                         self.path("o.tif"), "--dpi", "72")

    def test_with_a_password_say_so(self):
        locked = pdf_file(
            [b"<</Type/Catalog/Pages 2 0 R>>",
             b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 72 36]>>",
             b"<</Type/Page/Parent 2 0 R>>"],
            trailer=b"/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>"
                    % (b"00" * 32, b"00" * 32))
        self.fails(self.path("locked.pdf", locked), self.path("o.tif"), "--dpi", "72",
                   says="locked.pdf: Ghostscript cannot render it: This file requires "
                        "a password")

    def test_read_and_write_no_other_file(self):
        secret = self.path("secret", b"(secret)")
        for verb in (b"(%s) run", b"(%s) (r) file pop",
                     b"(%s) deletefile", b"(%s) (w) file pop",
                     b"(%%pipe%%touch %s) (w) file pop"):
            source = self.path("thief.ps", b"%!PS\n" + verb %
                               os.fsencode(secret) + b" showpage\n")
            self.fails(source, self.path("o.tif"), "--dpi", "72",
                       says="cannot render it: /i")
            self.fails(source, self.path("o.tif"), "--dpi", "72",
                       says="cannot render it: /i",
                       env={**os.environ, "GS_OPTIONS": "-dNOSAFER"})
            self.assertEqual(pathlib.Path(secret).read_bytes(), b"(secret)")

    def test_without_end_end_at_a_limit(self):
        source = self.path("endless.ps", b"%!PS\n<</PageSize [3 3]>> "
                           b"setpagedevice { showpage } loop\n")
        self.fails(source, self.path("o.pbm"), "--dpi", "72",
                   says="endless.ps: has more than 2000 pages; choose some "
                   "with --pages")
        self.convert(source, self.path("o.pbm"), "--dpi", "72", "--pages", "1-4")

    def test_of_pages_too_large_are_refused(self):
        source = self.path("large.ps", b"%!PS\n<</PageSize [99999 20]>> "
                           b"setpagedevice showpage\n")
        self.fails(source, self.path("o.pbm"), "--dpi", "600",
                   says="large.ps: the width is larger than 262144")

    def test_that_hang_end_with_the_program(self):
        source = self.path("hang.ps", b"%!PS\n{ } loop\n")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            folder = self.dir / str(number.value)
            folder.mkdir()
            process = subprocess.Popen(
                [HALFTONE, "convert", source, self.path("o.pbm"), "--dpi",
                 "72"], stderr=subprocess.PIPE,
                env={**os.environ, "TMPDIR": str(folder)})
            child = wait_until(lambda: self.ghostscript_of(process),
                               "Ghostscript is started")
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
            wait_until(lambda: self.is_gone(child), "Ghostscript ends")
            if number != signal.SIGKILL:
                self.assertEqual(os.listdir(folder), [])
                self.assertEqual(
                    sorted(name for name in os.listdir(self.dir)
                           if not name.isdigit()), ["hang.ps", "in.pdf", "in.ps"])

    @staticmethod
    def ghostscript_of(process):
        tasks = pathlib.Path(f"/proc/{process.pid}/task")
        for path in tasks.glob("*/children"):  # threads may have started it
            with contextlib.suppress(OSError):
                for pid in path.read_text().split():
                    if os.path.basename(os.readlink(f"/proc/{pid}/exe")) \
                            .startswith("gs"):
                        return int(pid)
        return None

    @staticmethod
    def is_gone(pid):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True
        return state.rsplit(")")[-1].split()[0] == "Z"

    def test_on_a_full_disk_leave_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

        for name, *words in (("o.tif", "--compression", "none"), ("o.pbm",),
                             ("o.bmp",)):
            self.fails(self.pdf, self.path(name), "--dpi", "1200", "--pages",
                       "1", *words, preexec_fn=limit,
                       says=name + ": cannot write: File too large")


# Writes 4 MB to a temporary file.
WRITE = b"(t) (w) .tempfile exch pop 64 { dup s writestring } repeat "


@unittest.skipUnless(shutil.which("gs"), "needs Ghostscript")
class Limits(Case):
    """What a document may use, as halftoned.conf says it."""

    def limited(self, program, **limits):
        keys = "".join(f"render-{key} = {value}\n"
                       for key, value in limits.items())
        folder = self.dir / "t"
        folder.mkdir(exist_ok=True)
        run = self.run_halftone(
            "convert", self.path("in.ps", b"%!PS\n/s 65000 string def\n"
                                 b"<</PageSize [99 99]>> setpagedevice\n" + program),
            "-", "--dpi", "72",
            env={**os.environ, "TMPDIR": str(folder), "HALFTONED_CONF":
                 self.path("c.conf", b"[filter]\n" + keys.encode())})
        self.assertEqual(os.listdir(folder), [])
        return run

    def test_that_are_hit_are_one_line(self):
        for program, limits, what in (
                (b"(t) (w) .tempfile exch pop { dup s writestring } loop",
                 {"disk": 16}, "16 MiB of temporary files"),
                (b"8 { " + WRITE + b"closefile } repeat {} loop",
                 {"disk": 16}, "16 MiB of temporary files"),
                (b"{ (t) (w) .tempfile closefile pop } loop", {"files": 40},
                 "40 temporary files"),
                (b"{ (t) (w) .tempfile } loop", {"files": 40},
                 "40 temporary files"),
                (b"/a 60000 array def 0 1 59999 { a exch 65000 string put } for",
                 {"memory": 256}, "256 MiB of memory"),
                (b"{} loop", {"time": 1}, "1 s of a CPU core for a page")):
            key, = limits
            if b".tempfile" in program and not documents.may_make_files():
                continue
            with self.subTest(program=program):
                run = self.limited(program, **limits)
                self.assertEqual(run.returncode, 1)
                self.assertEqual(
                    run.stderr.decode().splitlines(),
                    [f"halftone: {self.path('in.ps')}: Ghostscript cannot render "
                     f"it: it needs more than {what} (render-{key} in "
                     "halftoned.conf)"])

    def test_leave_long_documents_alone(self):
        # 3.2 s of work and 32 MB of files, but not at a time. A page larger than
        # a pipe is seen; a small one may have been read before anybody looks.
        page = b"usertime 400 add { usertime 1 index gt { exit } if } loop pop "
        if documents.may_make_files():
            page += WRITE.replace(b" exch pop", b"") + b"closefile deletefile "
        page += b"showpage "
        run = self.limited(b"<</PageSize [990 1400]>> setpagedevice 8 { " + page +
                           b"} repeat", time=2, disk=16)
        self.assertEqual((run.returncode, run.stderr), (0, b""))


class FalseGhostscript(Case):
    """A program called gs that a test has written."""

    PAGE = pgm(40, 30, noise(40, 30))

    def setUp(self):
        super().setUp()
        self.pdf = self.path("in.pdf", PDF)

    def fake(self, text):
        folder = self.dir / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "gs"
        program.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n"
                           f"page = {self.PAGE!r}\n"
                           "out = sys.stdout.buffer\n" + text)
        program.chmod(0o755)
        return {**os.environ, "PATH": str(folder)}

    def fails_with(self, text, says):
        self.fails(self.pdf, self.path("o.pbm"), "--dpi", "72",
                   env=self.fake(text), says="in.pdf: " + says)

    def test_may_be_missing(self):
        for path in ("", "/nowhere", str(self.dir) + ":relative"):
            self.fails(self.pdf, self.path("o.pbm"), "--dpi", "72",
                       env={**os.environ, "PATH": path},
                       says="in.pdf: PDF and PostScript need Ghostscript "
                       "(gs), which is not installed; on Debian: apt install "
                       "ghostscript")

    def test_is_believed_when_it_succeeds(self):
        env = self.fake("out.write(page)\n")
        out = self.convert(self.pdf, "-", "--dpi", "72", env=env)
        self.assertEqual(out, self.convert("-", "-", input=self.PAGE))

    def test_that_dies_is_noticed_wherever_it_does(self):
        pages = self.path("pages", self.PAGE + self.PAGE)
        env = self.fake("")
        ends = itertools.cycle((
            ("kill -KILL $$", "Ghostscript was ended by signal 9"),
            ("exit 3", "Ghostscript failed with status 3")))
        size = len(self.PAGE)
        for i, before in enumerate((0, 5, 100, size - 1, size, size + 3)):
            for name in ("o.pbm", "o.tif", "o.png")[i % 2:]:
                end, says = next(ends)
                (self.dir / "bin/gs").write_text(
                    f"#!/bin/sh\n/usr/bin/head -c {before} {pages}\n{end}\n")
                self.fails(self.pdf, self.path(name), "--dpi", "72", env=env,
                           says="in.pdf: " + says)

    def test_that_ends_too_early_is_noticed(self):
        self.fails_with("out.write(page[:99])\n", "ends too early")
        self.fails_with("", "has no pages")

    def test_that_talks_without_end_does_not_hang(self):
        self.fails_with("for i in range(100000):\n"
                        "  sys.stderr.write('Error: nothing to say\\n')\n"
                        "out.write(page)\nout.flush()\nsys.exit(1)\n",
                        "Ghostscript cannot render it: nothing to say")

    def test_that_writes_nonsense_is_ended(self):
        self.fails_with("out.write(b'P5\\n9999999 1\\n255\\n')\nout.flush()\n"
                        "time.sleep(600)\n", "the width is larger than 262144")
        self.fails_with("out.write(page + b'x')\nout.flush()\n"
                        "time.sleep(600)\n",
                        "the data after the image is not another image")

    def test_that_waits_is_ended_when_the_output_fails(self):
        self.fails(self.pdf, "/dev/full", "--format", "pbm", "--dpi", "72",
                   env=self.fake("out.write(b'P5\\n4000 40000\\n255\\n')\n"
                                 "out.write(bytes(40000000))\nout.flush()\n"
                                 "time.sleep(600)\n"),
                   says="/dev/full: cannot write: No space left on device")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pdftohalftone gives what one renderer and rastertohalftone give, byte for byte:
with several renderers, and whatever goes wrong with them. The renderer is one of
ours (fake_renderer.py), so that it can go wrong.

Usage: pdf_filter_test.py FILTER_FOLDER [--long] [unittest arguments]
"""

import hashlib
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from pdf_file import document
from private_cups import wait_until

HERE = pathlib.Path(__file__).parent
MODELS = HERE.parent.parent.parent / "ppd/halftoned.drv"
PAGES = 13
ROWS = 170  # of a page, which then has more bytes than a pipe holds
WORDS = ["7", "user", "title", "1"]
LONG = "--long" in sys.argv  # every fault at every place
if LONG:
    sys.argv.remove("--long")


def is_alive(process):
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return text.rsplit(")", 1)[1].split()[0] != "Z"


class PdfFilter(unittest.TestCase):
    filters = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run(["ppdc", "-d", cls.folder, MODELS], check=True,
                       stdout=subprocess.DEVNULL)
        renderer = cls.folder / "bin/gs"
        renderer.parent.mkdir()
        renderer.symlink_to(HERE.resolve() / "fake_renderer.py")
        cls.renderer = renderer
        cls.conf = cls.folder / "halftoned.conf"
        cls.conf.write_text("[filter]\nmachine-threads = 4\n"
                            "parallel-pages = 3\nuse-daemon = false\n"
                            "black-point = 0\n")
        cls.temporary = cls.folder / "tmp"
        cls.temporary.mkdir()
        (cls.folder / "serial").mkdir()
        cls.made_serially = {}

    inside = ()  # the command that runs the filter

    def environment(self, pages=PAGES, fault="", rows=ROWS, **more):
        common = dict(FAKE_PAGES=str(pages), FAKE_FAULT=fault, FAKE_ROWS=str(rows),
                      PPD=str(self.folder / "htcups.ppd"),
                      TMPDIR=str(self.temporary), HALFTONED_CONF=str(self.conf),
                      PATH=f"{self.renderer.parent}:{os.environ['PATH']}",
                      FAKE_NOTE=str(self.folder / "note"),
                      CUPS_CACHEDIR=str(self.folder))
        return {**os.environ, **common, **more}

    def serial(self, pages=PAGES, **how):
        """Exit status, output and page lines of the chain of two filters."""
        key = (pages, *sorted(how.items()))
        if key not in self.made_serially:
            self.made_serially[key] = self.run_serially(pages, **how)
        return self.made_serially[key]

    def run_serially(self, pages, **how):
        environment = dict(self.environment(pages, **how),
                           TMPDIR=str(self.folder / "serial"))
        pdf = self.folder / "serial.pdf"
        pdf.write_bytes(document(pages))
        gray = subprocess.run(
            [self.renderer, f"--permit-file-read={pdf}"],
            input=f"({pdf}) run\n".encode(), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=False, env=environment)
        done = subprocess.run([self.filters / "rastertohalftone", *WORDS, ""],
                              input=gray.stdout, capture_output=True,
                              check=False, env=environment)
        return (gray.returncode != 0 or done.returncode != 0, done.stdout,
                self.page_lines(done.stderr))

    @staticmethod
    def page_lines(messages):
        return [line for line in messages.decode().splitlines()
                if line.startswith("PAGE:")]

    def run_filter(self, pdf, environment, options="", file=None, **more):
        words = [*self.inside, self.filters / "pdftohalftone", *WORDS, options]
        done = subprocess.run(words + ([file] if file else []),
                              input=None if file else pdf, capture_output=True,
                              check=False, env=environment, **more)
        self.assertEqual(list(self.temporary.iterdir()), [])
        return done

    def parallel(self, pages=PAGES, pdf=None, options="", file=None, **how):
        done = self.run_filter(pdf or document(pages),
                               self.environment(pages, **how), options, file)
        self.messages = done.stderr.decode()
        return done.returncode != 0, done.stdout, self.page_lines(done.stderr)

    def assert_same(self, printed, expected):
        """Without a picture of the bytes, which are many."""
        def short(outcome):
            return (outcome[0], len(outcome[1]),
                    hashlib.sha256(outcome[1]).hexdigest(), outcome[2])

        self.assertEqual(short(printed), short(expected), self.messages)

    def test_pages_come_in_order(self):
        for pages in (1, 7, 8, 9, 12, 13, 30):
            with self.subTest(pages=pages):
                self.assert_same(self.parallel(pages), self.serial(pages))
                count = min(3, max(1, pages // 4))
                self.assertIn(f"{count} renderers make {pages} pages"
                              if count > 1 else "one renderer makes all pages",
                              self.messages)

    def test_few_pages_are_shared_if_they_are_long(self):
        for what, count in (
                (("/Subtype/Image/Width 4000/Height 3000", 0), 3),
                (("/Subtype/Image/Width 400/Height 300", 0), 1),
                (("/Subtype/Image/Width -4000/Height /No", 0), 1),
                (("/Subtype/Form", 200_000), 3), (("", 9), 1),
                # As pdftopdf wraps pages; the form is the sixth object.
                (("/Subtype/Form/Resources<</XObject<</X 7 0 R>>>>", 9,
                  "/Subtype/Image/Width 4000/Height 3000"), 3),
                (("/Subtype/Form/Resources<</XObject<</X 6 0 R>>>>", 9), 1)):
            with self.subTest(what=what):
                self.assert_same(self.parallel(3, document(3, drawn=what)),
                                 self.serial(3))
                self.assertIn(f"{count} renderers make 3 pages" if count > 1
                              else "one renderer makes all pages: there are 3",
                              self.messages)

    def test_pages_of_black_and_white_are_rendered_in_one_bit(self):
        for is_black, content in ((True, ""), (True, "0 0 9 9 re f"),
                                  (False, "0.5 g 0 0 9 9 re f")):
            with self.subTest(content=content):
                pdf = document(1, content=content)
                self.assert_same(self.parallel(1, pdf), self.serial(1))
                self.assertIn("one renderer makes all pages" +
                              (", in one bit: " if is_black else ": "),
                              self.messages)
                self.assert_same(
                    self.parallel(1, pdf, options="text-edges=barcode"),
                    self.serial(1))
                self.assertIn("one renderer makes all pages: ", self.messages)

    def test_a_document_that_takes_too_long_to_read(self):
        """Its content is 16 GB before its last filter."""
        packer = zlib.compressobj()
        packed = b""
        for _ in range(2):  # the second needs nothing of the first
            piece = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
            packed += piece
        packed = zlib.compress(packed + piece * 2**14)
        pdf = document(
            1, content=packed.decode("latin-1"),
            filters="/Filter[/FlateDecode/FlateDecode/ASCIIHexDecode]")
        conf = self.folder / "short.conf"
        conf.write_text(self.conf.read_text() + "render-time = 1\n")
        self.assert_same(self.parallel(1, pdf, HALFTONED_CONF=str(conf)),
                         self.serial(1))
        self.assertIn("the process that counts the pages was ended by signal",
                      self.messages)

    def test_a_form_that_draws_itself(self):
        own = "/Subtype/Form/Resources<</XObject<</X 4 0 R>>>>/Length 5"
        pdf = document(1, content="/X Do", drawn=("/Subtype/Form", 5)).replace(
            b"/Subtype/Form/Length 5>>stream\n     ",
            own.encode() + b">>stream\n/X Do")
        self.assert_same(self.parallel(1, pdf), self.serial(1))

    def test_no_bits_where_a_driver_takes_levels(self):
        ppd = self.folder / "levels.ppd"
        ppd.write_text((self.folder / "htcups.ppd").read_text(encoding="utf-8")
                       + '*halftonedLevels: "4"\n', encoding="utf-8")
        self.assert_same(self.parallel(1, document(1, content="0 g"),
                                       PPD=str(ppd)),
                         self.serial(1, PPD=str(ppd)))
        self.assertIn("one renderer makes all pages: ", self.messages)

    def test_an_option_is_no_message_to_cupsd(self):
        """Libraries write wrong values to stderr."""
        self.parallel(1, PPD=str(self.folder / "htpwg.ppd"),
                      FINAL_CONTENT_TYPE="image/pwg-raster",
                      options="print-content-optimize='x\nPPD: a=b\ny'")
        lines = self.messages.splitlines()
        self.assertNotIn("PPD: a=b", lines)
        self.assertIn("DEBUG: PPD: a=b", lines, self.messages)

    def test_raster_that_is_packed(self):
        """Also where it goes on after a renderer has died."""
        pwg = (self.folder / "htpwg.ppd").read_text(encoding="utf-8")
        for output in ("pwg-raster", "pwg-raster-gray", "urf"):
            ppd = self.folder / f"{output}.ppd"
            ppd.write_text(pwg.replace('"pwg-raster ', f'"{output} '),
                           encoding="utf-8")
            for fault in ("", "die 6", *(["die 1"] if LONG else [])):
                with self.subTest(output=output, fault=fault):
                    self.assert_same(
                        self.parallel(fault=fault, PPD=str(ppd)),
                        self.serial(PPD=str(ppd)))
                    self.assertIn("3 renderers", self.messages)

    def test_a_job_of_so_many_pages_that_a_list_is_too_long(self):
        self.assert_same(self.parallel(1200, rows=1), self.serial(1200, rows=1))
        self.assertIn("3 renderers make 1200 pages", self.messages)

    def test_a_job_sets_how_many(self):
        for options, said in (("parallel-pages=1", "as configured"),
                              ("parallel-pages=2", "2 renderers"),
                              ("parallel-pages=9", "3 renderers")):
            self.assert_same(self.parallel(options=options), self.serial())
            self.assertIn(said, self.messages)

    def test_automatic_is_one_in_a_container_with_little_memory(self):
        self.inside = ("unshare", "--map-root-user", "--mount", "sh", "-ec",
                       "mount -t tmpfs none /sys/fs/cgroup; "
                       "echo 450000000 >/sys/fs/cgroup/memory.max; exec \"$@\"", "sh")
        if subprocess.run([*self.inside, "true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("nobody can make namespaces here")
        for options, said in (("parallel-pages=auto", "there are 13"),
                              ("parallel-pages=2", "2 renderers")):
            self.assert_same(self.parallel(options=options), self.serial())
            self.assertIn(said, self.messages)

    def test_automatic_is_one_for_each_processor_that_it_may_use(self):
        conf = self.folder / "auto.conf"
        conf.write_text("[filter]\nmachine-threads = 4\n"
                        "use-daemon = false\nblack-point = 0\n",
                        encoding="utf-8")
        usable = sorted(os.sched_getaffinity(0))
        for count in range(1, min(3, len(usable)) + 1):
            os.sched_setaffinity(0, usable[:count])
            self.addCleanup(os.sched_setaffinity, 0, usable)
            self.assert_same(self.parallel(HALFTONED_CONF=str(conf)),
                             self.serial())
            self.assertIn("one renderer makes all pages" if count == 1 else
                          f"{count} renderers", self.messages)

    def test_renderers_of_other_jobs_leave_fewer(self):
        import fcntl  # pylint: disable=import-outside-toplevel
        with open(self.folder / "halftoned.renderers", "a+b") as slots:
            for taken, said in ((2, "2 renderers"), (3, "there are 13")):
                for slot in range(taken):
                    lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, slot, 1, 0)
                    # Waits for renderers of the last job, which may be ending.
                    fcntl.fcntl(slots, 38, lock)  # F_OFD_SETLKW
                self.assert_same(self.parallel(), self.serial())
                self.assertIn(said, self.messages)

    def test_documents_that_are_not_shared(self):
        for why, pdf in (
                ("not all pages have the size of the paper",
                 document(PAGES, "595.276 800")),
                ("", document(PAGES, encrypted=True)),
                ("", document(PAGES).replace(b"startxref", b"startxxxx")),
                ("number of pages is wrong",
                 document(PAGES).replace(b"/Count 13", b"/Count 12")),
                ("", b"%PDF-1.4 and nothing more")):
            with self.subTest(pdf=pdf[:20], why=why):
                self.assert_same(self.parallel(pdf=pdf), self.serial())
                self.assertIn("one renderer makes all pages: ", self.messages)
                self.assertIn(why, self.messages)

    def test_a_print_file(self):
        path = self.folder / "file.pdf"
        path.write_bytes(document(PAGES))
        self.assert_same(self.parallel(file=path), self.serial())

    def test_faults_between_pages_are_made_good(self):
        # The first page of each renderer, one in the middle and the last.
        pages = (1, 2, 3, 4, 9, 13)
        for fault, at in (("die", pages[::2]), ("fail", pages[1::2]),
                          ("stop", pages[::3])):
            for page in pages if LONG else at:
                with self.subTest(fault=fault, page=page):
                    self.assert_same(self.parallel(fault=f"{fault} {page}"),
                                     self.serial())

    def test_what_fails_with_one_renderer_fails_in_the_same_place(self):
        for fault in ("die 5 always", "fail 11 always"):
            with self.subTest(fault=fault):
                failed = self.parallel(fault=fault)
                self.assert_same(failed, self.serial(fault=fault))
                self.assertTrue(failed[0])

    def test_a_page_that_breaks_off_fails_the_job_there(self):
        for page in (1, 4, 13):
            failed, printed, _ = self.parallel(fault=f"break {page}")
            self.assertTrue(failed)
            self.assertTrue(self.serial()[1].startswith(printed))
            self.assertIn(f"ERROR: cannot print: page {page}: Ghostscript failed "
                          "with status 3", self.messages)

    def test_a_renderer_that_fails_after_its_pages_fails_the_job(self):
        for fault, said in (("late 1", "Ghostscript failed with status 3"),
                            ("add 4", "the renderer added a page"),
                            ("omit 4", "Ghostscript cannot render it: it does not "
                                       "support a picture")):
            printed = self.parallel(fault=fault)
            self.assert_same(printed, (True, *self.serial()[1:]))
            self.assertIn(f"ERROR: cannot print: {said}", self.messages)

    def test_a_picture_that_is_damaged_is_a_warning(self):
        self.assert_same(self.parallel(fault="damage 4"), self.serial())
        self.assertIn("WARNING: a picture is damaged", self.messages)

    def test_the_time_depends_on_the_number_of_pages_and_not_on_their_output(self):
        conf = self.folder / "time.conf"
        conf.write_text(f"{self.conf.read_text()}render-time = 1\n")
        slow = {"fault": "slow 1 always", "HALFTONED_CONF": str(conf)}
        self.assert_same(self.parallel(**slow), self.serial())
        self.assertIn("slowly", self.messages)
        self.parallel(1, **slow)
        self.assertIn("needs more than 1 s of a CPU core in total", self.messages)

    def test_no_renderer(self):
        done = self.run_filter(document(2), self.environment(PATH="/nowhere"))
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"apt install ghostscript", done.stderr)

    def test_a_disk_that_is_full(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        done = self.run_filter(document(PAGES), self.environment(),
                               preexec_fn=limit, restore_signals=False)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"ERROR: cannot print: cannot store the document: ",
                      done.stderr)
        done = self.run_filter(document(PAGES), self.environment(TMPDIR="/nowhere"))
        self.assertEqual((done.returncode, done.stdout), (1, b""))

    def start(self, **how):
        process = subprocess.Popen(
            [self.filters / "pdftohalftone", *WORDS, ""], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=self.environment(**how))
        process.stdin.write(document(PAGES))
        process.stdin.close()
        return process

    def test_canceling_ends_all_renderers(self):
        note = self.folder / "note"
        for page, signal_number in ((1, signal.SIGTERM), (6, signal.SIGTERM),
                                    (6, signal.SIGINT)):
            note.unlink(missing_ok=True)
            process = self.start(fault=f"hang {page}")
            wait_until(lambda: note.exists()
                       and note.read_text(encoding="utf-8").endswith("\n"), "a note")
            process.send_signal(signal_number)
            process.stdout.read()
            self.assertEqual(process.wait(30), 1)
            process.stdout.close()
            for started in note.read_text(encoding="utf-8").split():
                wait_until(lambda started=started: not is_alive(started),
                           "its end")
            self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_reader_that_goes_ends_the_job(self):
        process = self.start(pages=PAGES)
        process.stdout.read(100)
        process.stdout.close()
        self.assertEqual(process.wait(30), 1)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_renderers_end_when_the_filter_is_killed(self):
        note = self.folder / "note"
        note.unlink(missing_ok=True)
        process = self.start(fault="hang 3")
        wait_until(lambda: note.exists()
                   and note.read_text(encoding="utf-8").endswith("\n"), "a note")
        process.kill()
        process.wait()
        process.stdout.close()
        renderer, child = note.read_text(encoding="utf-8").split()
        wait_until(lambda: not is_alive(renderer), "its end")
        os.kill(int(child), signal.SIGKILL)
        for left in self.temporary.iterdir():
            subprocess.run(["rm", "-r", left], check=True)


if __name__ == "__main__":
    PdfFilter.filters = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()

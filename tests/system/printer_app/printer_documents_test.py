#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents and pictures that halftone-printer-app prints: what a printer gets is
the definition, applied to what the renderer makes of the page. Ghostscript is
called through a script, by which tests interrupt it.

HALFTONED and WORKER_CPU are the daemon's programs; application.py says what
else there is."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "daemon")]
FOLDER = tempfile.TemporaryDirectory(prefix="documents-")
HERE = pathlib.Path(FOLDER.name)
HERE.chmod(0o755)
GS = shutil.which("gs")
os.environ["PATH"] = f"{HERE}/bin:" + os.environ["PATH"]
os.environ["HALFTONED_CONF"] = f"{HERE}/app.conf"
import daemon_process  # noqa: E402
from kit import application as base  # noqa: E402
from kit.ipp_client import GET_JOB, INTEGER, NOT_SUPPORTED, Client  # noqa: E402
import cups_raster  # noqa: E402
import pcl  # noqa: E402
from pdf_file import pdf_file  # noqa: E402
from kit.marked_documents import pdf_of, png_of  # noqa: E402

DPI = 300
WIDTH, HEIGHT = 1748, 2480  # A5, in dots
POINTS = WIDTH * 72 / DPI, HEIGHT * 72 / DPI
MARGIN = DPI * 71 // 300 // 8  # bytes of a row that PCL leaves out
GET = ("media=iso_a5_148x210mm", f"printer-resolution={DPI}dpi")


def pdf(pages, boxes=None):
    return pdf_of(pages, boxes or [(0, 0, *POINTS)] * len(pages))


def changed(document, number, body):
    """With an object that a program has written behind it."""
    table = document.split(b"startxref\n")[-1].split()[0]
    whole = document + b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return whole + (b"xref\n%d 1\n%010d 00000 n \ntrailer<</Size 100/Root 1 0 R/Prev %s>>\n"
                    b"startxref\n%d\n%%%%EOF\n" % (number, len(document), table, len(whole)))


def shaded(functions, matrix):
    """A page with areas of the grays that these calculator functions give."""
    fills = "/Pattern cs " + " ".join(f"/P{i} scn 20 {20 + 120 * i} 380 90 re f"
                                      for i in range(len(functions)))
    shading = ("<</PatternType 2/Shading<</ShadingType 1/ColorSpace/DeviceGray"
               "/Domain[0 420 0 596]%s/Function %d 0 R>>>>")
    patterns = "".join(f"/P{i}" + shading % (matrix, 5 + i)
                       for i in range(len(functions)))
    streams = [("", fills), *(("/FunctionType 4/Domain[0 420 0 596]/Range[0 1]", each)
                              for each in functions)]
    return pdf_file([body.encode() for body in (
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {POINTS[0]} {POINTS[1]}]/Contents 4 0 R"
        f"/Resources<</Pattern<<{patterns}>>>>>>",
        *(f"<<{about}/Length {len(data)}>>stream\n{data}\nendstream"
          for about, data in streams))])


def form(field, appearance=None, needs=True):
    """A page with a field of a form."""
    stream = b"" if appearance is None else appearance.encode()
    if "/DA" not in field:
        field += "/DA(/F 20 Tf 0 g)"
    return pdf_file([
        b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/DA(/F 20 Tf 0 g)"
        b"/DR<</Font<</F 4 0 R>>>>/NeedAppearances %s>>>>" % (b"true" if needs else b"false"),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %g %g]/Annots[5 0 R]>>" % POINTS,
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        b"<</Type/Annot/Subtype/Widget/F 4/Rect[50 300 250 350]/T(t)%s%s>>"
        % (field.encode("latin-1"), b"" if appearance is None else b"/AP<</N 6 0 R>>"),
        b"<</Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 4 0 R>>>>"
        b"/Length %d>>stream\n%s\nendstream" % (len(stream), stream)])


def layered(drawn, state):
    """A page that draws the same in a layer."""
    contents = b"/OC /L BDC %s EMC" % drawn.encode()
    return pdf_file([
        b"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R]/D<<%s>>>>>>"
        % state.encode(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %g %g]/Contents 4 0 R"
        b"/Resources<</Properties<</L 5 0 R>>>>>>" % POINTS,
        b"<</Length %d>>stream\n%s\nendstream" % (len(contents), contents),
        b"<</Type/OCG/Name(a)>>"])


def gradient(function):
    """A page with a gradient from left to right."""
    return pdf_file([body.encode() for body in (
        "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {POINTS[0]} {POINTS[1]}]/Contents 4 0 R"
        "/Resources<</Shading<</S <</ShadingType 2/ColorSpace/DeviceGray"
        f"/Coords[20 0 400 0]/Function {function}>>>>>>>>",
        "<</Length 5>>stream\n/S sh\nendstream")])


TONES = " ".join(f"{i / 100} g {10 + 4 * i} 200 3 300 re f" for i in range(100))
MIXED = [
    "BT /F 12 Tf 40 500 Td (Black text on white paper) Tj ET",
    TONES + " 0 0 0 1 k 100 100 200 50 re f 0 0.4 0.8 rg 150 120 40 300 re f",
    "0.5 g 0 0 420 596 re f BT 1 g /F 60 Tf 40 300 Td (Light on gray) Tj ET",
]


def gray_pages(document, *words, device="pgmraw"):
    """Ghostscript's pages of a file, rendered as the application does."""
    profile = HERE / "cmyk.icc"
    made = subprocess.run(
        [GS, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sstdout=%stderr",
         f"-r{DPI}", f"-g{WIDTH}x{HEIGHT}", "-dFIXEDMEDIA", *words,
         f"--permit-file-read={profile}", f"-sDefaultCMYKProfile={profile}",
         f"-sDEVICE={device}", "-sOutputFile=%stdout", str(document)],
        stdout=subprocess.PIPE, check=True).stdout
    pages = []
    while made:
        head = re.match(rb"P5\n(?:#.*\n)*(\d+) (\d+)\n255\n", made)
        size = int(head[1]) * int(head[2])
        pages.append(made[head.end():head.end() + size])
        made = made[head.end() + size:]
    return pages


def ink_rows(gray, options=""):
    return base.ink_of(gray, f"dpi={DPI}" + options, WIDTH)


def expected_rows(gray, options=""):
    """The rows as they are in PCL."""
    rows = [row[MARGIN:] for row in ink_rows(gray, options)]
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


class DocumentsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (HERE / "bin").mkdir()
        (HERE / "bin" / "gs").write_text(
            (TESTS / "printer_app/kit/interrupted_gs").read_text()
            .replace("/usr/bin/gs", GS))
        (HERE / "bin" / "gs").chmod(0o755)
        cls.daemon = daemon_process.Daemon()
        (HERE / "app.conf").write_text(cls.daemon.filter_conf())
        base.ApplicationTest.setUpClass()
        cls.app = base.ApplicationTest("run_app")
        cls.printer = cls.app.add("paper", "pcl5e")
        # So that the script has the profile of inks.
        job = cls.submit(pdf(["0 g 0 0 9 9 re f"]), "application/pdf")
        cls.printer.job(job - 1)

    @classmethod
    def tearDownClass(cls):
        base.ApplicationTest.tearDownClass()
        FOLDER.cleanup()

    def setUp(self):
        for name in ("cut", "cuts", "pause", "paused", "go"):
            (HERE / name).unlink(missing_ok=True)

    # Returns the job's number. It is also the number of its connection to the
    # printer, from 1, as long as no job begins before the last one has ended.
    @classmethod
    def submit(cls, data, kind, *options, printer="paper"):
        file = HERE / "document"
        file.write_bytes(data)
        words = [word for option in GET + options for word in ("-o", option)]
        said = cls.app.run_app("submit", "-d", printer, "-o",
                               f"document-format={kind}", *words, str(file))
        return int(re.search(printer + r"-(\d+)", said)[1])

    def printed(self, data, kind="application/pdf", *options):
        """The rows of each page."""
        job = self.submit(data, kind, *options)
        return [rows for _, rows in pcl.read_pages(self.printer.job(job - 1))]

    def assert_pages(self, printed, gray, options=""):
        self.assertEqual(len(printed), len(gray))
        for number, (page, light) in enumerate(zip(printed, gray), 1):
            expected = expected_rows(light, options)
            self.assertEqual(len(page), len(expected), f"page {number}")
            wrong = [y for y, (a, b) in enumerate(zip(page, expected)) if a != b]
            self.assertEqual(wrong[:3], [], f"page {number}")

    def test_pages_are_those_of_the_renderer(self):
        document = pdf(MIXED)
        gray = gray_pages(self.file("three.pdf", document))
        self.assertEqual(gray[1].count(0) > 800 * 200, True, "black is gray")
        self.assert_pages(self.printed(document), gray)
        # Text edges of the filter's kind, and bits of text alone.
        self.assert_pages(
            self.printed(document, "application/pdf", "halftone-type=clustered",
                         "halftone-text-edges=barcode", "page-ranges=2-2"),
            gray[1:2], ",halftone-type=clustered,text-edges=barcode")

    # One of the first, by its name: the log has a limit of lines in a minute.
    def test_a_document_of_several_renderers_is_in_order(self):
        document = pdf([MIXED[i % 3] + f" 0 g 10 {10 + 20 * i} 9 9 re f"
                        for i in range(12)])
        gray = gray_pages(self.file("twelve.pdf", document))
        since = len(self.log())
        self.assert_pages(self.printed(document), gray)
        if len(os.sched_getaffinity(0)) > 1:
            self.assertRegex(self.log()[since:], "[2-9] renderers make 12 pages")

    def test_copies_begin_on_new_sheets(self):
        document = pdf(MIXED[:1])
        gray = gray_pages(self.file("one.pdf", document))
        printed = self.printed(document, "application/pdf", "copies=2",
                               "sides=two-sided-long-edge")
        self.assert_pages(printed, [gray[0], b"\xff" * (WIDTH * HEIGHT), gray[0]])

    def test_pages_are_turned_and_fitted(self):
        page, = self.printed(pdf(["0 g 0 0 24 48 re f"], [(0, 0, *POINTS[::-1])]))
        self.assertEqual(len(page), HEIGHT)
        # Its lower left corner is the sheet's lower right.
        inked = [y for y, row in enumerate(page) if any(row)]
        self.assertEqual((inked[0], inked[-1]), (HEIGHT - 100, HEIGHT - 1))
        self.assertEqual(page[-1][(WIDTH - 200) // 8 + 1 - MARGIN:-1], b"\xff" * 24)
        large = (0, 0, 2 * POINTS[0], 2 * POINTS[1])
        framed = "8 w 4 4 %g %g re S" % (2 * POINTS[0] - 8, 2 * POINTS[1] - 8)
        for option, top in ("auto", 50), ("fit", 50), ("fill", 0), ("none", None):
            page, = self.printed(pdf([framed], [large]), "application/pdf",
                                 f"print-scaling={option}")
            inked = [y for y, row in enumerate(page) if any(row)]
            self.assertTrue(top <= inked[0] <= top + 60 if inked else top is None, option)

    def test_pages_that_are_written_otherwise_are_the_same(self):
        def same(one, other):
            pages = self.printed(one)
            self.assertTrue(pages and pages == self.printed(other), other)

        paper, small, letter = (pdf(MIXED[:1], [(0, 0, *size)])
                                for size in (POINTS, (300, 400), (612, 792)))
        turned = small.replace(b"/Res", b"/Rotate 90 /Res")
        same(turned, small.replace(b"/Type /Pages", b"/Rotate 90 /Type /Pages"))
        for turns in b"-270", b"450":
            same(turned, turned.replace(b"/Rotate 90", b"/Rotate " + turns))
        for page in paper, small:
            for box in b"-9 -9 999 999", b"0 0 0 0", b"900 900 999 999", b"1 2 3":
                same(page, page.replace(b"/Res", b"/CropBox [%s] /Res" % box))
        same(letter, letter.replace(b"/MediaBox", b"/NotedBox"))
        drawn = pdf([MIXED[0] + " 90 90 99 99 re f"], [(0, 0, 612, 792)])
        # Only Ghostscript can draw this annotation.
        square = b"/Annots [<</Subtype/Square/F 4/Rect[90 90 189 189]/IC[0 0 0]/BS<</W 0>>>>]"
        same(*(page.replace(b"/Res", b"/CropBox [50 50 500 700] %s /Res" % more)
               for page, more in ((drawn, b""), (letter, square))))
        same(pdf(["0 g 60 60 200 200 re f"]), pdf([("0 g 60 60 200", "200 re f")]))

    def test_documents_that_are_one_file_print_one_after_the_other(self):
        """CUPS writes a job's banner and files so."""
        first, last = pdf(MIXED[:2]), pdf(MIXED[2:])
        pages = self.printed(pdf(MIXED))
        for between in b"", b"\n \0\r\n":
            self.assertEqual(self.printed(first + between + last), pages)
        whole = b"<</Length %d>>stream\n%s\nendstream" % (len(first + last), first + last)
        attached = last.replace(b"xref\n0", b"9 0 obj\n%s\nendobj\nxref\n0" % whole, 1)
        self.assertEqual(self.printed(attached), pages[2:])
        others = [form("/FT/Tx/V(second)", "/Tx BMC EMC"), form("/FT/Btn/AS/Yes"),
                  *(layered(MIXED[0], state) for state in (
                      "/BaseState/OFF", "/OFF[5 0 R]", "/BaseState/OFF/ON[5 0 R]"))]
        alone = [self.printed(other) for other in others]
        self.assertNotEqual(alone[2], alone[4])
        # The layers of the first document are shown, or hidden.
        for order in 1, -1:
            self.assertEqual(self.printed(b"before\n" + b"".join(others[::order])),
                             sum(alone[::order], []))
        damaged = last.replace(b"/Root", b"/Info 2 0 R/Root")
        self.assertEqual(self.printed(damaged), pages[2:])
        tree = last.split(b"2 0 obj\n")[1].split(b"\nendobj")[0]
        emptied = changed(last, 99, b"<</Type/Pages/Kids[]/Count 0>>")
        self.assertEqual(self.printed(changed(emptied, 2, tree.replace(
            b"/Kids [", b"/Kids [99 0 R null 99 0 R "))), pages[2:])

    def test_forms_print_the_values_of_their_fields(self):
        def pages(*forms):
            return self.printed(b"".join(forms))

        def at(*texts):
            return "BT /F 20 Tf %s ET" % " ".join(
                f"1 0 0 1 {x:.3f} {y:.3f} Tm ({text}) Tj" for x, y, text in texts)

        field, drawn = "/FT/Tx/V(Gr\u00fc\u00dfe)", at((3, 17.8, "%s"))
        coded = "/FT/Tx/V<FEFF" + "Gr\u00fc\u00dfe".encode("utf-16-be").hex() + ">"
        shown = form("/FT/Tx", drawn % "Gr\\374\\337e", needs=False)
        page, *others = pages(
            shown, form(field, needs=False), form(field), form(coded),
            form(field, "/Tx BMC EMC"), form(field, drawn % "before"))
        self.assertTrue(any(map(any, page)))
        self.assertEqual(others, [page] * 5)
        # The width of a digit is 0.556, that of a dot or a space 0.278.
        for value, wanted in (
                ("/FT/Tx/Q 2/V(1.0)", at((197 - 27.8, 17.8, "1.0"))),
                ("/FT/Tx/Q 1/V(1.0)", at((100 - 13.9, 17.8, "1.0"))),
                ("/FT/Tx/V(1)/DA(/Unknown 20 Tf)", at((3, 17.8, "1"))),
                ("/FT/Tx/V<FEFF0031202F0032>/AP<<>>", at((3, 17.8, "1 2"))),
                ("/FT/Tx/Ff 16777216/MaxLen 4/V(12)",
                 at((25 - 5.56, 17.8, "1"), (75 - 5.56, 17.8, "2"))),
                ("/FT/Tx/Ff 4096/V(" + "1234567 " * 3 + ")",
                 at((3, 29, "1234567 1234567"), (3, 6, "1234567"))),
                ("/FT/Ch/V[(a)(b)]/Opt[(a)[(b)(text)]]",
                 at((3, 29, "a"), (3, 6, "text")))):
            with self.subTest(value):
                page, *others = pages(form("/FT/Tx", wanted, False), form(value),
                                      form(value, needs=False))
                self.assertEqual(others, [page] * 2)
        lost = form("/FT/Tx/V(1)").replace(b"/AcroForm", b"/LostForm")
        self.assertEqual(*pages(lost, form("/FT/Tx/V(1)")))
        # On two lines, which the renderer would draw otherwise.
        good = "BT /F 20 Tf 9 29 Td (two) Tj 0 -20 Td (lines) Tj ET"
        self.assertEqual(*pages(form("/FT/Tx/V(two lines)", good, True),
                                form("/FT/Tx/V(two lines)", good, False)))
        # What is chosen is shown by another text.
        chosen = "/FT/Ch/Ff 131072/V(a)/Opt[[(a)(text a)][(b)(text b)]]"
        self.assertEqual(*pages(form(chosen, drawn % "text b"),
                                form("/FT/Tx/V(text a)", "/Tx BMC EMC")))
        of_list, blank, wanted = pages(*(
            form(chosen.replace("/Ff 131072", ""), appearance)
            for appearance in (drawn % "text b", "/Tx BMC EMC", drawn % "text a")))
        self.assertNotEqual(of_list, wanted)
        self.assertEqual(blank, wanted)
        off, on = pages(form("/FT/Btn/AS/Off", needs=False),
                        form("/FT/Btn/AS/Yes", needs=False))
        self.assertEqual((any(map(any, off)), any(map(any, on))), (False, True))

    def test_post_script_goes_the_same_way(self):
        drawn = ("0 1 99 { dup 100 div setgray 4 mul 10 add 200 3 300 rectfill } "
                 "for\n/Helvetica 20 selectfont 0 setgray 40 500 moveto "
                 "(PostScript) show showpage\n")
        document = ("%%!PS-Adobe-3.0\n<< /PageSize [%g %g] >> setpagedevice\n"
                    % POINTS + drawn).encode()
        made = HERE / "made.pdf"
        subprocess.run(
            [GS, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-r720",
             "-sDEVICE=pdfwrite", "-dAutoRotatePages=/None", "-o", str(made),
             str(self.file("a.ps", document))], check=True)
        self.assert_pages(self.printed(document, "application/postscript"),
                          gray_pages(made))

    @unittest.skipUnless(os.path.exists("/usr/lib/cups/filter/texttopdf"),
                         "texttopdf is not installed")
    def test_text_is_black_on_as_many_pages_as_it_needs(self):
        lines = "".join(f"line {i} \u00e4\u20ac\n" for i in range(120))
        pages = self.printed(lines.encode(), "text/plain")
        self.assertEqual(len(pages), 3)
        self.assertTrue(all(any(map(any, page)) for page in pages))

    def test_pictures_of_the_printers_dots_stay_what_they_are(self):
        width, height = 800, 1000
        pixels = bytes((x * y // 90 + x) % 256
                       for y in range(height) for x in range(width))
        left, top = (WIDTH - width) // 2, (HEIGHT - height) // 2
        white = b"\xff"
        gray = white * (WIDTH * top) + b"".join(
            white * left + pixels[at:at + width] + white * (WIDTH - left - width)
            for at in range(0, len(pixels), width))
        gray += white * (WIDTH * HEIGHT - len(gray))
        for kind, data in ((0, pixels),
                           (2, b"".join(bytes((p,)) * 3 for p in pixels))):
            self.assert_pages(
                self.printed(png_of(width, height, data, kind, DPI), "image/png"),
                [gray])

    def test_a_landscape_picture_in_color_is_turned_and_fitted(self):
        # Red, the color that PAPPL's own filter takes for white, and black.
        width, height = 300, 200
        row = b"\xff\0\0" * 150 + b"\0\0\0" * 150
        page, = self.printed(png_of(width, height, row * height, 2, dpi=72),
                             "image/png", "print-scaling=fit")
        middle = [sum(bin(each).count("1") for each in line[60:150]) / 90 / 8
                  for line in page]
        # Rotated counterclockwise: black above, red below.
        inked = [y for y, part in enumerate(middle) if part > 0]
        upper = middle[inked[0] + 50:HEIGHT // 2 - 50]
        lower = middle[HEIGHT // 2 + 50:inked[-1] - 50]
        self.assertEqual(set(upper), {1})
        self.assertTrue(0.2 < sum(lower) / len(lower) < 0.9)

    def test_jpeg_is_what_its_decoder_makes(self):
        # Blocks of 8 x 8 in black and white, which JPEG keeps.
        drawn = "0 g " + " ".join(
            f"{x * 8 * 0.24} {y * 8 * 0.24} 1.92 1.92 re f"
            for x in range(60) for y in range(80) if (x * y + x) % 3 == 0)
        file = self.file("blocks.pdf", pdf([drawn], [(0, 0, 60 * 1.92, 80 * 1.92)]))
        made = HERE / "blocks.jpg"
        subprocess.run([GS, "-q", "-dBATCH", "-dNOPAUSE", f"-r{DPI}",
                        "-sDEVICE=jpeggray", "-dJPEGQ=100", "-o", str(made),
                        str(file)], check=True)
        page, = self.printed(made.read_bytes(), "image/jpeg")
        gray = bytearray(b"\xff" * (WIDTH * HEIGHT))
        left, top = (WIDTH - 480) // 2, (HEIGHT - 640) // 2
        for x in range(60):
            for y in range(80):
                if (x * y + x) % 3 == 0:
                    for line in range(8):
                        at = ((top + (79 - y) * 8 + line) * WIDTH + left + x * 8)
                        gray[at:at + 8] = b"\0" * 8
        self.assert_pages([page], [bytes(gray)])

    def test_shadings_that_some_versions_of_ghostscript_misread(self):
        document = shaded(["{pop 0 mul 0 gt{1}{.5}ifelse % gt\n}", "{pop pop 2 ln}",
                           "{pop 0 mul 0 lt {1} {.3} ifelse}", "{pop pop 3.7 cvr 9 div}"],
                          "")
        grays = shaded(["{pop pop %s}" % gray for gray in (".5", ".693147", ".3", ".411111")],
                       "/Matrix[1 0 0 1 0 0]")
        self.assert_pages(self.printed(document),
                          gray_pages(self.file("grays.pdf", grays)))

    def test_gradients_whose_functions_have_a_smaller_domain(self):
        power = "<</FunctionType 2/N 1/Domain[%s]/C0[%s]/C1[%s]>>"
        parts = "<</FunctionType 3/Domain[0 1]/Functions[%s]/Bounds[%s]/Encode[%s]>>"
        rise, dark, light = power % ("0 1", 0, 1), power % ("0 1", 0, 0), power % ("0 1", 1, 1)
        gray = power % ("0 1", .5, .5)
        for function, same in (
                (power % ("0 .5", 0, 1), parts % (rise + gray, ".5", "0 .5 0 1")),
                (power % ("0 .6666667", 0, 1),
                 parts % (rise + power % ("0 1", .6666667, .6666667), ".6666667",
                          "0 .6666667 0 1")),
                (f"[{power % ('0 .5', 0, 1)}]", parts % (rise + gray, ".5", "0 .5 0 1")),
                (parts % (rise, "", "-1 1"), parts % (dark + rise, ".5", "0 1 0 1")),
                (parts % (rise, "", "2 0"), parts % (light + rise, ".5", "0 1 1 0"))):
            with self.subTest(function=function):
                self.assert_pages(self.printed(gradient(function)),
                                  gray_pages(self.file("same.pdf", gradient(same))))

    def test_pages_with_errors_print_as_far_as_they_can_be_drawn(self):
        pages = [MIXED[0], MIXED[0] + " /Nothing Do 9 9 50 50 re f", *MIXED, "[ (",
                 *MIXED]
        document = pdf(pages)
        gray = gray_pages(self.file("errors.pdf", document))
        self.assertEqual(len(gray), len(pages))
        for copies in (1, 2):
            since = len(self.log())
            self.assert_pages(self.printed(document, "application/pdf",
                                           f"copies={copies}"), gray * copies)
            self.assertEqual(self.errors(since), [])
            self.assertIn("the document has errors", self.log()[since:])

    def test_a_picture_that_is_damaged_is_a_warning(self):
        since = len(self.log())
        pages = self.printed(pdf(["BI /W 8 /H 8 /BPC 8 /CS /G /F /DCT ID nothing EI",
                                  MIXED[0]]))
        self.assertEqual(len(pages), 2)
        self.assertIn("a picture is damaged", self.log()[since:])
        self.assertEqual(self.errors(since), [])

    def test_a_lost_renderer_is_replaced_once(self):
        document = pdf(MIXED)
        gray = gray_pages(self.file("three.pdf", document))
        (HERE / "cut").touch()
        self.assert_pages(self.printed(document), gray)
        many = pdf([f"0.5 g 0 0 420 596 re f 0 g 9 {9 * i} 9 9 re f"
                    for i in range(1, 13)])
        (HERE / "cut").touch()
        self.assert_pages(self.printed(many),
                          gray_pages(self.file("many.pdf", many)))
        (HERE / "cuts").touch()
        error, = self.errors_of(document, "application/pdf")
        self.assertIn("was ended by signal 9", error)

    def test_post_script_that_crashes_ghostscript_is_not_tried_again(self):
        (HERE / "crash").touch()
        error, = self.errors_of(b"%!PS\nshowpage", "application/postscript")
        crashes = (HERE / "crash").read_text()
        (HERE / "crash").unlink()
        self.assertIn("Ghostscript crashed", error)
        self.assertEqual(crashes, "\n")

    def test_sheets_that_a_full_disk_cannot_hold_are_an_error(self):
        sheets = subprocess.run(
            [os.path.dirname(os.environ["PRINTER_APP"]) + "/sheets/halftone-sheets",
             self.file("one.pdf", pdf(MIXED[:1]))],
            input=f"1 1 0 -1 0 {POINTS[0]} {POINTS[1]} 0 0 0 0 0.24 0 /dev/full\n",
            stdout=subprocess.PIPE, text=True)
        self.assertEqual(sheets.stdout, "pages 1\nio the document's sheets cannot be "
                         "written; is the disk full?\n")

    def test_invalid_documents_are_refused_with_an_error(self):
        whole = pdf(MIXED)
        cases = ((b"%PDF-1.4 nothing", "damaged"),
                 (whole.replace(b"/Res", b"/UserUnit 9999999 /Res"), "has no size"),
                 # Without this DSC comment, pdfwrite prints the page all the same.
                 (b"%!PS-Adobe-3.0\n{<</OutputFile(/none/page)>>setpagedevice} stopped pop "
                  b"9 9 50 50 rectfill showpage", "it tries to write a file"))
        for data, why in cases:
            kind = "pdf" if data.startswith(b"%PDF") else "postscript"
            error, = self.errors_of(data, f"application/{kind}")
            self.assertIn(why, error)
        error, = self.errors_of(whole, "application/pdf", "page-ranges=4-9")
        self.assertIn("page-ranges selects no page of the document", error)
        for kind in ("image/jpeg", "image/png"):
            self.assertEqual(len(self.errors_of(b"\xff\xd8\xff\xe0 nothing", kind)), 1)
        self.assertEqual(len(self.printed(whole)), 3)

    def test_formats_are_recognized_behind_what_drivers_write_before(self):
        unnamed = "application/octet-stream"
        page, program = pdf(MIXED[:1]), b"%!PS\n0 setgray 60 60 200 200 rectfill showpage\n"
        pjl = b"\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE = PostScript\r\n"
        for plain, kind, written in (
                (page, "pdf", b"\xef\xbb\xbf\r\n" + page),
                (program, "postscript", b"\4" + program + b"\4"),
                (program, "postscript", pjl + program + b"\4\x1b%-12345X")):
            self.assertEqual(self.printed(written, unnamed),
                             self.printed(plain, f"application/{kind}"), written)
        for raw in (b"\x1b&l1X and so on",
                    b"\x1b%-12345X@PJL COMMENT enter language=postscript\r\n"
                    b"@PJL ENTER LANGUAGE=PCL\r\nenter language=postscript",
                    bytes(9) + b"\x1b%-12345X@PJL\r\n"):
            job = self.submit(raw, unnamed)
            self.assertEqual(self.printer.job(job - 1), raw)

    def test_a_printer_without_a_language_prints_them_too(self):
        printer = self.app.add("office", "pwg")
        document = pdf(MIXED[2:])
        light, = gray_pages(self.file("last.pdf", document))
        for number, (data, kind) in enumerate((
                (document, "application/pdf"),
                (png_of(WIDTH, HEIGHT, light, dpi=DPI), "image/png"))):
            self.submit(data, kind, "print-scaling=none", printer="office")
            data = printer.job(number)
            at = 4 + cups_raster.V2_BYTES
            header = cups_raster.unpack_header(data[4:at], ">")
            rows, _ = cups_raster.unpack_rows(data, at, header)
            self.assertEqual(bytes(rows), b"".join(ink_rows(light)))

    def test_documents_that_a_printer_cannot_print_are_refused(self):
        """Whether their format is named or not."""
        client = Client(self.app.server.port)
        tiff, zpl = b"II*\0" + bytes(99), b"^XA^FDlabel^FS^XZ"
        for kind, document in (("application/octet-stream", tiff),
                               ("application/octet-stream", zpl),
                               ("application/octet-stream", "h\u00f6".encode("latin-1")),
                               ("image/tiff", tiff)):
            self.assertEqual(client.print("paper", document, kind),
                             (NOT_SUPPORTED, None), (kind, document))

    def test_cancel_ends_the_renderer(self):
        since = len(self.log())
        job = self.submit(b"%!PS\n{} loop\n", "application/postscript")
        daemon_process.wait_until(lambda: self.renderers(), "a renderer")
        self.app.run_app("cancel", "-d", "paper", "-j", str(job))
        daemon_process.wait_until(lambda: not self.renderers(), "its end")
        self.app.wait_for_log(f"[Job {job}] Canceled on paper, printed sides: 0.")
        self.printer.job(job - 1)
        self.assertEqual(self.errors(since), [])
        self.assertEqual(len(self.printed(pdf(MIXED))), 3)

    def test_the_daemon_halftones_and_may_be_lost_in_mid_page(self):
        document = pdf(["0.5 g 0 0 420 596 re f " + TONES])
        gray = gray_pages(self.file("gray.pdf", document))
        with self.daemon as daemon:
            self.assert_pages(self.printed(document), gray)
            self.assertIn(str(HEIGHT), str(daemon.status()["engines"]))
            (HERE / "pause").touch()
            job = self.submit(document, "application/pdf")
            daemon_process.wait_until((HERE / "paused").exists, "half a page")
            daemon.wait_status(lambda status: len(status["sessions"]) == 1,
                               "an open page")
            daemon.kill()
            (HERE / "go").touch()
            pages = [rows for _, rows in pcl.read_pages(self.printer.job(job - 1))]
            self.assert_pages(pages, gray)
            daemon.start()
            daemon.wait_ready()

    def renderers(self):
        """The application's Ghostscript processes."""
        found = []
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                text = stat.read_text()
            except OSError:
                continue
            name, state, parent = re.match(r"\d+ \((.*)\) (.) (\d+)",
                                           text).groups()
            if name == "gs" and state != "Z" and \
                    int(parent) == base.ApplicationTest.server.behind():
                found.append(text)
        return found

    def file(self, name, data):
        (HERE / name).write_bytes(data)
        return HERE / name

    def errors_of(self, data, kind, *options):
        """The log's lines about an aborted job."""
        since = len(self.log())
        job = self.submit(data, kind, *options)
        self.app.wait_for_log(f"[Job {job}] Aborted")
        self.printer.job(job - 1)
        # CUPS takes jobs with some other reasons for completed ones.
        _, (*_, state) = Client(self.app.server.port).say(
            "paper", GET_JOB, (INTEGER, "job-id", job))
        self.assertEqual(state["job-state-reasons"], [b"errors-detected"])
        return self.errors(since)

    def log(self):
        return self.app.server.log_text()

    def errors(self, since):
        return [line for line in self.log()[since:].splitlines() if line[:2] == "E "]


if __name__ == "__main__":
    unittest.main()

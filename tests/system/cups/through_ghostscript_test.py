#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must be solid is solid behind Ghostscript: text and lines in the black of
CMYK and of gray, and the bars of bar codes at the resolutions of label printers
and lasers, with modules that are no whole number of dots. A page goes through
gstoraster as cupsd runs it, then through rastertohalftone, and the bits are held
against the gray that Ghostscript made. Each test also shows that it can fail:
that another choice dots the same page. From PDF, through pdftohalftone, the
shadows of pictures stay apart too, with each renderer.

Usage: through_ghostscript_test.py FILTER_FOLDER; exits 77 where gstoraster,
Ghostscript or ppdc is not installed.
"""

import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import bar_codes
import cups_raster
from pdf_file import pdf_file

HERE = pathlib.Path(__file__).parent
MODELS = HERE.parent.parent.parent / "ppd/halftoned.drv"
GSTORASTER = "/usr/lib/cups/filter/gstoraster"
LEFT, TOP = 12, 420 - 12  # points; of what our models leave of Ghostscript's A6
BLACKS = {"gray": "0 setgray", "CMYK": "0 0 0 1 setcmykcolor"}
ALL_OPTIONS = ("", *(f"halftone-type={kind}" for kind in (
    "bi-level", "best", "floyd-steinberg", "clustered")))


def bits(wanted):
    """The bits of a row of gray, to be translated: "1" where it is wanted."""
    return bytes(48 + wanted(light) for light in range(256))


NOT_PAPER = bits(lambda light: light < 255)
DARK = bits(lambda light: light < 128)
BLACK = bits(lambda light: light <= 37)  # Poppler makes 37 of CMYK's
PAPER = bits(lambda light: light == 255)


def millimetres(length):
    return length * 72 / 25.4


CODE_128 = bar_codes.upright(bar_codes.code_128("HT-128"), 30)
EAN_13 = bar_codes.upright(bar_codes.ean_13("400638133393"), 30)
MATRIX = bar_codes.matrix(20)
# Name, rows, module, and left and bottom on the page.
SYMBOLS = [
    ("Code 128", CODE_128, millimetres(0.271), 21.3, 330.7),
    ("EAN-13", EAN_13, millimetres(0.287), 160.1, 330.2),
    ("Code 128, lying", bar_codes.lying(CODE_128), millimetres(0.271), 21.3,
     200.4),
    ("EAN-13, lying", bar_codes.lying(EAN_13), millimetres(0.287), 70.9, 200.6),
    ("matrix", MATRIX, millimetres(0.41), 130.2, 220.3),
]


def write_text_and_lines(path, black):
    sizes = " ".join(
        f"/Times-Roman findfont {size} scalefont setfont "
        f"30 {320 - 12 * at - 3 * size} moveto (Solid black, {size} points) show"
        for at, size in enumerate((5, 8, 12, 24)))
    path.write_text(f"""%!PS
{black} {sizes} 30 130 50.3 20.7 rectfill
0 setlinewidth
0 10 90 {{ gsave 120 30 translate rotate 0 0 moveto 90 0 lineto stroke
grestore }} for
showpage
""")


SHADOWS = range(0, 49, 4)
SPACES = {"RGB": lambda light: bytes([light] * 3), "G": lambda light:
          bytes([light]), "CMYK": lambda light: bytes([0, 0, 0, 255 - light])}


def place(step):
    """Left and bottom of a step of the wedge of shadows."""
    return 30 + 60 * (step % 4), 60 + 50 * (step // 4)


def write_pdf(path, content):
    """A6; pdfwrite would change the pictures."""
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>",
              b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
              b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 297.638 419.528]"
              b"/Contents 4 0 R>>",
              b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)]
    path.write_bytes(pdf_file(bodies))
    return path


INKS = [(0, 0, 0, 240), (0, 0, 0, 160), (0, 0, 0, 80), (255, 0, 0, 0),
        (0, 255, 0, 0), (0, 0, 255, 0), (255, 255, 0, 0), (0, 255, 255, 0),
        (255, 0, 255, 0), (120, 120, 120, 0), (120, 120, 120, 120),
        (60, 60, 60, 180), (200, 160, 160, 60)]


def wedge(path, space):
    """Pictures of 50 by 40 points, each of one shadow."""
    return write_pdf(path, b"".join(
        b"q 50 0 0 40 %d %d cm BI /W 1 /H 1 /BPC 8 /CS /%s ID " % (
            *place(step), space.encode()) + SPACES[space](light) + b" EI Q\n"
        for step, light in enumerate(SHADOWS)))


def write_symbols(path, draw):
    drawn = "\n".join(draw(rows, left, bottom, module)
                      for _, rows, module, left, bottom in SYMBOLS)
    path.write_text(f"%!PS\n{drawn}\nshowpage\n")


class Print:
    """Gray and ink of a page: rows of bytes, and rows of "1" for black."""

    def __init__(self, gray_raster, bit_raster):
        header, gray = cups_raster.read_pages(gray_raster)[0]
        bits_header, packed = cups_raster.read_pages(bit_raster)[0]
        self.width, self.height = header["cupsWidth"], header["cupsHeight"]
        self.dots_per_inch = header["HWResolution0"]
        line = bits_header["cupsBytesPerLine"]
        self.gray = [gray[at:at + self.width]
                     for at in range(0, len(gray), self.width)]
        self.ink = [f"{int.from_bytes(packed[at:at + line], 'big'):0{8 * line}b}"
                    [:self.width] for at in range(0, len(packed), line)]

    def area(self, left, bottom, width, height):
        """Gray rows and ink rows of a rectangle in points."""
        scale = self.dots_per_inch / 72
        columns = slice(round((left - LEFT) * scale),
                        round((left - LEFT + width) * scale))
        rows = slice(round((TOP - bottom - height) * scale),
                     round((TOP - bottom) * scale))
        return ([row[columns] for row in self.gray[rows]],
                [row[columns] for row in self.ink[rows]])


class ThroughGhostscript(unittest.TestCase):
    filters = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run(["ppdc", "-d", cls.folder, MODELS], check=True)
        text = (cls.folder / "htcups.ppd").read_text(encoding="utf-8")
        cls.ppds = {}
        for dots in (203, 300, 600):
            cls.ppds[dots] = cls.folder / f"{dots}.ppd"
            cls.ppds[dots].write_text(text.replace(
                "HWResolution[300 300]", f"HWResolution[{dots} {dots}]"))

    def run_filter(self, words, dots, options, source, **variables):
        done = subprocess.run(
            [*words, "1", "user", "title", "1", options], input=source,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
            env=dict(os.environ, PPD=str(self.ppds[dots]),
                     HALFTONED_CONF="/nonexistent", **variables))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout

    def rendered(self, document, dots):
        choice = "600dpi" if dots == 600 else "300dpi"
        return self.run_filter([GSTORASTER], dots,
                               f"Resolution={choice} PageSize=A6",
                               document.read_bytes())

    def printed(self, gray, dots, options, content="application/pdf"):
        return Print(gray, self.run_filter(
            [self.filters / "rastertohalftone"], dots, options, gray,
            CONTENT_TYPE=content))

    def through_pdf(self, document, options=""):
        """At 300 dpi, beside the gray of gstoraster."""
        options = f"Resolution=300dpi PageSize=A6 {options}"
        page = document.read_bytes()
        gray = self.run_filter([GSTORASTER], 300, options, page)
        return Print(gray, self.run_filter(
            [self.filters / "pdftohalftone"], 300, options, page))

    def inks(self, page):
        """The share of black dots of each step of the wedge."""
        shares = []
        for step in range(len(SHADOWS)):
            left, bottom = place(step)
            rows = page.area(left + 5, bottom + 5, 40, 30)[1]
            shares.append(sum(row.count("1") for row in rows) /
                          sum(map(len, rows)))
        return shares

    def document(self, name, write, *arguments):
        """The page as PostScript and as PDF."""
        page = self.folder / f"{name}.ps"
        write(page, *arguments)
        pdf = page.with_suffix(".pdf")
        subprocess.run(
            ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sPAPERSIZE=a6",
             "-sDEVICE=pdfwrite", "-dAutoFilterGrayImages=false",
             "-dGrayImageFilter=/FlateEncode", "-dDownsampleGrayImages=false",
             f"-sOutputFile={pdf}", page], check=True)
        return page, pdf

    # The output.

    def is_black(self, page, where):
        """There, and nowhere else."""
        return all(gray.translate(where).decode() == ink
                   for gray, ink in zip(page.gray, page.ink))

    def test_black_text_and_lines_are_solid(self):
        for name, black in BLACKS.items():
            script, pdf = self.document(name, write_text_and_lines, black)
            for document, dots in ((script, 300), (pdf, 203), (pdf, 600)):
                with self.subTest(document=document.name, dots=dots):
                    gray = self.rendered(document, dots)
                    page = self.printed(gray, dots, "")
                    # The renderer's black of CMYK is none.
                    self.assertEqual(set(b"".join(page.gray)),
                                     {32 if name == "CMYK" else 0, 255})
                    self.assertTrue(self.is_black(page, NOT_PAPER))
                    as_it_is = self.printed(gray, dots, "black-point=0")
                    self.assertEqual(self.is_black(as_it_is, NOT_PAPER),
                                     name == "gray")

    def assert_apart(self, page):
        inks = self.inks(page)
        self.assertEqual(inks[0], 1)
        for darker, lighter in itertools.pairwise(inks):
            self.assertGreater(darker, lighter + 0.0005, inks)

    def test_black_text_and_shadows_from_pdf(self):
        text = self.document("solid", write_text_and_lines, BLACKS["CMYK"])[1]
        wedges = {space: wedge(self.folder / f"{space}.pdf", space)
                  for space in SPACES}
        page = self.through_pdf(text)
        self.assertEqual(min(b"".join(page.gray)), 32)
        self.assertTrue(self.are_black(page, BLACK))
        for space, document in wedges.items():
            with self.subTest(space=space):
                self.assert_apart(self.through_pdf(document))
        page = self.through_pdf(wedges["RGB"], "black-point=32")
        self.assertEqual(self.inks(page)[:9], [1] * 9)

    def test_other_inks_are_as_with_a_black_point(self):
        document = write_pdf(self.folder / "inks.pdf", b"".join(
            b"%f %f %f %f k %d %d 50 40 re f\n" % (
                *(ink / 255 for ink in inks), *place(step))
            for step, inks in enumerate(INKS)))
        ours = self.inks(self.through_pdf(document))
        gray = self.rendered(document, 300)
        for inks, here, there in zip(INKS, ours, self.inks(
                self.printed(gray, 300, "black-point=32"))):
            self.assertAlmostEqual(here, there, delta=0.04, msg=inks)

    def test_shadows_of_raster_that_no_renderer_made(self):
        document = wedge(self.folder / "raster.pdf", "G")
        gray = self.rendered(document, 300)
        for content in ("application/vnd.cups-raster", "image/jpeg"):
            self.assert_apart(self.printed(gray, 300, "", content))
        page = self.printed(gray, 300, "")
        self.assertEqual(self.inks(page)[:9], [1] * 9)

    def are_black(self, page, where):
        """They, and maybe others."""
        return not any(int(gray.translate(where), 2) & ~int(ink, 2)
                       for gray, ink in zip(page.gray, page.ink))

    def flaws(self, page, name, rows, module, left, bottom):
        """Describes what is wrong with a symbol."""
        gray, ink = page.area(left, bottom, len(rows[0]) * module,
                              len(rows) * module)
        found = set()
        for light, dots in zip(gray, ink):
            dots = int(dots, 2)
            if (int(light.translate(BLACK), 2) & ~dots or
                    int(light.translate(PAPER), 2) & dots):
                found.add("a solid pixel has changed")
        if "lying" in name:
            rows, ink = bar_codes.lying(rows), bar_codes.lying(ink)
        if name == "matrix":
            if any(ink[int((i + 0.5) * len(ink) / len(rows))]
                   [int((j + 0.5) * len(ink[0]) / len(rows))] != rows[i][j]
                   for i in range(len(rows)) for j in range(len(rows))):
                found.add("a module is lost")
        else:
            # Without the ends of the bars.
            inside = set(ink[len(ink) // 8:-len(ink) // 8])
            if len(inside) != 1:
                found.add("an edge is dotted")
            if any(bar_codes.run_count(row) != bar_codes.run_count(rows[0])
                   for row in inside):
                found.add("bars are lost, or there are more")
        return found

    def judge(self, gray, dots, options):
        """The symbols that have flaws, and these."""
        page = self.printed(gray, dots, options)
        if "bi-level" in options:
            self.assertTrue(self.is_black(page, DARK))
        return {name: flaws for name, *symbol in SYMBOLS
                if (flaws := self.flaws(page, name, *symbol))}

    def test_bars_are_kept(self):
        for (name, black), dots in itertools.product(BLACKS.items(),
                                                     (203, 300, 600)):
            document = self.document(
                f"bars-{name}", write_symbols, lambda *symbol, black=black:
                f"{black}\n{bar_codes.draw_rectangles(*symbol)}")[1]
            gray = self.rendered(document, dots)
            for options in ALL_OPTIONS:
                with self.subTest(black=name, dots=dots, options=options):
                    self.assertEqual(self.judge(gray, dots, options), {})
            if name == "CMYK":
                dotted = self.judge(gray, dots, "black-point=0 text-edges=off")
                self.assertEqual(len(dotted), len(SYMBOLS))

    def smoothed(self, dots, finer):
        document = self.document(
            f"pictures-{dots}", write_symbols, lambda *symbol:
            bar_codes.draw_picture(*symbol, finer * dots))[1]
        return self.rendered(document, dots)

    def test_bars_of_smoothed_pictures_are_kept(self):
        for dots in (203, 300, 600):
            gray = self.smoothed(dots, 1.37)
            for options in ALL_OPTIONS:
                with self.subTest(dots=dots, options=options):
                    self.assertEqual(self.judge(gray, dots, options), {})
            for kind in ("fine", "floyd-steinberg"):
                dotted = self.judge(gray, dots,
                                    f"halftone-type={kind} text-edges=off")
                self.assertEqual(
                    {name for name, flaws in dotted.items()
                     if "an edge is dotted" in flaws},
                    {name for name, *_ in SYMBOLS if name != "matrix"})

    def test_a_threshold_keeps_bars_of_coarse_pictures(self):
        """Their edges are gray for two dots, which is no edge of text."""
        for dots in (203, 300, 600):
            gray = self.smoothed(dots, 0.6)
            self.assertEqual(self.judge(gray, dots, "halftone-type=bi-level"),
                             {})


def main():
    missing = [name for name in (GSTORASTER, "gs", "ppdc")
               if not shutil.which(name)]
    if missing:
        print("SKIPPED, nothing was tested: there is no " + ", no ".join(missing))
        sys.exit(77)
    ThroughGhostscript.filters = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()

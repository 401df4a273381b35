#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone preview with files: patches have the lightness that the aim and the
printer's model say, the magnifier shows the bits of halftone convert, PDF comes
through Ghostscript, and bad input leaves nothing behind.
"""

import os
import shutil
import subprocess
import unittest

from convert_case import Case, make_tiff, noise, pgm
from gray_png import AROUND, GAP, NAME, Picture, light_of_code, lightness

SOLID = 10 ** -1.5  # the light of solid black
TOP = 2 * GAP + NAME  # of the pictures
STEPS = 16
SIDE = 152  # dots of a patch


def wedge():
    """A row of patches from black to white."""
    row = b"".join(bytes([255 * step // (STEPS - 1)]) * SIDE
                   for step in range(STEPS))
    return pgm(STEPS * SIDE, SIDE, row * SIDE)


def aimed_at(code):
    """The lightness of a print whose tones look as on a display."""
    return lightness(SOLID + (1 - SOLID) * light_of_code(code))


class Preview(Case):
    def preview(self, *words, **options):
        out = self.path("out.png")
        run = self.run_halftone("preview", *words, "-o", out, **options)
        self.assertEqual((run.returncode, run.stderr), (0, b""), words)
        self.said = run.stdout.decode()
        return Picture((self.dir / "out.png").read_bytes())

    def lightnesses(self, picture, column=0, dpi=600):
        """The lightness of the patches of a wedge, without their rims."""
        side = SIDE * 150 / dpi
        width = round(STEPS * side)
        left = GAP + column * (width + GAP)
        rim = round(side / 4)
        return [lightness(picture.mean_light(
            left + round(step * side) + rim, TOP + rim,
            round(side) - 2 * rim, round(side) - 2 * rim))
            for step in range(STEPS)]

    def assert_tones(self, found, expected, bound):
        for step, (a, b) in enumerate(zip(found, expected)):
            self.assertAlmostEqual(a, b, delta=bound, msg=f"step {step}")

    def test_patches_are_as_light_as_the_aim_says(self):
        expected = [aimed_at(255 * step // (STEPS - 1))
                    for step in range(STEPS)]
        file = self.path("wedge.pgm", wedge())
        picture = self.preview(file, "--halftone-type", "fine,clustered")
        self.assertIn("out.png: fine, clustered 4, dpi: 600\n",
                      self.said)
        self.assert_tones(self.lightnesses(picture), expected, 1.5)
        self.assert_tones(self.lightnesses(picture, 1), expected, 6)
        # Paper and solid are what they are.
        self.assertEqual(picture.rows[TOP + 19][GAP + STEPS * 38 - 19], 255)
        self.assertEqual(picture.rows[TOP + 19][GAP + 19], 50)
        self.assertEqual(picture.rows[2][2], AROUND)

        # A dot gain is the printer's own, and made up for.
        picture = self.preview(file, "--halftone-type", "fine", "--dot-gain", "20")
        self.assert_tones(self.lightnesses(picture), expected, 2)
        # Without the aim, light is in proportion to the code.
        picture = self.preview(file, "--halftone-type", "fine", "--tone-aim", "linear")
        linear = [lightness(SOLID + (1 - SOLID) * (255 * step // 15) / 255)
                  for step in range(STEPS)]
        self.assert_tones(self.lightnesses(picture), linear, 2)
        # What users change is seen.
        lighter = self.lightnesses(self.preview(file, "--halftone-type", "fine",
                                                "--brightness", "40"))
        self.assertGreater(lighter[8], expected[8] + 4)

    def test_a_measured_printer_prints_as_it_was_measured(self):
        file = self.path("wedge.pgm", wedge())
        # A printer whose middle tones are far darker than a laser's.
        curve = self.path("dark.curve", b"0 0\n30 128\n100 200\n255 255\n")
        picture = self.preview(file, "--halftone-type", "fine", "--tone-curve", curve)
        expected = [aimed_at(255 * step // (STEPS - 1))
                    for step in range(STEPS)]
        self.assert_tones(self.lightnesses(picture), expected, 3)

    def test_the_usual_types_are_side_by_side(self):
        file = self.path("small.pgm", pgm(300, 200, noise(300, 200)))
        picture = self.preview(file)
        self.assertIn(": fine, best, clustered 4, ", self.said)
        # Columns are as wide as their names where these are wider.
        self.assertGreater(picture.width, 3 * 75 + 4 * GAP)
        self.assertEqual(picture.height, TOP + 50 + GAP)
        for levels in ("4", "16"):
            self.preview(file, "--levels", levels)
            self.assertIn("fine", self.said)
        self.preview(file, "--halftone-type", "auto,fine,best")
        self.assertIn(": fine, best, dpi", self.said)
        self.preview(file, "--dpi", "300x600")
        self.assertIn("dpi: 300x600\n", self.said)

    def magnifier_bits(self, picture, columns, rows, across=8, down=8):
        return [bytes(picture.rows[TOP + y * down + down // 2]
                      [GAP + x * across + across // 2]
                      for x in range(columns)) for y in range(rows)]

    def bits_of_convert(self, file, width, *words):
        out = self.path("bits.pbm")
        run = self.run_halftone("convert", file, out, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        data = (self.dir / "bits.pbm").read_bytes()
        line = (width + 7) // 8
        bits = data[data.index(b"\n", 3) + 1:]
        return [bytes(0 if bits[at + x // 8] >> (7 - x % 8) & 1 else 255
                      for x in range(width))
                for at in range(0, len(bits), line)]

    def test_the_magnifier_shows_the_bits_of_convert(self):
        width, height = 301, 203
        file = self.path("noise.pgm", pgm(width, height, noise(width, height)))
        plain = ["--tone-aim", "linear", "--dot-gain", "0", "--text-edges",
                 "off", "--print-feedback", "0"]
        for type_name in ("fine", "clustered"):
            bits = self.bits_of_convert(file, width, "--halftone-type",
                                        type_name)
            # At 254 dpi a millimeter has ten dots.
            for place, left, top in [("=0,0", 0, 0), ("=12.7,8.9", 95, 57),
                                     ("=30.1,20.3", width - 64, height - 64),
                                     ("", 118, 69)]:
                picture = self.preview(file, "--halftone-type", type_name, "--dpi",
                                       "254", "--magnify" + place, *plain)
                self.assertEqual(
                    self.magnifier_bits(picture, 64, 64),
                    [row[left:left + 64] for row in bits[top:top + 64]],
                    (type_name, place))
                self.assertEqual(picture.height, TOP + 2 * (512 + GAP))
        # Dots that are wider than they are high, and a page that is smaller.
        small = self.path("small.pgm", pgm(20, 30, noise(20, 30)))
        bits = self.bits_of_convert(small, 20, "--halftone-type", "fine")
        picture = self.preview(small, "--halftone-type", "fine", "--dpi", "300x600",
                               "--magnify", *plain)
        self.assertEqual(self.magnifier_bits(picture, 20, 30, 16, 8), bits)

    def test_the_magnifier_shows_what_toner_makes_of_the_dots(self):
        # One dot in the middle of paper, and the hole of one in solid black.
        pixels = bytearray(b"\xff" * 64 * 64)
        pixels[32 * 64 + 32] = 0
        light = self.path("dot.pgm", pgm(64, 64, bytes(pixels)))
        dark = self.path("hole.pgm", pgm(64, 64,
                                         bytes(255 - p for p in pixels)))
        def dot(file):
            picture = self.preview(file, "--halftone-type", "bi-level", "--magnify",
                                   "--dpi", "600")
            return picture.cut(GAP + 32 * 8 - 24, TOP + 512 + GAP + 32 * 8 - 24,
                               56, 56)
        spot, hole = dot(light), dot(dark)
        self.assertLess(spot[28][28], 200)
        self.assertEqual(spot[0][0], 255)
        self.assertGreater(hole[28][28], 55)
        self.assertEqual(hole[0][0], 50)
        # Toner spreads: a dot takes more light than a hole of its size gives.
        taken = sum(1 - light_of_code(c) for row in spot for c in row)
        given = sum(light_of_code(c) - SOLID for row in hole for c in row)
        self.assertGreater(taken, given)

    @unittest.skipUnless(shutil.which("gs"), "SKIPPED: no Ghostscript")
    def test_pages_of_pdf_come_through_ghostscript(self):
        source = self.path("two.ps", b"""%!PS
<< /PageSize [144 72] >> setpagedevice
0 0 0 1 setcmykcolor 0 0 48 72 rectfill
0.5 setgray 48 0 48 72 rectfill showpage
0 setgray 0 0 144 72 rectfill showpage
""")
        pdf = self.path("two.pdf")
        subprocess.run(["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE",
                        "-sDEVICE=pdfwrite", f"-sOutputFile={pdf}", source],
                       check=True)
        for file in (pdf, source):
            picture = self.preview(file, "--halftone-type", "fine", "--dpi", "300")
            self.assertEqual(picture.width, 300 + 2 * GAP)
            row = picture.rows[TOP + 75][GAP:]
            self.assertEqual((row[50], row[250]), (50, 255))
            found = lightness(picture.mean_light(GAP + 115, TOP + 20, 70, 100))
            self.assertAlmostEqual(found, aimed_at(127.5), delta=1.5)
        picture = self.preview(pdf, "--halftone-type", "fine", "--page", "2")
        self.assertEqual(picture.rows[TOP + 75][GAP + 250], 50)
        with subprocess.Popen(["cat", pdf], stdout=subprocess.PIPE) as cat:
            self.assertEqual(self.preview("-", "--halftone-type", "fine", "--page", "2",
                                          stdin=cat.stdout).rows, picture.rows)
        os.remove(self.dir / "out.png")
        self.refuses(pdf, "--page", "3", says="two.pdf: has no page 3")
        self.refuses(self.path("bad.pdf", b"%PDF-1.4\nnothing"),
                     says="bad.pdf: ")
        environment = dict(os.environ, PATH="/nowhere")
        self.refuses(pdf, says="pdf: PDF and PostScript need Ghostscript",
                     env=environment)
        # What comes last counts, too: a page is shown whole or not at all.
        late = self.path("late.ps", b"%!PS\n<</PageSize [72 36]>> "
                         b"setpagedevice showpage foo\n")
        self.refuses(late, says="late.ps: Ghostscript cannot render it: ")

    def test_pictures_are_as_large_as_they_say(self):
        def shown(inches_across, inches_down, dpi, printed=300):
            width, height = inches_across * dpi, inches_down * dpi
            unit = [(282, 5, (dpi, 1)), (283, 5, (dpi, 1)), (296, 3, 2)]
            run = self.run_halftone(
                "preview", self.path("picture.tif", make_tiff(
                    width, height, b"\x80" * width * height, unit)),
                "-o", self.path("out.png"), "--halftone-type", "fine", "--dpi",
                str(printed))
            self.assertEqual(run.returncode, 0, run.stderr)
            picture = Picture((self.dir / "out.png").read_bytes())
            return (picture.width - 2 * GAP, picture.height - TOP - GAP,
                    run.stderr.decode(), picture)

        for dpi in (72, 150, 1200):
            width, height, said, picture = shown(2, 1, dpi)
            self.assertEqual((width, height, said), (300, 150, ""))
            self.assertAlmostEqual(
                lightness(picture.mean_light(GAP + 50, TOP + 50, 200, 50)),
                aimed_at(128), delta=1.5)
        for across, down in ((8, 11), (11, 8)):
            self.assertEqual(shown(across, down, 20, 50)[:3],
                             (150 * across, 150 * down, ""))
        width, height, said, _ = shown(86, 40, 20, 50)
        self.assertEqual((width, height), (1770, 822))
        self.assertRegex(said, r"\Ahalftone: note: .*picture.tif: is larger than a "
                               r"sheet of paper, and is fitted into one\n\Z")

    def refuses(self, *words, says, status=1, output=True, **options):
        before = sorted(os.listdir(self.dir))
        out = ["-o", self.path("out.png")] if output else []
        run = self.run_halftone("preview", *words, *out, **options)
        error = run.stderr.decode()
        self.assertEqual((run.returncode, run.stdout), (status, b""), error)
        self.assertRegex(error, r"\Ahalftone: [^\n]*\n\Z")
        self.assertIn(says, error)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def test_bad_input_is_refused_and_leaves_nothing(self):
        good = self.path("good.pgm", pgm(40, 40, noise(40, 40)))
        for name, data, says in [
                ("empty", b"", "empty: is empty"),
                ("words", b"words", "is not PDF, PostScript, TIFF, PNG, JPEG "
                                    "or PNM"),
                ("cut.pgm", pgm(40, 40, b"\x80" * 100), "cut.pgm: "),
                ("cut.jpg", b"\xff\xd8\xff\xe0", "cut.jpg: ")]:
            with self.subTest(name):
                self.refuses(self.path(name, data), says=says)
        self.refuses(self.path("none"), says="none: cannot open")
        self.refuses(good, "--page", "2", says="good.pgm: has no page 2")
        self.refuses(good, "--tone-curve", self.path("no.curve"),
                     says="no.curve")
        self.refuses(good, "--tone-curve", self.path("bad.curve", b"1 2\n"),
                     says="bad.curve")
        self.refuses(good, "--levels", "4", "--halftone-type", "bi-level", says="level")
        self.refuses(good, "--halftone-type", "nice", says="--halftone-type", status=2)
        self.refuses(good, "--magnify=1", says="--magnify", status=2)
        self.refuses(good, "--magnify=-1,2", says="--magnify", status=2)
        self.refuses(good, "--magnify=9,500", says="is not on the page, of 1 by 1")
        self.refuses("--magnify", "5,6", good, says="write --magnify=5,6", status=2)
        self.refuses(good, "-o", self.path("out.jpg"), output=False,
                     says="out.jpg: a preview is a PNG file")
        self.refuses(good, "--dpi", "20", says="--dpi", status=2)
        self.refuses(says="FILE", status=2)
        self.refuses(good, "-o", good, output=False,
                     says="is also the input")
        self.refuses(good, "-o", self.path("no/out.png"), output=False,
                     says="no/out.png: ")
        self.refuses(good, "--queue", "laser", says="laser: ",
                     env=dict(os.environ, HALFTONED_LIBEXEC="/nowhere"))

    def test_standard_streams_serve_and_names_have_a_default(self):
        file = self.path("scan.pgm", pgm(40, 40, noise(40, 40)))
        run = self.run_halftone("preview", file, cwd=self.dir)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        written = (self.dir / "scan-preview.png").read_bytes()
        with open(file, "rb") as data:
            run = self.run_halftone("preview", "-", stdin=data)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(run.stdout, written)

    def test_a_page_that_is_too_large_is_cut_with_a_note(self):
        file = self.path("large.pgm", pgm(1200, 1200, b"\x80" * 1440000))
        out = self.path("out.png")
        run = self.run_halftone("preview", file, "-o", out, "--dpi", "50",
                                "--halftone-type", "bi-level")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr.decode(),
                         r"\Ahalftone: note: .*large.pgm: only the first 925 "
                         r"of 1200 rows are shown\n\Z")
        picture = Picture((self.dir / "out.png").read_bytes())
        self.assertEqual(picture.height, TOP + 3 * 925 + GAP)


if __name__ == "__main__":
    unittest.main()

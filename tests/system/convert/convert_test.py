# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert as a user meets it: files, pages, tags and reports."""

import fcntl
import json
import os
import pathlib
import pty
import select
import struct
import subprocess
import termios
import unittest

from convert_case import Case, HALFTONE, halftone, make_tiff, noise, pbm, pgm, tiff_tags


class Pages(Case):
    def setUp(self):
        super().setUp()
        self.sizes = [(9, 5), (70, 3), (16, 16)]
        self.images = [pgm(w, h, noise(w, h, w)) for w, h in self.sizes]
        self.source = self.path("in.pgm", b"".join(self.images))

    def test_all_are_converted(self):
        self.convert(self.source, self.path("out.tif"))
        tags = tiff_tags((self.dir / "out.tif").read_bytes())
        self.assertEqual([(t[256][0], t[257][0]) for t in tags], self.sizes)
        self.assertEqual([t[297][0] for t in tags], [0, 1, 2])
        self.convert(self.path("out.tif"), self.path("out.pbm"))
        expected = b"".join(
            pbm(w, h, halftone(w, h, noise(w, h, w))) for w, h in self.sizes)
        self.assertEqual((self.dir / "out.pbm").read_bytes(), expected)

    def test_one_is_chosen(self):
        self.convert(self.source, self.path("all.tif"))
        for source in (self.source, self.path("all.tif")):
            for i, (w, h) in enumerate(self.sizes):
                out = self.convert(source, "-", "--page", str(i + 1))
                self.assertEqual(out, pbm(w, h,
                                          halftone(w, h, noise(w, h, w))))
            self.fails(source, self.path("x.pbm"), "--page", "4",
                       says="has no page 4")
        self.fails(self.source, "/dev/null", "--format", "png",
                   says="/dev/null: a png file contains one page; choose one "
                   "with --pages, or write to a file")
        self.convert(self.source, self.path("x.png"), "--page", "2")


class Tags(Case):
    def test_survive_or_are_set(self):
        texts = [(269, b"title"), (270, b"what it is"), (306,
                 b"2001:02:03 04:05:06"), (315, b"whoever"), (33432, b"(c) us"),
                 (305, b"another program")]
        source = self.path("in.tif", make_tiff(
            4, 3, noise(4, 3), [(282, 5, (1200, 2)), (283, 5, (3000, 10)),
                                (296, 3, 2)], texts))
        self.convert(source, self.path("out.tif"))
        tags = tiff_tags((self.dir / "out.tif").read_bytes())[0]
        for tag, text in texts[:-1]:
            self.assertEqual(tags[tag], text.decode())
        self.assertTrue(tags[305].startswith("halftone "))
        self.assertEqual((tags[282], tags[283], tags[296]),
                         ([600], [300], [2]))
        # Through PNG and back.
        self.convert(source, self.path("out.png"))
        self.convert(self.path("out.png"), self.path("back.tif"))
        tags = tiff_tags((self.dir / "back.tif").read_bytes())[0]
        for tag, text in texts[:-1]:
            self.assertEqual(tags[tag], text.decode())
        self.assertAlmostEqual(tags[282][0], 600, delta=0.02)
        self.assertAlmostEqual(tags[283][0], 300, delta=0.02)

    def test_that_are_not_utf8_are_converted(self):
        """Old files contain Latin-1; PNG takes only its own encodings."""
        source = self.path("in.tif", make_tiff(
            4, 3, noise(4, 3), texts=[(269, b"gr\xfcn"),
                                      (270, "\u20ac 5".encode())]))
        self.convert(source, self.path("out.png"))
        chunks = (self.dir / "out.png").read_bytes()
        self.assertIn(b"iTXtTitle\0\0\0\0\0" + "gr\u00fcn".encode(), chunks)
        self.assertIn(b"iTXtDescription\0\0\0\0\0" + "\u20ac 5".encode(),
                      chunks)
        for name in (source, self.path("out.png")):
            self.convert(name, self.path("out.tif"))
            tags = tiff_tags((self.dir / "out.tif").read_bytes())[0]
            self.assertEqual((tags[269], tags[270]), ("gr\u00fcn", "\u20ac 5"))

    def test_centimeters_are_understood(self):
        source = self.path("in.tif", make_tiff(
            4, 3, noise(4, 3), [(282, 5, (100, 1)), (283, 5, (100, 1)),
                                (296, 3, 3)]))
        self.convert(source, self.path("out.tif"))
        tags = tiff_tags((self.dir / "out.tif").read_bytes())[0]
        self.assertAlmostEqual(tags[282][0], 254, delta=0.01)

    def test_ratios_are_kept(self):
        for ratio in ((2, 1), (3, 2)):
            source = self.path("in.tif", make_tiff(
                4, 3, noise(4, 3), [(282, 5, ratio), (283, 5, (1, 1)),
                                    (296, 3, 1)]))
            self.convert(source, self.path("out.tif"))
            self.convert(source, self.path("out.png"))
            self.convert(self.path("out.png"), self.path("back.tif"))
            tags = tiff_tags((self.dir / "out.tif").read_bytes())[0]
            self.assertEqual((tags[282], tags[283], tags[296]),
                             ([ratio[0] / ratio[1]], [1], [1]))
            tags = tiff_tags((self.dir / "back.tif").read_bytes())[0]
            self.assertEqual(tags[282][0] / tags[283][0],
                             ratio[0] / ratio[1])
            self.assertEqual(tags[296], [1])

    def test_a_turned_page_swaps_its_resolutions(self):
        source = self.path("in.tif", make_tiff(
            4, 3, noise(4, 3), [(282, 5, (600, 1)), (283, 5, (300, 1)),
                                (296, 3, 2), (274, 3, 6)]))
        self.convert(source, self.path("out.tif"))
        tags = tiff_tags((self.dir / "out.tif").read_bytes())[0]
        self.assertEqual((tags[256], tags[257], tags[274]), ([3], [4], [1]))
        self.assertEqual((tags[282], tags[283]), ([300], [600]))


class Folders(Case):
    def test_take_several_images(self):
        out = self.dir / "out"
        out.mkdir()
        names = []
        for i in range(9):
            names.append(self.path("i%d.pgm" % i,
                                   pgm(30, 5 + i, noise(30, 5 + i, i + 1))))
        report = self.convert(*names, "-o", str(out), "--json")
        lines = [json.loads(line) for line in report.splitlines()]
        self.assertEqual(sorted(line["input"] for line in lines), names)
        for i in range(9):
            tags = tiff_tags((out / ("i%d.tif" % i)).read_bytes())
            self.assertEqual(tags[0][257], [5 + i])
        self.convert(*names, "-o", str(out), "--format", "png")
        self.assertEqual(len(os.listdir(out)), 18)

    def test_take_the_extension_of_an_input_away(self):
        out = self.dir / "out"
        out.mkdir()
        image = self.path("a.ppm", b"P6 2 1 255\nabcdef")
        self.convert(image, "-o", str(out))
        self.assertEqual(os.listdir(out), ["a.tif"])

    def test_survive_one_bad_image(self):
        out = self.dir / "out"
        out.mkdir()
        good = self.path("good.pgm", pgm(3, 3, noise(3, 3)))
        bad = self.path("bad.pgm", b"P5 3 3 255\n")
        run = self.run_halftone("convert", bad, good, "-o", str(out))
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr.decode(),
                         "halftone: %s: ends too early\n" % bad)
        self.assertEqual(os.listdir(out), ["good.tif"])

    def test_are_made_where_the_name_ends_with_a_slash(self):
        a = self.path("a.pgm", pgm(3, 3, noise(3, 3)))
        b = self.path("b.pgm", pgm(3, 3, noise(3, 3)))
        self.convert(a, b, "-o", self.path("new") + "/")
        self.assertEqual(sorted(os.listdir(self.dir / "new")),
                         ["a.tif", "b.tif"])
        self.convert(a, self.path("one") + "/")
        self.assertEqual(os.listdir(self.dir / "one"), ["a.tif"])
        # Nothing is left where nothing comes to be in it.
        broken = self.path("broken.pgm", b"P5 9 9 255\n")
        self.fails(broken, "-o", self.path("other") + "/")
        self.fails(a, "-o", self.path("no/such") + "/",
                   says="no/such/: cannot create the directory: No such file")
        self.fails(a, "--engine", "none", "-o", self.path("other") + "/", status=2)

    def test_refuse_collisions(self):
        image = pgm(3, 3, noise(3, 3))
        a = self.path("a.pgm", image)
        b = self.path("a.pnm", image)
        self.fails(a, b, "-o", str(self.dir), status=2, says="both be written")
        self.fails(a, a, "-o", str(self.dir), status=2,
                   says="a.pgm: is given twice")
        self.fails(a, b, "-o", self.path("none"), status=2,
                   says="no such directory; to create it, end its name with /")
        self.fails(a, self.path("x.pgm", image), "-o", b, status=2,
                   says="a.pnm: is not a directory")
        out = self.dir / "out"
        out.mkdir()
        c = self.path("c.pgm", image)
        for link, target in (("a.tif", "c.tif"), ("a.tif", "../one.tif"),
                             ("a.tif", "../out/c.tif")):
            os.symlink(target, out / link)
            if target == "../one.tif":
                os.symlink(self.dir / "one.tif", out / "c.tif")
            self.fails(a, c, "-o", str(out), status=2, says="both be written")
            for name in os.listdir(out):
                os.unlink(out / name)
        # Other names of one file are replaced one by one.
        pathlib.Path(out / "a.tif").write_bytes(b"old")
        os.link(out / "a.tif", out / "c.tif")
        self.convert(a, c, "-o", str(out))


class Reports(Case):
    def test_are_json(self):
        source = self.path('quo"te.pgm', pgm(30, 20, noise(30, 20)))
        report = json.loads(
            self.convert(source, self.path("out.tif"), "--json", "--engine",
                         "scalar"))
        self.assertEqual(report["input"], source)
        self.assertEqual(report["output"], self.path("out.tif"))
        self.assertEqual((report["pages"], report["pixels"],
                          report["engine"]), (1, 600, "scalar"))
        self.assertEqual(sorted(report["seconds"]),
                         ["halftone", "read", "total", "write"])

    def test_are_json_whatever_the_files_are_called(self):
        name = os.fsencode(self.dir) + b"/\xff\x1b[31m\xc2\x9b\n\xc3\xa4.pgm"
        with open(name, "wb") as file:
            file.write(pgm(30, 20, noise(30, 20)))
        report = self.convert(name, self.path("out.tif"), "--json")
        self.assertEqual(report.count(b"\n"), 1)
        self.assertNotRegex(report.decode()[:-1], "[\0-\x1f\x7f-\x9f]")
        self.assertEqual(json.loads(report)["input"],
                         str(self.dir) + "/\ufffd\x1b[31m\x9b\n\u00e4.pgm")

    def test_that_cannot_be_written_are_errors(self):
        source = self.path("in.pgm", pgm(30, 20, noise(30, 20)))
        with open("/dev/full", "wb") as full:
            run = subprocess.run(
                [HALFTONE, "convert", source, self.path("out.tif"), "--json"],
                stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(
            run.stderr, b"halftone: standard output: cannot write: "
            b"No space left on device\n")

    def test_that_nobody_gets_are_errors(self):
        for words in (["--version"], ["--help"], ["convert", "--help"],
                      ["engines"]):
            with self.subTest(words), open("/dev/full", "wb") as full:
                run = subprocess.run([HALFTONE, *words], stdout=full,
                                     stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stderr.decode(), "^halftone: standard "
                                 "output: cannot write.*\n$")

    def test_of_engines_name_them(self):
        run = self.run_halftone("engines")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout.decode(), r"(?m)^scalar +\w+ +needs ")

    def test_of_progress_are_for_terminals_only(self):
        source = self.path("in.pgm", pgm(300, 200, noise(300, 200)))
        self.assertEqual(self.convert(source, self.path("out.pbm")), b"")

    def test_of_progress_fit_the_terminal(self):
        columns = 70
        name = os.fsencode(self.dir) + b"/\x1b[31m\xff" + b"x" * 60
        os.mkfifo(name)
        terminal, child_end = pty.openpty()
        fcntl.ioctl(child_end, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen([HALFTONE, "convert", name,
                                  self.path("out.pbm"), "--rows-per-band",
                                  "1"], stderr=child_end)
        os.close(child_end)
        with open(name, "wb") as source:
            source.write(b"P5 500 1000 255\n" + noise(500, 10))
            source.flush()
            shown = b""
            while b"page 1" not in shown:  # a line every 100 ms, at most
                source.write(noise(500, 10))
                source.flush()
                if select.select([terminal], [], [], 0.05)[0]:
                    shown += os.read(terminal, 4096)
        child.wait(timeout=60)
        os.close(terminal)
        line = shown.decode().split("\r")[1]
        self.assertRegex(line, r"\[#*\.+\] +\d+ %  \d+ Mpx/s  [\d:]+ left  "
                         r"page 1  \?\[31m\?x+")
        line = line.replace("\x1b[K", "")
        self.assertNotIn("\x1b", line)
        self.assertLess(len(line), columns)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert as a user meets it: options, files, errors, signals.

HALFTONE names the program. Pixels are held against the definition, spelled
out here once more in plain loops.
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import termios
import unittest
import zlib

HALFTONE = os.environ["HALFTONE"]
WHITE = 4080


def noise(width, height, seed=1):
    state = seed
    out = bytearray()
    for _ in range(width * height):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 16 & 255)
    return bytes(out)


def pgm(width, height, pixels):
    return b"P5\n%d %d\n255\n" % (width, height) + pixels


def halftone(width, height, pixels, curve=lambda v: v):
    """The definition, two levels: rows of PBM bytes."""
    above = [0] * width
    rows = b""
    for y in range(height):
        errors = []
        bits = bytearray((width + 7) // 8)
        for x in range(width):
            left = errors[x - 1] if x else 0
            above_left = above[x - 1] if x else 0
            above_right = above[x + 1] if x + 1 < width else 0
            s = curve(16 * pixels[y * width + x]) + (
                (7 * left + above_left + 5 * above[x] + 3 * above_right + 8)
                >> 4)
            white = s > 2040
            errors.append(s - (WHITE if white else 0))
            if not white:
                bits[x // 8] |= 128 >> x % 8
        above = errors
        rows += bytes(bits)
    return rows


def pbm(width, height, rows):
    return b"P4\n%d %d\n" % (width, height) + rows


def tiff_tags(data):
    """Tag values of each page, numbers and texts, of a little-endian TIFF."""
    pages = []
    at, = struct.unpack_from("<I", data, 4)
    sizes = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
    while at:
        count, = struct.unpack_from("<H", data, at)
        page = {}
        for i in range(count):
            tag, kind, n, value = struct.unpack_from("<HHII", data,
                                                     at + 2 + 12 * i)
            size = sizes[kind] * n
            place = value if size > 4 else at + 2 + 12 * i + 8
            raw = data[place:place + size]
            if kind == 2:
                page[tag] = raw.rstrip(b"\0").decode()
            elif kind == 5:
                page[tag] = [a / b for a, b in struct.iter_unpack("<II", raw)]
            else:
                page[tag] = list(
                    struct.unpack("<%d%s" % (n, "BBHI"[kind - 1]), raw))
        pages.append(page)
        at, = struct.unpack_from("<I", data, at + 2 + 12 * count)
    return pages


def tiff_rows(data, page=0):
    """The bytes of all strips of an uncompressed page."""
    tags = tiff_tags(data)[page]
    return b"".join(data[o:o + n] for o, n in zip(tags[273], tags[279]))


def make_tiff(width, height, pixels, entries=(), texts=()):
    """A little-endian 8-bit gray TIFF of one strip. entries: (tag, kind,
    value); texts: (tag, bytes)."""
    body = bytearray(b"II*\0\0\0\0\0") + pixels
    fields = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1),
              (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 4, height),
              (279, 4, len(pixels))]
    packed = {tag: struct.pack("<HHII", tag, kind, 1, value)
              for tag, kind, value in fields}
    for tag, kind, value in entries:
        if kind == 5:
            place = len(body)
            body += struct.pack("<II", *value)
            packed[tag] = struct.pack("<HHII", tag, 5, 1, place)
        else:
            packed[tag] = struct.pack("<HHII", tag, kind, 1, value)
    for tag, text in texts:
        packed[tag] = struct.pack("<HHII", tag, 2, len(text) + 1, len(body))
        body += text + b"\0"
    body += b"\0" * (len(body) % 2)
    struct.pack_into("<I", body, 4, len(body))
    body += struct.pack("<H", len(packed))
    body += b"".join(packed[tag] for tag in sorted(packed))
    return bytes(body + b"\0\0\0\0")


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="halftone-test-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, name, data=None):
        path = self.dir / name
        if data is not None:
            path.write_bytes(data)
        return str(path)

    def run_halftone(self, *args, **kwargs):
        return subprocess.run([HALFTONE, *args], capture_output=True,
                              timeout=60, **kwargs)

    def convert(self, *args, **kwargs):
        run = self.run_halftone("convert", *args, **kwargs)
        self.assertEqual((run.returncode, run.stderr), (0, b""), args)
        return run.stdout

    def fails(self, *args, status=1, says="", **kwargs):
        """Converting fails with one line, and leaves the folder as it was."""
        before = sorted(os.listdir(self.dir))
        run = self.run_halftone("convert", *args, **kwargs)
        error = run.stderr.decode()
        self.assertEqual(run.returncode, status, (args, error))
        self.assertEqual(error.count("\n"), 1, error)
        self.assertTrue(error.startswith("halftone: "), error)
        self.assertIn(says, error)
        self.assertEqual(sorted(os.listdir(self.dir)), before)


class Bits(Case):
    W, H = 83, 41

    def setUp(self):
        super().setUp()
        self.pixels = noise(self.W, self.H)
        self.expected = halftone(self.W, self.H, self.pixels)
        self.source = self.path("in.pgm", pgm(self.W, self.H, self.pixels))

    def test_are_those_of_the_definition_whatever_the_options(self):
        expected = pbm(self.W, self.H, self.expected)
        for options in ([], ["--engine", "scalar"], ["--rows-per-band", "1"],
                        ["--rows-per-band", "7", "--threads", "1"],
                        ["--threads", "5", "--rows-per-band", "64"]):
            self.convert(self.source, self.path("out.pbm"), *options)
            self.assertEqual((self.dir / "out.pbm").read_bytes(), expected,
                             options)

    def test_go_through_standard_input_and_output(self):
        data = (self.dir / "in.pgm").read_bytes()
        expected = pbm(self.W, self.H, self.expected)
        self.assertEqual(self.convert("-", "-", input=data), expected)
        with open(self.source, "rb") as source:
            self.assertEqual(self.convert("-", "-", stdin=source), expected)
        tiff = make_tiff(self.W, self.H, self.pixels)
        self.assertEqual(self.convert("-", "-", input=tiff), expected)
        out = self.convert("-", "-", "--format", "tiff", "--compression",
                           "none", input=tiff)
        self.assertEqual(tiff_rows(out), self.expected)

    def test_are_the_same_in_every_format(self):
        self.convert(self.source, self.path("out.tif"), "--compression",
                     "none")
        data = (self.dir / "out.tif").read_bytes()
        self.assertEqual(tiff_rows(data), self.expected)
        self.assertEqual(tiff_tags(data)[0][262], [0])  # 0 is white
        self.convert(self.source, self.path("out.png"))
        png = (self.dir / "out.png").read_bytes()
        self.assertEqual(png[24:26], b"\1\0")  # 1 bit, gray
        at, idat = 8, b""
        while at < len(png):
            n, kind = struct.unpack_from(">I4s", png, at)
            if kind == b"IDAT":
                idat += png[at + 8:at + 8 + n]
            at += 12 + n
        stride = (self.W + 7) // 8
        lines = zlib.decompress(idat)
        mask = 0xFF00 >> (self.W % 8) & 255
        for y in range(self.H):
            line = lines[y * (stride + 1):(y + 1) * (stride + 1)]
            self.assertEqual(line[0], 0)
            row = bytearray(b ^ 255 for b in line[1:])
            row[-1] &= mask
            self.assertEqual(bytes(row),
                             self.expected[y * stride:(y + 1) * stride])

    def test_survive_every_compression(self):
        for compression in ("none", "packbits", "deflate", "lzw", "g4"):
            self.convert(self.source, self.path("out.tif"), "--compression",
                         compression)
            # Read back, a halftone of two levels halftones to itself.
            self.convert(self.path("out.tif"), self.path("back.pbm"))
            self.assertEqual((self.dir / "back.pbm").read_bytes(),
                             pbm(self.W, self.H, self.expected), compression)

    def test_follow_the_tone_options_in_order(self):
        curve = self.path("curve", b"0 20 # black point\n128 100\n255 255\n")
        self.convert(self.source, self.path("out.pbm"), "--tone-curve", curve)

        def light(v):
            v /= 16
            out = 20 + v * 80 / 128 if v <= 128 else 100 + (v - 128) * 155 / 127
            return int(out * 16 + 0.5)

        self.assertEqual((self.dir / "out.pbm").read_bytes(),
                         pbm(self.W, self.H, halftone(self.W, self.H,
                                                      self.pixels, light)))
        self.convert(self.source, self.path("out.pbm"), "--invert")
        self.assertEqual(
            (self.dir / "out.pbm").read_bytes(),
            pbm(self.W, self.H, halftone(self.W, self.H, self.pixels,
                                         lambda v: WHITE - v)))
        self.convert(self.source, self.path("out.pbm"), "--gamma", "2",
                     "--invert")
        self.assertEqual(
            (self.dir / "out.pbm").read_bytes(),
            pbm(self.W, self.H, halftone(
                self.W, self.H, self.pixels,
                lambda v: int(((WHITE - v) / WHITE)**.5 * WHITE + 0.5))))

    def test_of_more_levels_are_gray(self):
        for levels, top in (("4", 3), ("8", 15), ("16", 15)):
            out = self.convert(self.source, "-", "--levels", levels)
            header = b"P5\n%d %d\n%d\n" % (self.W, self.H, top)
            self.assertTrue(out.startswith(header))
            self.assertLessEqual(len(set(out[len(header):])), int(levels))
            self.convert(self.source, self.path("out.tif"), "--levels", levels)
            again = self.convert(self.path("out.tif"), "-", "--levels", levels)
            if levels != "8":  # whose levels 4-bit samples can only approach
                self.assertEqual(again, out)


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
        self.fails(self.source, self.path("x.png"), says="one page")
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

    def test_that_are_not_utf8_become_it(self):
        """Old files hold Latin-1; PNG takes nothing but what it says."""
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

    def test_centimetres_are_understood(self):
        source = self.path("in.tif", make_tiff(
            4, 3, noise(4, 3), [(282, 5, (100, 1)), (283, 5, (100, 1)),
                                (296, 3, 3)]))
        self.convert(source, self.path("out.tif"))
        tags = tiff_tags((self.dir / "out.tif").read_bytes())[0]
        self.assertAlmostEqual(tags[282][0], 254, delta=0.01)

    def test_a_ratio_stays_one(self):
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

    def test_lose_nothing_by_one_bad_image(self):
        out = self.dir / "out"
        out.mkdir()
        good = self.path("good.pgm", pgm(3, 3, noise(3, 3)))
        bad = self.path("bad.pgm", b"P5 3 3 255\n")
        run = self.run_halftone("convert", bad, good, "-o", str(out))
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr.decode(),
                         "halftone: %s: ends too early\n" % bad)
        self.assertEqual(os.listdir(out), ["good.tif"])

    def test_refuse_what_would_collide(self):
        image = pgm(3, 3, noise(3, 3))
        a = self.path("a.pgm", image)
        b = self.path("a.pnm", image)
        self.fails(a, b, "-o", str(self.dir), status=2, says="both become")
        self.fails(a, b, "-o", self.path("none"), status=2, says="no such folder")
        out = self.dir / "out"
        out.mkdir()
        c = self.path("c.pgm", image)
        for link, target in (("a.tif", "c.tif"), ("a.tif", "../one.tif"),
                             ("a.tif", "../out/c.tif")):
            os.symlink(target, out / link)
            if target == "../one.tif":
                os.symlink(self.dir / "one.tif", out / "c.tif")
            self.fails(a, c, "-o", str(out), status=2, says="both become")
            for name in os.listdir(out):
                os.unlink(out / name)
        # Other names of one file are replaced one by one.
        pathlib.Path(out / "a.tif").write_bytes(b"old")
        os.link(out / "a.tif", out / "c.tif")
        self.convert(a, c, "-o", str(out))


class Errors(Case):
    def setUp(self):
        super().setUp()
        self.image = pgm(300, 200, noise(300, 200))
        self.source = self.path("in.pgm", self.image)

    def test_of_the_command_line_exit_with_2(self):
        out = self.path("out.pbm")
        for args in ([], [self.source], [self.source, self.path("out.xyz")],
                     [self.source, out, "--levels", "3"],
                     [self.source, out, "--engine", "nonesuch"],
                     [self.source, out, "--gamma", "0"],
                     [self.source, out, "--gamma", "nan"],
                     [self.source, self.path("nonesuch/")],
                     [self.source, out, "--levels", "4"],
                     [self.source, self.path("out.pgm")],
                     [self.source, "-", "--format", "pgm"],
                     [self.source, out, "--compression", "lzw"],
                     [self.source, self.path("o.tif"), "--compression", "g4",
                      "--levels", "4"],
                     [self.source, out, "--bigtiff"],
                     [self.source, "-", "--json"],
                     [self.source, out, "--nonesuch"]):
            self.fails(*args, status=2)

    def test_without_a_command_name_them(self):
        run = self.run_halftone()
        self.assertEqual((run.returncode, run.stdout), (2, b""))
        self.assertRegex(run.stderr.decode(), r"\A[^\n]*convert[^\n]*\n\Z")

    def test_of_files_name_the_file(self):
        none = self.path("none.pgm")
        self.fails(none, self.path("out.pbm"), says=none)
        self.fails(str(self.dir), self.path("out.pbm"), says="directory")
        target = self.path("none/out.pbm")
        self.fails(self.source, target, says=target)
        self.fails(self.path("cut.pgm", self.image[:-1]),
                   self.path("out.pbm"), says="cut.pgm: ends too early")
        curve = self.path("curve", b"0 0\n255 256\n")
        self.fails(self.source, self.path("out.pbm"), "--tone-curve", curve,
                   says=curve + ": line 2")
        self.fails(self.source, "/dev/full", "--format", "pbm",
                   says="/dev/full: cannot write: No space left on device")

    def test_are_a_printable_line_whatever_the_files_are_called(self):
        name = os.fsencode(self.dir) + b"/\xff\x1b[31m\xc2\x9b\n\xc3\xa4.pgm"
        for args, status in (([name, "x.pbm"], 1), ([name, name], 2),
                             ([name, b"x", b"--\x1b[31m\n"], 2)):
            run = self.run_halftone("convert", *args)
            self.assertEqual(run.returncode, status)
            self.assertRegex(run.stderr.decode(),
                             "\\Ahalftone: [^\0-\x1f\x7f-\x9f]*\n\\Z")

    def test_of_targets_that_may_not_be_written(self):
        # Where nobody may reach the program, wherever it was built.
        folder = tempfile.mkdtemp(prefix="halftone-program-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        os.chmod(folder, 0o755)
        program = os.path.join(folder, "halftone")
        shutil.copy(HALFTONE, program)
        os.chmod(program, 0o755)

        def be_nobody():
            if os.getuid() == 0:
                os.setuid(65534)

        os.chmod(self.dir, 0o555)
        self.addCleanup(os.chmod, self.dir, 0o755)
        self.fails(self.source, self.path("out.pbm"), preexec_fn=be_nobody,
                   executable=program,
                   says="out.pbm: cannot create: Permission denied")
        os.chmod(self.dir, 0o777)
        locked = self.path("locked.pbm", b"old")
        os.chmod(locked, 0o444)
        self.fails(self.source, locked, preexec_fn=be_nobody,
                   executable=program,
                   says="locked.pbm: cannot write: Permission denied")

    def test_never_overwrite_an_input(self):
        os.link(self.source, self.path("hard.pbm"))
        os.symlink(self.source, self.path("soft.pbm"))
        for name in ("in.pgm", "hard.pbm", "soft.pbm"):
            self.fails(self.source, self.path(name), status=2,
                       says="is an input")
            with open(self.source, "rb") as source:
                self.fails("-", self.path(name), status=2, stdin=source,
                           says="is an input")
        with open(self.source, "ab") as target:
            run = subprocess.run([HALFTONE, "convert", self.source, "-"],
                                 stdout=target, stderr=subprocess.PIPE,
                                 timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertEqual((self.dir / "in.pgm").read_bytes(), self.image)

    def test_leave_an_older_output_alone(self):
        cut = self.path("cut.pgm", self.image[:-1])
        for name in ("out.pbm", "out.tif", "out.png"):
            out = self.path(name, b"old")
            self.fails(cut, out)
            self.assertEqual(pathlib.Path(out).read_bytes(), b"old")

    def test_of_a_full_disk_leave_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

        for name in ("out.pbm", "out.tif", "out.png"):
            self.fails(self.source, self.path(name), preexec_fn=limit,
                       says=name + ": cannot write: File too large")

    def test_of_a_reader_that_leaves_are_errors_too(self):
        read, write = os.pipe()
        os.close(read)
        run = subprocess.run([HALFTONE, "convert", self.source, "-"],
                             stdout=write, stderr=subprocess.PIPE, timeout=60)
        os.close(write)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(
            run.stderr, b"halftone: standard output: cannot write: "
            b"Broken pipe\n")


class Targets(Case):
    def setUp(self):
        super().setUp()
        self.source = self.path("in.pgm", pgm(30, 20, noise(30, 20)))
        self.expected = pbm(30, 20, halftone(30, 20, noise(30, 20)))

    def test_keep_links_and_permissions(self):
        target = self.path("target.pbm", b"old")
        os.chmod(target, 0o640)
        os.symlink("target.pbm", self.path("link.pbm"))
        self.convert(self.source, self.path("link.pbm"))
        self.assertTrue(os.path.islink(self.path("link.pbm")))
        self.assertEqual((self.dir / "target.pbm").read_bytes(),
                         self.expected)
        self.assertEqual(os.stat(target).st_mode & 0o777, 0o640)

    def test_keep_their_owner_where_they_can(self):
        if os.getuid() != 0:
            self.skipTest("only root gives files away")
        target = self.path("target.pbm", b"old")
        os.chown(target, 12345, 23456)
        os.chmod(target, 0o4664)
        self.convert(self.source, target)
        status = os.stat(target)
        self.assertEqual((status.st_uid, status.st_gid, status.st_mode),
                         (12345, 23456, stat.S_IFREG | 0o664))

    def test_do_not_open_to_another_group(self):
        if os.getuid() != 0:
            self.skipTest("only root becomes another user")

        def be_nobody():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

        os.chmod(self.dir, 0o777)
        program = self.path("halftone")
        shutil.copy(HALFTONE, program)
        os.chmod(program, 0o755)
        target = self.path("target.pbm", b"old")
        os.chmod(target, 0o676)  # root's group may read, write and run it
        self.convert(self.source, target, preexec_fn=be_nobody,
                     executable=program)
        status = os.stat(target)
        self.assertEqual((status.st_uid, status.st_gid, status.st_mode),
                         (65534, 65534, stat.S_IFREG | 0o666))

    def test_may_be_links_to_what_is_not_there_yet(self):
        (self.dir / "folder").mkdir()
        os.symlink("folder/second", self.path("link.pbm"))
        os.symlink("../target.pbm", self.path("folder/second"))
        self.convert(self.source, self.path("link.pbm"))
        self.assertTrue(os.path.islink(self.path("link.pbm")))
        self.assertTrue(os.path.islink(self.path("folder/second")))
        self.assertFalse(os.path.islink(self.path("target.pbm")))
        self.assertEqual((self.dir / "target.pbm").read_bytes(),
                         self.expected)
        os.symlink("loop.pbm", self.path("loop.pbm"))
        run = self.run_halftone("convert", self.source, self.path("loop.pbm"))
        self.assertEqual(run.returncode, 1)
        self.assertTrue(os.path.islink(self.path("loop.pbm")))

    def test_that_are_no_files_are_written_through(self):
        fifo = self.path("fifo.pbm")
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
        self.convert(self.source, fifo)
        self.assertEqual(reader.communicate(timeout=60)[0], self.expected)

    def test_that_vanish_are_an_error(self):
        folder = self.dir / "folder"
        folder.mkdir()
        child = subprocess.Popen([HALFTONE, "convert", "-",
                                  str(folder / "out.pbm")],
                                 stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(pgm(30, 20, noise(30, 20)))
        child.stdin.flush()
        wait_for_temporary(folder)
        shutil.rmtree(folder)
        _, error = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 1)
        self.assertEqual(error.decode().count("\n"), 1)
        self.assertIn("out.pbm", error.decode())


def wait_for_temporary(folder):
    """Until the program has begun to write there."""
    while not any(n.startswith(".halftone-") for n in os.listdir(folder)):
        os.sched_yield()


class Signals(Case):
    def test_leave_nothing_and_are_passed_on(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                       signal.SIGQUIT, signal.SIGALRM, signal.SIGVTALRM,
                       signal.SIGXCPU, signal.SIGUSR2):
            for name in ("out.pbm", "out.tif", "out.png"):
                child = subprocess.Popen(
                    [HALFTONE, "convert", "-", self.path(name)],
                    stdin=subprocess.PIPE, stderr=subprocess.PIPE)
                # More is promised than comes: it waits for the rest.
                child.stdin.write(b"P5 500 1000 255\n" + noise(500, 10))
                child.stdin.flush()
                wait_for_temporary(self.dir)
                child.send_signal(number)
                self.assertEqual(child.wait(timeout=60), -number)
                child.stdin.close()
                self.assertEqual(child.stderr.read(), b"")
                child.stderr.close()
                self.assertEqual(os.listdir(self.dir), [])


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


class Bombs(Case):
    """Small files that would grow to gigabytes in memory."""

    def test_stay_small(self):
        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data +
                    struct.pack(">I", zlib.crc32(kind + data)))

        texts = (b"\x89PNG\r\n\x1a\n" +
                 chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 0, 0, 0, 0)) +
                 chunk(b"zTXt", b"Comment\0\0" +
                       zlib.compress(b"a" * 4000000)) * 500 +
                 chunk(b"IDAT", zlib.compress(b"\0abcd" * 4)) +
                 chunk(b"IEND", b""))
        # A thousand tags, all of them the same two megabytes.
        size = 2 << 20
        fields = [(256, 4, 1, 4), (257, 4, 1, 4), (258, 3, 1, 8),
                  (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
                  (278, 4, 1, 4), (279, 4, 1, 16)]
        fields += [(50000 + i, 1, size, 8) for i in range(1000)]
        tags = (b"II*\0" + struct.pack("<I", 8 + size) + bytes(size) +
                struct.pack("<H", len(fields)) +
                b"".join(struct.pack("<HHII", *field) for field in fields) +
                b"\0\0\0\0")
        for name, data in (("texts.png", texts), ("tags.tif", tags)):
            child = os.posix_spawn(
                HALFTONE, [HALFTONE, "convert", self.path(name, data),
                           self.path("out.pbm")], os.environ)
            _, status, usage = os.wait4(child, 0)
            self.assertEqual(status, 0)
            self.assertLess(usage.ru_maxrss, 512 << 10, name)


class Memory(Case):
    """That cannot be had costs a line, and never half an output."""

    def setUp(self):
        super().setUp()
        self.source = self.path("in.pgm", pgm(600, 400, noise(600, 400)))
        (self.dir / "out").mkdir()

    def ends_well(self, run, out, expected):
        """Whether it could do without."""
        left = os.listdir(self.dir / "out")
        if run.returncode == 0:
            self.assertEqual((run.stderr, left), (b"", [os.path.basename(out)]))
            self.assertEqual(pathlib.Path(out).read_bytes(), expected)
            os.unlink(out)
            return True
        self.assertEqual((run.returncode, left), (1, []), run.stderr)
        self.assertRegex(run.stderr.decode(), r"\Ahalftone: [^\n]*\n\Z")
        return False

    def test_may_fail_at_any_time(self):
        starved = os.environ["HALFTONE_STARVED"]
        for name in ("out.pbm", "out.tif", "out.png"):
            out = self.path("out/" + name)

            def run(number):
                return subprocess.run(
                    [starved, "convert", self.source, out,
                     "--rows-per-band", "64"],
                    capture_output=True, timeout=60,
                    env=dict(os.environ, HALFTONE_FAILS_AT=str(number)))

            allocations = int(run(0).stderr)
            expected = pathlib.Path(out).read_bytes()
            os.unlink(out)
            failed = 0
            for number in range(1, allocations, allocations // 60):
                failed += not self.ends_well(run(number), out, expected)
            self.assertGreater(failed, 30, name)

    def test_may_be_limited(self):
        def limit_to(mebibytes):
            size = mebibytes << 20
            return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

        if subprocess.run([HALFTONE, "--version"], capture_output=True,
                          preexec_fn=limit_to(256)).returncode != 0:
            self.skipTest("a sanitizer takes more")
        out = self.path("out/out.png")
        self.convert(self.source, out)
        expected = pathlib.Path(out).read_bytes()
        os.unlink(out)
        done = [self.ends_well(
            self.run_halftone("convert", self.source, out,
                              preexec_fn=limit_to(size)), out, expected)
            for size in range(16, 256, 4)]
        self.assertIn(False, done)
        self.assertTrue(done[-1])


class Manual(Case):
    def test_has_every_option(self):
        manual = pathlib.Path(os.environ["HALFTONE_MANUAL"]).read_text()
        options = re.findall(r"--([a-z-]+)",
                             self.run_halftone("convert", "--help").stdout
                             .decode())
        self.assertGreater(len(options), 10)
        for option in set(options) - {"help"}:
            self.assertIn("\\-" + option.replace("-", "\\-"), manual)


if __name__ == "__main__":
    unittest.main()

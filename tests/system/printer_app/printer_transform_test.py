#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-transform behind the interface of ipptransform: options, variables,
messages, exit statuses; and dots that are those of the definition, applied to the
gray page that the same program passes on. HALFTONE_TRANSFORM is the program,
LIBHALFTONE the C library."""

import http.server
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "cups"), str(TESTS.parents[1] / "examples")]
os.environ.setdefault("PRINTER_APP", "none")
import cups_raster  # noqa: E402
import pcl  # noqa: E402
import application as base  # noqa: E402
from server import Listener  # noqa: E402

PROGRAM = os.environ["HALFTONE_TRANSFORM"]
SMALL = "media=na_index-3x5_3x5in"
DUPLEX = "sides=two-sided-long-edge"


def pdf(count, size=(216, 360)):
    """Each page: a wedge, text-like bars, red; and as many bars as its number."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for page in range(1, count + 1):
        steps = "".join(f"{i / 20} g {10 + i * 8} 200 8 60 re f " for i in range(20))
        bars = "".join(f"0 g {20 + 20 * i} 300 10 40 re f " for i in range(page))
        stream = (steps + bars + "1 0 0 rg 100 20 60 60 re f ").encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream"
                       % (len(stream), stream))
        kids.append(len(objects) + 1)
        objects.append(b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R /MediaBox "
                       b"[0 0 %d %d] /Resources << >> >>"
                       % (len(objects), *size))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % kid for kid in kids), len(kids))
    out, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
                  % (len(objects) + 1, start))


def png(width, height, pixels):
    """`pixels`: rows of RGB."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + pixels[y * width * 3:(y + 1) * width * 3]
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def pwg_pages(data):
    assert data[:4] == b"RaS2", data[:40]
    at, pages = 4, []
    while at < len(data):
        header = cups_raster.unpack_header(data[at:at + cups_raster.V2_BYTES], ">")
        rows, at = cups_raster.unpack_rows(data, at + cups_raster.V2_BYTES, header)
        pages.append((header, bytes(rows)))
    return pages


def urf_pages(data):
    assert data[:8] == b"UNIRAST\0"
    count, at, pages = struct.unpack(">I", data[8:12])[0], 12, []
    while at < len(data):
        bits, space, duplex, _ = data[at:at + 4]
        width, height, dpi = struct.unpack(">III", data[at + 12:at + 24])
        header = {"cupsBytesPerLine": width * bits // 8, "cupsBitsPerPixel": bits,
                  "cupsHeight": height, "cupsWidth": width, "dpi": dpi,
                  "cupsColorSpace": 18 if bits == 8 else 19, "duplex": duplex}
        rows, at = cups_raster.unpack_rows(data, at + 32, header)
        pages.append((header, bytes(rows)))
    assert count == len(pages)
    return pages


def ink_of(gray, header, options=""):
    dpi = header["HWResolution0"]
    return b"".join(base.ink_of(gray, f"resolution={dpi},black-point=0" +
                                (options and "," + options),
                                header["cupsWidth"]))


class IppRequests(http.server.BaseHTTPRequestHandler):
    """Takes any request; keeps its chunks in the server's `jobs`."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        self.server.jobs.append(body)
        status = self.server.status
        answer = (struct.pack(">BBHI", 2, 0, status, 1) + b"\x01" +
                  b"\x47\0\x12attributes-charset\0\5utf-8" +
                  b"\x48\0\x1battributes-natural-language\0\2en\x03")
        self.send_response(200)
        self.send_header("Content-Type", "application/ipp")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *words):
        pass


class TransformTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="transform-")
        cls.folder = pathlib.Path(cls.temporary.name)
        for count in (1, 3):
            (cls.folder / f"{count}.pdf").write_bytes(pdf(count))
        cls.environment = {
            "PATH": os.environ["PATH"], "TMPDIR": cls.temporary.name,
            "HALFTONED_CONF": f"{cls.folder}/none.conf"}
        for name in ("LD_LIBRARY_PATH", "CUPS_SERVERBIN"):
            if name in os.environ:
                cls.environment[name] = os.environ[name]

    @classmethod
    def tearDownClass(cls):
        left = [each.name for each in cls.folder.iterdir()
                if each.name.startswith("halftone-")]
        cls.temporary.cleanup()
        assert not left, left

    def run_it(self, *words, status=0, program=PROGRAM, **variables):
        done = subprocess.run(
            [str(program), *map(str, words)], capture_output=True, timeout=60,
            cwd=self.folder, env={**self.environment, **variables})
        self.messages = done.stderr.decode()
        self.assertEqual(done.returncode, status, self.messages)
        return done.stdout

    def pwg(self, *words, **variables):
        return pwg_pages(self.run_it("-m", "image/pwg-raster", *words, **variables))

    def gray(self, *words, **variables):
        return self.pwg("-t", "sgray_8", *words, **variables)

    def put(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def test_bits_are_those_of_the_definition(self):
        for dpi in 300, 600:
            words = ("-r", f"{dpi}dpi", "-o", SMALL, "1.pdf")
            (gray, light), = self.gray(*words)
            (header, ink), = self.pwg("-t", "black_1,sgray_8", *words)
            self.assertEqual((header["cupsBitsPerPixel"], header["cupsColorSpace"],
                              header["cupsWidth"], header["cupsHeight"]),
                             (1, 3, 3 * dpi, 5 * dpi))
            self.assertTrue(ink == ink_of(light, gray))
            self.assertGreater(len(set(light)), 10)
            (_, rows), = pcl.read_pages(self.run_it(
                "-m", "application/vnd.hp-PCL", *words))
            size, skip = (3 * dpi + 7) // 8, dpi * 75 // 300 // 8
            wanted = [ink[at + skip:at + size] for at in range(0, len(ink), size)]
            while not any(wanted[-1]):
                wanted.pop()
            self.assertEqual(rows, wanted)

    def test_settings_come_from_options_and_variables(self):
        words = ("-o", SMALL, "1.pdf")
        (gray, light), = self.gray(*words)
        for variables, option, wanted in (
                ({"IPP_HALFTONE_TYPE": "clustered"}, None, "type=clustered"),
                ({"IPP_HALFTONE_TYPE_DEFAULT": "clustered"}, None, "type=clustered"),
                ({"IPP_HALFTONE_TYPE": "clustered"}, "halftone-type=fine",
                 "type=fine"),
                ({"IPP_HALFTONE_TONER_SAVE": "30"}, None, "toner-save=30"),
                ({"IPP_PRINT_COLOR_MODE": "bi-level"}, None, "type=bi-level")):
            extra = ("-o", option) if option else ()
            (_, ink), = self.pwg("-t", "black_1", *extra, *words, **variables)
            self.assertTrue(ink == ink_of(light, gray, wanted), wanted)
        (_, ink), = self.pwg("-t", "black_1", *words, IPP_HALFTONE_TYPE="nothing",
                             SERVER_LOGLEVEL="error")
        self.assertTrue(ink == ink_of(light, gray))
        self.assertIn("WARN: halftone-type is ignored: 'nothing'", self.messages)

    def test_what_is_not_halftoned_is_passed_on(self):
        words = ("-o", SMALL, "1.pdf")
        (_, light), = self.gray(*words)
        (header, ink), = self.pwg("-t", "black_8", *words)
        self.assertEqual(header["cupsColorSpace"], 3)
        self.assertTrue(ink == bytes(255 - each for each in light))
        at = 1300 * 900 + 500  # in the red square, 130 points across, 48 up
        (header, rgb), = self.pwg("-t", "sgray_8,srgb_8", *words)
        self.assertEqual(header["cupsColorSpace"], 19)
        self.assertEqual(rgb[3 * at:3 * at + 3], b"\xff\0\0")
        self.assertEqual(rgb[:3], b"\xff\xff\xff")
        (header, cmyk), = self.pwg("-t", "cmyk_8", *words)
        self.assertEqual(header["cupsColorSpace"], 6)
        self.assertEqual(cmyk[:4], b"\0\0\0\0")
        self.assertGreater(cmyk[4 * at + 1], 128)
        self.assertLess(cmyk[4 * at], 40)
        for mode, quality, bits in (("color", 4, 24), ("monochrome", 4, 8),
                                    ("monochrome", 3, 1), ("bi-level", 4, 1)):
            (header, _), = self.pwg(
                "-t", "black_1,sgray_8,srgb_8", *words,
                IPP_PRINT_COLOR_MODE=mode, IPP_PRINT_QUALITY=str(quality))
            self.assertEqual(header["cupsBitsPerPixel"], bits, (mode, quality))

    def test_urf(self):
        words = ("-m", "image/urf", "-o", SMALL)
        (gray, light), = self.gray("-o", SMALL, "1.pdf")
        (header, rows), = urf_pages(self.run_it("-t", "black_1,sgray_8", *words,
                                                "1.pdf"))
        self.assertTrue(rows == light)
        self.assertEqual(header["dpi"], 300)
        pages = urf_pages(self.run_it("-t", "srgb_8", *words, "-o", DUPLEX,
                                      "3.pdf"))
        self.assertEqual([page["duplex"] for page, _ in pages], [3] * 3)

    def test_called_as_by_cups_local(self):
        """Only the document is on the command line, and the program's name is a
        symbolic link's."""
        link = self.folder / "ipptransform"
        link.symlink_to(PROGRAM)
        document = self.folder / "job"
        document.write_bytes(pdf(3))
        data = self.run_it(
            document, program=link, CONTENT_TYPE="application/pdf",
            OUTPUT_TYPE="image/pwg-raster", SERVER_LOGLEVEL="debug",
            IPP_PWG_RASTER_DOCUMENT_RESOLUTION_SUPPORTED="300dpi,600dpi",
            IPP_PWG_RASTER_DOCUMENT_TYPE_SUPPORTED="black_1,sgray_8",
            IPP_PWG_RASTER_DOCUMENT_SHEET_BACK="flipped",
            IPP_MEDIA_COL_DEFAULT="{media-size={x-dimension=21000 "
            "y-dimension=29700} media-top-margin=423}",
            IPP_MEDIA_COL="{media-size={x-dimension=7620 y-dimension=12700}}",
            IPP_PRINT_QUALITY="draft", IPP_SIDES="two-sided-long-edge",
            IPP_PRINT_SCALING="auto", IPP_ORIENTATION_REQUESTED_DEFAULT="no-value",
            IPP_COPIES="1", IPP_JOB_NAME="Title")
        pages = pwg_pages(data)
        self.assertEqual(
            [(page["cupsWidth"], page["HWResolution0"], page["Duplex"],
              page["cupsBitsPerPixel"]) for page, _ in pages],
            [(900, 300, 1, 1)] * 3)
        for line in ("ATTR: job-impressions=3", "ATTR: job-media-sheets=2",
                     "ATTR: job-impressions-completed=3"):
            self.assertIn(line + "\n", self.messages)
        self.assertRegex(self.messages, r"(?m)^INFO: ")
        self.run_it(document, program=link, status=1, SERVER_LOGLEVEL="debug",
                    CONTENT_TYPE="application/pdf", OUTPUT_TYPE="text/html")
        self.assertEqual(self.messages, "ERROR: the output format 'text/html' is "
                                        "not supported\n")

    def test_resolutions(self):
        listed = ("-r", "300dpi,600dpi,1200x600dpi", "-o", SMALL, "1.pdf")
        for quality, wanted in (("3", (300, 300)), ("4", (600, 600)),
                                ("5", (1200, 600)), (None, (600, 600))):
            extra = {"IPP_PRINT_QUALITY": quality} if quality else {}
            (page, _), = self.gray(*listed, **extra)
            self.assertEqual((page["HWResolution0"], page["HWResolution1"]), wanted)
            self.assertEqual((page["cupsWidth"], page["cupsHeight"]),
                             (3 * wanted[0], 5 * wanted[1]))
        (page, _), = self.gray("-o", "printer-resolution=200dpi " + SMALL, "1.pdf")
        self.assertEqual(page["HWResolution0"], 200)

    def test_back_sides(self):
        words = ("-o", SMALL, "3.pdf")
        plain = [rows for _, rows in self.gray(*words)]
        size = 900

        def changed(data, mirrored, flipped):
            rows = [data[at:at + size] for at in range(0, len(data), size)]
            return b"".join(row[::-1] if mirrored else row
                            for row in (rows[::-1] if flipped else rows))
        for back, sides, mirrored, flipped in (
                ("normal", "long", 0, 0), ("flipped", "long", 0, 1),
                ("rotated", "long", 1, 1), ("manual-tumble", "long", 0, 0),
                ("flipped", "short", 1, 0), ("rotated", "short", 0, 0),
                ("manual-tumble", "short", 1, 1)):
            pages = self.gray("-s", back, "-o", f"sides=two-sided-{sides}-edge",
                              *words)
            for number, (page, rows) in enumerate(pages, 1):
                is_back = number == 2
                wanted = changed(plain[number - 1], mirrored and is_back,
                                 flipped and is_back)
                self.assertTrue(rows == wanted, (back, sides, number))
                self.assertEqual(page["Tumble"], int(sides == "short"))
        (page, _), = self.gray("-o", DUPLEX, "-o", SMALL, "1.pdf")
        self.assertEqual(page["Duplex"], 0)

    def test_copies(self):
        words = ("-o", SMALL, "3.pdf")
        one = [rows for _, rows in self.gray(*words)]
        two = self.gray("-o", "copies=2", *words)
        self.assertTrue([rows for _, rows in two] == one * 2)
        self.assertEqual({page["NumCopies"] for page, _ in two}, {1})
        two = self.gray(
            *words, IPP_COPIES="2", IPP_MULTIPLE_DOCUMENT_HANDLING=
            "separate-documents-uncollated-copies")
        self.assertEqual([page["NumCopies"] for page, _ in two], [2] * 3)
        two = [rows for _, rows in self.gray("-o", "copies=2", "-o", DUPLEX, *words)]
        blank = b"\xff" * len(one[0])
        self.assertTrue(two == (one + [blank]) * 2)
        data = self.run_it("-m", "application/vnd.hp-pcl", "-o", "copies=3",
                           "-o", "multiple-document-handling="
                           "separate-documents-uncollated-copies", *words)
        self.assertIn(b"\x1b&l3X", data)

    def test_pages_and_documents(self):
        words = ("-o", SMALL)
        three = [rows for _, rows in self.gray(*words, "3.pdf")]
        for ranges, wanted in (("2", [1]), ("2-3", [1, 2]), ("1,3", [0, 2]),
                               ("2-9", [1, 2])):
            got = [rows for _, rows in
                   self.gray("-o", f"page-ranges={ranges}", *words, "3.pdf")]
            self.assertTrue(got == [three[each] for each in wanted], ranges)
        got = [rows for _, rows in self.gray(*words, "3.pdf", "1.pdf")]
        self.assertTrue(got == three + three[:1])
        self.put("second", pdf(1))
        got = self.gray(*words, "3.pdf", "second",
                        CONTENT_TYPE2="application/pdf")
        self.assertEqual(len(got), 4)

    def test_media_scaling_and_orientation(self):
        for value in ("media=iso_a6_105x148mm",
                      "media-col={media-size={x-dimension=10500 "
                      "y-dimension=14800}}",
                      "media-col={media-size-name=iso_a6_105x148mm}"):
            (page, _), = self.gray("-o", value, "1.pdf")
            self.assertEqual((page["cupsWidth"], page["cupsHeight"]),
                             (1240, 1748), value)
        (page, _), = self.gray("1.pdf", IPP_MEDIA="iso_a6_105x148mm",
                               IPP_MEDIA_COL_DEFAULT="{media-size={"
                               "x-dimension=21000 y-dimension=29700}}")
        self.assertEqual(page["cupsWidth"], 1240)
        self.put("a4.pdf", pdf(1, (595, 842)))
        small = ("-o", "media=iso_a6_105x148mm")
        scaled = {each: self.gray("-o", f"print-scaling={each}", *small,
                                  "a4.pdf")[0][1]
                  for each in ("auto", "auto-fit", "fill", "fit", "none")}
        self.assertTrue(scaled["none"] != scaled["fit"])
        self.assertTrue(scaled["auto"] == scaled["fill"])
        turned = {each: self.gray("-o", f"orientation-requested={each}", *small,
                                  "1.pdf")[0][1] for each in (3, 4, 5, 6)}
        self.assertEqual(len(set(turned.values())), 4)
        self.assertTrue(turned[6] == turned[3][::-1])

    def test_formats(self):
        colours = bytes((x * 2 % 256, 0, 0)[c] for _ in range(90)
                        for x in range(120) for c in range(3))
        self.put("red.png", png(120, 90, colours))
        subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=jpeg",
                        "-r72", "-sOutputFile=page.jpg", "1.pdf"], check=True,
                       cwd=self.folder)
        self.put("page.ps", b"%!PS\n10 10 100 100 rectfill showpage\n")
        for name in ("red.png", "page.jpg", "page.ps"):
            (page, light), = self.gray("-o", SMALL, name)
            self.assertLess(min(light), 100, name)
            self.assertEqual(page["cupsWidth"], 900)
        (_, rgb), = self.pwg("-t", "srgb_8", "-o", SMALL, "red.png")
        self.assertTrue(any(rgb[at] > 200 and rgb[at + 1] < 10
                            for at in range(0, len(rgb), 3)))
        if pathlib.Path("/usr/lib/cups/filter/texttopdf").exists():
            self.put("words.txt", b"Some words\n" * 5)
            (_, light), = self.gray("words.txt")
            self.assertLess(min(light), 100)

    def test_raster_is_halftoned_or_passed_on(self):
        (page, light), = self.gray("-o", SMALL, "1.pdf")
        for space in "sgray_8", "black_8":
            self.put("in.pwg", self.run_it("-m", "image/pwg-raster", "-t", space,
                                           "-o", SMALL, "1.pdf"))
            (_, ink), = self.pwg("-t", "black_1", "in.pwg")
            self.assertTrue(ink == ink_of(light, page, "black-point=32"))
            (header, rows), = self.gray("in.pwg")
            self.assertTrue(rows == light)
        self.put("in.urf", self.run_it("-m", "image/urf", "-o", SMALL, "1.pdf"))
        (_, ink), = self.pwg("-t", "black_1", "in.urf")
        self.assertTrue(ink == ink_of(light, page, "black-point=32"))
        data = (self.folder / "in.pwg").read_bytes()
        self.put("cut.pwg", data[:-100])
        self.run_it("-m", "image/pwg-raster", "cut.pwg", status=1)
        self.assertEqual(self.messages, "halftone-transform: page 1 of the raster "
                                        "ends before its last row\n")

    def test_other_outputs(self):
        data = self.run_it("-m", "application/pdf", "-o", "page-ranges=2-3",
                           "3.pdf")
        self.assertTrue(data.startswith(b"%PDF-"))
        self.put("back.pdf", data)
        self.assertEqual(len(self.gray("back.pdf")), 2)
        data = self.run_it("-m", "application/postscript", "1.pdf")
        self.assertTrue(data.startswith(b"%!PS"))
        data = self.run_it("-m", "application/PCLm", "1.pdf")
        self.assertIn(b"PCLm", data[:40])

    def test_files_appear_whole_or_not_at_all(self):
        self.run_it("-t", "black_1", "-f", "out.pwg", "-o", SMALL, "1.pdf")
        file = self.folder / "out.pwg"
        self.assertEqual(len(pwg_pages(file.read_bytes())), 1)
        self.put("bad.pdf", b"%PDF-1.4\nno document")
        raster = self.run_it("-m", "image/pwg-raster", "-o", SMALL, "1.pdf")
        self.put("short.pwg", raster[:-100])
        for name in "bad.pdf", "short.pwg":
            before = set(self.folder.iterdir())
            self.run_it("-t", "black_1", "-f", "bad.pwg", name, status=1)
            self.assertEqual(set(self.folder.iterdir()), before)

    def test_printers(self):
        printer = Listener()
        words = ("-m", "image/pwg-raster", "-t", "black_1", "-o", SMALL, "1.pdf")
        wanted = self.run_it(*words)
        self.run_it("-d", printer.uri, *words)
        self.assertTrue(printer.job(0) == wanted)
        self.run_it(*words, DEVICE_URI=printer.uri)
        self.assertTrue(printer.job(1) == wanted)
        with http.server.HTTPServer(("127.0.0.1", 0), IppRequests) as server:
            server.jobs, server.status = [], 0
            threading.Thread(target=server.serve_forever, daemon=True).start()
            uri = "ipp://127.0.0.1:%d/ipp/print" % server.server_port
            self.run_it("-d", uri, *words)
            self.assertTrue(server.jobs[0].endswith(b"\x03" + wanted))
            self.assertIn(b"document-format\0\x10image/pwg-raster", server.jobs[0])
            server.status = 0x040a
            self.run_it("-d", uri, *words, status=1)
            self.assertEqual(len(self.messages.splitlines()), 6)
            server.shutdown()

    def test_bad_input_has_one_clear_error(self):
        self.put("bad.pdf", b"%PDF-1.4\nno document")
        self.put("bad.png", b"\x89PNG\r\n\x1a\nno picture")
        self.put("bad.jpg", b"\xff\xd8\xff\xe0\0\4no picture")
        self.put("bad.ps", b"%!PS\nnothing known\n")
        self.put("what", b"nothing known")
        pwg = ("-m", "image/pwg-raster")
        for words, why in (
                ((), "no document is given"),
                (("1.pdf",), "no output format is given; use -m"),
                (("-m", "a/b", "1.pdf"), "the output format 'a/b' is not supported"),
                (("-x",), "there is no option '-x'"),
                (("--what",), "there is no option '--what'"),
                (("1.pdf", "-m"), "the option '-m' lacks its value"),
                ((*pwg, "what"), "cannot tell the format of 'what'; give it with -i"),
                ((*pwg, "-i", "a/b", "1.pdf"), "the format 'a/b' of '1.pdf' is not "
                                               "supported"),
                ((*pwg, "none.pdf"), "No such file"),
                ((*pwg, "bad.pdf"), "the PDF document is damaged"),
                ((*pwg, "bad.png"), "the PNG file is damaged"),
                ((*pwg, "bad.jpg"), "the JPEG file is damaged"),
                ((*pwg, "bad.ps"), "Ghostscript cannot draw it"),
                ((*pwg, "-i", "image/urf", "1.pdf"), "raster"),
                ((*pwg, "-r", "fast", "1.pdf"), "the resolution 'fast' is not like"),
                ((*pwg, "-t", "sepia_8", "1.pdf"), "the printer takes none of our"),
                ((*pwg, "-s", "up", "1.pdf"), "the back side 'up' is none of"),
                ((*pwg, "-o", "copies=0", "1.pdf"), "copies: '0' is not a whole"),
                ((*pwg, "-o", "sides=three", "1.pdf"), "sides: 'three' is not one of"),
                ((*pwg, "-o", "media=napkin", "1.pdf"), "the media size 'napkin'"),
                ((*pwg, "-o", "media-col={media-size={x-dimension=1}}", "1.pdf"),
                 "is not a size"),
                ((*pwg, "-o", "page-ranges=9-2", "1.pdf"), "page-ranges: '9-2'"),
                ((*pwg, "-o", "page-ranges=7", "1.pdf"), "no page of the page-ranges"),
                ((*pwg, "-d", "usb://a/b", "1.pdf"), "devices of 'usb' are not"),
                ((*pwg, "-d", "socket://127.0.0.1:1", "1.pdf"), "no printer answers")):
            self.assertEqual(self.run_it(*words, status=1), b"")
            lines = [line for line in self.messages.splitlines()
                     if not line.startswith("ATTR: ")]
            self.assertEqual(len(lines), 1, self.messages)
            self.assertTrue(lines[0].startswith("halftone-transform: "), lines)
            self.assertIn(why, lines[0])

    def test_what_is_missing_is_said(self):
        self.gray("-o", SMALL + " number-up=2 job-sheets=none", "1.pdf",
                  SERVER_LOGLEVEL="info")
        self.assertEqual(re.findall(r"WARN: (.*)", self.messages),
                         ["number-up is ignored"])

    def test_help_and_version(self):
        self.assertIn(b"Usage: halftone-transform", self.run_it("--help"))
        self.assertRegex(self.run_it("--version"), rb"^\d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()

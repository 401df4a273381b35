#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each printer language, from raster to what is printed: the bits of the definition,
copies, several pages, odd widths, white and black pages, and jobs that end early,
after which the printer is usable."""

import shutil
import socket
import subprocess
import threading
import unittest

from kit.application import ApplicationTest, ink_of
import cups_raster
from kit import decoders
from kit import devices
from kit.ipp_client import GET_PRINTER, Client
from kit.marked_documents import pdf_of, png_of
import pcl

THERMAL = ",black-point=32,technology=thermal"


def tones(width, height):
    """Tones and gray edges, some white rows, and white on the left."""
    rows = bytearray(b"\xff" * (width * height))
    for y in range(height // 8, height * 7 // 8):
        if y // 20 % 4 == 3:
            continue
        for x in range(width // 3, width):
            rows[y * width + x] = (0 if y < height // 4 and x // 5 % 2 else
                                   (x * y // 300 + x) % 256)
    return bytes(rows)


def tspl(data):
    return decoders.tspl(data, 203)


def white_end_removed(rows):
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


def heads_dots(rows, width, head):
    """The dots in the middle of each row, as many as the head has."""
    skip = max(0, (width - head) // 2)
    shown = min(width, head)
    size = (head + 7) // 8
    dots = []
    for row in rows:
        number = int.from_bytes(row, "big") >> (len(row) * 8 - skip - shown)
        number &= (1 << shown) - 1
        dots.append((number << (size * 8 - shown)).to_bytes(size, "big"))
    return dots


class LanguagesTest(ApplicationTest):
    def print_on(self, name, dpi, *grays, width, options=(), **fields):
        self.submit(name, self.raster(dpi, *grays, width=width, **fields),
                    *options)

    def assertSame(self, one, other):
        """Does not print what differs, which is long."""
        self.assertTrue(one == other)

    def print_by_ipp(self, name, data, attribute):
        """What `submit` does not pass on."""
        file = self.server.folder / "document"
        file.write_bytes(data)
        test = self.server.folder / "test"
        test.write_text("""{
            OPERATION Print-Job
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR naturalLanguage attributes-natural-language en
            ATTR uri printer-uri $uri
            ATTR mimeMediaType document-format image/pwg-raster
            GROUP job-attributes-tag
            """ + attribute + """
            FILE $filename
            STATUS successful-ok }""")
        subprocess.run(
            ["ipptool", "-f", str(file),
             f"ipp://localhost:{self.server.port}/ipp/print/{name}", str(test)],
            check=True, stdout=subprocess.DEVNULL, timeout=60)

    def test_epl_has_the_bits_of_the_definition(self):
        for dpi, width, height in ((203, 812, 400), (203, 1, 30),
                                   (300, 605, 371)):
            name = f"epl{dpi}x{width}"
            printer, gray = self.add(name, f"epl2-{dpi}dpi"), tones(width, height)
            self.print_on(name, dpi, gray, width=width)
            (label,) = decoders.epl(printer.job(0), height)
            self.assertSame(
                label.rows, ink_of(gray, f"dpi={dpi}" + THERMAL, width))

    def test_zpl_of_odd_widths_has_the_bits_of_the_definition(self):
        for dpi, width, height in ((203, 1, 30), (300, 605, 371),
                                   (600, 1207, 300)):
            name = f"zpl{dpi}x{width}"
            printer, gray = self.add(name, f"zpl-{dpi}dpi"), tones(width, height)
            self.print_on(name, dpi, gray, width=width)
            (label,) = decoders.zpl(printer.job(0))
            self.assertSame(
                label.rows, ink_of(gray, f"dpi={dpi}" + THERMAL, width))

    def test_tspl_has_the_bits_of_the_definition(self):
        for dpi, width, height in ((203, 812, 400), (203, 1, 30), (300, 605, 371),
                                   (300, 1180, 333)):
            name = f"tspl{dpi}x{width}"
            printer, gray = self.add(name, f"tspl-{dpi}dpi"), tones(width, height)
            self.print_on(name, dpi, gray, width=width)
            (label,) = decoders.tspl(printer.job(0), dpi)
            self.assertSame(
                label.rows, ink_of(gray, f"dpi={dpi}" + THERMAL, width))
            self.assertNotIn("GAP", label.words)

    def test_receipts_have_the_bits_of_the_definition(self):
        for driver, dpi, width, head in (
                ("escpos-80mm", 203, 639, 576), ("escpos-80mm", 203, 464, 576),
                ("escpos-58mm", 203, 464, 384), ("escpos-58mm", 203, 77, 384),
                ("escpos-80mm-180dpi", 180, 567, 512),
                ("escpos-58mm-180dpi", 180, 411, 360)):
            name = f"{driver}x{width}"
            printer, gray = self.add(name, driver), tones(width, 500)
            self.print_on(name, dpi, gray, width=width)
            ((rows, is_cut),) = decoders.escpos(printer.job(0), (head + 7) // 8)
            ink = ink_of(gray, f"dpi={dpi}" + THERMAL, width)
            self.assertSame(rows, white_end_removed(
                heads_dots(ink, width, head)))
            self.assertEqual(is_cut, "80mm" in driver)

    def test_white_and_black_labels(self):
        width, height = 812, 120
        for driver in ("epl2-203dpi", "tspl-203dpi", "zpl-203dpi"):
            printer = self.add("full" + driver, driver)
            for number, tone in enumerate((255, 0)):
                gray = bytes([tone]) * (width * height)
                self.print_on("full" + driver, 203, gray, width=width)
                decode = (decoders.zpl if "zpl" in driver else
                          tspl if "tspl" in driver else
                          lambda data: decoders.epl(data, height))
                (label,) = decode(printer.job(number))
                ink = b"\0" * 102 if tone else b"\xff" * 101 + b"\xf0"
                self.assertSame(label.rows, [ink] * height)

    def test_white_and_black_receipts(self):
        printer = self.add("fullpos", "escpos-80mm")
        self.print_on("fullpos", 203, b"\xff" * 639 * 600, b"\0" * 639 * 600,
                      width=639)
        (white, black) = decoders.escpos(printer.job(0), 72)
        self.assertSame(white, ([], True))
        self.assertSame(black, ([b"\xff" * 72] * 600, True))

    def test_labels_take_copies_darkness_and_speed(self):
        gray, ink = tones(400, 200), None
        for driver, decode in (("epl2-203dpi", decoders.epl),
                               ("tspl-203dpi", tspl), ("zpl-203dpi", decoders.zpl)):
            printer = self.add("copies" + driver, driver)
            self.print_on("copies" + driver, 203, gray, gray, width=400,
                          options=("copies=7", "print-darkness=20",
                                   "print-speed=3in"))
            labels = decode(printer.job(0))
            self.assertEqual([label.copies for label in labels], [7, 7])
            ink = ink or ink_of(gray, "dpi=203" + THERMAL, 400)
            for label in labels:
                self.assertSame(white_end_removed(label.rows),
                                white_end_removed(list(ink)))
            words = labels[0].words
            for name, value in {"epl2-203dpi": {"D": 10, "S": 3},
                                "tspl-203dpi": {"DENSITY": b"10", "SPEED": b"3"},
                                "zpl-203dpi": {"SD": 21, "PR": b"3"}}[driver].items():
                self.assertEqual(words[name], value)

    def test_continuous_paper_has_no_gaps(self):
        for driver, decode, word, value in (
                ("epl2-203dpi", decoders.epl, "Q", 200),
                ("tspl-203dpi", tspl, "GAP", b"0 mm,0 mm"),
                ("zpl-203dpi", decoders.zpl, "MN", b"N")):
            printer = self.add("endless" + driver, driver)
            gray = tones(400, 200)
            self.print_on("endless" + driver, 203, gray, width=400)
            (label,) = decode(printer.job(0))
            self.assertNotIn(word, label.words)
            self.print_on("endless" + driver, 203, gray, width=400,
                          options=("media-type=labels-continuous",))
            (label,) = decode(printer.job(1))
            self.assertEqual(label.words[word], value)

    def test_receipts_are_repeated_and_cut_unless_told_otherwise(self):
        printer, gray = self.add("receipts", "escpos-80mm"), tones(639, 300)
        self.print_on("receipts", 203, gray, gray[::-1], width=639,
                      options=("copies=3",))
        pieces = decoders.escpos(printer.job(0), 72)
        self.assertEqual(len(pieces), 6)
        self.assertTrue(pieces[0] == pieces[1] == pieces[2] != pieces[3]
                        == pieces[4] == pieces[5])
        self.assertTrue(all(is_cut for _, is_cut in pieces))
        self.print_by_ipp("receipts", self.raster(203, gray, width=639),
                          "ATTR enum finishings 3")
        ((rows, is_cut),) = decoders.escpos(printer.job(1), 72)
        self.assertSame((rows, is_cut), (pieces[0][0], False))
        # CUPS sends the printer's default with each job.
        _, groups = Client(self.server.port).say("receipts", GET_PRINTER)
        said = [group["finishings-default"] for group in groups
                if "finishings-default" in group]
        self.assertEqual(said, [[11]])

    def test_receipts_begin_at_the_top(self):
        printer = self.add("small", "escpos-80mm")
        documents = [("image/png", png_of(160, 80, bytes(160 * 80), dpi=203))]
        if shutil.which("gs"):
            documents.append(("application/pdf", pdf_of(["0 0 99 49 re f"],
                                                        [(0, 0, 99, 49)])))
        for number, (kind, data) in enumerate(documents):
            file = self.server.folder / "small"
            file.write_bytes(data)
            self.run_app("submit", "-d", "small", "-o", f"document-format={kind}",
                         str(file))
            ((rows, _),) = decoders.escpos(printer.job(number), 72)
            self.assertTrue(any(rows[0]), kind)
            self.assertLess(len(rows), 200)

    def test_a_page_that_ends_early_leaves_a_usable_printer(self):
        for driver, width in (("epl2-203dpi", 812), ("tspl-203dpi", 812),
                              ("zpl-203dpi", 812), ("escpos-80mm", 639), ("pcl5e", 812)):
            dpi = 300 if driver == "pcl5e" else 203
            printer, gray = self.add("cut" + driver, driver), tones(width, 300)
            whole = self.raster(dpi, gray, width=width)
            for number, part in enumerate((3, 2)):
                self.submit("cut" + driver,
                            whole[:2000 + len(whole) // part])
                data = printer.job(number)
                if driver == "pcl5e":
                    self.assertTrue(data.endswith(b"\033*rC\f\033E\033%-12345X"))
                elif driver == "escpos-80mm":
                    ((_, is_cut),) = decoders.escpos(data, 72)
                    self.assertTrue(is_cut)
                else:
                    decode = (tspl if "tspl" in driver else
                              decoders.epl if "epl" in driver else decoders.zpl)
                    self.assertEqual(decode(data), [])
            self.submit("cut" + driver, whole)
            self.assertGreater(len(printer.job(2)), 1000)

    def test_pcl_sets_paper_tray_and_sides(self):
        printer = self.add("trays", "pcl5e")
        gray = b"\xff" * 300 + b"\0" * 300
        for number, (size, option, expected) in enumerate((
                ((595, 842), "sides=one-sided", {"A": 26, "S": 0}),
                ((612, 792), "sides=two-sided-long-edge", {"A": 2, "S": 1}),
                ((842, 1191), "sides=two-sided-short-edge", {"A": 27, "S": 2}),
                ((499, 709), "media-source=tray-1",
                 {"A": 100, "H": 8}),
                ((279, 540), "media-source=envelope",
                 {"A": 80, "H": 3}),
                ((516, 729), "copies=5", {"A": 45, "X": 5}))):
            self.submit("trays", self.raster(300, gray, gray, gray, width=300,
                                             size=size), option)
            data = printer.job(number)
            said = [(command[2:].decode(), value) for command, value, _ in
                    pcl.commands(data) if command.startswith(b"&l")]
            for name, value in expected.items():
                self.assertIn((name, value), said, option)
            self.assertEqual("H" in dict(said), "source" in option)
            self.assertEqual(data.count(b"\f"), 3)
            # The paper is set on each sheet's first side.
            sheets = 2 if "two-sided" in option else 3
            self.assertEqual([name for name, _ in said].count("A"), sheets)

    def test_files_without_a_format_are_known_by_their_beginning(self):
        """Those of the printer's own language come as they are, each copy."""
        for driver, data in (("pcl5e", b"\x1bEfirst\x1bE"),
                             ("zpl-203dpi", b"\r\n^XA^FDsecond^FS^XZ\n"),
                             ("epl2-203dpi", b"\nN\nA9,9,0,1,1,1,N,\"x\"\nP1\n"),
                             ("escpos-80mm", b"\x1b@third\n")):
            printer = self.add(f"guessed-{driver}", driver)
            file = self.server.folder / f"{driver}.bin"
            file.write_bytes(data)
            self.run_app("submit", "-d", f"guessed-{driver}", "-n", "2",
                         str(file))
            self.assertEqual(printer.job(0), 2 * data)

    def test_files_that_could_be_text_pass_if_their_format_is_named(self):
        printer, data = self.add("rawtspl", "tspl-203dpi"), b"SIZE 40 mm,30 mm\r\n"
        file = self.server.folder / "tspl.bin"
        file.write_bytes(data)
        # The address of a printer could be that of another user's server.
        request = self.server.folder / "request.bin"
        request.write_bytes(b"\nPOST /ipp/system HTTP/1.1\r\n\r\n")
        for document, copies in ((request, "1"), (file, "2")):
            self.run_app("submit", "-d", "rawtspl", "-n", copies, "-o",
                         "document-format=application/vnd.tsc-tspl",
                         str(document))
        self.assertEqual(printer.job(0), 2 * data)
        self.wait_for_log("the document is a request to a server")

    def test_devices_have_drivers(self):
        for device_id, driver in devices.KNOWN:
            shown = self.run_app("drivers", "-o", f"device-id='{device_id}'")
            self.assertEqual(shown.split()[:1], [driver] if driver else [],
                             device_id)


class CanceledTest(ApplicationTest):
    def long_labels(self, count):
        """Each is megabytes: together more than the sockets between keep."""
        width, height = 3040, 40 * 256
        header = cups_raster.page_header(
            width, height - 256, "SW", dpi=(203, 203), MediaClass=b"PwgRaster")
        row = cups_raster.pack_bits(bytes(range(200, 50, -1)) * 20 + bytes(40), 1)
        return cups_raster.sync_word(2, ">") + count * (
            cups_raster.pack_header(header, 2, ">") +
            (b"\xff" + row[1:]) * (height // 256 - 1))

    def receive(self, listener, at_first=lambda: None):
        connection, _ = listener.accept()
        with connection:
            data = connection.recv(1000, socket.MSG_WAITALL)
            at_first()
            while more := connection.recv(1 << 16):
                data += more
        return data

    def test_a_job_that_is_canceled_in_mid_page_prints_no_part(self):
        """Its printer takes nothing more until it is canceled."""
        for driver, decode, begin in (
                ("epl2-203dpi", decoders.epl, b"\nN\nD"),
                ("tspl-203dpi", tspl, b"SIZE "),
                ("zpl-203dpi", decoders.zpl, b"~SD")):
            listener = socket.create_server(("127.0.0.1", 0))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            name = "slow" + driver
            self.run_app("add", "-d", name, "-m", driver, "-v",
                         "socket://127.0.0.1:%d" % listener.getsockname()[1])
            with listener:
                # Raster is printed as it comes, so the client waits, too.
                client = threading.Thread(
                    target=self.submit, args=(name, self.long_labels(6)))
                client.start()
                data = self.receive(listener, lambda: self.run_app(
                    "cancel", "-d", name, "-a"))
                client.join()
                # Nothing of the last that was begun is printed.
                last = data[data.rindex(begin):]
                self.assertGreaterEqual(len(data), 1000)
                self.assertEqual(len(decode(last)), 0)
                self.submit(name, self.raster(203, bytes(25600), width=256))
                self.assertEqual(len(decode(self.receive(listener))), 1)


if __name__ == "__main__":
    unittest.main()

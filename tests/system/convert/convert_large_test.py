# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert of files whose bands are read by several threads at a time: the
bits are those of the same image through a pipe, and a file that is cut is an error.
"""

import os
import pathlib
import struct
import subprocess
import threading
import unittest

from convert_case import Case, HALFTONE, make_tiff, noise, pgm

WIDTH, HEIGHT = 4500, 700  # a band of it is read in several parts
THREADS = ("--threads", "8")


def repeated_noise(size):
    some = noise(997, 61)
    return (some * (size // len(some) + 1))[:size]


def add_page(body, width, height, pixels, rows_per_strip, bits=8, order="<",
             gap=0):
    """Appends a page to a TIFF, whose last directory is to end `body`: strips in
    order, `gap` bytes apart; `pixels` are stored as they are."""
    link = len(body) - 4
    row = width * bits // 8
    strips = [pixels[at:at + rows_per_strip * row]
              for at in range(0, len(pixels), rows_per_strip * row)]
    offsets = []
    for strip in strips:
        offsets.append(len(body))
        body += strip + bytes(gap)
    body += bytes(len(body) % 2)
    places, sizes = offsets[0], len(strips[0])
    count = len(strips)
    if count > 1:
        places, sizes = len(body), len(body) + 4 * count
        body += struct.pack(f"{order}{count}I", *offsets)
        body += struct.pack(f"{order}{count}I", *map(len, strips))
    struct.pack_into(order + "I", body, link, len(body))
    fields = ((256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, bits),
              (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, count, places),
              (277, 3, 1, 1), (278, 4, 1, rows_per_strip),
              (279, 4, count, sizes))
    body += struct.pack(order + "H", len(fields))
    for tag, kind, n, value in fields:
        body += struct.pack(order + "HHI", tag, kind, n)
        body += (struct.pack(order + "HH", value, 0) if kind == 3
                 else struct.pack(order + "I", value))
    body += bytes(4)


def tiff(*page, order="<", **how):
    body = bytearray((b"II*\0" if order == "<" else b"MM\0*") + bytes(4))
    add_page(body, *page, order=order, **how)
    return bytes(body)


class Large(Case):
    def setUp(self):
        super().setUp()
        self.pixels = repeated_noise(WIDTH * HEIGHT)
        self.bits = self.through_a_pipe(pgm(WIDTH, HEIGHT, self.pixels))

    def through_a_pipe(self, image):
        return self.convert("-", "-", *THREADS, input=image)

    def of_a_file(self, image, *options):
        return self.convert(self.path("in", image), "-", *THREADS, *options)

    def test_files_give_the_bits_of_a_pipe(self):
        for image in (pgm(WIDTH, HEIGHT, self.pixels),
                      make_tiff(WIDTH, HEIGHT, self.pixels),
                      tiff(WIDTH, HEIGHT, self.pixels, 1),
                      tiff(WIDTH, HEIGHT, self.pixels, 300),
                      tiff(WIDTH, HEIGHT, self.pixels, 300, gap=10)):
            for rows in ("0", "1", "300", "10000"):
                self.assertEqual(
                    self.of_a_file(image, "--rows-per-band", rows), self.bits)

    def test_samples_of_sixteen_bits_come_in_either_order(self):
        words = WIDTH * HEIGHT
        deep = repeated_noise(2 * words)
        swapped = bytearray(len(deep))
        swapped[::2], swapped[1::2] = deep[1::2], deep[::2]
        head = b"P5\n%d %d\n65535\n" % (WIDTH, HEIGHT)
        bits = self.through_a_pipe(head + deep)
        self.assertNotEqual(bits, self.bits)
        for image in (head + deep,
                      tiff(WIDTH, HEIGHT, deep, HEIGHT, 16, order=">"),
                      tiff(WIDTH, HEIGHT, bytes(swapped), HEIGHT, 16)):
            self.assertEqual(self.of_a_file(image), bits)

    def test_pages_follow_each_other(self):
        pages = [(WIDTH, HEIGHT, self.pixels), (5, 1, b"\x80" * 5),
                 (WIDTH, 1, self.pixels[:WIDTH]),
                 (WIDTH, HEIGHT, self.pixels[::-1])]
        bits = [self.through_a_pipe(pgm(*page)) for page in pages]
        body = bytearray(b"II*\0" + bytes(4))
        for page in pages:
            add_page(body, *page, rows_per_strip=100)
        for image in (b"".join(pgm(*page) for page in pages), bytes(body)):
            self.assertEqual(self.of_a_file(image), b"".join(bits))
            self.assertEqual(self.of_a_file(image, "--page", "4"), bits[3])

    def test_pixels_may_lie_beyond_four_gigabytes(self):
        at = (4 << 30) + 12345
        fields = ((256, 4, WIDTH), (257, 4, HEIGHT), (258, 3, 8), (259, 3, 1),
                  (262, 3, 1), (273, 16, at), (277, 3, 1), (278, 4, HEIGHT),
                  (279, 16, len(self.pixels)))
        source = self.path("big.tif")
        with open(source, "wb") as file:
            file.write(b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, len(fields)))
            for tag, kind, value in fields:
                file.write(struct.pack("<HHQQ", tag, kind, 1, value))
            file.write(struct.pack("<Q", 0))
            file.seek(at)
            file.write(self.pixels)
        self.assertEqual(self.convert(source, "-", *THREADS), self.bits)

    def test_holes_are_black(self):
        image = bytearray(pgm(WIDTH, HEIGHT, self.pixels))
        image[1 << 20:2 << 20] = bytes(1 << 20)
        source = self.path("holes.pgm")
        with open(source, "wb") as file:
            file.write(image[:1 << 20])
            file.seek(2 << 20)
            file.write(image[2 << 20:])
        self.assertEqual(self.convert(source, "-", *THREADS),
                         self.through_a_pipe(bytes(image)))

    def test_named_pipes_are_read_in_order(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        for image in (pgm(WIDTH, HEIGHT, self.pixels),
                      make_tiff(WIDTH, HEIGHT, self.pixels)):
            writer = threading.Thread(
                target=pathlib.Path(fifo).write_bytes, args=(image,))
            writer.start()
            self.assertEqual(self.convert(fifo, "-", *THREADS), self.bits)
            writer.join()


class Cut(Case):
    def test_files_are_an_error(self):
        pixels = repeated_noise(WIDTH * HEIGHT)
        for image in (pgm(WIDTH, HEIGHT, pixels),
                      b"P5\n%d %d\n65535\n" % (WIDTH // 2, HEIGHT) + pixels):
            for missing in (1, 1 << 20, len(pixels) - 1, len(pixels)):
                source = self.path("cut", image[:-missing])
                self.fails(source, self.path("out.pbm"), *THREADS,
                           says="cut: ends too early")
        # The directory stands before the pixels.
        fields = [(256, 4, WIDTH), (257, 4, HEIGHT), (258, 3, 8), (259, 3, 1),
                  (262, 3, 1), (273, 4, 200), (277, 3, 1), (278, 4, HEIGHT),
                  (279, 4, len(pixels))]
        head = struct.pack("<2sHIH", b"II", 42, 8, len(fields)) + b"".join(
            struct.pack("<HHII", tag, kind, 1, value)
            for tag, kind, value in fields) + bytes(4)
        for kept in (0, 1, 1 << 20, len(pixels) - 1):
            source = self.path("cut", head.ljust(200, b"\0") + pixels[:kept])
            self.fails(source, self.path("out.pbm"), *THREADS,
                       says="cut: ends too early")

    def test_while_they_are_read_they_are_too(self):
        width, height = 4096, 32768
        source = self.path("in.pgm", pgm(width, height, b""))
        head = os.path.getsize(source)
        os.truncate(source, head + width * height)
        with subprocess.Popen(
                [HALFTONE, "convert", source, "-", *THREADS, "--format", "pbm"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            # It stands still soon, since nobody takes the rest.
            self.assertEqual(process.stdout.read(2), b"P4")
            os.truncate(source, head + (1 << 20))
            printed, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(error.decode(),
                         f"halftone: {source}: ends too early\n")
        self.assertLess(len(printed), width // 8 * height)


if __name__ == "__main__":
    unittest.main()

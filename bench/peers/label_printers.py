#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What label printers print by LPrint, and by halftone-printer-app: the same gray
raster through both servers, to sockets that decode ZPL and EPL2.

    bench/peers/label_printers.py [--codes 200] [--picture FILE.png]

LPrint 1.1 leaves halftones to PAPPL, so its columns are PAPPL's own dither. Labels
are of 4 by 6 inches at 203 dpi, with all settings at their defaults.
Photographs and a page of text are judged by quality.py against the gray as each
program's own tones have it, which patches of 256 tones tell; so what is compared is
where dots are, not how dark prints are meant to be. Bar codes are judged by how many
are read from simulated prints (bench/codes). Needs the Debian packages lprint,
mate-backgrounds, cups, zint, python3-zbar, python3-zxing-cpp, python3-scipy,
python3-pil and ghostscript, and the target halftone-printer-app.
"""

import dataclasses
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
for part in ("bench/codes", "bench/cups", "tests/system/printer_app"):
    sys.path.append(str(ROOT / part))
import chains  # noqa: E402
import collection  # noqa: E402
import cups_raster  # noqa: E402
from kit import decoders  # noqa: E402
import documents  # noqa: E402
import labels as making  # noqa: E402
import quality  # noqa: E402
import reading  # noqa: E402
from programs import record  # noqa: E402

WIDTH, HEIGHT, DPI = 812, 1218, 203
# Details of the picture: rows and columns from and to.
PIECES = {"raccoon": (430, 690, 250, 510), "text and bars": (120, 310, 70, 330)}


def dots_of(rows):
    ink = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    return 1 - np.unpackbits(ink, axis=1)[:, :WIDTH]


def zpl_pages(data):
    return [dots_of(decoders.zpl_graphic(int(found[2]), int(found[3]), found[4]))
            for found in decoders.ZPL_GRAPHIC.finditer(data)]


def epl_pages(data):
    return [dots_of(label.rows) for label in decoders.epl(data, HEIGHT)]


LANGUAGES = {"zpl": zpl_pages, "epl2": epl_pages}


class Server:
    """A printer application, and a printer for each language."""

    def __init__(self, program, drivers, folder):
        self.program, self.folder = program, folder
        folder.mkdir()
        self.environment = dict(os.environ, SNAP_COMMON=str(folder),
                                TMPDIR=str(folder), HOME=str(folder))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.server = subprocess.Popen(
            [program, "server", "-o", f"server-port={port}", "-o",
             "listen-hostname=localhost", "-o", f"log-file={folder}/log"],
            env=self.environment)
        for _ in range(100):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("localhost", port)) == 0:
                    break
        self.listeners = {}
        for language, driver in drivers.items():
            listener = socket.create_server(("127.0.0.1", 0))
            self.listeners[language] = listener
            self.run("add", "-d", language, "-m", driver, "-v",
                     "socket://127.0.0.1:%d" % listener.getsockname()[1])

    def run(self, *words):
        subprocess.run([self.program, *words], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, timeout=300)

    def printed(self, language, raster, *options):
        """The dots of each label; 0 is black."""
        file = self.folder / "job.pwg"
        file.write_bytes(raster)
        words = [word for option in options for word in ("-o", option)]
        client = threading.Thread(target=self.run, args=(
            "submit", "-d", language, "-o", "document-format=image/pwg-raster",
            *words, str(file)))
        client.start()
        data = b"~H"
        while data.startswith(b"~H"):
            data = self.receive(self.listeners[language])
        client.join()
        return LANGUAGES[language](data), len(data)

    @staticmethod
    def receive(listener):
        """A connection's bytes; LPrint's questions get no answer."""
        connection, _ = listener.accept()
        with connection:
            data = connection.recv(1 << 20)
            while not data.startswith(b"~H") and (
                    more := connection.recv(1 << 20)):
                data += more
        return data

    def stop(self):
        self.server.terminate()
        self.server.wait(90)


def raster_of(pages):
    header = cups_raster.page_header(
        WIDTH, HEIGHT, "SW", dpi=(DPI, DPI), MediaClass=b"PwgRaster",
        PageSize0=288, PageSize1=432, NumCopies=1,
        cupsPageSizeName=b"na_index-4x6_4x6in")
    return cups_raster.sync_word(2, ">") + b"".join(
        cups_raster.pack_page(header, page.tobytes(), 2, ">") for page in pages)


def fitted(gray):
    """The middle of a picture, as large as a label."""
    image = Image.fromarray(gray)
    scale = max(WIDTH / image.width, HEIGHT / image.height)
    image = image.resize((round(image.width * scale), round(image.height * scale)),
                         Image.LANCZOS)
    left, top = (image.width - WIDTH) // 2, (image.height - HEIGHT) // 2
    return np.asarray(image.crop((left, top, left + WIDTH, top + HEIGHT)))


def drawn_label(folder):
    """An address, as Ghostscript smooths it."""
    pdf, out = folder / "label.pdf", folder / "label.pgm"
    pdf.write_bytes(documents.label())
    chains.ghostscript(pdf, out, "pgmraw", "-dTextAlphaBits=4",
                       "-dGraphicsAlphaBits=4", dpi=DPI)
    return on_label(np.asarray(Image.open(out)))


def on_label(gray, ground=255):
    page = np.full((HEIGHT, WIDTH), ground, np.uint8)
    height, width = (min(pair) for pair in zip(gray.shape, page.shape))
    page[:height, :width] = gray[:height, :width]
    return page


def photographs():
    for name in ("LadyBird", "Dune", "Storm", "Wood"):
        yield name, fitted(collection.background(
            collection.NATURE / f"{name}.jpg"))
    yield "raccoon", fitted(collection.raccoon())


def bar_codes(count, folder):
    """Codes that fit on a label, and the pages that they are on."""
    chance, symbols = random.Random(3), making.Symbols(folder)
    while count > 0:
        label = dataclasses.replace(making.random_label(chance),
                                    dots_per_inch=DPI, printer="thermal")
        gray, = making.grays_of([label], symbols, folder)
        if gray.shape[0] <= HEIGHT and gray.shape[1] <= WIDTH:
            yield label, gray
            count -= 1


def tones_of(server, options):
    """The mean light, 0 … 255, that each of the 256 tones has."""
    page = np.full((HEIGHT, WIDTH), 255, np.uint8)
    corners = [(row * 76, column * 50) for row in range(16)
               for column in range(16)]
    for tone, (top, left) in enumerate(corners):
        page[top:top + 76, left:left + 50] = tone
    (dots,), _ = server.printed("epl2", raster_of([page]), *options)
    light = [255 * dots[top + 14:top + 62, left + 9:left + 41].mean()
             for top, left in corners]
    return np.array([0, *light[1:-1], 255], np.float32)


def judge(servers, columns, grays):
    tones = {column: tones_of(servers[server], options)
             for column, (server, *options) in columns.items()}
    for name, gray in grays:
        found = []
        for column, (server, *options) in columns.items():
            made = [servers[server].printed(language, raster_of([gray]),
                                            *options) for language in LANGUAGES]
            (zpl,), (epl,) = (dots for dots, _ in made)
            assert (zpl == epl).all(), "ZPL and EPL2 differ"
            found.append((quality.of_page(zpl, tones[column][gray]), zpl,
                          [size for _, size in made]))
        yield name, gray, found


def figures(name, found):
    """Rows of a table."""
    for key in ("psnr_csf", "psnr_gauss", "ssim", "tone_worst_tile"):
        yield [f"{name}, {key}", *(f"{each[0][key]:.2f}" for each in found)]
    yield [f"{name}, bytes of ZPL, EPL2",
           *("{:,}, {:,}".format(*each[2]) for each in found)]


def read_codes(servers, columns, count, folder):
    """How many are read, and read wrong, by column."""
    readers, codes = reading.Readers(), list(bar_codes(count, folder))
    rows = [f"bar codes read of {count}"], ["bar codes read wrong"]
    for server, *options in columns.values():
        read = wrong = 0
        for at in range(0, count, 20):
            some = codes[at:at + 20]
            pages, _ = servers[server].printed("zpl", raster_of(
                [on_label(gray, gray[0, 0]) for _, gray in some]), *options)
            for (label, gray), dots in zip(some, pages, strict=True):
                dots = dots[:gray.shape[0], :gray.shape[1]]
                texts = set().union(*readers.read(reading.printed(
                    dots, ("thermal", DPI)), label.kind).values())
                read += label.text in texts
                wrong += bool(texts - {label.text})
        rows[0].append(read)
        rows[1].append(wrong)
    return rows


def save_picture(path, judged):
    """Pieces of some labels: the gray, and below it each column's dots."""
    rows = []
    for (top, bottom, left, right), gray, found in judged:
        parts = [gray] + [each[1] * 255 for each in found]
        rows.append(np.hstack([
            np.pad(part[top:bottom, left:right], 4, constant_values=255)
            for part in parts]))
    Image.fromarray(np.vstack(rows).astype(np.uint8)).save(path, optimize=True)


def compare(servers, options, folder):
    columns = {"LPrint 1.1": ("lprint",), "`fine`": ("ours",),
               "`best`": ("ours", "halftone-type=best")}
    rows, pieces = [], []
    for name, gray, found in judge(servers, columns, [
            *photographs(), ("text and bars", drawn_label(folder))]):
        rows += figures(name, found)
        if name in PIECES:
            pieces.append((PIECES[name], gray, found))
    if options.picture:
        save_picture(options.picture, pieces)
    print(record.table(["", *columns], rows))
    columns = {"LPrint 1.1": ("lprint",), "default": ("ours",),
               "`barcode`": ("ours", "halftone-text-edges=barcode")}
    print("\n" + record.table(["", *columns], read_codes(
        servers, columns, options.codes, folder)))


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--codes", type=int, default=200)
    parser.add_argument("--picture", type=pathlib.Path)
    options = parser.parse_args()
    programs = {"ours": (str(options.build / "printer_app/halftone-printer-app"),
                         {"zpl": "zpl-203dpi", "epl2": "epl2-203dpi"}),
                "lprint": ("lprint", {"zpl": "zpl_4inch-203dpi-dt",
                                      "epl2": "epl2_4inch-203dpi-dt"})}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder, servers = pathlib.Path(name), {}
        try:
            for who, (program, drivers) in programs.items():
                servers[who] = Server(program, drivers, folder / who)
            compare(servers, options, folder)
        finally:
            for server in servers.values():
                server.stop()


if __name__ == "__main__":
    main()

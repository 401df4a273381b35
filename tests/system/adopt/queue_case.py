# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A queue of a real CUPS that is adopted and prints: the decoded output of a driver is
bit for bit the definition applied to the gray raster that our filter received."""

import re
import subprocess

from adopt_case import AdoptCase

import cups_raster


def rows_of(header, data):
    line = header["cupsBytesPerLine"]
    return [data[at:at + line] for at in range(0, len(data), line)]


def packed(rows):
    """Bits, of rows of 8-bit black, all of it ink or none."""
    for row in rows:
        assert set(row) <= {0, 255}, "gray is left"
        dots = row.translate(bytes([48] + 255 * [49])).decode()
        dots += "0" * (-len(dots) % 8)
        yield int(dots, 2).to_bytes(len(dots) // 8, "big")


def dots_of(rows):
    """Without white below and beside them, of which drivers have more."""
    rows = [row.rstrip(b"\0") for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    return rows


class QueueCase(AdoptCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.start_cups()
        cls.pdf = cls.document("one.pdf", 1)
        cls.pdf3 = cls.document("three.pdf", 3)

    def add(self, driver, model, adopt=True):
        queue = f"{model}-{self.id().split('.')[-1][5:25]}"
        self.cups.add_queue(queue, self.ppd(driver, model),
                            f"file:{self.output(queue)}")
        # Each command asks about every queue there is.
        self.addCleanup(self.cups.command, "lpadmin", "-x", queue, check=False)
        if adopt:
            self.succeed("adopt", queue)
        return queue

    def output(self, queue):
        return self.cups.out / f"{queue}.prn"

    def installed(self, queue):
        return (self.cups.root / f"etc/ppd/{queue}.ppd").read_bytes()

    def refuse(self, *words):
        run = self.halftone(*words)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        return run.stderr

    def states(self):
        return dict(line.split(maxsplit=1) for line in
                    self.succeed("list").splitlines())

    def print(self, queue, document, *options):
        """SpliX's threads end in no order: with Ghostscript's pages, too, its
        driver crashes after the last band once in some hundred jobs. Such a job
        is printed again."""
        for _ in range(3):
            job = self.cups.print_file(queue, document, options)
            state = self.cups.wait(job)
            log = "\n".join(self.cups.job_log(job)[-60:])
            if not re.search(r"/rastertoqpdl\) crashed on signal 11", log):
                break
        self.assertEqual(state, "completed", log)
        return job

    def programs(self, job):
        return re.findall(r"Started filter \S*/(\S+) \(PID",
                          "\n".join(self.cups.job_log(job)))

    def pages_counted(self, job):
        return [line.removesuffix("\\r") for line in self.cups.job_log(job)
                if line.startswith("PAGE:")]

    def bits(self, job, pages, *recipe):
        """The pages that went to the driver, which are the definition's."""
        gray, bits = (self.cups.out / f"{job}.{kind}"
                      for kind in ("gray", "bits"))
        self.pack(bits)
        run = subprocess.run(
            [self.build / "tests/system/cups/expect_raster", gray, bits,
             *recipe], stdout=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        found = cups_raster.read_pages(bits.read_bytes())
        self.assertEqual(len(found), pages)
        for header, data in found:
            self.assertIn(b"\xff", data[:len(data) // 2], "a white page")
        return [(header, rows_of(header, data)) for header, data in found]

    def pack(self, raster):
        """Raster of 8-bit black becomes the bits that it stands for."""
        pages = cups_raster.read_pages(raster.read_bytes())
        if pages[0][0]["cupsBitsPerPixel"] != 8:
            return
        data = cups_raster.sync_word(3)
        for header, rows in pages:
            self.assertEqual(header["cupsColorSpace"], 3)
            bits = dict(header, cupsBitsPerColor=1, cupsBitsPerPixel=1,
                        cupsBytesPerLine=(header["cupsWidth"] + 7) // 8)
            data += cups_raster.pack_page(
                bits, b"".join(packed(rows_of(header, rows))))
        raster.write_bytes(data)

    def print_through(self, driver, model, *options, document=None, pages=1,
                      recipe=(), counts=True):
        """The bits, and the driver's output."""
        queue = self.add(driver, model)
        job = self.print(queue, document or self.pdf, *options)
        self.assertEqual(self.programs(job)[-2:-1], ["rastertohalftone"])
        self.assertEqual(self.pages_counted(job),
                         [f"PAGE: {page + 1} 1"
                          for page in range(pages * counts)])
        return (self.bits(job, pages, *recipe),
                self.output(queue).read_bytes())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each setting, wherever it is said and whichever program prints, has the same bits:
by the CUPS filter, the printer application and `halftone convert`; as a job's option,
in [filter] and in the printer's table of halftoned.conf, as the printer's default and
on the command line. RASTERTOHALFTONE and HALFTONE are programs; application.py says
what else there has to be."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from application import ApplicationTest, PROGRAM
import cups_raster
from ipp_client import GET_PRINTER, KEYWORD, Client
from printer_options_test import HEIGHT, TYPES, WIDTH, gray_page, pwg_rows
from server import Application

DPI = 600
# Files have no printer, and so no defaults that suit one.
PLAIN = {"text-edges": "off", "tone-aim": "linear", "black-point": "0",
         "dot-gain": "0"}
CURVE = "0 0\n100 150\n255 255\n"


def of_job(name):
    """The job's option."""
    return name if name == "halftone-type" else "halftone-" + name


def toml(value):
    return value if value.lstrip("-").replace(".", "").isdigit() else f'"{value}"'


class SameSettings(ApplicationTest):
    gray = gray_page()

    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name)
        cls.conf = cls.folder / "halftoned.conf"
        cls.say()
        cls.environment = {"HALFTONED_CONF": str(cls.conf)}
        cls.server = Application(PROGRAM, environment=cls.environment)
        cls.server.start()
        cls.printer = cls.server.add("Laser", "pwg")
        cls.client = Client(cls.server.port)
        cls.printed = 0
        cls.sheet = cups_raster.sync_word(3) + cups_raster.pack_page(
            cups_raster.page_header(WIDTH, HEIGHT, dpi=(DPI, DPI)), cls.gray)

    @classmethod
    def say(cls, **tables):
        """What halftoned.conf says of how pages look."""
        tables.setdefault("filter", {})
        lines = []
        for name, settings in tables.items():
            lines.append(f"[{name}]" if name == "filter" else f"[queue.{name}]")
            if name == "filter":
                lines.append("use-daemon = false")
            lines += [f"{key} = {toml(value)}" for key, value in settings.items()]
        cls.conf.write_text("\n".join(lines) + "\n")

    def by_filter(self, **options):
        words = " ".join(f"{of_job(name)}={value}"
                         for name, value in options.items())
        done = subprocess.run(
            [os.environ["RASTERTOHALFTONE"], "1", "user", "title", "1", words],
            input=self.sheet, capture_output=True,
            env=dict(os.environ, PRINTER="laser", **self.environment))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"WARNING", done.stderr)
        (_, rows), = cups_raster.read_pages(done.stdout)
        size = (WIDTH + 7) // 8
        return [bytes(rows[at:at + size]) for at in range(0, len(rows), size)]

    def by_application(self, **options):
        status, _ = self.client.print(
            "Laser", self.raster(DPI, self.gray, width=WIDTH), "image/pwg-raster",
            options=[(KEYWORD, of_job(name), value)
                     for name, value in options.items()])
        self.assertEqual(status, 0, options)
        data = self.printer.job(self.printed)
        type(self).printed += 1
        return pwg_rows(data)

    def by_convert(self, **options):
        """Ink, as printers have it."""
        image = self.folder / "page.pgm"
        image.write_bytes(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + self.gray)
        out = self.folder / "page.pbm"
        words = [f"--{name}={value}" for name, value in options.items()]
        subprocess.run([os.environ["HALFTONE"], "convert", "-q", f"--dpi={DPI}",
                        f"--size={WIDTH}x{HEIGHT}px",
                        *words, image, out], check=True,
                       env=dict(os.environ, **self.environment))
        head, rows = b"P4\n%d %d\n" % (WIDTH, HEIGHT), out.read_bytes()
        self.assertTrue(rows.startswith(head), rows[:20])
        size = (WIDTH + 7) // 8
        return [rows[at:at + size] for at in range(len(head), len(rows), size)]

    def settings(self):
        """What jobs may say, with two values that clients are offered of each."""
        _, groups = self.client.say("Laser", GET_PRINTER)
        seen = groups[1]
        found = {}
        for option in seen["job-creation-attributes-supported"]:
            option = option.decode()
            if not option.startswith("halftone-") or "measured" in option:
                continue
            name = option if option == of_job(option) else \
                option.removeprefix("halftone-")
            values = [value.decode() for value in seen[option + "-supported"]]
            # Not the first number of several: an angle of 0 looks like one of 90.
            found[name] = (values[min(2, len(values) - 2)], values[-1])
        return found

    def ways(self, name, value, plain):
        """The bits, by where the setting is said."""
        one = {name: value}
        self.say(filter=plain)
        yield "job, filter", self.by_filter(**one)
        yield "job, application", self.by_application(**one)
        yield "file", self.by_convert(**{**plain, **one})
        self.say(filter={**plain, **one})
        yield "[filter], filter", self.by_filter()
        yield "[filter], application", self.by_application()
        other = {"gamma": "3"} if name != "gamma" else {}
        self.say(filter={**plain, **other}, laser={**one, **(
            {"gamma": "1"} if other else {})})
        yield "[queue.laser], filter", self.by_filter()
        yield "[queue.laser], application", self.by_application()
        self.say(filter=plain)
        self.run_app("modify", "-d", "Laser", "-o", f"{of_job(name)}={value}")
        yield "default, application", self.by_application()
        self.run_app("modify", "-d", "Laser", "-o", f"{of_job(name)}=auto")

    def test_each_setting_has_the_same_bits_everywhere(self):
        settings = self.settings()
        self.assertGreater(len(settings), 11)
        for name, values in settings.items():
            plain = dict(PLAIN)
            plain.pop(name, None)
            if name in TYPES:
                plain["halftone-type"] = TYPES[name]
            seen = set()
            for value in values:
                found = dict(self.ways(name, value, plain))
                bits = found["job, filter"]
                for way, rows in found.items():
                    self.assertTrue(rows == bits, f"{name}={value}: {way}")
                seen.add(b"".join(bits))
            self.assertEqual(len(seen), 2, f"{name} does nothing")

    def test_a_measured_curve_and_a_job_without_it(self):
        curve = self.folder / "curve"
        curve.write_text(CURVE)
        self.say()
        plain = self.by_filter()
        self.say(laser={"tone-curve": str(curve)})
        measured = self.by_filter()
        self.assertNotEqual(measured, plain)
        self.assertTrue(self.by_application() == measured)
        off = {"measured-curve": "off"}
        self.assertTrue(self.by_filter(**off) == plain)
        self.assertTrue(self.by_application(**off) == plain)

    def test_what_is_wrong_is_said_and_left_out(self):
        self.say()
        plain = self.by_application()
        self.say(filter={"gamma": "99"}, laser={"tone-curve": "/nowhere"})
        self.assertTrue(self.by_application() == plain)
        self.wait_for_log(" must be a number in 0.1 … 10")
        self.wait_for_log("/nowhere: No such file or directory")


if __name__ == "__main__":
    unittest.main()

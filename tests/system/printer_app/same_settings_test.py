#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each setting, wherever it is said and whichever program prints, has the same bits:
by the CUPS filter, the printer application, `halftone convert` and the dots of
`halftone preview`; as a job's option, in [filter] and in the printer's table of
halftoned.conf, as the printer's default and on the command line. `halftone set --help`
lists the settings. RASTERTOHALFTONE is a program; installed.py and application.py say
what else there has to be."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from kit.application import TESTS, ApplicationTest
import cups_raster
from kit.installed import Installed
from kit.ipp_client import KEYWORD, Client
from printer_options_test import HEIGHT, TYPES, WIDTH, gray_page, pwg_rows

sys.path.insert(0, str(TESTS / "convert"))
from gray_png import GAP, NAME, Picture  # noqa: E402

DPI = 600
# Files have no printer, and so no defaults that suit one.
PLAIN = {"text-edges": "off", "tone-aim": "linear", "black-point": "0",
         "dot-gain": "0", "print-feedback": "0"}
# Without these a setting does nothing.
NEEDED = {**{name: {"halftone-type": kind} for name, kind in TYPES.items()},
          "technology": {"dot-gain": None}, "tone-curve": {"dot-gain": None}}
CURVES = ("0 0\n100 150\n255 255\n", "0 0\n120 80\n255 255\n")
# What only administrators say, and what files do not have.
NOT_OF_JOBS, NOT_OF_FILES = ("technology", "tone-curve"), ("technology",)
# What the application prints has two levels.
NOT_OF_APPLICATION = ("levels",)
MAGNIFIER = 64  # dots, of these in the page's tones, bars and text
LEFT, TOP = 200, 40


def of_job(name):
    """The job's option."""
    return name if name == "halftone-type" else "halftone-" + name


def toml(value):
    return value if value.lstrip("-").replace(".", "").isdigit() else f'"{value}"'


def light(rows, bits=1, is_ink=True):
    """A byte of light for each pixel of packed rows."""
    most = (1 << bits) - 1
    pixels = [bytes(255 * (most - sample if is_ink else sample) // most
                    for shift in range(8 - bits, -1, -bits)
                    for sample in [byte >> shift & most]) for byte in range(256)]
    return [b"".join(map(pixels.__getitem__, row))[:WIDTH] for row in rows]


def cut(data, size):
    return [data[at:at + size] for at in range(0, len(data), size)]


class SameSettings(ApplicationTest):
    gray = gray_page()

    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.installed = Installed(made.name)
        cls.folder, cls.conf = cls.installed.folder, cls.installed.conf
        cls.say()
        cls.server = cls.installed.server
        cls.environment = cls.server.environment
        cls.server.start()
        cls.printer = cls.server.add("Laser", "pwg")
        cls.client = Client(cls.server.port)
        cls.printed = 0
        cls.sheet = cups_raster.sync_word(3) + cups_raster.pack_page(
            cups_raster.page_header(WIDTH, HEIGHT, dpi=(DPI, DPI)), cls.gray)
        cls.image = cls.folder / "page.pgm"
        cls.image.write_bytes(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + cls.gray)

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
            env=dict(self.environment, PRINTER="laser"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"WARNING", done.stderr)
        (header, rows), = cups_raster.read_pages(done.stdout)
        return light(cut(rows, header["cupsBytesPerLine"]),
                     header["cupsBitsPerPixel"],
                     header["cupsColorSpace"] == cups_raster.SPACES["K"])

    def by_application(self, **options):
        status, _ = self.client.print(
            "Laser", self.raster(DPI, self.gray, width=WIDTH), "image/pwg-raster",
            options=[(KEYWORD, of_job(name), value)
                     for name, value in options.items()])
        self.assertEqual(status, 0, options)
        data = self.printer.job(self.printed)
        type(self).printed += 1
        return light(pwg_rows(data))

    def halftone(self, *words):
        done = self.installed.run(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def by_convert(self, **options):
        levels = int(options.get("levels", "2"))
        out = self.folder / ("out.pbm" if levels == 2 else "out.pgm")
        self.halftone("convert", "-q", f"--dpi={DPI}", f"--size={WIDTH}x{HEIGHT}px",
                      *(f"--{name}={value}" for name, value in options.items()),
                      self.image, out)
        data = out.read_bytes()
        head = b"P4\n%d %d\n" % (WIDTH, HEIGHT) if levels == 2 else \
            b"P5\n%d %d\n%d\n" % (WIDTH, HEIGHT, levels - 1)
        self.assertTrue(data.startswith(head), data[:20])
        if levels == 2:
            return light(cut(data[len(head):], (WIDTH + 7) // 8))
        return [bytes(255 * sample // (levels - 1) for sample in row)
                for row in cut(data[len(head):], WIDTH)]

    def by_preview(self, *words, **options):
        """The dots of a magnifier, of the type that is set."""
        out = self.folder / "out.png"
        place = ",".join(str((at + MAGNIFIER / 2 + 0.5) / DPI * 25.4)
                         for at in (LEFT, TOP))
        self.halftone("preview", f"--dpi={DPI}", f"--magnify={place}",
                      *(f"--{name}={value}" for name, value in options.items()),
                      *words, self.image, "-o", out)
        rows = Picture(out.read_bytes()).rows[2 * GAP + NAME:][4::8][:MAGNIFIER]
        return [row[GAP:][4::8][:MAGNIFIER] for row in rows]

    def by_preview_of_printer(self):
        return self.by_preview("--queue=Laser")

    def check(self, wanted, way, rows):
        if len(rows) == MAGNIFIER:
            wanted = [row[LEFT:LEFT + MAGNIFIER] for row in wanted[TOP:TOP + MAGNIFIER]]
        self.assertTrue(rows == wanted, way)

    def two_values(self, name, text):
        """Two values of a setting, by what its help says of its values."""
        if found := re.fullmatch(r"a (whole )?number from (\S+) to (\S+)", text):
            least, most = map(float, found.groups()[1:])
            # Not the least: an angle of 0 looks like one of 90.
            middle = least + (most - least) / 4
            return f"{round(middle) if found[1] else middle:g}", found[3]
        if text == "the name of a file":
            paths = [self.folder / f"{name}{number}" for number in range(2)]
            for path, curve in zip(paths, CURVES):
                path.write_text(curve)
            return tuple(map(str, paths))
        values = [value for value in re.split(", | or ", text) if value != "auto"]
        self.assertGreater(len(values), 1, f"{name}: {text}")
        return values[0], values[-1]

    def settings(self):
        """All that there are, with two values of each."""
        text = self.installed.run("set", "--help").stdout
        table = text.split("Keys and values:\n")[1].split("\nhalftone-settings(7)")[0]
        table = re.sub(r"\n {8,}", " ", table)
        return {name: self.two_values(name, values) for name, values in
                (line.split(None, 1) for line in table.splitlines())}

    def job_ways(self, one):
        yield "job, filter", self.by_filter(**one)
        if not set(NOT_OF_APPLICATION) & set(one):
            yield "job, application", self.by_application(**one)

    def default_ways(self, name, value):
        self.run_app("modify", "-d", "Laser", "-o", f"{of_job(name)}={value}")
        yield "default, application", self.by_application()
        yield "default, preview", self.by_preview_of_printer()
        self.run_app("modify", "-d", "Laser", "-o", f"{of_job(name)}=auto")

    def conf_ways(self, where):
        yield f"{where}, filter", self.by_filter()
        yield f"{where}, application", self.by_application()
        yield f"{where}, preview of the printer", self.by_preview_of_printer()

    def ways(self, name, value, plain):
        """The bits, by where the setting is said."""
        one = {name: value}
        self.say(filter={**plain, **one})
        yield from self.conf_ways("[filter]")
        other = {"gamma": "3"} if name != "gamma" else {}
        self.say(filter={**plain, **other}, laser={**one, **(
            {"gamma": "1"} if other else {})})
        yield from self.conf_ways("[queue.laser]")
        self.say(filter=plain)
        if name not in NOT_OF_JOBS:
            yield from self.job_ways(one)
        if name not in NOT_OF_JOBS + NOT_OF_APPLICATION:
            yield from self.default_ways(name, value)
        if name not in NOT_OF_FILES:
            yield "file", self.by_convert(**plain, **one)
            yield "preview", self.by_preview(**plain, **one)

    def check_setting(self, name, values):
        plain = {**PLAIN, **NEEDED.get(name, {}), name: None}
        plain = {key: said for key, said in plain.items() if said}
        seen = []
        for value in values:
            found = dict(self.ways(name, value, plain))
            seen.append(found["[filter], filter"])
            for way, rows in found.items():
                is_least = name in NOT_OF_APPLICATION and (
                    "application" in way or "printer" in way)
                self.check(seen[0 if is_least else -1], f"{name}={value}: {way}",
                           rows)
        self.assertNotEqual(*seen, f"{name} does nothing")

    def test_each_setting_has_the_same_bits_everywhere(self):
        settings = self.settings()
        self.assertGreater(len(settings), 15)
        for name, values in settings.items():
            with self.subTest(name):
                self.check_setting(name, values)

    def test_a_job_without_the_measured_curve(self):
        curve = self.folder / "curve"
        curve.write_text(CURVES[0])
        self.say()
        plain = self.by_filter()
        self.say(laser={"tone-curve": str(curve)})
        self.assertNotEqual(self.by_filter(), plain)
        off = {"measured-curve": "off"}
        self.assertTrue(self.by_filter(**off) == plain)
        self.assertTrue(self.by_application(**off) == plain)

    def test_invalid_settings_are_reported_and_ignored(self):
        self.say()
        plain = self.by_application()
        self.say(filter={"gamma": "99"}, laser={"tone-curve": "/nowhere"})
        self.assertTrue(self.by_application() == plain)
        self.wait_for_log(" must be a number from 0.1 to 10")
        self.wait_for_log("/nowhere: No such file or directory")


if __name__ == "__main__":
    unittest.main()

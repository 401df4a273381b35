#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each of our job options through each printer language: what is printed, decoded,
are the bits that the definition makes with that option. `--whole` tries every value
that clients are offered, on every driver and at each of its resolutions; without it,
the ends of each option, on a driver for each language."""

import struct
import sys
import unittest

from kit.application import ApplicationTest, ink_of
import cups_raster
from kit import decoders
from kit.ipp_client import (BOOLEAN, ENUM, GET_PRINTER, INTEGER, KEYWORD, MIME,
                            PRINT_JOB, Client)
import pcl
from printer_languages_test import heads_dots, white_end_removed

WIDTH, HEIGHT = 264, 120
VALIDATE_JOB = 0x04
SUBSTITUTED, NOT_SUPPORTED = 0x001, 0x40b
LANGUAGES = ["pwg", "pcl5e", "zpl-203dpi", "epl2-203dpi", "tspl-203dpi",
             "escpos-80mm"]
HEADS = {"escpos-80mm": 576, "escpos-58mm": 384, "escpos-80mm-180dpi": 512,
         "escpos-58mm-180dpi": 360}
IS_WHOLE = "--whole" in sys.argv
# Settings that do something with a type of halftone alone.
TYPES = {"cluster-size": "clustered", "screen-lpi": "screen", "screen-angle": "screen",
         "screen-shape": "screen",
         "print-feedback": "fine"}


def gray_page():
    """Tones, bars and text with gray edges, right of every margin."""
    rows = bytearray(b"\xff" * (WIDTH * HEIGHT))
    for y in range(8, HEIGHT - 8):
        for x in range(200, WIDTH):
            rows[y * WIDTH + x] = (
                (x * 3 + y * 2) % 256 if y < 60 else
                (0, 90, 255, 255, 160, 0)[x // 2 % 6] if y < 85 else
                (255, 255, 120, 0, 0, 60)[(x + y // 3) % 6])
    return bytes(rows)


def all_white(rows):
    return not any(any(row) for row in rows)


def without_margin(rows, dpi):
    """As PCL has them: it begins where the printer does."""
    return white_end_removed([row[dpi * 71 // 300 // 8:] for row in rows])


def pwg_rows(data):
    header = cups_raster.unpack_header(data[4:4 + cups_raster.V2_BYTES], ">")
    rows, _ = cups_raster.unpack_rows(data, 4 + cups_raster.V2_BYTES, header)
    size = header["cupsBytesPerLine"]
    return [bytes(rows[at:at + size]) for at in range(0, len(rows), size)]


def decoded(driver, data):
    """The one page that is printed."""
    if driver == "pwg":
        return pwg_rows(data)
    if driver == "pcl5e":
        (_, rows), = pcl.read_pages(data)
        return rows
    if driver.startswith("escpos"):
        (rows, _), = decoders.escpos(data, (HEADS[driver] + 7) // 8)
        return rows
    if driver.startswith("tspl"):
        label, = decoders.tspl(data, int(driver[5:8]))
    else:
        label, = (decoders.zpl(data) if driver.startswith("zpl")
                  else decoders.epl(data, HEIGHT))
    return label.rows


def expected(driver, dpi, ink):
    if driver == "pcl5e":
        return without_margin(ink, dpi)
    if driver.startswith("escpos"):
        return white_end_removed(heads_dots(ink, WIDTH, HEADS[driver]))
    return ink


class OptionsTest(ApplicationTest):
    gray = gray_page()

    def attributes(self, name):
        _, groups = Client(self.server.port).say(name, GET_PRINTER)
        return groups[1]

    def options_of(self, seen):
        """The values of each that needs no other, as clients see them."""
        names = [name.decode() for name in
                 seen["job-creation-attributes-supported"]
                 if name.startswith(b"halftone-")
                 and name.decode().removeprefix("halftone-") not in
                 (*TYPES, "measured-curve")]
        values = {}
        for name in names:
            self.assertEqual(seen[name + "-default"], [b"auto"], name)
            first, *offered = [value.decode() for value in
                               seen[name + "-supported"]]
            self.assertEqual(first, "auto")
            values[name] = offered if IS_WHOLE else \
                [offered[0], offered[len(offered) // 2], offered[-1]]
        return values

    def resolutions_of(self, seen):
        """In dpi."""
        dpis = [struct.unpack(">iib", value)[0] for value in
                seen["printer-resolution-supported"]]
        return dpis if IS_WHOLE else dpis[:1]

    def definition(self, driver, dpi, *settings):
        technology = ",technology=thermal" \
            if driver not in ("pwg", "pcl5e") else ""
        return ink_of(self.gray, ",".join(
            [f"dpi={dpi},black-point=32{technology}", *settings]), WIDTH)

    def print_page(self, name, printer, dpi, *options, status=0):
        found, _ = Client(self.server.port).print(
            name, self.raster(dpi, self.gray, width=WIDTH), "image/pwg-raster",
            options=[(KEYWORD, *option) for option in options])
        self.assertEqual(found, status, options)
        self.printed += 1
        return printer.job(self.printed - 1)

    def check_driver(self, driver):
        printer, self.printed = self.add(driver, driver), 0
        seen = self.attributes(driver)
        options = self.options_of(seen)
        self.assertGreater(len(options), 5)
        for dpi in self.resolutions_of(seen):
            usual = self.definition(driver, dpi)
            self.assertFalse(all_white(usual))
            for option, values in options.items():
                changed = 0
                for value in ("auto", *values):
                    ink = usual if value == "auto" else \
                        self.definition(driver, dpi, f"{option}={value}")
                    changed += ink != usual
                    data = self.print_page(driver, printer, dpi,
                                           (option, value))
                    self.assertTrue(decoded(driver, data) ==
                                    expected(driver, dpi, ink),
                                    f"{driver}, {dpi} dpi, {option}={value}")
                self.assertTrue(changed, option)

    def test_each_option_has_the_bits_of_the_definition(self):
        drivers = [line.split()[0] for line in
                   self.run_app("drivers").splitlines()] if IS_WHOLE \
            else LANGUAGES
        for driver in drivers:
            with self.subTest(driver):
                self.check_driver(driver)

    def test_options_together(self):
        printer, self.printed = self.add("together", "zpl-203dpi"), 0
        options = {"halftone-type": "clustered", "halftone-text-edges": "crisp",
                   "halftone-contrast": "10", "halftone-brightness": "-10",
                   "halftone-toner-save": "25", "halftone-dot-gain": "15"}
        data = self.print_page("together", printer, 203, *options.items())
        ink = self.definition("zpl", 203, *(
            f"{name}={value}" for name, value in options.items()))
        self.assertTrue(decoded("zpl", data) == ink)

    def test_a_job_goes_before_the_printer_s_defaults(self):
        printer, self.printed = self.add("defaults", "zpl-203dpi"), 0
        self.run_app("modify", "-d", "defaults", "-o", "halftone-type=clustered",
                     "-o", "halftone-brightness=20")
        for options, settings in (
                ((), ("halftone-type=clustered", "brightness=20")),
                ((("halftone-type", "auto"),),
                 ("halftone-type=clustered", "brightness=20")),
                ((("halftone-brightness", "-20"),),
                 ("halftone-type=clustered", "brightness=-20"))):
            data = self.print_page("defaults", printer, 203, *options)
            self.assertTrue(decoded("zpl", data) ==
                            self.definition("zpl", 203, *settings), options)

    def test_a_type_that_is_not_offered_prints_by_its_name(self):
        printer, self.printed = self.add("named", "zpl-203dpi"), 0
        offered = self.attributes("named")["halftone-type-supported"]
        self.assertIn(b"fine", offered)
        self.assertNotIn(b"atkinson", offered)
        ink = self.definition("zpl", 203, "halftone-type=atkinson")
        data = self.print_page("named", printer, 203, ("halftone-type", "atkinson"))
        self.assertTrue(decoded("zpl", data) == ink)
        self.run_app("modify", "-d", "named", "-o", "halftone-type=atkinson")
        self.assertTrue(decoded("zpl", self.print_page("named", printer, 203)) == ink)

    def test_an_unknown_value_leaves_the_printers_default(self):
        printer, self.printed = self.add("wrong", "zpl-203dpi"), 0
        self.run_app("modify", "-d", "wrong", "-o", "halftone-type=clustered")
        for option in (("halftone-type", "no-such"),
                       ("halftone-brightness", "1000")):
            data = self.print_page("wrong", printer, 203, option,
                                   status=SUBSTITUTED)
            self.assertTrue(decoded("zpl", data) ==
                            self.definition("zpl", 203, "halftone-type=clustered"))

    def test_a_client_is_told_of_an_unknown_value(self):
        self.add("told", "zpl-203dpi")
        client = Client(self.server.port)
        wrong = [(KEYWORD, "halftone-type", "no-such")]
        status, groups = client.say("told", VALIDATE_JOB, job=wrong)
        self.assertEqual(status, SUBSTITUTED)
        self.assertIn({"halftone-type": [b"no-such"]}, groups)
        status, groups = client.say(
            "told", VALIDATE_JOB, (BOOLEAN, "ipp-attribute-fidelity", True),
            job=wrong)
        self.assertEqual(status, NOT_SUPPORTED)
        self.assertIn({"halftone-type": [b"no-such"]}, groups)
        right = [(KEYWORD, "halftone-type", "Clustered"),
                 (KEYWORD, "halftone-brightness", "-13")]
        self.assertEqual(client.say("told", VALIDATE_JOB, job=right)[0], 0)

    def test_a_label_printer_may_choose_its_speed(self):
        self.add("speed", "zpl-203dpi")
        status, _ = Client(self.server.port).say(
            "speed", VALIDATE_JOB, job=[(INTEGER, "print-speed", 0)])
        self.assertLess(status, NOT_SUPPORTED)

    def test_a_job_is_valid_if_it_prints(self):
        printer, jobs = self.add("valid", "pcl5e"), 0
        client, document = Client(self.server.port), b"\x1bEa document"
        for option, is_printed in (
                ((KEYWORD, "sides", "one-sided"), True),
                ((KEYWORD, "sides", "no-such"), None),
                ((KEYWORD, "print-color-mode", "color"), None),
                ((KEYWORD, "job-hold-until", "23:00"), None),
                ((KEYWORD, "job-sheets", "standard"), None),
                ((KEYWORD, "media", "no-such"), None),
                ((ENUM, "orientation-requested", 99), None),
                ((INTEGER, "copies", 1000), False)):
            for is_exact in False, True:
                words = ((BOOLEAN, "ipp-attribute-fidelity", is_exact),
                         (MIME, "document-format", "application/vnd.hp-pcl"))
                wanted = (0 if is_printed else
                          NOT_SUPPORTED if is_exact or is_printed is False else
                          SUBSTITUTED)
                for operation, data in (VALIDATE_JOB, b""), (PRINT_JOB, document):
                    status, _ = client.say("valid", operation, *words,
                                           job=[option], document=data)
                    self.assertEqual(status, wanted, (operation, option, is_exact))
                if wanted != NOT_SUPPORTED:
                    self.assertEqual(printer.job(jobs), document)
                    jobs += 1


if __name__ == "__main__":
    if IS_WHOLE:
        sys.argv.remove("--whole")
    unittest.main()

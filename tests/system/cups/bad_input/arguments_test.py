#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong arguments, options, files and configurations.

Usage: arguments_test.py FILTER [unittest arguments]
"""

import os
import pathlib
import tempfile
import unittest

from filter_case import HEIGHT, IS_SANITIZED, WIDTH, FilterCase, raster, run, sound_page
from cups_raster import pack_page, page_header


class BadArguments(FilterCase):
    def test_numbers_of_arguments(self):
        sound = raster(sound_page())
        words = ["1", "user", "title", "1", ""]
        for count in range(5):
            self.assert_refused(run(sound, arguments=words[:count] or [""]),
                                "usage:")
        self.assert_refused(run(sound, arguments=[*words, "/f", "more"]),
                            "usage:")
        self.assert_accepted(run(sound, arguments=words))

    def test_print_files(self):
        words = ["1", "user", "title", "2", ""]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            os.mkfifo(path / "fifo")
            (path / "sound").write_bytes(raster(sound_page()))
            for name in ("fifo", ".", "missing", "a\nERROR: no\x1b"):
                ended = run(b"", arguments=[*words, str(path / name)])
                self.assert_refused(ended)
                self.assertEqual(ended.out, b"")
                self.assertNotIn(b"\x1b", ended.err)
            ended = run(b"", arguments=[*words, str(path / "sound")])
            ended.data = raster(sound_page(), sound_page())
            self.assert_accepted(ended, 2)

    def test_long_options(self):
        # Linux takes no single argument above 128 KiB, the filter none above
        # half of that. libcups copies all options for each that it adds, which
        # sanitizers do slowly.
        distinct = " ".join(f"{n:x}" for n in range(99999, 0, -1))
        if IS_SANITIZED:
            distinct = distinct[:12 * 1024].ljust(128 * 1024)
        for size in (64 * 1024, 128 * 1024 - 1):
            for options in ("a" * size, "a=" + "b" * (size - 2), "{" * size,
                            "'" * size, "a=1 " * (size // 4),
                            distinct[:size],
                            ("halftone-gamma=" + "9" * size)[:size]):
                ended = run(raster(sound_page()), options)
                if len(options) <= 64 * 1024:
                    self.assert_accepted(ended)
                else:
                    self.assert_refused(ended, "more than 64 KiB of options")
                    self.assertNotIn(b"STATE: +", ended.err)

    def test_odd_options(self):
        for options in ("halftone-gamma=%n%n\x1b", "halftone-levels=\xff",
                        "halftone-threads=-1", "=", "{}", "a={b=}", "\\"):
            ended = run(raster(sound_page()), options)
            self.assert_accepted(ended)
            self.assertNotIn(b"\x1b", ended.err)
        ended = run(raster(sound_page()), "halftone-engine=%n\x1b")
        self.assert_accepted(ended)
        self.assertIn(b"WARNING: halftone-engine of the job is "
                      b"ignored: no such engine\n", ended.err)
        self.assertNotIn(b"%n", ended.err)

    def test_types_of_libcupsfilters(self):
        page = raster(pack_page(page_header(WIDTH, HEIGHT),
                                b"\x80" * (WIDTH * HEIGHT)))
        ours = run(page, "halftone-type=screen screen-lpi=85 screen-angle=120 "
                         "screen-shape=diamond halftone-gamma=1.25")
        ended = run(page, "halftone-type=genordered-85-30-3-80")
        self.assertEqual(ended.out, ours.out)
        self.assertIn(b"INFO: halftone-type genordered of libcupsfilters means screen, "
                      b"screen-lpi 85, screen-angle 120, screen-shape diamond, gamma "
                      b"1.25\n", ended.err)
        self.assertNotIn(b"WARNING", ended.err)
        wrong = run(page, "halftone-type=genordered-85-30-99")
        self.assertEqual(wrong.out, run(page).out)
        self.assertIn(b"WARNING: halftone-type is ignored: genordered-85-30-99 is not "
                      b"genordered[-LPI[", wrong.err)
        self.assertNotIn(b"INFO: halftone-type", wrong.err)

    def test_a_wrong_engine_in_the_configuration(self):
        with tempfile.NamedTemporaryFile("w") as conf:
            conf.write('[filter]\nengine = "abacus"\n')
            conf.flush()
            ended = run(raster(sound_page()),
                        environment={"HALFTONED_CONF": conf.name})
        self.assert_printed_without(ended,
                                    "line 2: no engine is called 'abacus'")

    def test_a_mistake_in_the_configuration_stops_no_job(self):
        page = raster(pack_page(page_header(WIDTH, HEIGHT),
                                b"\x80" * (WIDTH * HEIGHT)))
        nothing = {"HALFTONED_CONF": "/nowhere"}
        default = run(page, environment=nothing).out
        gamma = run(page, "halftone-gamma=2",
                    environment=nothing).out
        self.assertNotEqual(default, gamma)
        for text, message, out in (
                ("[filter\n", "line 1: ", default),
                ("[filter]\ngamma = 2\ngama = 3\n",
                 "line 3: unknown key 'gama' in [filter]",
                 gamma),
                ("[filter]\ngamma = 2\nlevels = 3\nthreads = -1\n",
                 "2, 4, 8 or 16 (and 1 more)", gamma),
                ('[filter]\ngamma = 2\ntone-curve = "/nowhere"\n',
                 "line 3: tone curve /nowhere: No such file", gamma)):
            with self.subTest(text), tempfile.NamedTemporaryFile("w") as conf:
                conf.write(text)
                conf.flush()
                ended = run(page,
                            environment={"HALFTONED_CONF": conf.name})
                self.assert_printed_without(ended, message)
                self.assertEqual(ended.out, out)
        self.assertIn(b"STATE: -halftoned-configuration-warning\n",
                      run(page).err)

    def test_a_configuration_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = run(raster(sound_page()),
                        environment={"HALFTONED_CONF": folder})
        self.assert_printed_without(ended, folder)

    def test_a_configured_daemon_that_is_not_running(self):
        with tempfile.NamedTemporaryFile("w") as conf:
            conf.write('[filter]\nengine = "remote"\n'
                       '[daemon]\nsocket = "/nowhere/s"\n')
            conf.flush()
            ended = run(raster(sound_page()),
                        environment={"HALFTONED_CONF": conf.name})
        self.assert_refused(ended, "line 2: ")
        self.assertIn(b"STATE: -halftoned-configuration-error\n", ended.err)

    def test_copies_begin_on_a_sheet_of_their_own(self):
        sound = sound_page(Duplex=1)
        white = pack_page(page_header(WIDTH, HEIGHT, Duplex=1),
                          b"\xff" * (WIDTH * HEIGHT))
        for count, fillers in ((1, [white]), (2, []), (3, [white])):
            with tempfile.NamedTemporaryFile() as file:
                file.write(raster(*[sound] * count))
                file.flush()
                ended = run(b"", arguments=["1", "u", "t", "3", "", file.name])
            copy = [sound] * count
            ended.data = raster(*(2 * (copy + fillers) + copy))
            self.assert_accepted(ended, 3 * count + 2 * len(fillers))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: tests_of_rooms_test.py BUILD"""

import pathlib
import sys
import unittest

import tests_of_rooms
from tests_of_rooms import ROOMS, ROOT, chosen

BUILD = pathlib.Path(sys.argv.pop())


class TestsOfRooms(unittest.TestCase):
    def test_every_room_is_there_and_has_tests(self):
        for room, where in ROOMS:
            with self.subTest(room):
                self.assertTrue((ROOT / room).exists())
                for place in where.split():
                    folder, _, name = place.partition(":")
                    self.assertTrue(any(
                        test.startswith(name) and
                        (not folder or below == folder or
                         below is not None and below.startswith(folder + "/"))
                        for test, below, _ in tests_of_rooms.tests_of(BUILD)), place)

    def test_every_folder_of_sources_has_a_room(self):
        for file in ("engine/halftone/run/flow.cc", "filter/main.cc",
                     "printer_app/main.cc", "print/README"):
            self.assertNotEqual(list(tests_of_rooms.places(file)), [("", "")])

    def test_a_file_brings_the_tests_of_its_room_alone(self):
        names, builds = chosen(BUILD, [str(ROOT / "engine/wire/link.cc")])
        self.assertIn("codec_test", names)
        self.assertNotIn("printer_app", names)
        self.assertEqual(builds, ["release", "tsan"])

    def test_what_everything_is_built_with_brings_all(self):
        names, _ = chosen(BUILD, [str(ROOT / "CMakeLists.txt")])
        self.assertTrue({"codec_test", "printer_app", "adopt_test"} <= set(names))

    def test_commits_bring_what_they_change(self):
        self.assertEqual(list(tests_of_rooms.files(["HEAD..HEAD"])), [])


if __name__ == "__main__":
    unittest.main()

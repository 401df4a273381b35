# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: tests_of_rooms_test.py BUILD [PLACE...]

PLACE: a place in ROOMS whose tests this build leaves out.
"""

import pathlib
import sys
import unittest

from tests_of_rooms import ROOMS, ROOT, chosen, places, tests_of

BUILD = pathlib.Path(sys.argv[1]).resolve()
LEFT_OUT = set(sys.argv[2:])
SOURCES = ("bench", "engine", "filter", "include", "print", "printer_app", "tools")


class TestsOfRooms(unittest.TestCase):
    def test_every_room_is_there_and_has_tests(self):
        tests = list(tests_of(BUILD))
        for room, *where in ROOMS:
            self.assertTrue((ROOT / room).exists(), room)
            for place in set(" ".join(where).split()) - LEFT_OUT:
                at, _, begin = place.partition(":")
                self.assertTrue(
                    [name for name, folder, _ in tests if at == f"={name}" or
                     (name.startswith(begin) and f"{folder}/".startswith(f"{at}/"))],
                    f"{room}: {place}")

    def test_every_source_has_a_room(self):
        for folder in SOURCES:
            sources = [path for path in (ROOT / folder).rglob("*")
                       if path.suffix in (".c", ".cc", ".cu", ".cuh", ".h")]
            self.assertTrue(sources, folder)
            for source in map(str, (path.relative_to(ROOT) for path in sources)):
                self.assertNotEqual(list(places(source)), [("", "")], source)

    def of(self, file, near=False):
        names, builds = chosen(BUILD, [str(ROOT / file)], near)
        return set(names), builds

    def test_a_file_brings_the_tests_of_its_room_alone(self):
        names, builds = self.of("engine/wire/link.cc")
        self.assertIn("wire_test", names)
        self.assertNotIn("printer_users", names)
        self.assertEqual(builds, ["release", "tsan"])

    def test_near_are_the_tests_of_the_room_and_one_of_each_program(self):
        names, _ = self.of("engine/halftone/cpu/strips.cc", near=True)
        self.assertLess(names, self.of("engine/halftone/cpu/strips.cc")[0])
        wanted = {"equality_test", "golden_test", "run_test", "convert", "printer_app",
                  "daemon_in_cups", "pdf_once_in_cups", "rip_limits"}
        if "=printer_app" in LEFT_OUT:
            wanted.remove("printer_app")
        self.assertLessEqual(wanted, names)
        self.assertNotIn("look_test", names)

    def test_what_everything_is_built_with_brings_all(self):
        names, _ = self.of("CMakeLists.txt")
        self.assertEqual(names, {name for name, _, _ in tests_of(BUILD)} |
                         {"format", "include_directions", "prose", "unique_names"})

    def test_a_test_brings_itself(self):
        self.assertIn("convert", self.of("tests/system/convert/convert_test.py")[0])
        self.assertIn("printer_decoders",
                      self.of("tests/system/printer_app/kit/decoders_test.py")[0])
        self.assertIn("papers_report_test", self.of("bench/papers/report_test.py")[0])

    def test_a_missing_file_is_refused(self):
        for file in ("engine/wire/lnik.cc", "../elsewhere"):
            with self.assertRaises(SystemExit):
                self.of(file)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

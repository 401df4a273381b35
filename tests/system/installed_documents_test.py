#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people look up about an installed program: manuals that man(1) finds and
shows without a warning, metainfo for software centers, completions where shells
look for them, and the help of every command, whether or not anything else is
installed.

Usage: installed_documents_test.py BUILD_FOLDER PREFIX VERSION
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = {"add", "adopt", "calibrate", "check", "convert", "engines", "list", "models",
            "preview", "release", "set", "show", "status", "test-page", "unset"}
MANUALS = {f"halftone-{command}.1" for command in COMMANDS} | {
           "halftone.1", "halftone.3", "halftoned.conf.5",
           "halftone-settings.7", "halftoned.8", "halftone-rip.8", "pdftohalftone.8",
           "rastertohalftone.8"}
PROGRAMS = ("tools/halftone", "tools/adopt/halftone-adopt",
            "engine/daemon/halftoned", "filter/rastertohalftone",
            "filter/pdftohalftone")
APPLICATIONS = ("printer_app/halftone-printer-app",)


def run(*words, **environment):
    return subprocess.run([str(word) for word in words], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60,
                          env={**os.environ, "LC_ALL": "C.UTF-8",
                               **environment})


def commands_in(document):
    """The commands of halftone and what follows each, in code."""
    text = document.replace("\\\n", " ")
    return re.findall(r"(?m)(?:^|`|'|sudo |/)halftone ([a-z][a-z-]*)\b([^`'#|&\n]*)",
                      "\n".join(re.findall(r"(?s)```.*?```|`[^`\n]+`", text)))


class InstalledDocuments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="halftoned-"))
        cls.root.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.root)
        done = run("cmake", "--install", BUILD, DESTDIR=str(cls.root))
        assert done.returncode == 0, done.stderr
        cls.share = cls.root / PREFIX.lstrip("/") / "share"
        # Functions of the library are other names of halftone(3), and some
        # commands share a manual.
        cls.installed = sorted((cls.share / "man").glob("man*/*"))
        cls.manuals = [path for path in cls.installed
                       if not path.read_text().startswith(".so ")]

    def manual_of(self, command):
        text = (self.share / f"man/man1/halftone-{command}.1").read_text()
        if text.startswith(".so "):
            text = (self.share / "man" / text.split()[1]).read_text()
        return text

    def test_every_program_and_every_command_has_a_manual(self):
        self.assertEqual({path.name for path in self.installed
                          if not path.name.startswith("ht_")}, MANUALS)

    def test_the_manual_of_a_command_has_its_options(self):
        settings = (self.share / "man/man7/halftone-settings.7").read_text()
        tried = 0
        for command in COMMANDS:
            manual = self.manual_of(command).replace("\\-", "-")
            self.assertIn(f".Nm halftone-{command}", manual)
            helped = run(BUILD / "tools/halftone", command, "--help").stdout
            for option in set(re.findall(r"(?<= )--[a-z-]+", helped)) - {"--help"}:
                if f"\n{option[2:]}\t" in settings:  # for convert and preview
                    continue
                tried += 1
                self.assertRegex(manual, rf"Fl {option[1:]}\b(?!-)",
                                 (command, option))
        self.assertGreater(tried, 40)

    def test_commands_in_documents_have_options_that_exist(self):
        """And settings; tests/hour types those of the first hour."""
        tried = 0
        for path in [SOURCE / "README.md", SOURCE / "HACKING.md",
                     *(SOURCE / "docs").rglob("*.md")]:
            for command, rest in commands_in(path.read_text()):
                helped = run(BUILD / "tools/halftone", command, "--help")
                self.assertEqual(helped.returncode, 0, (path, command))
                options = re.findall(r"(?<!\S)--?[a-z][\w-]*", rest)
                if command == "set":
                    options += re.findall(r"(?<!\S)([a-z][\w-]*)=", rest)
                for option in options:
                    tried += 1
                    self.assertRegex(helped.stdout, rf"(?<![\w-]){option}(?![\w-])",
                                     f"{path}: halftone {command} {rest}")
        self.assertGreater(tried, 60)

    def test_manuals_refer_to_manuals(self):
        for path in self.manuals:
            names = re.findall(r"^\.(?:Xr|BR) (halftone[\w.-]*|(?:raster|pdf)tohalftone)"
                               r" \(?(\d)", path.read_text(), re.MULTILINE)
            for name, section in names:
                self.assertIn(f"{name}.{section}",
                              MANUALS | {"halftone-printer-app.1"}, path)

    def test_every_field_of_the_status_is_described(self):
        fields = set()
        for name, pattern, one in (
                ("status/status_json.cc", r'json\["(\w+)"\]', "device_memory"),
                ("clients/refusal.h", r'\{"(\w+)", "', "banned_job"),
                ("status/snapshot.h", r'\{"(\w+)", &Counters', "evicted_pages")):
            code = (SOURCE / "engine/daemon/supervisor" / name).read_text()
            found = set(re.findall(pattern, code))
            self.assertIn(one, found)
            fields |= found
        manual = self.manual_of("status")
        self.assertEqual({field for field in fields
                          if not re.search(rf"\b{field}\b", manual)}, set())

    @unittest.skipUnless(shutil.which("mandb"), "SKIPPED: there is no man-db")
    def test_man_finds_them(self):
        for path in self.manuals:
            said = run("lexgrog", path)
            self.assertEqual(said.returncode, 0, said.stdout)
            self.assertRegex(said.stdout, rf": \"{path.stem} - [a-zA-Z]")
        # -u: an index of this folder, and of no other.
        run("mandb", "--create", "--quiet", "--user-db", self.share / "man")
        found = run("man", "-M", self.share / "man", "-k", "halftone").stdout
        self.assertEqual(
            {f"{name}.{section}" for name, section in
             re.findall(r"^(\S+) \((\d)\)", found, re.MULTILINE)
             if not name.startswith("ht_")}, MANUALS)
        shown = run("man", "-M", self.share / "man", "-w", "ht_page_open")
        self.assertEqual(pathlib.Path(shown.stdout.strip()).name, "halftone.3")

    @unittest.skipUnless(shutil.which("man"), "SKIPPED: there is no man")
    def test_manuals_are_shown_without_a_warning(self):
        for path in self.manuals:
            shown = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8",
                        "-Z", path, MANWIDTH="80", MANROFFSEQ="")
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))

    @unittest.skipUnless(shutil.which("mandoc"), "SKIPPED: there is no mandoc")
    def test_manuals_are_good_mdoc_and_man(self):
        for path in self.manuals:
            found = run("mandoc", "-T", "lint", "-W", "warning", path).stdout
            self.assertEqual(found, "")

    def test_metainfo(self):
        path, = (self.share / "metainfo").iterdir()
        component = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(component.attrib["type"], "console-application")
        self.assertEqual(path.name,
                         component.findtext("id") + ".metainfo.xml")
        self.assertEqual(component.find("releases")[0].attrib["version"],
                         VERSION)
        self.assertTrue((self.root / PREFIX.lstrip("/") / "bin" /
                         component.findtext("provides/binary")).exists())

    @unittest.skipUnless(shutil.which("appstreamcli"),
                         "SKIPPED: there is no appstreamcli")
    def test_metainfo_is_valid(self):
        path, = (self.share / "metainfo").iterdir()
        checked = run("appstreamcli", "validate", "--no-net", path)
        # AppStream 1.0 fails for warnings too: it calls developer_name deprecated,
        # and 0.16 knows nothing else.
        self.assertNotRegex(checked.stdout, r"(?m)^E: ")
        self.assertIn(checked.returncode, (0, 3), checked.stdout)

    def test_completions_are_where_shells_look(self):
        for path in ("bash-completion/completions/halftone",
                     "zsh/vendor-completions/_halftone",
                     "fish/vendor_completions.d/halftone.fish"):
            self.assertIn("halftone", (self.share / path).read_text())

    def test_help_needs_nothing(self):
        halftone = BUILD / "tools/halftone"
        said = run(halftone, "--help", HALFTONED_LIBEXEC="/nowhere").stdout
        listed = said.split("Subcommands:")[1].split("\n\n")[0]
        commands = re.findall(r"^  ([\w-]+) ", listed, re.MULTILINE)
        self.assertEqual(set(commands), COMMANDS | {"help"})
        calls = [(BUILD / program, ) for program in PROGRAMS]
        calls += [(halftone, command) for command in commands]
        for call in calls:
            helped = run(*call, "--help", HALFTONED_LIBEXEC="/nowhere",
                         HALFTONED_CONF="/nowhere/at/all", CUPS_SERVER="/no")
            self.assertEqual((helped.returncode, helped.stderr), (0, ""), call)
            self.assertRegex(helped.stdout.lower(), "usage: ", call)

    def test_a_part_that_is_missing_is_named(self):
        for words in (("adopt", "q"), ("release", "q"),
                      ("test-page", "q")):
            missing = run(BUILD / "tools/halftone", *words,
                          HALFTONED_LIBEXEC="/nowhere")
            self.assertEqual(missing.returncode, 1)
            self.assertRegex(missing.stderr,
                             r"\Ahalftone: /\S+/halftone-adopt is not "
                             r"installed; it is in the package "
                             r"cups-filter-halftone\n\Z")


if __name__ == "__main__":
    BUILD, PREFIX, VERSION = (pathlib.Path(sys.argv[1]).resolve(),
                              *sys.argv[2:4])
    del sys.argv[1:4]
    for path in APPLICATIONS:  # built where libpappl is
        if (BUILD / path).exists():
            MANUALS.add(pathlib.Path(path).name + ".1")
            PROGRAMS += (path,)
    unittest.main()

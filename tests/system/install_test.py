#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `cmake --install` leaves, by a user with a narrow umask: files that
cupsd accepts in folders that everybody may enter, and printer models that CUPS
compiles and finds sound.

Usage: install_test.py BUILD_FOLDER PREFIX CUPS_SERVERBIN CUPS_DATADIR
                       CONF_FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LANGUAGES = ("de", "es", "fr", "ja")


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            **options)
    if result.returncode != 0:
        raise RuntimeError(f"{words}: {result.stdout}")
    return result.stdout


# Only root can install a filter whose owner cupstestppd likes.
WARN = () if os.geteuid() == 0 else ("-W", "filters")


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "root"
        self.root.mkdir()
        self.addCleanup(os.umask, os.umask(0o077))

    def install(self, *words):
        run("cmake", "--install", BUILD, *words,
            env=dict(os.environ, DESTDIR=str(self.root)))

    def staged(self, path):
        return self.root / path.lstrip("/")

    def test_the_filter_and_what_belongs_to_it(self):
        self.install("--component", "filter")
        modes = {
            f"{SERVERBIN}/filter/halftone-rip": 0o755,
            f"{SERVERBIN}/filter/pdftohalftone": 0o755,
            f"{SERVERBIN}/filter/rastertohalftone": 0o755,
            f"{PREFIX}/libexec/halftoned/halftone-adopt": 0o755,
            f"{DATADIR}/drv/halftoned.drv": 0o644,
            f"{DATADIR}/mime/halftoned.convs": 0o644,
            f"{DATADIR}/mime/halftoned.types": 0o644,
            **{f"{DATADIR}/ppdc/halftoned-{language}.po": 0o644
               for language in LANGUAGES},
            f"{CONF}/halftoned.conf": 0o644,
            f"{PREFIX}/share/man/man5/halftoned.conf.5": 0o644,
            f"{PREFIX}/share/man/man7/halftone-settings.7": 0o644,
            f"{PREFIX}/share/man/man8/halftone-rip.8": 0o644,
            f"{PREFIX}/share/man/man8/pdftohalftone.8": 0o644,
            f"{PREFIX}/share/man/man8/rastertohalftone.8": 0o644,
        }
        link = self.staged(
            f"{PREFIX}/libexec/halftoned/ghostscript/gs")
        self.assertEqual(os.readlink(link), f"{SERVERBIN}/filter/halftone-rip")
        found = {f"/{path.relative_to(self.root)}": path.stat()
                 for path in self.root.rglob("*")
                 if path != link and not path.is_dir()}
        self.assertEqual({path: status.st_mode & 0o7777
                          for path, status in found.items()}, modes)
        self.assertEqual({status.st_uid for status in found.values()},
                         {os.geteuid()})

    def test_everybody_may_enter_every_folder(self):
        self.install()
        for path in self.root.rglob("*"):
            if path.is_dir():
                self.assertEqual(path.stat().st_mode & 0o7777, 0o755, path)

    def test_folders_that_are_there_stay_as_they_are(self):
        self.staged(CONF).mkdir(parents=True)
        self.staged(CONF).chmod(0o750)
        self.install("--component", "filter")
        self.assertEqual(self.staged(CONF).stat().st_mode & 0o7777, 0o750)

    def test_the_administrators_configuration_stays(self):
        self.install("--component", "filter")
        conf = self.staged(CONF) / "halftoned.conf"
        conf.write_text("# mine\n")
        self.install("--component", "filter")
        self.assertEqual(conf.read_text(), "# mine\n")

    def test_the_models_are_sound_in_every_language(self):
        self.install("--component", "filter")
        # The driver that one of them needs is CUPS' own.
        (self.staged(SERVERBIN) / "filter/rastertohp").symlink_to(
            f"{SERVERBIN}/filter/rastertohp")
        ppds = self.root / "ppds"
        run("ppdc", "-l", ",".join(["en", *LANGUAGES]),
            "-I", self.staged(f"{DATADIR}/ppdc"), "-d", ppds,
            self.staged(f"{DATADIR}/drv/halftoned.drv"))
        self.assertEqual(
            sorted(path.stem for path in ppds.iterdir()),
            ["htcups", "htpcl", "htpwg", "htpwgfl", "htpwgmt", "htpwgro"])
        for ppd in ppds.iterdir():
            # The filter is looked for below the root, mode and all.
            said = run("cupstestppd", *WARN, "-R", self.root, ppd)
            self.assertTrue(said.startswith(f"{ppd}: PASS"), said)
            text = ppd.read_text()
            for language in LANGUAGES:
                own = set(re.findall(
                    rf"^\*{language}\.(?:Translation )?(?:cups|half)\S* "
                    r"(?:\S*/)?(.*): \"\"$", text, re.MULTILINE))
                self.assertGreater(len(own), 20)
                self.assertNotIn("As configured", own)
            self.assertEqual(re.findall(r"^\*..\..*/: .*", text, re.MULTILINE),
                             [])
        (self.staged(SERVERBIN) / "filter/rastertohalftone").unlink()
        if not WARN:
            with self.assertRaisesRegex(RuntimeError, "rastertohalftone"):
                run("cupstestppd", "-R", self.root, ppds / "htpwg.ppd")


if __name__ == "__main__":
    BUILD, PREFIX, SERVERBIN, DATADIR, CONF = sys.argv[1:6]
    del sys.argv[1:6]
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bash, zsh and fish complete after `halftone`: commands, options, values and
queues.

Usage: completions_test.py FOLDER [unittest arguments]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BASH = """
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_halftone 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
QUEUES = ("laser", "labels", "$(touch ran)")


class Completions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "plates").mkdir()
        self.program("lpstat", '[ "$*" = -e ] || exit 1\n' + "".join(
            f"echo '{queue}'\n" for queue in QUEUES))
        self.program("halftone", "echo 'avx2  ready'; echo 'scalar ready'\n")
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8",
                            "HOME": str(self.folder),
                            "PATH": f"{self.folder}:{os.environ['PATH']}"}

    def program(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def run_shell(self, *words):
        return subprocess.run([str(word) for word in words], check=True,
                              text=True, stdout=subprocess.PIPE,
                              env=self.environment, cwd=self.folder).stdout

    def bash(self, *words):
        out = self.run_shell("bash", "-c", BASH, "bash",
                             FOLDER / "halftone.bash", "halftone", *words)
        return [line for line in out.splitlines() if line]

    def fish(self, *words):
        line = " ".join(("halftone", *words))
        out = self.run_shell("fish", "--no-config", "-c",
                             f"source {FOLDER}/halftone.fish; complete -C "
                             f"'{line}'")
        return [line.split("\t")[0] for line in out.splitlines()]

    def test_bash(self):
        self.assertEqual(self.bash("co"), ["convert"])
        self.assertEqual(set(self.bash("")),
                         {"convert", "engines", "status", "check", "calibrate",
                          "preview", "add", "adopt", "release", "set", "unset", "show",
                          "list", "models", "test-page", "help"})
        self.assertEqual(self.bash("add", "q", "uri", "--language", "z"),
                         ["zpl"])
        self.assertIn("--halftone-type", self.bash("convert", "a.tif", "--ha"))
        self.assertEqual(self.bash("convert", "--halftone-type", "cl"),
                         ["clustered"])
        # --text-edges=c, as bash parts it.
        self.assertEqual(self.bash("convert", "--text-edges", "=", "c"),
                         ["crisp"])
        self.assertEqual(set(self.bash("convert", "--text-edges", "=")),
                         {"off", "crisp", "soft", "barcode"})
        self.assertEqual(self.bash("convert", "--gamma", ""), [])
        self.assertEqual(self.bash("convert", "-o", "pl"), ["plates"])
        self.assertEqual(self.bash("convert", "pl"), ["plates"])
        self.assertEqual(set(self.bash("convert", "--engine", "")),
                         {"auto", "remote", "cuda", "avx2", "scalar"})
        for words in (("adopt",), ("release",), ("test-page",)):
            self.assertEqual(self.bash(*words, "la"), ["laser", "labels"])
        self.assertNotIn("--again", self.bash("release", "--"))
        self.assertEqual(self.bash("calibrate", "pr"), ["print"])
        self.assertEqual(set(self.bash("calibrate", "")),
                         {"print", "read", "verify"})
        self.assertEqual(self.bash("calibrate", "print", "--second", "la"),
                         ["laser", "labels"])
        self.assertEqual(self.bash("calibrate", "verify", "pl"), ["plates"])
        self.assertEqual(self.bash("calibrate", "print", "--halftone-type", "cl"),
                         ["clustered"])
        self.assertEqual(self.bash("preview", "--halftone-type", "cl"), ["clustered"])
        self.assertEqual(self.bash("preview", "--queue", "la"),
                         ["laser", "labels"])
        self.assertEqual(self.bash("set", "la"), ["laser", "labels"])
        self.assertEqual(self.bash("set", "laser", "ga"), ["gamma="])
        self.assertEqual(self.bash("set", "laser", "technology", "=", "th"),
                         ["thermal"])
        self.assertEqual(self.bash("unset", "laser", "ga"), ["gamma"])
        self.assertEqual(self.bash("unset", "laser", "--"),
                         ["--help", "--json", "--config", "--all-settings", "--all",
                          "--dry-run"])
        self.assertEqual(self.bash("show", "la"), ["laser", "labels"])

    def test_bash_runs_no_names_of_queues(self):
        self.bash("adopt", "")
        self.assertFalse((self.folder / "ran").exists())

    @unittest.skipUnless(shutil.which("fish"), "SKIPPED: there is no fish")
    def test_fish(self):
        self.assertEqual(self.fish("co"), ["convert"])
        self.assertIn("--halftone-type", self.fish("convert", "--ha"))
        self.assertEqual(self.fish("convert", "--halftone-type", "cl"),
                         ["clustered"])
        self.assertEqual(set(self.fish("convert", "--engine", "")),
                         {"auto", "remote", "cuda", "avx2", "scalar"})
        self.assertEqual(self.fish("test-page", "las"), ["laser"])
        self.assertEqual(set(self.fish("adopt", "la")), {"laser", "labels"})
        self.assertEqual(set(self.fish("calibrate", "")),
                         {"print", "read", "verify"})
        self.assertEqual(set(self.fish("calibrate", "print", "--second", "la")),
                         {"laser", "labels"})
        self.assertEqual(self.fish("calibrate", "verify", "pl"), ["plates/"])
        self.assertNotIn("--timeout", self.fish("calibrate", "verify", "--"))
        self.assertEqual(self.fish("add", "q", "uri", "--language", "z"), ["zpl"])
        self.assertEqual(self.fish("set", "laser", "technology=t"),
                         ["technology=thermal"])
        self.assertEqual(self.fish("convert", "-o", "pl"), ["plates/"])
        self.assertNotIn("--again", self.fish("release", "--"))

    @unittest.skipUnless(shutil.which("zsh"), "SKIPPED: there is no zsh")
    def test_zsh_takes_the_file(self):
        self.run_shell("zsh", "-n", FOLDER / "halftone.zsh")


if __name__ == "__main__":
    FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()

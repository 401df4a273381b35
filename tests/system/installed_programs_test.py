#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installed programs find their parts: in a DESTDIR that has only the files of
`cmake --install`, C libraries and two user names, `halftone adopt` finds its
helper, `halftone check` what is installed, and the daemon that the unit starts
finds its worker. Any prefix but the
configured one is refused.

Usage: installed_programs_test.py BUILD_FOLDER PREFIX CUPS_SERVERBIN CUPS_DATADIR
                                  CONF_FOLDER
"""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

LIMIT = 30  # seconds
PRINTER_PROGRAMS = ("bin/halftone-printer-app", "libexec/halftoned/halftone-sheets")
CONF = """[daemon]
user = "nobody"
group = "lp"
threads = 1
"""


def install(root, *words):
    return subprocess.run(["cmake", "--install", BUILD, *words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "DESTDIR": str(root)})


class InstalledPrograms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.root.chmod(0o755)

    def staged(self, path):
        return self.root / str(path).lstrip("/")

    def install_with_libraries(self):
        done = install(self.root)
        self.assertEqual(done.returncode, 0, done.stderr)
        for program in PROGRAMS:
            if not self.staged(pathlib.Path(PREFIX, program)).exists():
                self.assertIn(program, PRINTER_PROGRAMS)
                continue  # not built without libpappl
            listed = subprocess.run(["ldd", self.staged(pathlib.Path(PREFIX, program))],
                                    text=True, stdout=subprocess.PIPE,
                                    check=True).stdout
            for library in re.findall(r"(/\S+) \(", listed):
                self.staged(library).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(library, self.staged(library))
        for name in ("passwd", "group"):
            shutil.copy(f"/etc/{name}", self.staged(f"/etc/{name}"))
        self.staged("/run").mkdir()

    def start(self, *words, **options):
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("HALFTONED_")}
        return subprocess.Popen(["chroot", self.root, *words], text=True,
                                env=environment, **options)

    def test_another_prefix_is_refused(self):
        for words in ([], ["--component", "daemon"]):
            refused = install(self.root, "--prefix", "/elsewhere", *words)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(f"this build is configured for the prefix {PREFIX},",
                          " ".join(refused.stderr.split()))
            self.assertEqual(list(self.root.rglob("*")), [])

    @unittest.skipIf(os.geteuid() != 0, "only root may change its root")
    def test_programs_find_their_helpers(self):
        self.install_with_libraries()
        subprocess.run(["ppdc", "-d", self.staged("/run"),
                        f"{DATADIR}/drv/sample.drv"], check=True)
        adopt = self.start(f"{PREFIX}/bin/halftone", "adopt", "--ppd",
                           "/run/zebra.ppd", "/run/out.ppd",
                           stderr=subprocess.PIPE)
        self.assertEqual((adopt.communicate(timeout=LIMIT)[1],
                          adopt.returncode), ("", 0))
        self.assertTrue(b"*halftonedOutput" in
                        self.staged("/run/out.ppd").read_bytes())

    @unittest.skipIf(os.geteuid() != 0, "only root may change its root")
    def test_programs_print_their_names_and_one_version(self):
        self.install_with_libraries()
        versions = set()
        for program in PROGRAMS:
            path = pathlib.Path(PREFIX, program)
            if not self.staged(path).exists():
                continue
            run = self.start(path, "--version", stdout=subprocess.PIPE)
            said = re.fullmatch(r"(\S+) (\d+\.\d+\.\d+)\n",
                                run.communicate(timeout=LIMIT)[0])
            self.assertTrue(said, program)
            self.assertEqual((run.returncode, said[1]), (0, path.name))
            versions.add(said[2])
        self.assertEqual(len(versions), 1)

    def check(self):
        """What `halftone check` calls wrong."""
        run = self.start(f"{PREFIX}/bin/halftone", "check", "--timeout", "10",
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, errors = run.communicate(timeout=LIMIT)
        self.assertEqual(errors, "")
        wrong = re.findall("^wrong: (.*)$", out, re.MULTILINE)
        self.assertEqual(run.returncode, 1 if wrong else 0, out)
        return wrong

    @unittest.skipIf(os.geteuid() != 0, "only root may change its root")
    def test_what_is_installed_is_checked(self):
        self.install_with_libraries()
        daemon = f"{PREFIX}/sbin/halftoned"
        expected = ["cannot reach halftoned at .*; type: sudo .*--exec " + daemon,
                    "CUPS does not reply"]
        if self.staged(pathlib.Path(PREFIX, PRINTER_PROGRAMS[0])).exists():
            expected.append("PDF cannot be printed: Ghostscript is missing")
        wrong = self.check()
        self.assertEqual(len(wrong), len(expected), wrong)
        for line in expected:
            self.assertRegex("\n".join(wrong), line)
        # What only the daemon's program knows.
        conf = self.staged(CONF_FILE)
        conf.write_text('[daemon]\nuser = "no-such-user"\n')
        wrong, *_ = self.check()
        self.assertRegex(wrong, f"{CONF_FILE}, line 2: .*no-such-user")
        conf.unlink()
        # A version that differs.
        for program in (daemon, *FILTERS):
            path = self.staged(program)
            name = path.name.encode()
            text = path.read_bytes()
            version = re.search(name + rb" ([0-9.]+)\n", text)[1]
            old = b"8" * len(version)
            path.write_bytes(text.replace(name + b" " + version + b"\n",
                                          name + b" " + old + b"\n"))
            wrong, *_ = self.check()
            self.assertRegex(wrong, f"{program} has version {old.decode()}, but "
                                    f"halftone has version {version.decode()};")
            path.write_bytes(text)
        # Programs of the printer application that do not run.
        for program in PRINTER_PROGRAMS:
            path = self.staged(pathlib.Path(PREFIX, program))
            if path.exists():
                path.chmod(0o644)
                self.assertRegex(" ".join(self.check()), f"{path.name} is not executable")
                path.chmod(0o755)
        # Parts that are not installed are not missed.
        programs = [pathlib.Path(PREFIX, name) for name in PRINTER_PROGRAMS]
        for path in (daemon, *FILTERS, *programs, f"{PREFIX}/libexec/halftoned"):
            path = self.staged(path)
            shutil.rmtree(path) if path.is_dir() else \
                path.unlink(missing_ok=path.name.startswith("halftone-"))
        self.assertEqual(self.check(), [])

    @unittest.skipIf(os.geteuid() != 0, "only root may change its root")
    def test_the_daemon_of_the_unit_finds_its_worker(self):
        self.install_with_libraries()
        self.staged("/run/conf").write_text(CONF)
        unit = self.staged(f"{PREFIX}/lib/systemd/system/halftoned.service")
        program = re.search("^ExecStart=(.*)$", unit.read_text(),
                            re.MULTILINE).group(1)
        with self.start(program, "--config", "/run/conf") as daemon:
            try:
                self.wait_ready(daemon)
            finally:
                daemon.terminate()
        self.assertEqual(daemon.returncode, 0)

    def wait_ready(self, daemon):
        end = time.monotonic() + LIMIT
        while daemon.poll() is None and time.monotonic() < end:
            if any(worker["state"] == "ready" for worker in self.workers()):
                return
            time.sleep(0.02)
        self.fail("no worker became ready")

    def workers(self):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(LIMIT)
            try:
                asking.connect(str(self.staged("/run/halftoned/status.sock")))
            except (FileNotFoundError, ConnectionRefusedError):
                return []
            asking.sendall(b"json\n")
            with asking.makefile() as answer:
                return json.loads(answer.read())["workers"]


if __name__ == "__main__":
    BUILD, PREFIX, SERVERBIN, DATADIR, CONF_DIR = sys.argv[1:6]
    del sys.argv[1:6]
    FILTERS = [f"{SERVERBIN}/filter/{name}"
               for name in ("rastertohalftone", "pdftohalftone",
                                "halftone-rip")]
    PROGRAMS = ("bin/halftone", "sbin/halftoned", "libexec/halftoned/halftone-adopt",
                "libexec/halftoned/worker-cpu", *PRINTER_PROGRAMS, *FILTERS)
    CONF_FILE = f"{CONF_DIR}/halftoned.conf"
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of `halftone check` share: a real CUPS with an adopted queue, and what is
wrong as a list of lines."""

import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "adopt"))
import adopt_case  # noqa: E402
from adopt_case import SOURCE, AdoptCase  # noqa: E402

from private_cups import PrivateCups  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
os.environ["HALFTONED"] = str(BUILD / "engine/daemon/halftoned")
os.environ["WORKER_CPU"] = str(BUILD / "engine/daemon/worker/worker-cpu")
LIMIT = 60  # seconds
# A backend that says what its URI says, and waits for ever, as those do whose
# printer is off; or ends with a status, as those do that give up.
BACKEND = """\
#!/usr/bin/python3
import os, sys, time, urllib.parse
if len(sys.argv) < 6:
    sys.exit()
words = urllib.parse.unquote(os.environ["DEVICE_URI"].split(":/", 1)[1])
print(words, file=sys.stderr, flush=True)
if words.startswith("ERROR: "):
    sys.exit(int(words[-1]))
while True:
    time.sleep(60)
"""
WELL = "no problems found\n"


class CheckCase(AdoptCase):
    drivers = ("cups",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "says").write_text(BACKEND)
        cls.cups = PrivateCups(
            {name: cls.build / "filter" / name
             for name in ("rastertohalftone", "pdftohalftone",
                          "halftone-rip")},
            backends={"says": cls.folder / "says"},
            data=[adopt_case.DRV / "sample.drv"] +
                 [SOURCE / f"ppd/halftoned.{kind}"
                  for kind in ("drv", "types", "convs")])
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.cups.start()
        os.chmod(shutil.copy(os.environ["WORKER_CPU"], cls.folder), 0o755)
        cls.conf = cls.folder / "halftoned.conf"
        cls.environment.update(
            CUPS_SERVER=cls.cups.socket,
            CUPS_SERVERROOT=str(cls.cups.root / "etc"),
            HALFTONED_CONF=str(cls.conf))
        for queue in ("laser", "other"):
            cls.cups.add_queue(queue, cls.ppd("cups", "laserjet"),
                               f"file:{cls.cups.out}/{queue}.prn")
        assert cls.halftone("adopt", "laser").returncode == 0

    def setUp(self):
        # Nobody listens there, and nothing is there, whatever GPUs this machine has.
        self.conf.write_text(
            f'[daemon]\ngpus = "none"\nsocket = "{self.folder}/no/halftoned.sock"\n'
            f'status-socket = "{self.folder}/no/status.sock"\n')
        self.conf.chmod(0o644)

    def check(self, *words, **options):
        return self.halftone("check", *words, timeout=LIMIT, **options)

    def assert_well(self, *words):
        run = self.check(*words)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertTrue(run.stdout.endswith(WELL), run.stdout)
        return run.stdout

    def assert_wrong(self, *patterns, words=(), **options):
        """What is wrong is a line for each pattern, and nothing else."""
        run = self.check(*words, **options)
        self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
        *lines, end = run.stdout.splitlines()
        wrong = [line for line in lines if line.startswith("wrong: ")]
        self.assertRegex(end, f"^{len(wrong)} problems? found$")
        self.assertEqual(len(wrong), len(patterns), run.stdout)
        for line, pattern in zip(wrong, patterns):
            self.assertRegex(line, pattern)
        return run.stdout

    def hide(self, path):
        """As if the file had never been there, for this test."""
        hidden = path.with_name(path.name + ".hidden")
        path.rename(hidden)
        self.addCleanup(hidden.rename, path)

    def restart_cups(self):
        self.cups.stop()
        self.cups.start()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options that several commands of `halftone` share do the same in each of them:
--json prints facts for programs, --no-clobber replaces no file, --config names the
configuration file.

Usage: common_options_test.py BUILD_FOLDER [unittest arguments]
"""

import json
import pathlib
import re
import shutil
import sys

for folder in ("adopt", "convert"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / folder))
import adopt_case  # noqa: E402
import fake_scan  # noqa: E402
from adopt_case import AdoptCase  # noqa: E402

STATE = {"name", "state", "reason"}
SETTING = {"queue", "setting", "value", "source"}
OUTCOME = {"queue", "result", "note"}
CHART = {"queue", "halftone_type", "dpi", "tones", "error"}
# Commands, and the fields of each line. {}: the folder.
JSON = [
    (["check"], {"kind", "what", "remedy"}),
    (["list"], STATE),
    (["models", "laserjet"], STATE),
    (["show"], SETTING),
    (["show", "laser"], SETTING),
    (["set", "laser", "levels=2"], SETTING),
    (["set", "--all", "gamma=1"], SETTING),
    (["unset", "--all", "gamma"], SETTING),
    (["add", "ours", "192.0.2.7", "--language", "pcl5e"], OUTCOME),
    (["adopt", "laser", "other"], OUTCOME),
    (["release", "other", "-n"], OUTCOME),
    (["test-page", "laser"], OUTCOME | {"job"}),
    (["calibrate", "print", "laser"], OUTCOME | {"job"}),
    (["engines"], {"name", "state", "needs"}),
    (["calibrate", "read", "-n", "{}/scan.pgm"],
     CHART | {"expected_error", "curve"}),
    (["calibrate", "verify", "{}/second.pgm"], CHART),
    (["convert", "{}/a.pgm", "{}/json.pbm"],
     {"input", "output", "engine", "pages", "pixels", "seconds"}),
]
# Commands, and the files that they write. {}: a folder that is new for each.
CLOBBER = [
    (["convert", "{}/a.pgm", "{}/a.pbm"], ["a.pbm"]),
    (["convert", "{}/a.pgm", "-o", "{}/to/"], ["to/a.tif"]),
    (["convert", "{}/two.pgm", "{}/page.png"], ["page-001.png", "page-002.png"]),
    (["convert", "{}/a.pgm", "{}/b.pbm", "--manifest", "{}/list.jsonl"],
     ["list.jsonl", "b.pbm"]),
    (["preview", "{}/a.pgm", "-o", "{}/p.png"], ["p.png"]),
    (["calibrate", "print", "-o", "{}/chart.png", "--paper", "a6"], ["chart.png"]),
    (["calibrate", "read", "{}/scan.pgm", "--curve", "{}/x.curve"], ["x.curve"]),
    (["calibrate", "read", "{}/scan.pgm", "-n", "--picture", "{}/tones.png"],
     ["tones.png"]),
    (["adopt", "--ppd", "{}/laser.ppd", "{}/out.ppd"], ["out.ppd"]),
    (["release", "--ppd", "{}/adopted.ppd", "{}/out.ppd"], ["out.ppd"]),
]
# A file whose mistake each command mentions that reads settings.
MISTAKE = "[filter]\nbrightness = 33\nno-such-key = 1\n"
SOCKETS = '[daemon]\nsocket = "{0}/s"\nstatus-socket = "{0}/t"\n'
# Commands, a configuration, and what shows that they read it.
CONFIG = [
    (["show"], MISTAKE, "no-such-key"),
    (["show", "laser"], MISTAKE, "brightness = 33"),
    (["set", "laser", "gamma=1.1"], MISTAKE, "no-such-key"),
    (["unset", "laser", "gamma"], MISTAKE, "no-such-key"),
    (["check"], MISTAKE, "no-such-key"),
    (["test-page", "laser"], MISTAKE, "no-such-key"),
    (["calibrate", "print", "laser"], MISTAKE, "no-such-key"),
    (["preview", "--queue", "laser", "{}/a.pgm", "-o", "{}/p.png"],
     '[filter]\nhalftone-type = "bi-level"\n', "bi-level"),
    (["convert", "--engine", "remote", "{}/a.pgm", "{}/a.pbm"], SOCKETS, "{}/s"),
    (["status"], SOCKETS, "{}/t"),
]


def chart_rows(pbm):
    """The rows of a PBM file."""
    head = re.match(rb"P4\n(\d+) (\d+)\n", pbm)
    line = (int(head[1]) + 7) // 8
    data = pbm[head.end():]
    return [data[at:at + line] for at in range(0, len(data), line)]


class CommonOptions(AdoptCase):
    drivers = ("cups",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.start_cups()
        cls.environment["HALFTONED_CONF"] = str(cls.cups.conf)
        cls.cups.conf.write_text("[filter]\nbrightness = 5\n")
        cls.cups.conf.chmod(0o644)
        cls.add_two_queues()
        cls.inputs = cls.folder / "inputs"
        cls.inputs.mkdir()
        image = b"P5\n16 16\n255\n" + bytes(range(256))
        (cls.inputs / "a.pgm").write_bytes(image)
        (cls.inputs / "two.pgm").write_bytes(2 * image)
        (cls.inputs / "laser.ppd").write_bytes(cls.ppd("cups", "laserjet").read_bytes())
        cls.halftone("adopt", "--ppd", cls.inputs / "laser.ppd",
                     cls.inputs / "adopted.ppd")
        cls.charts()

    @classmethod
    def private_cups(cls, data=("types", "convs", "drv")):
        return super().private_cups(data)

    @classmethod
    def charts(cls):
        """Scans of both charts."""
        (cls.inputs / "x.curve").write_text("0 0\n255 255\n")
        for name, words in (("scan", ()),
                            ("second", ("--second", "--curve", cls.inputs / "x.curve"))):
            pbm = cls.inputs / "chart.pbm"
            cls.halftone("calibrate", "print", "-o", pbm, "--paper", "a6", *words)
            (cls.inputs / f"{name}.pgm").write_bytes(
                fake_scan.scan(chart_rows(pbm.read_bytes())))
            pbm.unlink()
        (cls.inputs / "x.curve").unlink()

    def room(self):
        """A folder with the inputs."""
        room = self.folder / "room"
        shutil.rmtree(room, ignore_errors=True)
        shutil.copytree(self.inputs, room)
        return room

    def test_json(self):
        for words, fields in JSON:
            room = self.room()
            with self.subTest(words):
                run = self.halftone(*(word.format(room) for word in words), "--json")
                self.assertEqual(run.stderr, "")
                lines = run.stdout.splitlines()
                self.assertGreater(len(lines), 0)
                for line in lines:
                    self.assertLessEqual(fields, set(json.loads(line)))

    def test_json_of_a_check_has_every_finding(self):
        kinds = [json.loads(line)["kind"]
                 for line in self.halftone("check", "--json").stdout.splitlines()]
        said = self.halftone("check", "--verbose").stdout.splitlines()
        self.assertEqual(kinds, [line.split(":")[0] for line in said
                                 if line.split(":")[0] in set(kinds)])
        self.assertIn("good", kinds)

    def test_no_clobber(self):
        for words, outputs in CLOBBER:
            for there in outputs:
                room = self.room()
                words_here = [word.format(room) for word in words]
                (room / there).parent.mkdir(exist_ok=True)
                (room / there).write_text("old")
                with self.subTest(words, there=there):
                    run = self.halftone(*words_here, "--no-clobber")
                    self.assertEqual(run.returncode, 1, run.stdout)
                    self.assertRegex(run.stderr, rf"{there.split('/')[-1]}.*already exists\n")
                    self.assertEqual((room / there).read_text(), "old")
                    # Without the option, it is replaced.
                    run = self.halftone(*words_here)
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertNotEqual((room / there).read_bytes(), b"old")
                    for output in outputs:
                        (room / output).unlink()
                    run = self.halftone(*words_here, "--no-clobber")
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertTrue((room / there).exists())

    def test_config(self):
        for words, text, shown in CONFIG:
            room = self.room()
            conf = room / "ours.conf"
            conf.write_text(text.format(room))
            conf.chmod(0o644)
            words = [word.format(room) for word in words]
            with self.subTest(words):
                for options in (["--config", conf], [f"--config={conf}"]):
                    run = self.halftone(*words, *options)
                    self.assertIn(shown.format(room), run.stdout + run.stderr)
                run = self.halftone(*words, "--config", room / "none.conf")
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertRegex(run.stderr, r"\Ahalftone: --config: '.*none\.conf' is not "
                                 r"a file that you can read\n\Z")


if __name__ == "__main__":
    adopt_case.main()

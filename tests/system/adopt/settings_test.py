#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`halftone set`, `unset` and `show` beside a real CUPS: the file keeps what it was,
a change is whole or refused with one line, and what is shown is what is true.

Usage: settings_test.py BUILD_FOLDER [unittest arguments]
"""

import os
import re
import subprocess

import adopt_case
from adopt_case import AdoptCase

TEXT = "# ours\n[filter]\ngamma = 1.5  # all\n\n[queue.labels]\nlevels = 2\n"


class SettingsOfQueues(AdoptCase):
    drivers = ("cups",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.start_cups()
        cls.places = cls.folder / "etc"
        cls.places.mkdir()
        cls.conf = cls.places / "halftoned.conf"
        cls.environment["HALFTONED_CONF"] = str(cls.conf)
        cls.add_two_queues()

    def setUp(self):
        self.conf.write_text(TEXT)
        self.conf.chmod(0o640)
        os.chown(self.conf, 0, 12345)

    def tearDown(self):
        self.assertEqual([path.name for path in self.places.iterdir()
                          if path.name.startswith(".halftone")], [])

    def refuse(self, *words, pattern, **options):
        before = self.conf.read_bytes() if self.conf.exists() else None
        run = self.halftone(*words, **options)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, rf"\Ahalftone: .*{pattern}.*\n\Z")
        after = self.conf.read_bytes() if self.conf.exists() else None
        self.assertEqual(after, before)

    def test_set_and_unset_change_nothing_else(self):
        said = self.succeed("set", "laser", "brightness=15", "technology=laser")
        self.assertEqual(said, f"laser: technology = laser  ({self.conf}, line "
                         f"10)\nlaser: brightness = 15  ({self.conf}, line 9)\n")
        self.assertEqual(self.conf.read_text(), TEXT +
                         "\n[queue.laser]\nbrightness = 15\n"
                         'technology = "laser"\n')
        self.succeed("set", "LASER", "brightness=-5.5")
        self.assertEqual(self.conf.read_text().count("[queue."), 2)
        self.assertIn("\nbrightness = -5.5\n", self.conf.read_text())
        self.succeed("unset", "laser", "brightness")
        self.assertIn("has no settings of its own",
                      self.succeed("unset", "laser", "--all-settings"))
        self.assertEqual(self.conf.read_text(), TEXT)
        status = self.conf.stat()
        self.assertEqual((status.st_mode & 0o777, status.st_gid),
                         (0o640, 12345))

    def test_a_dry_run_changes_nothing(self):
        before = self.conf.stat()
        said = self.succeed("set", "laser", "brightness=15", "--dry-run")
        self.assertEqual(said, f"laser: brightness = 15  ({self.conf}, line 9)\n"
                         "laser: nothing was changed\n")
        self.assertIn("labels: has no settings of its own",
                      self.succeed("unset", "-n", "labels", "--all-settings"))
        self.refuse("set", "-n", "laser", "gamma=11", pattern="gamma must be")
        self.refuse("set", "-n", "laser", "levels=4", "halftone-type=clustered",
                    pattern="only two levels.*nothing was changed")
        # Nobody needs rights to it.
        self.conf.chmod(0o644)
        run = self.halftone("set", "-n", "laser", "gamma=2", user="nobody",
                            group="nogroup", extra_groups=[])
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.conf.read_text(), TEXT)
        self.assertEqual(self.conf.stat().st_ino, before.st_ino)

    def test_several_queues_are_set_at_once_or_none(self):
        self.cups.add_queue("labels", self.ppd("cups", "zebra"),
                            f"file:{self.folder}/labels.prn")
        self.addCleanup(self.cups.command, "lpadmin", "-x", "labels")
        self.succeed("adopt", "labels")
        said = self.succeed("set", "laser", "labels", "brightness=15", "levels=4")
        self.assertEqual(re.findall(r"(\w+): (\w+) = ", said), [
            ("laser", "levels"), ("laser", "brightness"),
            ("labels", "levels"), ("labels", "brightness")])
        self.assertEqual(self.conf.read_text(), TEXT.replace(
            "levels = 2", "levels = 4") + "brightness = 15\n"
            "\n[queue.laser]\nbrightness = 15\nlevels = 4\n")
        self.refuse("set", "laser", "laesr", "gamma=2", pattern="laesr: CUPS has no such "
                    "queue; lpstat -e lists all; nothing was changed")
        self.refuse("unset", "laser", "brightnes", "levels", pattern="brightnes: is "
                    "neither a setting nor a queue .*; nothing was changed")
        self.succeed("unset", "laser", "labels", "levels", "brightness")
        self.assertNotIn("queue", self.conf.read_text())

    def test_all_queues_are_set_in_one_table(self):
        run = self.halftone("set", "--all", "gamma=2", "levels=4")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (
            0, f"[filter]: levels = 4  ({self.conf}, line 4)\n"
            f"[filter]: gamma = 2  ({self.conf}, line 3)\n",
            f"halftone: note: labels: keeps its own levels = 2  ({self.conf}, line 7)\n"))
        self.assertEqual(self.conf.read_text(),
                         TEXT.replace("= 1.5  # all\n", "= 2  # all\nlevels = 4\n"))
        self.assertIn(f"gamma = 2  ({self.conf}, line 3)\n", self.succeed("show", "laser"))
        self.assertEqual(self.succeed("unset", "--all", "gamma", "levels"),
                         f"[filter]: has no settings in {self.conf}\n")
        self.assertEqual(self.conf.read_text(),
                         TEXT.replace("[filter]\ngamma = 1.5  # all\n\n", "\n"))

    def test_a_link_and_a_new_file(self):
        target = self.places / "real.conf"
        self.conf.rename(target)
        self.addCleanup(target.unlink)
        self.conf.symlink_to(target)
        self.succeed("set", "laser", "levels=2")
        self.assertTrue(self.conf.is_symlink())
        self.assertTrue(target.read_text().startswith(TEXT))
        self.conf.unlink()
        old = os.umask(0o077)
        self.addCleanup(os.umask, old)
        self.succeed("set", "laser", "levels=2")
        self.assertEqual(self.conf.read_text(), "[queue.laser]\nlevels = 2\n")
        self.assertEqual(self.conf.stat().st_mode & 0o777, 0o644)

    def test_invalid_changes_are_refused(self):
        self.refuse("set", "laser", "gamma=11",
                    pattern=r"laser: gamma must be a number from 0\.1 to 10")
        self.refuse("set", "laser", "gamma=1,4",
                    pattern="not '1,4', with a point for decimals")
        for value in ("clusterd", "Clustred"):
            self.refuse("set", "laser", f"halftone-type={value}",
                        pattern=f"not '{value}'; did you mean 'clustered'\\?")
        self.refuse("set", "laser", "halftone-type=stochastic",
                    pattern="did you mean 'fine'")
        self.refuse("set", "laser", "type=screen",
                    pattern="did you mean 'halftone-type'")
        self.refuse("set", "laser", "=5", pattern="has no key")
        self.refuse("set", "laser", f"tone-curve={self.folder}/none",
                    pattern="tone curve .*nothing was changed")
        self.refuse("set", "laser", "levels=4", "halftone-type=clustered",
                    pattern="only two levels.*nothing was changed")
        self.conf.write_text(TEXT + "[queue.labels]\n")
        self.refuse("set", "laser", "gamma=1",
                    pattern=r"line 7: \[queue\.labels\] appears twice, first "
                    "in line 5.*nothing was changed")
        self.conf.write_text("[filter]\ngama = 1\n")
        self.refuse("set", "laser", "gamma=1", pattern="line 2: unknown key")

    def test_users_without_rights_are_told_who_has_them(self):
        self.conf.chmod(0o644)
        self.refuse("set", "laser", "gamma=1", user="nobody", group="nogroup",
                    extra_groups=[], pattern="nothing was changed; run the command with sudo")

    def test_a_curve_is_found_from_any_folder(self):
        (self.folder / "x.curve").write_text("0 0\n255 255\n")
        self.halftone("set", "laser", "tone-curve=x.curve", cwd=self.folder)
        self.assertIn(f'tone-curve = "{self.folder}/x.curve"',
                      self.conf.read_text())

    def test_show_says_where_each_setting_comes_from(self):
        self.succeed("set", "laser", "contrast=7")
        shown = self.succeed("show", "laser").splitlines()
        self.assertIn(f"gamma = 1.5  ({self.conf}, line 3)", shown)
        self.assertIn(f"contrast = 7  ({self.conf}, line 9)", shown)
        self.assertIn("toner-save = 0  (the default)", shown)
        self.assertEqual(self.succeed("show"),
                         f"[filter]: gamma = 1.5  ({self.conf}, line 3)\n"
                         f"labels: levels = 2  ({self.conf}, line 6)\n"
                         f"laser: contrast = 7  ({self.conf}, line 9)\n")
        self.conf.unlink()
        self.assertIn("contains no settings", self.succeed("show"))

    def test_overriding_values_are_reported(self):
        self.cups.command("lpadmin", "-p", "laser", "-o",
                          "halftonedBrightness=20")
        self.addCleanup(self.cups.command, "lpadmin", "-p", "laser", "-o",
                        "halftonedBrightness=auto")
        run = self.halftone("set", "laser", "brightness=5", "gamma=2")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr, r"\Ahalftone: note: laser: jobs still print with "
                                     r"brightness 20, from its PPD file, by "
                         r"lpadmin -o halftonedBrightness=\.\.\.\n\Z")

    def test_what_the_type_has_no_use_for_is_noted(self):
        run = self.halftone("set", "laser", "screen-lpi=45")
        self.assertEqual((run.returncode, run.stderr), (
            0, "halftone: note: laser: screen-lpi has no effect while halftone-type is "
               "fine\n"))
        self.succeed("set", "laser", "screen-lpi=45", "halftone-type=screen")

    def test_a_queue_that_is_not_ours_is_noted(self):
        pattern = "type: halftone adopt other"
        run = self.halftone("set", "other", "gamma=2")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr, rf"\Ahalftone: note: other: .*{pattern}\n\Z")
        run = self.halftone("show", "other")
        self.assertEqual(run.returncode, 1)
        self.assertIn("gamma = 2", run.stdout)
        self.assertRegex(run.stderr, pattern)

    def test_a_queue_that_is_not_there_is_refused(self):
        self.refuse("set", "laesr", "gamma=2", pattern="laesr: CUPS has no such "
                    "queue; lpstat -e lists all; nothing was changed")
        # Settings of a deleted queue can be unset.
        self.succeed("unset", "labels", "levels")
        # A machine may be set up before its CUPS runs.
        run = self.halftone("set", "labels", "levels=4",
                            env={**self.environment, "CUPS_SERVER":
                                 str(self.folder / "nothing")})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("levels = 4", self.conf.read_text())

    def test_many_at_a_time_lose_nothing(self):
        changes = ("brightness=1", "contrast=2", "levels=2", "toner-save=4",
                   "black-point=5", "technology=laser")
        running = [subprocess.Popen(
            [self.program, "set", "laser", change], text=True,
            env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) for change in changes]
        for process in running:
            said = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 0, said)
        text = self.conf.read_text()
        self.assertTrue(text.startswith(TEXT))
        self.assertEqual(text.count("[queue.laser]"), 1)
        for change in changes:
            key, value = change.split("=")
            self.assertRegex(text, rf'\n{key} = "?{value}"?\n')


if __name__ == "__main__":
    adopt_case.main()

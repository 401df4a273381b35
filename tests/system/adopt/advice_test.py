#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `halftone adopt` advises for queues of a real CUPS.

Usage: advice_test.py BUILD_FOLDER [unittest arguments]
"""

import re

import adopt_case
from queue_case import QueueCase


class Advice(QueueCase):
    def test_growing_data_is_reported(self):
        """With a remedy."""
        for driver, model, times in (("brlaser", "br2030", 5),
                                     ("splix", "ml1610", 9)):
            with self.subTest(model=model):
                queue = self.add(driver, model, adopt=False)
                for words in (["--dry-run"], []):
                    self.assertIn(
                        f"adopted; photographs become up to {times} times as "
                        "much data: if the printer runs out of memory, print "
                        "them with -o halftone-type=screen\n",
                        self.succeed("adopt", queue, *words))

    def test_growing_data_is_reported_once(self):
        queues = [self.add("brlaser", model, adopt=False)
                  for model in ("br2030", "br7030")]
        for words in (["--dry-run"], []):
            said = self.succeed("adopt", *queues, *words).splitlines()
            self.assertRegex(said[0], f"^{queues[0]}: .*adopted; photographs become ")
            self.assertRegex(
                said[1], f"^{queues[1]}: .*adopted; more data, as with {queues[0]}$")

    def test_a_slow_port_gets_the_type_that_sends_less(self):
        queue = self.add("brlaser", "br2030", adopt=False)
        self.cups.command("lpadmin", "-p", queue, "-v", "serial:/dev/null?baud=9600")
        for words in (["--dry-run"], []):
            self.assertIn(
                "adopted; photographs become up to 5 times as much data, and its "
                "serial port is slow: to send less, type: sudo halftone set "
                f"{queue} halftone-type=screen screen-lpi=150 screen-angle=0\n",
                self.succeed("adopt", queue, *words))
        self.assertIn(b"*DefaultcupsHalftoneType: auto", self.installed(queue))
        # After that command, there is no advice.
        self.addCleanup(self.cups.conf.unlink)
        self.environment["HALFTONED_CONF"] = str(self.cups.conf)
        self.addCleanup(self.environment.pop, "HALFTONED_CONF")
        self.succeed("set", queue, "halftone-type=screen")
        self.succeed("release", queue)
        self.assertNotIn("to send less", self.succeed("adopt", queue))

    def test_a_small_memory_gets_the_type_that_sends_less(self):
        ppd = self.folder / "small.ppd"
        ppd.write_text(self.ppd("brlaser", "br2030").read_text() + """\
*OpenUI *InstalledMemory/Memory: PickOne
*DefaultInstalledMemory: 2Meg
*InstalledMemory 2Meg/2 MB: ""
*InstalledMemory 32Meg/32 MB: ""
*CloseUI: *InstalledMemory
""")
        self.cups.add_queue("small", ppd, "file:/dev/null")
        self.addCleanup(self.cups.command, "lpadmin", "-x", "small")
        self.assertIn("and the printer has 2 MB of memory, as its PPD file says: to "
                      "send less, type: sudo halftone set small halftone-type=screen "
                      "screen-lpi=150 screen-angle=0\n",
                      self.succeed("adopt", "small"))
        self.succeed("release", "small")
        self.cups.command("lpadmin", "-p", "small", "-o", "InstalledMemory=32Meg")
        self.assertIn("adopted; photographs become up to 5 times as much data: if",
                      self.succeed("adopt", "small"))

    def test_printers_that_need_a_plugin_are_told(self):
        queue = self.add("hpcups", "hp-laserjet_1020", adopt=False)
        needs = ("its driver needs the HP plugin, adopted or not; to install it, type: "
                 "sudo hp-plugin")
        self.assertTrue(self.states()[queue].startswith(
            f"can be adopted: {needs}"))
        self.assertIn(f"{queue}: adopted; {needs}", self.succeed("adopt", queue))

    def test_a_queue_without_a_driver_is_told_what_to_type(self):
        """As lpadmin -m everywhere makes it, and as Foomatic does."""
        for name, line, words in (
                ("everywhere", "*cupsFilter2: \"image/urf image/urf 10 -\"",
                 ""),
                ("foomatic", "*cupsFilter: \"application/vnd.cups-postscript "
                 "0 foomatic-rip\"", " --language pcl5e")):
            text = self.ppd("cups", "laserjet").read_text()
            ppd = self.folder / f"{name}.ppd"
            ppd.write_text(re.sub(r"\*cupsFilter: .*", line, text, count=1))
            self.cups.add_queue(name, ppd, "file:/dev/null")
            self.assertRegex(self.refuse("adopt", name),
                             rf"type: halftone add {name} "
                             rf"file:/dev/null{words}\n\Z")
            self.assertRegex(self.states()[name], f"^no: .* add {name} ")


if __name__ == "__main__":
    adopt_case.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every model of Debian's drivers that take 1-bit raster, and of hpcups, which has
many, one of each kind: those that ask only for black bits are adopted, all others
refused; the adopted file is valid, survives an update of the driver, and can be
released.

Usage: models_test.py BUILD_FOLDER [unittest arguments]
"""

import gzip
import re
import subprocess

import adopt_case
from adopt_case import SOURCE, SOURCES, AdoptCase

DOCUMENTS = ("application/pdf", "application/postscript", "image/jpeg",
             "text/plain", "application/vnd.cups-raster", "image/pwg-raster")


def wants_black_bits(text):
    """Said a second time, from the text alone."""
    filters = re.findall(r'^\*cupsFilter: "(\S+) \d+ \S+"', text, re.MULTILINE)
    spaces = set(re.findall(r"/cupsColorSpace (\d+)", text))
    bits = set(re.findall(r"/cupsBitsPerColor (\d+)", text))
    return (set(filters) == {"application/vnd.cups-raster"} and
            spaces <= {"3"} and bits <= {"1"})


def nick_name(text):
    return re.search(r'^\*NickName: *"(.*)"', text, re.MULTILINE)[1]


def one_of_each_kind(ppds):
    """One of the models that differ only in names and sizes."""
    return {tuple(re.findall(
        rb"^\*(?:cupsFilter|hpPrinterLanguage|OpenUI|ColorModel|OutputMode).*",
        ppd.read_bytes(), re.MULTILINE)): ppd for ppd in ppds}.values()


class Models(AdoptCase):
    def sound(self, ppd, *words):
        """What cupstestppd has to say, without the name of the file."""
        run = subprocess.run(["cupstestppd", *words, ppd], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        return run.stdout.replace(str(ppd), "")

    def adopt(self, ppd, out):
        run = self.halftone("adopt", "--ppd", ppd, out)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertEqual(run.stderr == "", run.returncode == 0)
        self.assertLessEqual(run.stderr.count("\n"), 1)
        return run.returncode == 0

    def check_model(self, ppd):
        """Whether it was adopted."""
        out = self.folder / "adopted.ppd"
        text = ppd.read_bytes().decode("latin-1")
        adopted = self.adopt(ppd, out)
        self.assertEqual(adopted, wants_black_bits(text))
        self.assertEqual(out.exists(), adopted)
        if not adopted:
            return False
        self.assertEqual(self.sound(out), self.sound(ppd))
        self.assertFalse(self.adopt(out, self.folder / "twice.ppd"))
        back = self.folder / "released.ppd"
        run = self.halftone("release", "--ppd", out, back)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(back.read_bytes(), ppd.read_bytes())
        self.check_update(nick_name(text),
                          nick_name(out.read_bytes().decode("latin-1")))
        out.unlink()
        return True

    def check_update(self, original, adopted):
        """Debian's packages install the model anew whose name ends with the
        queue's; both without the version, by one of these expressions."""
        for version in ("", r",\s*\d+\.\d+[\d.]*$",
                        r",(\s*SpliX|)(\s*V\.?|)\s*[\d.]*$"):
            def plain(name, version=version):
                return re.sub(version, "", name, 1, re.IGNORECASE)
            self.assertTrue(plain(original).endswith(plain(original)))
            self.assertFalse(plain(original).endswith(plain(adopted)))

    def test_every_model(self):
        for driver in SOURCES:
            with self.subTest(driver=driver):
                models = sorted((self.folder / driver).glob("*.ppd"))
                if not models:
                    self.skipTest(f"SKIPPED: no {driver} here (Debian: "
                                  f"printer-driver-{driver})")
                if len(models) > 200:
                    models = list(one_of_each_kind(models))
                count = 0
                for ppd in models:
                    with self.subTest(model=ppd.stem):
                        count += self.check_model(ppd)
                print(f"{driver}: {count} of {len(models)} models adopted",
                      flush=True)
                self.assertGreater(count, 0)

    def test_models_that_programs_make(self):
        for driver, model in (("dymo", "lw450"), ("dymo", "lm450"),
                              ("gutenprint", "pcl-4"), ("gutenprint", "pcl-2"),
                              ("ptouch", "QL-570-ptouch-ql")):
            with self.subTest(model=model):
                ppd, out = self.ppd(driver, model), self.folder / "made.ppd"
                self.assertTrue(self.adopt(ppd, out))
                # Our programs are not installed, and Gutenprint declares
                # languages that it does not speak.
                words = ["-W", "filters", "-W", "translations"]
                for file in ppd, out:
                    self.assertTrue(
                        self.sound(file, *words).startswith(": PASS"))
                back = self.folder / "back.ppd"
                self.succeed("release", "--ppd", out, back)
                self.assertEqual(back.read_bytes(), ppd.read_bytes())
        for driver, model in (("gutenprint", "escp2-900"),
                              ("gutenprint", "datamax_oneil_RL3e")):
            with self.subTest(model=model):
                self.assertFalse(self.adopt(self.ppd(driver, model),
                                            self.folder / "refused.ppd"))

    def test_our_own_models_are_refused(self):
        subprocess.run(["ppdc", "-d", self.folder / "own",
                        SOURCE / "ppd/halftoned.drv"], check=True,
                       stdout=subprocess.DEVNULL)
        for ppd in (self.folder / "own").glob("*.ppd"):
            run = self.halftone("adopt", "--ppd", ppd, self.folder / "own.out")
            self.assertIn("already prints through rastertohalftone",
                          run.stderr)

    def test_compressed_files_and_pipes(self):
        ppd = self.ppd("cups", "laserjet")
        packed = self.folder / "laserjet.ppd.gz"
        packed.write_bytes(gzip.compress(ppd.read_bytes()))
        self.assertTrue(self.adopt(packed, self.folder / "unpacked.ppd"))
        self.assertTrue(self.adopt(ppd, self.folder / "plain.ppd"))
        text = (self.folder / "plain.ppd").read_bytes()
        self.assertEqual((self.folder / "unpacked.ppd").read_bytes(), text)
        run = self.halftone("adopt", "--ppd", ppd, "-")
        self.assertEqual(run.stdout.encode(), text)

    def test_mistakes_are_one_line_and_leave_nothing(self):
        bad = self.folder / "bad.ppd"
        bad.write_bytes(bytes(range(256)) * 20)
        laserjet = self.ppd("cups", "laserjet")
        for source, target in ((bad, "out"), (self.folder, "out"),
                               (self.folder / "none", "out"),
                               (laserjet, "no/folder/out")):
            run = self.halftone("adopt", "--ppd", source, self.folder / target)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertRegex(run.stderr, r"\Ahalftone: .*\n\Z")
            self.assertFalse((self.folder / target).exists())

    def test_the_input_is_not_overwritten(self):
        ppd = self.folder / "own.ppd"
        ppd.write_bytes(self.ppd("cups", "laserjet").read_bytes())
        link = self.folder / "link.ppd"
        link.symlink_to(ppd)
        text = ppd.read_bytes()
        for out in (ppd, link):
            run = self.halftone("adopt", "--ppd", ppd, out)
            self.assertEqual(
                (run.returncode, run.stdout, run.stderr),
                (1, "", f"halftone: {out}: is also the input; refusing to "
                        "overwrite it\n"))
            self.assertEqual(ppd.read_bytes(), text)

    # What else is printed on this machine.

    def chains(self, root, ppd):
        chains = {}
        for document in DOCUMENTS:
            run = subprocess.run(
                ["cupsfilter", "-c", root / "etc/cups-files.conf", "-p", ppd,
                 "-i", document, "-e", "-m", "printer/foo", "--list-filters",
                 "/dev/null"], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True)
            chains[document] = run.stdout.split()
        return chains

    def test_other_queues_are_led_as_before(self):
        without, having = self.private_cups(data=()), self.private_cups()
        self.addCleanup(without.remove)
        self.addCleanup(having.remove)
        ppds = sorted(ppd for driver in SOURCES
                      for ppd in (self.folder / driver).glob("*.ppd"))
        # Many models of a driver are alike.
        alike = {(ppd.parent, tuple(re.findall(rb"\*cupsFilter.*", data)),
                  b"cupsColorSpace 6" in data): ppd
                 for ppd, data in ((ppd, ppd.read_bytes()) for ppd in ppds)}
        self.assertGreater(len(alike), 5)
        for ppd in alike.values():
            with self.subTest(ppd=ppd.name):
                before = self.chains(without.root, ppd)
                self.assertTrue(before["application/pdf"])
                self.assertEqual(self.chains(having.root, ppd), before)
                self.check_adopted_chain(having.root, ppd, before)

    def check_adopted_chain(self, root, ppd, before):
        adopted = self.folder / "chain.ppd"
        if not self.adopt(ppd, adopted):
            return
        after = self.chains(root, adopted)
        for document in DOCUMENTS:
            *renderers, driver = before[document]
            self.assertEqual(after[document],
                             [*renderers, "rastertohalftone", driver])
        adopted.unlink()


if __name__ == "__main__":
    adopt_case.main()

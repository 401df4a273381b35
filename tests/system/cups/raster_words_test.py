#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pdftohalftone tells Ghostscript what gstoraster tells it, whatever the queue's PPD
file and the job's options say: a Ghostscript that writes down how it is called stands
in PATH before the system's. Models and choices are drawn at random.

Usage: raster_words_test.py BUILD_FOLDER [SEED]; exits 77 where gstoraster is missing
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from pdf_file import pdf_file

FILTERS = pathlib.Path("/usr/lib/cups/filter")
DRV = pathlib.Path("/usr/share/cups/drv")
MODELS = pathlib.Path(__file__).parents[3] / "ppd/halftoned.drv"
WITNESS = """#!/usr/bin/env python3
import json, os, sys
with open(os.environ["WITNESS"], "w") as file:
    json.dump({"words": sys.argv[1:], "program": sys.stdin.read()}, file)
"""
# What each has of its own: how it is quiet, and where document and pages are.
OWN = re.compile(r"-q|-dQUIET|-dSAFER|-dBATCH|-dNOPAUSE|-dNOPROMPT|-_|-|"
                 r"-sstdout=%stderr|-sOutputFile=%stdout|--permit-file-read=.*|"
                 r"-sDefaultCMYKProfile=.*")
# Models of each source.
MOST = 3


def document(remarks):
    """One empty page, with pdftopdf's remarks."""
    return pdf_file([b"<</Type/Catalog/Pages 2 0 R>>",
                     b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                     b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"],
                    remarks.encode())


def choices(ppd):
    """Each option of a PPD file with the names of its choices."""
    found = {}
    for line in ppd.read_text(encoding="latin-1").splitlines():
        if matched := re.match(r"\*(\w+) ([^/:\s]+)(/[^:]*)?: *\"", line):
            found.setdefault(matched[1], []).append(matched[2])
    opened = re.findall(r"^\*OpenUI \*(\w+)", ppd.read_text(encoding="latin-1"),
                        re.MULTILINE)
    return {name: found[name] for name in opened if name in found}


class Calls:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.gs = folder / "bin/gs"
        self.gs.parent.mkdir()
        self.gs.write_text(WITNESS, encoding="utf-8")
        self.gs.chmod(0o755)
        self.witness = folder / "witness"

    def of(self, program, ppd, options, final, pdf):
        self.witness.unlink(missing_ok=True)
        done = subprocess.run(
            [program, "1", "user", "title", "1", options], input=pdf,
            capture_output=True, check=False, env=dict(
                os.environ, PPD=str(ppd), PRINTER="witnessed",
                FINAL_CONTENT_TYPE=final, TMPDIR=str(self.folder),
                PATH=f"{self.gs.parent}:{os.environ['PATH']}",
                WITNESS=str(self.witness), HALFTONED_CONF="/nonexistent"))
        if not self.witness.exists():
            raise AssertionError(f"{program} {ppd.name}: {done.stderr[-500:]}")
        called = json.loads(self.witness.read_text(encoding="utf-8"))
        words = [word for word in called["words"] if not OWN.fullmatch(word)]
        start = words.index("-c")
        return sorted(words[:start]), words[start:], called["program"]

    def models(self, chance):
        """PPD files, those of our own queues and those that have been adopted."""
        for source in [MODELS, *sorted(DRV.glob("*.drv"))]:
            made = self.folder / source.stem
            subprocess.run(["ppdc", "-d", made, source], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Embossers take none, and have lines that are too long for libcups.
            models = [ppd for ppd in sorted(made.glob("*.ppd"))
                      if b"vnd.cups-raster" in ppd.read_bytes()]
            for ppd in chance.sample(models, min(MOST, len(models))):
                adopted = ppd.with_suffix(".adopted")
                done = subprocess.run(
                    [self.build / "tools/halftone", "adopt", "--ppd", ppd,
                     adopted], check=False, capture_output=True,
                    env=dict(os.environ, HALFTONED_LIBEXEC=str(
                        self.build / "tools/adopt")))
                if done.returncode != 0:
                    adopted.write_bytes(ppd.read_bytes() +
                                        b'*halftonedOutput: "cups-raster"\n')
                yield adopted


def compare(calls, ppd, options, final, pdf):
    """Returns whether they differ, and shows how."""
    theirs, their_code, _ = calls.of(FILTERS / "gstoraster", ppd, options, final,
                                     pdf)
    ours, our_code, program = calls.of(calls.build / "filter/pdftohalftone", ppd,
                                       options, final, pdf)
    # It may come later: it is the document that says it.
    if copies := re.search(r"/NumCopies (\d+)", program):
        ours = sorted([word for word in ours if "-dNumCopies" not in word] +
                      ([f"-dNumCopies={copies[1]}"] if copies[1] != "1" else []))
    if "/Collate false" in program:
        ours.remove("-dCollate")
    if (theirs, their_code) == (ours, our_code):
        return False
    print(f"{ppd.name}, {options!r}, {final}:\n  only gstoraster: "
          f"{sorted(set(theirs + their_code) - set(ours + our_code))}\n  only "
          f"pdftohalftone: {sorted(set(ours + our_code) - set(theirs + their_code))}")
    return True


def main():
    if not (FILTERS / "gstoraster").exists():
        sys.exit(77)
    build = pathlib.Path(sys.argv[1]).resolve()
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        calls = Calls(build, pathlib.Path(folder))
        count = differ = 0
        for ppd in calls.models(chance):
            for remarks in ("", "%%PDFTOPDFNumCopies : 3\n%%PDFTOPDFCollate : true\n"):
                picked = {name: chance.choice(names)
                          for name, names in choices(ppd).items()
                          if remarks and chance.random() < 0.4}
                if remarks and chance.random() < 0.3:
                    picked["center-of-pixel"] = "true"
                options = " ".join(f"{name}={value}"
                                   for name, value in picked.items())
                final = chance.choice(("printer/witnessed", "image/pwg-raster"))
                differ += compare(calls, ppd, options, final, document(remarks))
                count += 1
    print(f"{count} calls, {differ} of them differ")
    sys.exit(1 if differ or count < 20 else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's picture: the page of ./demo, as CUPS prints it without and with halftoned.

    bench/pictures/before_after.py [--build FOLDER] [--save FILE]

Prints through a private CUPS and draws both prints, as ./demo does. Needs root, the
targets rastertohalftone, pdftohalftone and halftone, and the packages that
cmake/install-packages demo installs.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ROOT / "tests/system/cups/demo"
sys.path.append(str(ROOT / "bench"))
import record  # noqa: E402


def part(name, *words, **options):
    subprocess.run([sys.executable, "-B", PARTS / name, *words], check=True, **options)


def main():
    options = record.parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        page, prints = folder / "page.pdf", folder / "prints"
        part("demo_page.py", page)
        with page.open("rb") as document, prints.open("wb") as archive:
            part("demo_print.py", options.build, stdin=document, stdout=archive)
        part("demo_picture.py", options.build / "tools/halftone", prints,
             options.save or ROOT / "bench/results/pictures/before-after.png")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ipptool's suites (Debian: cups-ipp-utils) against halftone-printer-app and
says what failed: IPP/1.1, IPP/2.0 and IPP Everywhere, for a printer of each kind.
The documents that the suites print are made here. Takes some minutes.

ipp_suites.py BUILD_FOLDER
"""

import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests/system"
sys.path += [str(TESTS / "cups"), str(TESTS / "printer_app")]
import cups_raster  # noqa: E402
from server import Application  # noqa: E402

SUITES = pathlib.Path("/usr/share/cups/ipptool")
NAMES = ("ipp-1.1", "ipp-2.0", "ipp-everywhere")
PRINTERS = ("pwg", "pcl5e", "zpl-203dpi")
PAPERS = {"a4": (595, 842), "letter": (612, 792), "4x6": (288, 432)}


def draw(device, paper, file, *options):
    width, height = PAPERS[paper]
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-dpages=1",
                    f"-dDEVICEWIDTHPOINTS={width}",
                    f"-dDEVICEHEIGHTPOINTS={height}", f"-sDEVICE={device}",
                    f"-sOutputFile={file}", *options, TESTS / "cups/sample.ps"],
                   check=True)


@functools.cache
def raster(paper, dpi):
    """PWG raster of sGray."""
    with tempfile.NamedTemporaryFile() as drawn:
        draw("pgmraw", paper, drawn.name, f"-r{dpi}")
        data = pathlib.Path(drawn.name).read_bytes()
    found = re.search(rb"(\d+) (\d+)\s+255\s", data)
    width, height, at = int(found[1]), int(found[2]), found.end()
    points = PAPERS[paper]
    header = cups_raster.page_header(
        width, height, "SW", dpi=(dpi, dpi), MediaClass=b"PwgRaster",
        PageSize0=points[0], PageSize1=points[1])
    return cups_raster.sync_word(2, ">") + cups_raster.pack_page(
        header, data[at:at + width * height], 2, ">")


def make_documents(folder):
    """All that the suites name; what no printer here takes is empty."""
    for suite in SUITES.glob("*.test"):
        shutil.copy(suite, folder)
        for name in re.findall(r"^\s*FILE ([\w./-]+)$", suite.read_text(), re.M):
            if not name.startswith(".."):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()
    for file in folder.rglob("*"):
        paper = next((name for name in PAPERS if name in file.name), "a4")
        samples = re.fullmatch(r"pwg-raster-samples-(300|600)dpi",
                               file.parent.parent.name)
        if samples and file.parent.name == "sgray-8":
            file.write_bytes(raster(paper, int(samples[1])))
        elif file.suffix == ".pdf":
            draw("pdfwrite", paper, file)
        elif file.suffix == ".ps":
            draw("ps2write", paper, file)
        elif file.suffix == ".jpg":
            draw("jpeg", "4x6", file, "-r100")


def run(suite, uri, folder):
    """Counts by result, and for each test that failed what was expected."""
    shown = subprocess.run(
        ["ipptool", "-tI", "-f", folder / "color.jpg", uri, f"{suite}.test"],
        cwd=folder, capture_output=True, text=True)
    counts, failed, lines = {}, {}, []
    for line in (shown.stdout + shown.stderr).splitlines():
        found = re.fullmatch(r"    (\S.*?)\s+\[(PASS|FAIL|SKIP)\]", line)
        if found:
            counts[found[2]] = counts.get(found[2], 0) + 1
            lines = failed.setdefault(found[1], []) if found[2] == "FAIL" else []
        elif re.match(r"\s+(EXPECTED|GOT|status-(code|message))|ipptool:", line):
            lines.append(line.strip())
    return counts, failed


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    app = Application(build / "printer_app/halftone-printer-app")
    app.start()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_documents(folder)
            for printer in PRINTERS:
                app.run("add", "-d", printer, "-m", printer, "-v",
                        "file:///dev/null")
                for suite in NAMES:
                    counts, failed = run(suite, app.uri(printer), folder)
                    print(f"{printer}, {suite}:", ", ".join(
                        f"{count} {result}" for result, count in
                        sorted(counts.items())), flush=True)
                    for test, lines in failed.items():
                        print(f"  {test}", *lines, sep="\n    ", flush=True)
    finally:
        app.close()


if __name__ == "__main__":
    main()

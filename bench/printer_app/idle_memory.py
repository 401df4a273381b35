#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much memory halftone-printer-app has when it is idle, with two printers, after
a start: for its front and for PAPPL's process, all that is resident, its share where
others have the same pages, what it alone has written to; and by file, in KiB.

Usage: idle_memory.py BUILD_FOLDER
"""

import collections
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests/system/printer_app")]
from kit.server import Application, Listener  # noqa: E402

MAPPING = re.compile(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)")
KINDS = ("Rss", "Pss", "Private_Dirty")


def memory_of(process):
    """By file and kind."""
    sizes = collections.defaultdict(collections.Counter)
    name = None
    for line in pathlib.Path(f"/proc/{process}/smaps").read_text().splitlines():
        if found := MAPPING.match(line):
            name = found[1].rsplit("/", 1)[-1] or "anonymous"
        else:
            kind, _, value = line.partition(":")
            if kind in KINDS:
                sizes[name][kind] += int(value.split()[0])
    return sizes


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / \
        "printer_app/halftone-printer-app"
    with tempfile.TemporaryDirectory() as folder:
        app = Application(str(program), folder)
        app.start()
        printer = Listener()
        app.run("add", "-d", "laser", "-m", "pcl5e", "-v", printer.uri)
        app.run("add", "-d", "labels", "-m", "zpl-203dpi", "-v", printer.uri)
        app.end()
        app.start()
        # It answers when both printers are there.
        assert app.run("printers").count("\n") == 2
        processes = [("front", memory_of(app.process.pid)),
                     ("PAPPL", memory_of(app.behind()))]
        app.kill()
    print("| KiB | resident | in proportion | its own |\n|---|---:|---:|---:|")
    for process, sizes in processes:
        total = sum(sizes.values(), collections.Counter())
        for name, each in [("all", total), *sorted(
                sizes.items(), key=lambda item: -item[1]["Rss"])[:20]]:
            print(f"| {process}: {name} | " +
                  " | ".join(str(each[kind]) for kind in KINDS) + " |")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `halftone` beside halftone-printer-app, as they are installed, in a
folder of their own and with a halftoned.conf of their own; CUPS does not run.
HALFTONE, HALFTONE_ADOPT and PRINTER_APP are programs."""

import os
import pathlib
import subprocess

from kit.server import Application

PROGRAMS = {"bin/halftone": os.environ["HALFTONE"],
            "bin/halftone-printer-app": os.environ["PRINTER_APP"],
            "libexec/halftoned/halftone-adopt": os.environ["HALFTONE_ADOPT"],
            "libexec/halftoned/halftone-sheets":
                os.path.dirname(os.environ["PRINTER_APP"]) + "/sheets/halftone-sheets"}


class Installed:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name, program in PROGRAMS.items():
            place = self.folder / name
            # Root takes programs from folders of root's alone.
            place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            place.symlink_to(program)
        self.conf = self.folder / "halftoned.conf"
        self.conf.touch()
        (self.folder / "state").mkdir(mode=0o700)
        self.server = Application(
            PROGRAMS["bin/halftone-printer-app"], self.folder / "state",
            environment={
                "HALFTONED_CONF": str(self.conf),
                "HALFTONED_LIBEXEC": str(self.folder / "libexec/halftoned"),
                "CUPS_SERVER": str(self.folder / "no-cups")})

    def run(self, *words):
        return subprocess.run(
            [str(word) for word in (self.folder / "bin/halftone", *words)],
            text=True, env=self.server.environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=60)

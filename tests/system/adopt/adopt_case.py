# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of `halftone adopt` share: the drivers of Debian that take 1-bit
raster, their PPD files, the command, and a CUPS that has our filter."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent.parent
sys.path.insert(0, str(HERE.parent / "cups"))

from private_cups import PrivateCups, become_root  # noqa: E402

DRV = pathlib.Path("/usr/share/cups/drv")
# By driver: the sources of its models.
SOURCES = {
    "cups": ["sample.drv"],
    "brlaser": ["brlaser.drv"],
    "splix": ["splix-dell.drv", "splix-lexmark.drv", "splix-samsung.drv",
              "splix-toshiba.drv", "splix-xerox.drv"],
    "hpcups": ["hpcups.drv"],
    "sag-gdi": ["rastertosag-gdi.drv"],
}

# Models that a program of CUPS' folder `driver` makes: its name, and the model's.
MADE = {
    "dymo": ("dymo", "dymo:0/cups/model/{}.ppd"),
    "foo2zjs": ("foo2zjs", "foo2zjs:0/ppd/foo2zjs/{}.ppd"),
    "gutenprint": ("gutenprint.5.3", "gutenprint.5.3://{}/expert"),
    "ptouch": ("ptouch", "ptouch:0/ppd/ptouch-driver/Brother-{}.ppd"),
}

CUPS = tuple(int(number) for number in subprocess.run(
    ["cups-config", "--version"], check=True, text=True,
    capture_output=True).stdout.strip().split("."))


class AdoptCase(unittest.TestCase):
    build = None  # the build folder
    drivers = SOURCES  # whose PPD files are made first

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="halftoned-adopt-"))
        cls.folder.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # A folder where other users can run them, wherever they were built.
        for program in ("tools/halftone", "tools/adopt/halftone-adopt"):
            os.chmod(shutil.copy(cls.build / program, cls.folder), 0o755)
        cls.program = cls.folder / "halftone"
        cls.environment = dict(os.environ, LC_ALL="C",
                               HALFTONED_LIBEXEC=str(cls.folder))
        for driver in cls.drivers:
            for source in SOURCES[driver]:
                if (DRV / source).exists():
                    subprocess.run(
                        ["ppdc", "-d", cls.folder / driver, DRV / source],
                        check=True, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)

    @classmethod
    def ppd(cls, driver, name):
        """A driver's PPD file; skips the test where it is not installed."""
        path = cls.folder / driver / f"{name}.ppd"
        if driver in MADE and not path.exists():
            cls.make_ppd(path, *MADE[driver])
        if not path.exists():
            raise unittest.SkipTest(
                f"SKIPPED: no {driver} here (Debian: printer-driver-{driver})")
        return path

    @staticmethod
    def make_ppd(path, program, model):
        program = pathlib.Path("/usr/lib/cups/driver", program)
        if program.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(subprocess.run(
                [program, "cat", model.format(path.stem)], check=True,
                stdout=subprocess.PIPE).stdout)

    @classmethod
    def halftone(cls, *words, **options):
        return subprocess.run(
            [str(word) for word in (cls.program, *words)],
            text=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            **{"env": cls.environment, "stdout": subprocess.PIPE, **options})

    def succeed(self, *words):
        run = self.halftone(*words)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    @classmethod
    def document(cls, name, pages):
        path = cls.folder / name
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sPAPERSIZE=a6", "-sDEVICE=pdfwrite",
                        f"-dpages={pages}", f"-sOutputFile={path}",
                        HERE.parent / "cups/sample.ps"], check=True)
        return path

    @classmethod
    def private_cups(cls, data=("types", "convs")):
        """With the filter in a coat that keeps what passes."""
        return PrivateCups(
            {"rastertohalftone": HERE / "capture",
             "keep": HERE / "keep",
             "rastertohalftone.real": cls.build / "filter/rastertohalftone"},
            backends=dict.fromkeys(("stuck", "serial"),
                                   HERE.parent / "cups/stuck_printer"),
            data=[SOURCE / f"ppd/halftoned.{kind}" for kind in data])

    @classmethod
    def start_cups(cls):
        """A private CUPS for the whole class, which the command talks to."""
        cls.cups = cls.private_cups()
        cls.addClassCleanup(cls.cups.remove)
        cls.addClassCleanup(cls.cups.stop)
        cls.cups.start()
        cls.environment["CUPS_SERVER"] = cls.cups.socket

    @classmethod
    def add_two_queues(cls):
        """One of them adopted."""
        for queue in ("laser", "other"):
            cls.cups.add_queue(queue, cls.ppd("cups", "laserjet"),
                               f"file:{cls.cups.out}/{queue}.prn")
        assert cls.halftone("adopt", "laser").returncode == 0


def main():
    """Runs the tests of the program, whose first argument is the build folder."""
    become_root()
    AdoptCase.build = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: wheel.py BUILD

Installs the package with pip into a virtual environment, without a network, and runs its
tests there; examines the wheel and the source distribution. Takes the vector cores of
BUILD. Exits with 77 if scikit-build-core is missing, as in Debian 12."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
OFFLINE = ("--no-build-isolation", "--no-deps", "--no-index")


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}")
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.environment = {name: value for name, value in os.environ.items()
                           if name not in ("PYTHONPATH", "LIBHALFTONE")}
        cls.environment["SOURCE_DATE_EPOCH"] = "1700000000"
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", cls.folder / "env")
        cls.python = cls.folder / "env/bin/python"
        cls.wheel = cls.make("first", SOURCE)

    @classmethod
    def make(cls, name, source):
        """The wheel of a source tree, made in a new directory."""
        run(cls.python, "-m", "pip", "wheel", *OFFLINE, "-w", cls.folder / name, source,
            f"--config-settings=build-dir={cls.folder / name / 'build'}",
            f"--config-settings=cmake.define.HALFTONED_CORES={BUILD}", env=cls.environment)
        wheel, = (cls.folder / name).glob("*.whl")
        return wheel

    def test_works_after_pip_install(self):
        run(self.python, "-m", "pip", "install", *OFFLINE, self.wheel)
        place = run(self.python, "-c", "import halftoned; print(halftoned.__file__)",
                    env=self.environment, cwd="/")
        self.assertTrue(place.startswith(str(self.folder)), place)
        print(run(self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE,
                  env=self.environment, cwd="/"))

    def test_has_the_package_and_one_library(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        sources = (SOURCE / "packaging/python/halftoned").glob("*.py")
        self.assertEqual(names, {"halftoned/libhalftone.so", "halftoned/py.typed"} |
                         {f"halftoned/{path.name}" for path in sources})
        self.assertRegex(self.wheel.name, r"^halftoned-[0-9.]+-py3-none-linux_\w+\.whl$")

    def test_needs_only_libc(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            library = wheel.extract("halftoned/libhalftone.so", self.folder)
        needed = re.findall(r"\(NEEDED\).*\[(.*?)\.so", run("readelf", "-d", library))
        self.assertLessEqual({*needed}, {"libc", "libm", "ld-linux-x86-64",
                                         "ld-linux-aarch64"})
        exported = run("nm", "-D", "--defined-only", "--format=posix", library)
        for line in exported.splitlines():
            name, kind = line.split()[:2]
            self.assertTrue(kind == "A" or name.startswith("ht_"), line)

    def test_comes_out_the_same_again_and_from_the_source_distribution(self):
        # The backend's hook, which pip calls for other wheels only.
        run(self.python, "-c", "import scikit_build_core.build as backend, sys\n"
            "backend.build_sdist(sys.argv[1])", self.folder, env=self.environment,
            cwd=SOURCE)
        archive, = self.folder.glob("halftoned-*.tar.gz")
        (self.folder / "source").mkdir()
        run("tar", "-xf", archive, "-C", self.folder / "source")
        tree, = (self.folder / "source").iterdir()
        again = self.make("again", tree)
        with zipfile.ZipFile(self.wheel) as one, zipfile.ZipFile(again) as other:
            self.assertEqual(one.namelist(), other.namelist())
            for name in one.namelist():
                self.assertEqual(one.read(name), other.read(name), name)
        self.assertEqual(self.wheel.read_bytes(), again.read_bytes())


if __name__ == "__main__":
    if importlib.util.find_spec("scikit_build_core") is None:
        print("not run: this Python has no module scikit_build_core")
        sys.exit(77)
    BUILD = pathlib.Path(sys.argv.pop()).resolve()
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the page and tests it in Chromium.

    page_tests.py HALFTONE NPM_PACKAGE [TEST ...]

Exits with 77, for ctest, if the npm package, Chromium or a Python module is missing.
axe-core, which checks accessibility, comes from npm; without npm or a network, that test
is skipped.
"""

import base64
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = 77
AXE = "axe-core@4.10.3"
AXE_SHA512 = ("Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIc"
              "rgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg==")


def missing(package):
    if not (package / "halftoned.wasm").exists():
        return f"{package}: no npm package"
    if not shutil.which("chromium"):
        return "no chromium"
    for module in ("websocket", "numpy", "PIL"):
        try:
            __import__(module)
        except ImportError:
            return f"no Python module {module}"
    return None


def axe(room):
    """The file of axe-core, or None."""
    if not shutil.which("npm"):
        return None
    packed = subprocess.run(["npm", "pack", "--silent", AXE], cwd=room, text=True,
                            stdout=subprocess.PIPE)
    if packed.returncode != 0:
        return None
    data = (room / packed.stdout.strip()).read_bytes()
    digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if digest != AXE_SHA512:
        sys.exit(f"{AXE} has an unknown checksum: {digest}")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        script = room / "axe.min.js"
        script.write_bytes(archive.extractfile("package/axe.min.js").read())
        return script


def main():
    halftone, package, *names = sys.argv[1:]
    package = pathlib.Path(package).resolve()
    if reason := missing(package):
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        room = pathlib.Path(name)
        subprocess.run([ROOT / "web/page/build", room / "page", package], check=True)
        os.environ["HALFTONED_PAGE"] = str(room / "page")
        os.environ["HALFTONE"] = str(pathlib.Path(halftone).resolve())
        if script := axe(room):
            os.environ["HALFTONED_AXE"] = str(script)
        sys.path.insert(0, str(HERE))
        loader = unittest.defaultTestLoader
        suite = (loader.loadTestsFromNames(names) if names else
                 loader.discover(str(HERE), "*_test.py", str(HERE)))
        result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()

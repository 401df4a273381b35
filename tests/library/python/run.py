# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: run.py pytest | mypy [ARGUMENT...]

Runs the tests here, or checks the package's types. Exits with 77 if a module that this
needs is missing."""

import importlib.util
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
NEEDED = {"pytest": ("pytest", "numpy", "PIL"), "mypy": ("mypy", "numpy")}
ARGUMENTS = {"pytest": ("-q", "-p", "no:cacheprovider", str(HERE)), "mypy": ()}

tool, *words = sys.argv[1:]
for module in NEEDED[tool]:
    if importlib.util.find_spec(module) is None:
        print(f"not run: this Python has no module {module}")
        sys.exit(77)
os.chdir(HERE.parents[2])  # where pyproject.toml is
os.execv(sys.executable, [sys.executable, "-m", tool, *ARGUMENTS[tool], *words])

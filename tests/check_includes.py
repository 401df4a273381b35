#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes point one way: programs -> wire, config -> halftone -> base.

Also: the engine's pure part includes no system header but those of C++, and
CUDA's headers are seen by .cu and .cuh files alone. A folder of sources that
is not listed here is an offence too. Prints each as file:line; exits 1 if
there is any. Usage: check_includes.py SOURCE_FOLDER
"""

import pathlib
import re
import sys

# What a folder may include of the others, by the first part of the path.
ALLOWED = {
    "engine/base": {"base"},
    "engine/halftone": {"halftone", "base"},
    "engine/wire": {"wire", "halftone", "base"},
    "engine/config": {"config", "halftone", "base"},
    "engine/daemon": {"daemon", "config", "wire", "halftone", "base"},
    "filter": {"filter", "config", "wire", "halftone", "base"},
    "tools": {"tools", "daemon", "wire", "halftone", "base"},
}
HOUSE = {"base", "halftone", "wire", "config", "daemon", "filter", "tools",
         "tests"}
SOURCES = {".h", ".cc", ".cu", ".cuh", ".inc"}

# engine/base has descriptors too, which the pure engine must not know.
PURE_OF_BASE = {"base/result.h"}
# Headers of C++ are single words; these words are not pure.
IMPURE_WORDS = {"csignal", "cstdio", "filesystem", "fstream", "iostream",
                "syncstream"}
CUDA = re.compile(r"(cuda|cub/|cooperative_groups|vector_types)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def is_pure(header):
    word = header.removesuffix(".h")
    if word == header:
        return ("/" not in header and header not in IMPURE_WORDS)
    return (header.startswith(("hwy/", "halftone/")) or header in PURE_OF_BASE
            or re.fullmatch(r"\w*intrin\.h|cpuid\.h", header) is not None)


def complaint(folder, path, header):
    """What is wrong with this include, or None."""
    first = header.split("/")[0]
    if ".." in header.split("/"):
        return "goes up"
    if first in HOUSE and first not in ALLOWED[folder]:
        return "points the wrong way"
    if path.suffix in (".cu", ".cuh") or "cuda" in path.parts:
        pure = True  # it has the device's headers beside the engine's
    else:
        pure = folder != "engine/halftone" or is_pure(header)
    if not pure:
        return "is not for the pure engine"
    if path.suffix not in (".cu", ".cuh") and CUDA.match(header):
        return "is for .cu files"
    return None


def offences(root, folder, path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        wrong = complaint(folder, path, match[1])
        # A program names its own headers from its own root.
        if not wrong and (folder.startswith("engine") and '"' in line
                          and "/" not in match[1]):
            wrong = "does not say which folder it is from"
        if wrong:
            yield f"{path.relative_to(root)}:{number}: {match[1]} {wrong}"


def folder_of(relative):
    for folder in ALLOWED:
        if str(relative).startswith(folder + "/"):
            return folder
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    files = 0
    bad = []
    for top in ("engine", "filter", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            files += 1
            folder = folder_of(path.relative_to(root))
            if folder:
                bad += offences(root, folder, path)
            else:
                bad.append(f"{path.relative_to(root)}:1: is in a folder that "
                           "nobody has given its place")
    for offence in bad:
        print(offence)
    print(f"{files} files, {len(bad)} offences")
    return 1 if bad or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

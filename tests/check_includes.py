#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes point one way: programs -> print -> control -> wire, config -> halftone
-> base. The C library is beside the programs, and nothing of ours but the npm
package includes its header.

Also: the engine's pure part includes no system header but those of C++, and
CUDA's headers are seen by .cu and .cuh files alone. A folder of sources that
is not listed here is an offence too. Prints each as file:line; exits 1 if
there is any. Usage: check_includes.py SOURCE_FOLDER
"""

import pathlib
import re
import sys

# What a folder may include, by the first parts of the path. The rooms of
# engine/halftone keep an order of their own: look prepares pages with the vector
# units of cpu, and no engine knows what a page should look like.
PAGE = {"halftone/page", "halftone/blue_noise", "base"}
RUN = PAGE | {"halftone/run"}
CPU = RUN | {"halftone/cpu"}
# The kernels' rooms are siblings over what they share; the host knows them all.
KERNEL = PAGE | {"halftone/gpu/common"}
# The daemon opens engines, and sees no kernel.
DAEMON_OF_HALFTONE = RUN | {"halftone/look", "halftone/cpu/local_engines.h"}
# So does the C library.
LIBRARY = DAEMON_OF_HALFTONE | {"library", "halftoned", "halftone/palette"}
ALLOWED = {
    "engine/base": {"base"},
    "engine/halftone/blue_noise": {"halftone/blue_noise"},
    "engine/halftone/page": PAGE,
    "engine/halftone/run": RUN,
    "engine/halftone/cpu": CPU,
    "engine/halftone/gpu/common": KERNEL,
    "engine/halftone/gpu/collect": KERNEL | {"halftone/gpu/collect"},
    "engine/halftone/gpu/spread": KERNEL | {"halftone/gpu/spread"},
    "engine/halftone/gpu/decide": KERNEL | {"halftone/gpu/decide"},
    "engine/halftone/gpu/swap": KERNEL | {"halftone/gpu/swap"},
    "engine/halftone/gpu/host": RUN | {"halftone/gpu"},
    # Palettes have pages of their own, and the vectors of cpu.
    "engine/halftone/palette": PAGE | {"halftone/palette", "halftone/cpu/simd"},
    "engine/halftone/look": CPU | {"halftone/look"},
    "engine/library": LIBRARY,
    "engine/wire": {"wire", "halftone", "base"},
    "engine/control": {"control", "wire", "base"},
    "engine/config": {"config", "halftone", "base"},
    # CUDA is in one program.
    "engine/daemon/worker/cuda": {"daemon", "halftone/gpu/host", "wire", "base"}
                                 | DAEMON_OF_HALFTONE,
    "engine/daemon": ({"daemon", "config", "control", "wire", "base"}
                      | DAEMON_OF_HALFTONE),
    # Files and their formats know nothing of printing.
    "print/file": {"print/file", "halftone", "base"},
    "print/image": {"print/image", "print/file", "halftone", "base"},
    "print": {"print", "config", "wire", "halftone", "base"},
    "filter": {"filter", "print", "config", "wire", "halftone", "base"},
    # What decides over requests knows nothing of PAPPL.
    "printer_app/front/rules": {"printer_app/front/rules", "halftone", "base"},
    "printer_app/front": {"printer_app/front", "printer_app/handover", "halftone",
                          "base"},
    "printer_app/handover": {"printer_app/handover", "base"},
    "printer_app": {"printer_app", "print", "config", "wire", "halftone", "base"},
    "web": {"web", "library", "halftoned", "print/image", "halftone", "base"},
    "tools": {"tools", "print", "config", "control", "wire", "halftone", "base"},
}
HOUSE = {"base", "halftone", "halftoned", "library", "wire", "config", "control",
         "daemon", "print", "filter", "printer_app", "tools", "web", "tests",
         "bench"}
SOURCES = {".h", ".cc", ".cu", ".cuh", ".inc"}

# engine/base has descriptors too, which the pure engine must not know.
PURE_OF_BASE = {"base/result.h", "base/text.h"}
# Headers of C++ are single words; these words are not pure.
IMPURE_WORDS = {"csignal", "cstdio", "filesystem", "fstream", "iostream",
                "syncstream"}
CUDA = re.compile(r"(cuda|cub/|cooperative_groups|vector_types)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def is_pure(header):
    word = header.removesuffix(".h").removesuffix(".inc")
    if word == header:
        return ("/" not in header and header not in IMPURE_WORDS)
    return (header.startswith(("hwy/", "halftone/")) or header in PURE_OF_BASE
            or re.fullmatch(r"\w*intrin\.h|cpuid\.h", header) is not None)


def complaint(folder, path, header):
    """Why this include is wrong, or None."""
    parts = header.split("/")
    if ".." in parts:
        return "goes up"
    rooms = {"/".join(parts[:n]) for n in range(1, len(parts) + 1)}
    if parts[0] in HOUSE and not rooms & ALLOWED[folder]:
        return "points the wrong way"
    if CUDA.match(header) or header.endswith(".cuh"):
        return None if path.suffix in (".cu", ".cuh") else "is for .cu files"
    if folder.startswith("printer_app/front") and parts[0] == "pappl":
        return "is not for the front"
    if folder.startswith("engine/halftone/") and not is_pure(header):
        return "is not for the pure engine"
    return None


def offences(root, folder, path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        wrong = complaint(folder, path.relative_to(root), match[1])
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


def check(root):
    """The number of sources, and what is wrong in them, a line each."""
    files = 0
    bad = []
    for top in ("engine", "print", "filter", "printer_app", "tools"):
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
    return files, bad


def main():
    files, bad = check(pathlib.Path(sys.argv[1]))
    for offence in bad:
        print(offence)
    print(f"{files} files, {len(bad)} offences")
    return 1 if bad or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes point one way: programs -> wire -> halftone -> base.

Also: the engine's pure part knows no POSIX, CUPS or file, and CUDA's headers
are seen by .cu and .cuh files alone. Prints each offence as file:line; exits 1 if
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
    "engine/daemon": {"daemon", "wire", "halftone", "base"},
    "filter": {"filter", "wire", "halftone", "base"},
    "tools": {"tools", "wire", "halftone", "base"},
}
HOUSE = {"base", "halftone", "wire", "daemon", "filter", "tools", "tests"}
IMPURE = re.compile(
    r"(sys/|linux/|netinet/|unistd\.h|fcntl\.h|poll\.h|signal\.h|csignal|"
    r"fstream|iostream|cstdio|stdio\.h|cups/|tiff|png|systemd/)")
CUDA = re.compile(r"(cuda|cub/|cooperative_groups)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def offences(root, folder, path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        where = f"{path.relative_to(root)}:{number}: "
        first = header.split("/")[0]
        # A program names its own headers from its own root.
        if (quote == '"' and folder.startswith("engine")
                and "/" not in header):
            yield where + f'"{header}" does not say which folder it is from'
        if quote == '"' and first in HOUSE and first not in ALLOWED[folder]:
            yield where + f'"{header}" points the wrong way'
        if (folder == "engine/halftone" and IMPURE.match(header)
                and "cuda" not in path.parts):
            yield where + f"<{header}> is not for the pure engine"
        if path.suffix not in (".cu", ".cuh") and CUDA.match(header):
            yield where + f"<{header}> is for .cu files"


def main():
    root = pathlib.Path(sys.argv[1])
    files = 0
    bad = []
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc", ".cu", ".cuh"):
                files += 1
                bad += offences(root, folder, path)
    for offence in bad:
        print(offence)
    print(f"{files} files, {len(bad)} offences")
    return 1 if bad or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: tests_of_rooms.py BUILD FILE... | COMMIT..COMMIT

Prints a pattern for ctest of the tests of these files' rooms, and the other builds
that have some of them: tsan, release.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The beginning of a path, and the folders below tests whose tests try it; after a
# colon, only those whose names begin so. The first line that fits counts.
ROOMS = (
    ("engine/base", "base wire daemon print"),
    ("engine/config", "config system/daemon"),
    ("engine/wire", "wire daemon system/daemon system/faults system/campaign"),
    ("engine/control", "daemon system/daemon"),
    ("engine/daemon", "daemon system/daemon system/faults system/campaign"),
    ("engine/library", "library system:installed_library"),
    ("engine/halftone", "halftone equality golden library daemon/worker"),
    ("include", "library system:installed_library"),
    ("examples", "library system:installed_library"),
    ("print/ppd", "print tools/adopt system/adopt system/cups"),
    ("print/image", "print/image system:convert"),
    ("print", "print filter system/cups system:convert"),
    ("filter", "filter system/cups system/faults"),
    ("ppd", "system/adopt system/cups"),
    ("tools/adopt", "tools/adopt system/adopt"),
    ("tools/check", "tools/check system/check"),
    ("tools/calibrate", "tools/calibrate system:calibrate system/adopt:adopt_calibrate"),
    ("tools/preview", "tools/preview system:preview"),
    ("tools", "tools system:convert"),
    ("printer_app", "printer_app system:printer_ system:same_settings"),
    ("systemd", "system/daemon system:install"),
    ("conf", "config system:install"),
    ("packaging", "system:install system:packages"),
    ("demo", "system/cups:demo"),
    ("bench", ":"),
    ("docs", "hour"),
    ("README.md", "hour"),
)
ALWAYS = ("format", "include_directions")
BUILDS = {"threads": "tsan", "release-only": "release"}  # by the label of a test


def files(words):
    """The files that are named, or that the commits of a range change."""
    for word in words:
        if ".." in word and not (ROOT / word).exists():
            yield from subprocess.run(
                ["git", "-C", ROOT, "diff", "--name-only", word], check=True,
                stdout=subprocess.PIPE, text=True).stdout.splitlines()
            continue
        path = (pathlib.Path.cwd() / word).resolve()
        if not path.is_relative_to(ROOT):
            sys.exit(f"tests_of_rooms.py: {word} is not in this tree")
        yield str(path.relative_to(ROOT))


def places(file):
    """Folders below tests, each with the beginning of its tests' names."""
    if file.startswith("tests/"):
        yield str(pathlib.Path(file).parent.relative_to("tests")), ""
        return
    for room, where in ROOMS:
        if file == room or file.startswith(room + "/"):
            for place in where.split():
                folder, _, name = place.partition(":")
                yield folder, name
            return
    yield "", ""  # what everything is built with


def tests_of(build):
    """Of each test its name, its folder below tests and its labels."""
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True,
                            stdout=subprocess.PIPE).stdout
    for test in json.loads(listed)["tests"]:
        properties = {each["name"]: each["value"] for each in test["properties"]}
        folder = pathlib.Path(properties["WORKING_DIRECTORY"])
        below = build / "tests"
        yield (test["name"],
               str(folder.relative_to(below)) if folder.is_relative_to(below) else None,
               properties.get("LABELS", []))


def chosen(build, words):
    """The names of the tests, and of the builds beside asan that have some."""
    wanted = {place for file in files(words) for place in places(file)}
    names, builds = [], set()
    for name, folder, labels in tests_of(build):
        if name in ALWAYS or folder is not None and any(
                name.startswith(begin) and
                (not at or at == "." or folder == at or folder.startswith(at + "/"))
                for at, begin in wanted):
            names.append(name)
            builds |= {BUILDS[label] for label in labels if label in BUILDS}
    return names, sorted(builds)


def main():
    names, builds = chosen(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:])
    print(f"^({'|'.join(map(re.escape, names))})$", *builds)


if __name__ == "__main__":
    main()

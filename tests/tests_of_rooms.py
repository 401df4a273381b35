#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: tests_of_rooms.py [--near] BUILD FILE... | COMMIT..COMMIT

Prints a ctest pattern for the tests of these files' rooms, and the other builds that
have some of these tests: tsan, release. With --near, one short test of each program
replaces the tests of everything that depends on the rooms.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# For each room: the start of its paths; the places of its tests; and, if there are any,
# the places of tests for the code that depends on it. A place is a directory below tests,
# DIRECTORY:PREFIX for only its tests whose names start with PREFIX, or =NAME for one test.
# The first room that matches a file counts.
PROGRAMS = ("=convert =daemon_in_cups =library_interface_test =pdf_once_in_cups "
            "=printer_app =rip_limits")
ROOMS = (
    ("engine/base", "base " + PROGRAMS, "wire daemon print"),
    ("engine/config", "config " + PROGRAMS, "system/daemon"),
    ("engine/wire", "wire =worker_test " + PROGRAMS,
     "daemon system/daemon system/faults system/campaign"),
    ("engine/control", "daemon system/daemon"),
    ("engine/daemon", "daemon system/daemon", "system/faults system/campaign"),
    ("engine/library", "library system:installed_library"),
    ("engine/halftone/look", "halftone/look " + PROGRAMS, "library print"),
    ("engine/halftone/gpu", "halftone/gpu halftone/toy", "daemon/worker =gpu_worker"),
    ("engine/halftone/palette", "halftone/palette library", "system:convert"),
    ("engine/halftone", "halftone/page halftone/run halftone/toy equality golden " + PROGRAMS,
     "halftone library daemon/worker"),
    ("web/page", "web_page"),
    ("web", "web web_page"),
    ("include", "library system:installed_library"),
    ("examples", "library system:installed_library"),
    ("print/ppd", "=print_test tools/adopt system/adopt =pdf_once_in_cups =printer_app",
     "print system/cups"),
    ("print/image", "print/image =convert =convert_bits =convert_errors", "system:convert"),
    ("print", "=print_test filter " + PROGRAMS, "print system/cups system:convert"),
    ("filter", "filter system/cups:filter_bad =daemon_in_cups =pdf_filter =pdf_once_in_cups "
     "=rip_limits", "system/cups system/faults"),
    ("ppd", "system/adopt system/cups"),
    ("tools/adopt", "tools/adopt system/adopt"),
    ("tools/check", "tools/check system/check"),
    ("tools/calibrate", "tools/calibrate system:calibrate system/adopt:adopt_calibrate"),
    ("tools/preview", "tools/preview system:preview"),
    ("tools/manuals", "system:installed_documents"),
    ("tools/command", "tools system:installed_documents system:common_options"),
    ("tools", "tools system:convert"),
    ("printer_app", "printer_app system:printer_ system:same_settings"),
    ("systemd", "system/daemon system:install"),
    ("conf", "config system:install"),
    ("packaging/python", "library/python"),
    ("packaging", "system:install system:packages system:release"),
    ("pyproject.toml", "library/python"),
    ("demo", "system/cups:demo"),
    ("bench", "bench"),
    ("docs", "hour bench halftone/look:look_test system:installed_documents =python"),
    ("README.md", "hour"),
    ("tests/system/convert", "system:convert system:calibrate system:preview"),
    ("tests/system/library", "system:installed_library"),
    ("tests/system/printer_app", "system:printer_ system:same_settings"),
    ("tests/prose", "tests:prose"),
)
ALWAYS = ("format", "include_directions", "prose", "unique_names")
BUILDS = {"threads": "tsan", "release-only": "release"}  # by the label of a test


def files(words):
    """The files that are named, or that the commits of a range change."""
    for word in words:
        path = pathlib.Path(word).resolve()
        if ".." in word and not path.exists():
            changed = subprocess.run(["git", "-C", ROOT, "diff", "--name-only", word, "--"],
                                     stdout=subprocess.PIPE, text=True)
            if changed.returncode != 0:
                sys.exit(1)  # git has said why
            yield from changed.stdout.splitlines()
        elif not path.exists() or not path.is_relative_to(ROOT):
            sys.exit(f"tests_of_rooms.py: {word}: there is no such file in this tree")
        else:
            yield str(path.relative_to(ROOT))


def places(file, near=False):
    """Directories below tests, each with the prefix of its tests' names."""
    for room, *where in ROOMS:
        if file == room or file.startswith(room + "/"):
            for place in " ".join(where[:1] if near else where).split():
                folder, _, name = place.partition(":")
                yield folder, name
            return
    if file.startswith("tests/"):
        yield str(pathlib.Path(file).parent.relative_to("tests")), ""
    else:
        yield "", ""  # what everything is built with


def tests_of(build):
    """For each test, its name, its folder below tests (or the build) and its labels."""
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True,
                            stdout=subprocess.PIPE).stdout
    for test in json.loads(listed)["tests"]:
        properties = {each["name"]: each["value"] for each in test["properties"]}
        folder = pathlib.Path(properties["WORKING_DIRECTORY"]).relative_to(build)
        yield (test["name"], str(folder).removeprefix("tests/"),
               properties.get("LABELS", []))


def tests_at(tests, place):
    """The tests in and below a directory, or else in and below its nearest parent that
    has some."""
    at, begin = place
    if at.startswith("="):
        return {name for name, _, _ in tests if name == at[1:]}
    while True:
        found = {name for name, folder, _ in tests if name.startswith(begin) and
                 (at in ("", ".") or f"{folder}/".startswith(f"{at}/"))}
        if found or at in ("", "."):
            return found
        at = str(pathlib.Path(at).parent)


def chosen(build, words, near=False):
    """The names of the tests, and of the builds other than asan that have some."""
    tests = list(tests_of(build))
    wanted = {place for file in files(words) for place in places(file, near)}
    names = set(ALWAYS).union(*(tests_at(tests, place) for place in wanted))
    labels = {label for name, _, labels in tests if name in names for label in labels}
    return sorted(names), sorted(BUILDS[label] for label in labels if label in BUILDS)


def main():
    words = sys.argv[1:]
    near = words[0] == "--near"
    build, *words = words[near:]
    names, builds = chosen(pathlib.Path(build).resolve(), words, near)
    print(f"^({'|'.join(map(re.escape, names))})$", *builds)


if __name__ == "__main__":
    main()

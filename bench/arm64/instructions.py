#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions per pixel on a 64-bit Arm CPU, by halftone type, with NEON and in plain
loops. A plugin of qemu-user counts them, on a page of 192 rows and on one of 64 rows;
the result is the difference. It does not depend on the load of the machine, and it
ignores the time that a board waits for memory.

    cmake --preset arm64 -DCMAKE_UNITY_BUILD=ON    # as the packages are built
    cmake --build build/arm64 --target counted_page
    bench/arm64/instructions.py [--build build/arm64] [--qemu qemu-aarch64] [--save FILE]

Needs the qemu-user of Debian 12, which can load plugins, and a C compiler.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import record  # noqa: E402

# Each type's name and print feedback.
TYPES = {"fine": ("fine", "0"), "fine, print feedback": ("fine", "100"),
         **{name: (name, "0") for name in (
             "floyd-steinberg", "clustered", "screen", "blue-noise", "bi-level", "best")}}
ENGINES = ("neon", "scalar")
WIDTH, FEW, MANY = 4960, 64, 192


def count(qemu, plugin, program, words):
    run = subprocess.run(
        [*qemu, "-plugin", plugin, program, *words], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{words}: {run.stderr}")
    return int(re.search(r"^instructions: (\d+)$", run.stderr, re.MULTILINE)[1])


def measure(given):
    qemu = [given.qemu, "-L", given.libraries]
    program = given.build / "bench/counted_page"
    with tempfile.TemporaryDirectory() as folder:
        plugin = pathlib.Path(folder, "count.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", plugin,
                        HERE / "count_instructions.c"], check=True)
        return {label: {engine: (count(qemu, plugin, program, [*words, engine, str(MANY)]) -
                                 count(qemu, plugin, program, [*words, engine, str(FEW)])) /
                        (WIDTH * (MANY - FEW)) for engine in ENGINES}
                for label, words in TYPES.items()}


def table(results):
    return record.table(
        ["halftone type", *ENGINES, "ratio"],
        [[label, *(f"{each[engine]:.1f}" for engine in ENGINES),
          f"{each['scalar'] / each['neon']:.1f}"]
         for label, each in results["types"].items()])


def main():
    parser = record.parser(__doc__)
    parser.set_defaults(build=record.ROOT / "build/arm64")
    parser.add_argument("--qemu", default="qemu-aarch64")
    parser.add_argument("--libraries", default="/usr/aarch64-linux-gnu")
    given = parser.parse_args()
    results = record.read(given.show) if given.show else {
        **record.machine("instructions.py"), "types": measure(given)}
    if given.save:
        record.save(results, given.save)
    print(table(results))


if __name__ == "__main__":
    main()

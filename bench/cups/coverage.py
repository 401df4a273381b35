#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `halftone adopt` says of every PPD file of printer drivers, by family.

Usage: coverage.py BUILD_FOLDER DRIVER... [--out results.json]
       coverage.py --show results.json     the table of saved results

A DRIVER is a program of /usr/lib/cups/driver, such as those of
foomatic-db-compressed-ppds, openprinting-ppds, printer-driver-foo2zjs, -ptouch,
-dymo, -m2300w, -pxljr and -gutenprint, or a source of /usr/share/cups/drv, such as
those of cups, printer-driver-brlaser, -splix, -hpcups, -c2esp and -sag-gdi.
"""

import argparse
import base64
import collections
import json
import lzma
import pathlib
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor


def ppd_files(driver):
    """The PPD files of a driver, (name, bytes)."""
    if driver.suffix == ".drv":
        yield from compiled_files(driver)
    elif b"lzma" in driver.read_bytes():
        yield from archived_files(driver)
    else:
        yield from listed_files(driver)


def compiled_files(source):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ppdc", "-d", folder, source], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in sorted(pathlib.Path(folder).iterdir()):
            yield path.name, path.read_bytes()


def listed_files(program):
    listed = subprocess.run([program, "list"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    names = re.findall(r'^"([^"]*)"', listed, re.MULTILINE)

    def cat(name):
        return subprocess.run([program, "cat", name], check=True,
                              stdout=subprocess.PIPE).stdout

    with ThreadPoolExecutor() as pool:
        yield from zip(names, pool.map(cat, names))


def archived_files(driver):
    """Of pyppd's archive."""
    module = {"__name__": "archive"}
    exec(compile(driver.read_bytes(), str(driver), "exec"), module)
    names = module["load"]()
    everything = lzma.decompress(base64.b64decode(names.pop("ARCHIVE")))
    for name, (start, length, *_) in names.items():
        yield name, everything[start:start + length]


def family(ppd):
    """What makes the dots, as far as the file tells."""
    text = re.sub(rb"&&\r?\n", b"", ppd)
    devices = sorted(set(re.findall(rb"-sDEVICE=([A-Za-z0-9]+)", text)))
    if devices:
        return "Ghostscript: " + b", ".join(devices).decode()
    wrapper = re.search(rb'FoomaticRIPCommandLine: *"(\S+-wrapper)', text)
    if wrapper:
        return wrapper[1].decode()
    gutenprint = re.search(rb'^\*StpDriverModelFamily:\s*"\w+_(\w+)"', ppd,
                           re.MULTILINE)
    if gutenprint:
        return f"Gutenprint: {gutenprint[1].decode()}"
    filters = re.findall(rb'^\*cupsFilter2?:\s*"([^"]*)"', text, re.MULTILINE)
    programs = sorted({line.split()[-1].decode() for line in filters if line.split()})
    return ", ".join(programs) or "PostScript"


def verdict(program, ppd):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "in.ppd")
        path.write_bytes(ppd)
        run = subprocess.run(
            [program, "adopt", "--ppd", path, pathlib.Path(folder, "out.ppd")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace")
    if run.returncode == 0:
        return "adopted"
    return run.stderr.strip().replace(str(path), "FILE").split("; ")[0]


# Packages, by the beginnings of the names of their drivers.
PACKAGES = (("cups", "sample.drv"), ("cups-filters", "cupsfilters.drv"),
            ("printer-driver-brlaser", "brlaser"),
            ("printer-driver-c2esp", "c2esp"),
            ("printer-driver-dymo", "dymo"),
            ("printer-driver-foo2zjs", "foo2zjs"),
            ("printer-driver-gutenprint", "gutenprint"),
            ("printer-driver-hpcups", "hpcups"),
            ("printer-driver-m2300w", "m2300w"),
            ("printer-driver-ptouch", "ptouch"),
            ("printer-driver-pxljr", "pxljr"),
            ("printer-driver-sag-gdi", "rastertosag-gdi"),
            ("printer-driver-splix", "splix"),
            ("foomatic-db-compressed-ppds", "foomatic"),
            ("openprinting-ppds", "openprinting"))
BY_ITSELF = ("halftones by itself", "without a driver",
             "so its printer takes PostScript")


def count(results, package, accept):
    return sum(entry["files"] for name, entries in results.items()
               for entry in entries if name.startswith(package) and accept(entry))


def table(results):
    """Of each package, how many of its PPD files are served, and what is not."""
    def is_black(entry):
        return entry["prints"] == "black" or entry["verdict"] == "adopted"

    def is_served(entry):
        return entry["verdict"] == "adopted"

    def is_left(entry):
        return is_black(entry) and not is_served(entry)

    def by_itself(entry):
        return is_left(entry) and any(why in entry["verdict"]
                                      for why in BY_ITSELF)

    kinds = (lambda _: True, is_black, is_served, by_itself,
             lambda entry: is_left(entry) and not by_itself(entry))
    lines = ["| package | PPD files | black | served | halftone by themselves "
             "| not served |", "|---|" + 5 * "---:|"]
    totals = [0] * len(kinds)
    for package, beginning in PACKAGES:
        counts = [count(results, beginning, kind) for kind in kinds]
        totals = [total + number for total, number in zip(totals, counts)]
        lines.append(f"| {package} | " +
                     " | ".join(f"{number:,}" for number in counts) + " |")
    lines.append("| all | " +
                 " | ".join(f"{number:,}" for number in totals) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("drivers", type=pathlib.Path, nargs="*")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.show:
        print(table(json.loads(arguments.show.read_text())))
        return
    program = arguments.build / "tools/adopt/halftone-adopt"
    results = {}
    for driver in arguments.drivers:
        files = list(ppd_files(driver))
        with ThreadPoolExecutor() as pool:
            verdicts = list(pool.map(lambda file: verdict(program, file[1]), files))
        counts = collections.Counter(
            (family(ppd), "colour" if re.search(rb"^\*ColorDevice:\s*True", ppd,
                                                re.MULTILINE) else "black", said)
            for (_, ppd), said in zip(files, verdicts))
        results[driver.name] = [
            {"family": key[0], "prints": key[1], "verdict": key[2], "files": count}
            for key, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
        black = sum(1 for _, ppd in files if not re.search(
            rb"^\*ColorDevice:\s*True", ppd, re.MULTILINE))
        print(f"{driver.name}: {verdicts.count('adopted')} adopted of {black} black, "
              f"{len(files)} in all")
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

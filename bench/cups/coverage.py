#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `halftone adopt` says of every PPD file of printer drivers, by family.

    bench/cups/coverage.py DRIVER... [--save results.json]
    bench/cups/coverage.py --show results.json     the table of saved results

A DRIVER is a program of /usr/lib/cups/driver, such as those of
foomatic-db-compressed-ppds, openprinting-ppds, printer-driver-foo2zjs, -ptouch,
-dymo, -m2300w, -pxljr and -gutenprint, or a source of /usr/share/cups/drv, such as
those of cups, printer-driver-brlaser, -splix, -hpcups, -c2esp and -sag-gdi.
"""

import base64
import collections
import lzma
import pathlib
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import chains
from chains import record


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
        chains.compiled(folder, source)
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
    """The files of pyppd's archive."""
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


def count_verdicts(program, driver):
    files = list(ppd_files(driver))
    with ThreadPoolExecutor() as pool:
        verdicts = list(pool.map(lambda file: verdict(program, file[1]), files))
    counts = collections.Counter(
        (family(ppd), "colour" if re.search(rb"^\*ColorDevice:\s*True", ppd,
                                            re.MULTILINE) else "black", said)
        for (_, ppd), said in zip(files, verdicts))
    print(f"{driver.name}: {verdicts.count('adopted')} adopted of {len(files)}")
    return [{"family": key[0], "prints": key[1], "verdict": key[2], "files": count}
            for key, count in sorted(counts.items(),
                                     key=lambda item: (-item[1], item[0]))]


# Packages, by the beginnings of the names of their drivers.
PACKAGES = {"cups": "sample.drv", "cups-filters": "cupsfilters.drv", **{
    f"printer-driver-{name}": name for name in
    ("brlaser", "c2esp", "dymo", "foo2zjs", "gutenprint", "hpcups", "m2300w",
     "ptouch", "pxljr")},
    "printer-driver-sag-gdi": "rastertosag-gdi", "printer-driver-splix": "splix",
    "foomatic-db-compressed-ppds": "foomatic", "openprinting-ppds": "openprinting"}
BY_ITSELF = ("halftones by itself", "halftones itself", "without a driver",
             "so its printer takes PostScript", "so its printer accepts PostScript")


def counts_of(entries):
    """Counts of PPD files: all, black, served, that halftone by themselves, not served."""
    counts = [0] * 5
    for entry in entries:
        is_served = entry["verdict"] == "adopted"
        is_black = entry["prints"] == "black" or is_served
        by_itself = is_black and not is_served and any(
            why in entry["verdict"] for why in BY_ITSELF)
        kinds = (True, is_black, is_served, by_itself,
                 is_black and not is_served and not by_itself)
        counts = [count + entry["files"] * kind
                  for count, kind in zip(counts, kinds)]
    return [f"{count:,}" for count in counts]


def packages(results):
    """For each package, how many of its PPD files are served, and what is not."""
    found = {package: [entry for name, entries in results.items()
                       if name.startswith(beginning) for entry in entries]
             for package, beginning in PACKAGES.items()}
    found["all"] = [entry for entries in found.values() for entry in entries]
    return {package: counts_of(entries) for package, entries in found.items()}


def table(results, *later):
    """Where a later release has another count, that follows an arrow."""
    counts = [packages(each) for each in (results, *later)]
    return record.table(
        ["package", "PPD files", "black-and-white", "supported", "halftone by themselves",
         "not supported"],
        [[package, *(" → ".join(dict.fromkeys(cell)) for cell in
                     zip(*(each[package] for each in counts)))]
         for package in counts[0]])


# The rows of README's table: printers, drivers as a user knows them, packages.
README_ROWS = (
    ("HP LaserJet and others", "hpcups, foo2zjs",
     ("printer-driver-hpcups", "printer-driver-foo2zjs")),
    ("Brother, Samsung, Xerox, Dell, Lexmark, Ricoh lasers", "brlaser, SpliX, sag-gdi",
     ("printer-driver-brlaser", "printer-driver-splix", "printer-driver-sag-gdi")),
    ("PCL lasers, dot-matrix printers", "Gutenprint, Foomatic, CUPS, cups-filters",
     ("printer-driver-gutenprint", "foomatic-db-compressed-ppds", "openprinting-ppds",
      "cups", "cups-filters")),
    ("DYMO and Brother label printers", "dymo, ptouch",
     ("printer-driver-dymo", "printer-driver-ptouch")))
WITHOUT_DRIVER = ("AirPrint, IPP Everywhere, PCL 5e, ZPL, EPL, CPCL",
                  "none: `halftone add`", "models that accept black or gray raster")


def supported(results, names):
    found = packages(results)
    return sum(int(found[name][2].replace(",", "")) for name in names)


def readme_table(debian12, debian13):
    rows = []
    for printers, drivers, names in README_ROWS:
        old, new = (f"{supported(each, names):,}" for each in (debian12, debian13))
        rows.append([printers, drivers,
                     old if old == new else f"{old}; {new} in Debian 13"])
    return record.table(["printer", "driver", "supported models"],
                        [*rows, WITHOUT_DRIVER], 3)


def readme_sentence(debian12, debian13):
    """All models; every package that has one is in README's table."""
    names = [name for _, _, row in README_ROWS for name in row]
    old, new = (supported(each, names) for each in (debian12, debian13))
    assert [old, new] == [supported(each, ["all"]) for each in (debian12, debian13)]
    return (f"Adoption works with {old:,} printer models in Debian 12 and {new:,} in "
            "Debian 13.")


def main():
    parser = record.parser(__doc__)
    parser.add_argument("drivers", type=pathlib.Path, nargs="*")
    given = parser.parse_args()
    program = given.build / "tools/adopt/halftone-adopt"
    results = record.read(given.show) if given.show else {
        driver.name: count_verdicts(program, driver) for driver in given.drivers}
    if given.save:
        record.save(results, given.save)
    print(table(results))


if __name__ == "__main__":
    main()

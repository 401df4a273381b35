# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options that most benches have, what their results tell about the machine,
and how results are written and read."""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def parser(doc):
    """With --build, --save and --show."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--build", default=ROOT / "build/release", type=resolved)
    made.add_argument("--save", metavar="FILE", type=pathlib.Path)
    made.add_argument("--show", metavar="FILE", type=pathlib.Path)
    return made


def resolved(path):
    return pathlib.Path(path).resolve()


def machine(command):
    info = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(r"^model name\s*: (.*)", info, re.MULTILINE)
    return {"command": command, "date": datetime.date.today().isoformat(),
            "cpu": found[1] if found else "a processor",
            "processors": len(os.sched_getaffinity(0)),
            "load": round(os.getloadavg()[0], 1)}


def versions(packages):
    """The versions of those that are installed."""
    lines = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=False).stdout
    return dict(line.split(" ", 1) for line in lines.splitlines())


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def rounded(value):
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value


def save(results, path):
    """Lists have a line for each row."""
    parts = []
    for key, value in rounded(results).items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            parts.append(f" {json.dumps(key)}: [\n{rows}\n ]")
        else:
            text = json.dumps(value, indent=1).replace("\n", "\n ")
            parts.append(f" {json.dumps(key)}: {text}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def table(head, rows, texts=1):
    """Markdown: the first columns are texts, the others numbers."""
    lines = ["|" + "---|" * texts + "---:|" * (len(head) - texts)]
    for row in (head, *rows):
        lines.append("|" + "".join(" |" if cell == "" else f" {cell} |"
                                   for cell in row))
    return "\n".join([lines[1], lines[0], *lines[2:]])

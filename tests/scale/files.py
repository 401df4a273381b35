#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many files on two nodes of this machine (nodes.py), as
docs/how-to/convert-many-files.md says: by GNU parallel over ssh, and as a Slurm job
array; with both nodes to the end, and with one that is killed and comes back. All nodes together make what one run makes, byte for
byte. Prints how fast they are, beside the sum of what each node does alone.

Usage: files.py HALFTONE [FILES [PARTS]]
       files.py --short HALFTONE: parallel with few files, and without a kill
"""

import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time

import nodes
from nodes import Network, wait_until
from slurm import Slurm
from ssh_hosts import SshHosts

WIDTH, HEIGHT = 800, 600
OPTIONS = ("--halftone-type", "best", "--threads", "1")


def make_inputs(folder, count):
    """Names that hold a blank, as those of scanners do."""
    folder.mkdir()
    some = random.Random(1).randbytes(WIDTH * HEIGHT)
    for i in range(count):
        pixels = some[i % 997:] + some[:i % 997]
        path = folder / f"page {i:05}.pgm"
        path.write_bytes(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + pixels)


def contents(folder):
    """What is made there; a kill may leave temporary files, which are none."""
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if not path.name.startswith(".halftone-")}


class Trial:
    def __init__(self, folder, halftone, count, parts):
        self.folder, self.halftone = folder, halftone
        self.count, self.parts = count, parts
        self.network = Network(folder, 2)
        make_inputs(folder / "scans", count)
        subprocess.run(self.command("whole", "1/1"), shell=True, check=True,
                       cwd=folder)
        self.whole = contents(folder / "whole")
        assert len(self.whole) == count

    def command(self, out, shard):
        return (f"{shlex.quote(str(self.halftone))} convert scans/*.pgm "
                f"-o {out}/ --resume --shard {shard} {' '.join(OPTIONS)}")

    def alone(self):
        """Files a second of each node while the other rests."""
        rates = []
        for number, node in enumerate(self.network.nodes, 1):
            command = (f"cd {shlex.quote(str(self.folder))} && "
                       + self.command("alone", f"{number}/4"))
            began = time.monotonic()
            subprocess.run(node.inside("sh", "-c", command), check=True)
            rates.append(self.count / 4 / (time.monotonic() - began))
        print("alone:", ", ".join(f"{rate:.0f}" for rate in rates),
              "files a second", flush=True)
        return sum(rates)

    def start(self, how, out):
        """Returns the process that ends when all parts are made."""
        (self.folder / f"lists-{out}").mkdir()
        if isinstance(how, SshHosts):
            command = self.command(out, f"{{}}/{self.parts}")
            return how.start(f"{command} --manifest lists-{out}/{{}}.jsonl",
                             self.parts, self.folder)
        script = self.folder / f"{out}.sh"
        task = "$SLURM_ARRAY_TASK_ID"
        command = self.command(out, f"{task}/$SLURM_ARRAY_TASK_COUNT")
        script.write_text(f"#!/bin/sh\nexec {command} "
                          f"--manifest lists-{out}/{task}.jsonl\n")
        return how.start(script, self.parts, self.folder)

    def check(self, out):
        assert contents(self.folder / out) == self.whole, f"{out} differs"
        lines = [json.loads(line)
                 for path in (self.folder / f"lists-{out}").glob("*.jsonl")
                 for line in path.read_text().splitlines()]
        listed = sorted(line["output"] for line in lines)
        assert listed == sorted(f"{out}/{name}" for name in self.whole), \
            f"the lists of {out} name other files"
        return sum(line["kept"] for line in lines)

    def together(self, how, name, sum_of_rates):
        out = f"{name}-whole"
        began = time.monotonic()
        assert self.start(how, out).wait(1200) == 0, f"{name} failed"
        seconds = time.monotonic() - began
        self.check(out)
        rate = self.count / seconds
        print(f"{name}: {rate:.0f} files a second, {rate / sum_of_rates:.2f} of "
              f"the sum of the nodes ({seconds:.1f} s)", flush=True)

    def killed(self, how, name):
        """The second node dies when a third of the files are made."""
        out, node = f"{name}-killed", self.network.nodes[1]
        began = time.monotonic()
        run = self.start(how, out)
        place = self.folder / out
        wait_until(lambda: place.exists()
                   and len(os.listdir(place)) > self.count / 3, "some files")
        assert run.poll() is None, "it was over before the kill"
        node.kill()
        made = len(contents(place))
        assert made < self.count, "all was made before the kill"
        time.sleep(1)
        node.start()
        assert run.wait(1200) == 0, f"{name} failed after the kill"
        kept = self.check(out)
        print(f"{name}: {node.name} killed after {made} files and started again; "
              f"{kept} were kept by the part that ran again; all is the same "
              f"({time.monotonic() - began:.1f} s)", flush=True)


def main():
    is_short = "--short" in sys.argv
    halftone, *numbers = [word for word in sys.argv[1:] if word != "--short"]
    halftone = pathlib.Path(halftone).resolve()
    count = int(numbers[0]) if numbers else 40 if is_short else 2000
    parts = int(numbers[1]) if len(numbers) > 1 else 8
    with tempfile.TemporaryDirectory(
            prefix="halftone-scale-", ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        trial = Trial(folder, halftone, count, parts)
        rates = trial.alone()
        hosts = SshHosts(folder, trial.network)
        trial.together(hosts, "parallel", rates)
        if is_short:
            return
        trial.killed(hosts, "parallel")
        slurm = Slurm(folder, trial.network)
        trial.together(slurm, "slurm", rates)
        trial.killed(slurm, "slurm")


if __name__ == "__main__":
    slurms = () if "--short" in sys.argv else ("slurmctld", "slurmd")
    nodes.enter_namespaces("parallel", "ssh", "sshd", *slurms)
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the simulator with the calm run of tests/scale/printing.py --data FILE: a
host prints one job at a time, as long as the first job of each took.

compare.py FILE"""

import json
import pathlib
import statistics
import sys

from room import Job, Room, simulate


def main():
    run = next(run for run in json.loads(pathlib.Path(sys.argv[1]).read_text())
               if run["name"] == "calm")
    titles = sorted(run["submitted"])
    arrives = [run["submitted"][title][0] for title in titles]
    times = [run["printed"][title][0] - at for title, at in zip(titles, arrives)]
    span = max(at for at, _ in run["printed"].values()) - arrives[0]
    alone = statistics.mean(times[:run["hosts"]])
    outcome = simulate(Room(run["hosts"], 1, 0, 0),
                       [Job(at - arrives[0], (alone,)) for at in arrives])
    for what, measured, simulated in (
            ("jobs a second", len(times) / span, outcome.pages_per_second),
            ("median seconds", statistics.median(times),
             statistics.median(outcome.times)),
            ("most seconds", max(times), max(outcome.times))):
        print(f"{what:15} measured {measured:7.2f}, simulated {simulated:7.2f}: "
              f"{simulated / measured - 1:+.1%}")


if __name__ == "__main__":
    main()

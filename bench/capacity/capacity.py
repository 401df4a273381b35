#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates a print room (room.py): pages per second and how long jobs take.

capacity.py --servers 2 --cores 8 --printers 4 --pages-per-minute 250 --jobs-per-minute 20
"""

import argparse
import json
import pathlib
import random

from room import Room, percentile, poisson_jobs, simulate

RESULTS = pathlib.Path(__file__).parents[1] / "results" / "pdf-loaded-xeon.json"


def page_seconds(printer):
    """Seconds of a core for a page of a document, with everything that runs for
    it: renderers, filter and driver."""
    jobs = json.loads(RESULTS.read_text(encoding="utf-8"))["jobs"]
    return {job["document"]: job["shared"]["processor_s"] / job["pages"]
            for job in jobs if job["printer"] == printer and job["pages"] > 1}


def positive(kind):
    def parse(text):
        value = kind(text)
        if not 0 < value < float("inf"):
            raise ValueError
        return value
    parse.__name__ = "positive number"
    return parse


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    whole, number = positive(int), positive(float)
    parser.add_argument("--servers", type=whole, default=1)
    parser.add_argument("--cores", type=whole, default=8, help="of each")
    parser.add_argument("--printers", type=int, default=0,
                        help="0: pages are finished when they are made")
    parser.add_argument("--pages-per-minute", type=number, default=60.0,
                        help="of each printer")
    parser.add_argument("--jobs-per-minute", type=number, required=True)
    parser.add_argument("--pages", type=whole, default=10, help="of each job")
    parser.add_argument("--mixed", type=float, default=0.2,
                        help="part of the pages with a photograph; 0 … 1")
    parser.add_argument("--ms", type=number, nargs=2,
                        metavar=("TEXT", "MIXED"),
                        help="ms of a core a page, instead of the measured")
    parser.add_argument("--driver", choices=["brlaser", "pwg"], default="pwg")
    parser.add_argument("--jobs", type=whole, default=5000, help="to simulate")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.printers < 0 or not 0 <= options.mixed <= 1:
        parser.error("--printers is 0 or more, and --mixed 0 … 1")
    return options


def main():
    options = parse_arguments()
    measured = page_seconds(options.driver)
    text, mixed = ([ms / 1000 for ms in options.ms] if options.ms
                   else (measured["text"], measured["mixed"]))
    jobs = poisson_jobs(
        options.jobs, options.jobs_per_minute / 60, lambda _: options.pages,
        lambda draw: mixed if draw.random() < options.mixed else text,
        random.Random(options.seed))
    outcome = simulate(Room(options.servers, options.cores, options.printers,
                            options.pages_per_minute), jobs)
    print(f"pages a second     {outcome.pages_per_second:8.2f}")
    print(f"cores busy         {outcome.cores_busy:8.1%}")
    if options.printers:
        print(f"printers busy      {outcome.printers_busy:8.1%}")
    for percent in (50, 95, 99):
        print(f"{percent} % of jobs take "
              f"{percentile(outcome.times, percent):8.2f} s or less")


if __name__ == "__main__":
    main()

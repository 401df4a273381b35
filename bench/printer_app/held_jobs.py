#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long halftone-printer-app takes to accept a job, and to print it, while others
are held, on their printer and on another. Lower quartiles, in milliseconds, because
other work makes times longer, never shorter; the ratio is to the first number of held
jobs, in the same run.

    bench/printer_app/held_jobs.py BUILD_FOLDER [--held 0,100,1000] [--jobs N]
"""

import argparse
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/system/printer_app"))
from kit.ipp_client import KEYWORD, Client  # noqa: E402
from kit.marked_documents import PCL, own  # noqa: E402
from kit.server import Application  # noqa: E402

PRINTERS = ("held", "free")
HELD = [(KEYWORD, "job-hold-until", "indefinite")]


def measure(client, printer):
    """Until the answer, and until the job has ended."""
    begun = time.perf_counter()
    status, job = client.print(printer, own(2), PCL)
    answered = time.perf_counter()
    assert status == 0, hex(status)
    while client.state(printer, job) < 7:
        time.sleep(0.005)
    return answered - begun, time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--held", default="0,100,1000")
    parser.add_argument("--jobs", type=int, default=40)
    words = parser.parse_args()
    app = Application(words.build / "printer_app/halftone-printer-app",
                      options=["user-jobs=100000"])
    app.start()
    try:
        for printer in PRINTERS:
            app.add(printer, "pcl5e")
        client, held, first = Client(app.port, timeout=600), 0, {}
        print("| held jobs | printer | until the reply | ratio | until the job ends | ratio |")
        print("|---:|---|---:|---:|---:|---:|")
        for wanted in map(int, words.held.split(",")):
            for held in range(held, wanted):
                assert client.print("held", own(1), PCL, options=HELD)[0] == 0
            held = wanted
            for printer in PRINTERS:
                times = zip(*(measure(client, printer) for _ in range(words.jobs)))
                times = [statistics.quantiles(each)[0] * 1000 for each in times]
                base = first.setdefault(printer, times)
                cells = " | ".join(f"{now:.1f} | {now / then:.2f}"
                                   for now, then in zip(times, base))
                print(f"| {held} | {printer} | {cells} |", flush=True)
    finally:
        app.kill()


if __name__ == "__main__":
    main()

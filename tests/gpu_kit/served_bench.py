#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""served_bench through a daemon whose GPU does all of the work, and through one
without a GPU.

Usage: served_bench.py SERVED_BENCH
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
for system in (HERE / "tests" / "system", HERE.parent / "system"):
    sys.path.insert(0, str(system / "daemon"))
from daemon_process import Daemon  # noqa: E402


def bench(program, engine, kinds, **config):
    with Daemon(threads=0, health_interval=3600, **config) as daemon:
        daemon.wait_status(
            lambda status: len(status["workers"]) >= kinds and all(
                worker["state"] == "ready" for worker in status["workers"])
            and status["health_checks"] >= len(status["workers"]),
            "all workers")
        subprocess.run([program, daemon.socket, *engine], check=True)
        status = daemon.status()
        print(status["engines"], status["deaths"], flush=True)
        print(daemon.ask(b"text\n"), flush=True)
        if engine:
            assert list(status["engines"]) == engine, "others did it"


if __name__ == "__main__":
    print("on the GPU:", flush=True)
    bench(sys.argv[1], ["cuda"], 2, gpus="auto")
    print("on processors:", flush=True)
    bench(sys.argv[1], [], 1, gpus="none")

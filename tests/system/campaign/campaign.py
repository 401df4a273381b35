#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strikes a daemon at random moments while random clients attack it: kills and
stops the supervisor and its workers, and makes a GPU compute wrong bits, break
and hang. Honest clients print meanwhile, and compare every page with the
definition.

As many cells as the machine has use for work at a time. Each is a daemon that is
started again and again, with clients that stay. It fails if a page is wrong,
fails or hangs; if the supervisor or a worker ends by anything but a strike; if
a GPU is blamed that was right; or if a worker outlives its supervisor.

With --kit the programs are those of a folder that make-kit has made. Needs
nothing but Python; as root, daemon, honest and hostile clients are of three users.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import queue
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"HALFTONED": "halftoned", "WORKER_CPU": "worker-cpu",
            "WORKER_CUDA": "worker-cuda", "HONEST_CLIENTS": "honest_clients",
            "HOSTILE_CLIENTS": "hostile_clients"}
GPU = "GPU-0"  # the worker's kind
GPU_CALLS = ("attach", "learn", "device-memory", "pinned-memory", "pin",
             "stream", "event", "copy-up", "copy-down", "fill", "launch",
             "record", "follow", "query", "wait", "drain")
TIME_TO_LEAVE = 60  # seconds, for workers whose supervisor was killed
MEAN_PAUSE = 0.012  # seconds, between two strikes and of most stops
CALM_PAUSE = 0.2  # the same with one daemon of ten, so that pages can idle
# More deaths make the daemon pause before it starts the next worker.
MOST_DEATHS = 3

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--strikes", type=int, default=200,
                    help="end after so many (default 200)")
parser.add_argument("--minutes", type=float, default=10,
                    help="or after so long (default 10)")
parser.add_argument("--cells", type=int, default=2 * len(os.sched_getaffinity(0)),
                    help="daemons at a time (default: two a processor)")
parser.add_argument("--seed", type=int, default=random.randrange(10**6))
parser.add_argument("--kit", type=pathlib.Path, help="folder of the programs")
parser.add_argument("--keep", type=pathlib.Path, default="campaign-failure",
                    help="where the traces of a failure are left")
options = parser.parse_args()

libraries = None
if options.kit:
    for variable, name in PROGRAMS.items():
        os.environ[variable] = str(options.kit / "bin" / name)
    # Where every user can read them.
    libraries = tempfile.TemporaryDirectory(prefix="halftoned-")
    shutil.copytree(options.kit / "lib", libraries.name, dirs_exist_ok=True)
    os.chmod(libraries.name, 0o755)
    os.environ["LD_LIBRARY_PATH"] = libraries.name

sys.path[:0] = [str(HERE.parent / "daemon"), str(HERE.parent / "faults")]
from daemon_process import (GROUP, IS_ROOT, OTHER_USER, USER,  # noqa: E402
                            Daemon, shared_folder, within_reach)
from processes import children_of  # noqa: E402

HONEST = within_reach(os.environ["HONEST_CLIENTS"])
HOSTILE = within_reach(os.environ["HOSTILE_CLIENTS"])


class Failure(Exception):
    pass


class Clients:
    """A program whose clients go on, whatever happens to the daemon."""

    def __init__(self, path, program, arguments, user=None):
        self.output = path
        identity = {"user": user, "group": GROUP,
                    "extra_groups": []} if user and IS_ROOT else {}
        with open(path, "w") as output:
            self.process = subprocess.Popen(
                [program, *map(str, arguments)], stdin=subprocess.PIPE,
                stdout=output, stderr=output, **identity,
                env={**os.environ, "HALFTONED_PICTURES": str(path.parent)})

    def check(self):
        if self.process.poll() is not None:
            raise Failure(f"{self.process.args[0]} has ended with "
                          f"{self.process.returncode}: "
                          f"{self.output.read_text()}")

    def end(self):
        """What they have done."""
        self.check()
        self.process.stdin.close()
        self.process.wait(TIME_TO_LEAVE)
        return {name: int(count) for name, count in
                map(str.split, self.output.read_text().splitlines())}


class Cell:
    def __init__(self, folder, seed):
        self.folder = folder
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.leaving = []  # workers of dead supervisors: pidfd, deadline
        # Where workers may write.
        self.fault_file = tempfile.NamedTemporaryFile(dir="/dev/shm")
        self.faults = pathlib.Path(self.fault_file.name)
        self.daemon = None
        self.plan = ""
        self.mean_pause = MEAN_PAUSE
        run = folder / "run"
        # Not every row of pages that look ahead is checked, so they are printed where no
        # GPU computes wrong bits.
        self.is_wrong = self.random.random() < 0.5
        kinds = "one-pass" if self.is_wrong else "all"
        self.clients = [
            Clients(folder / "honest", HONEST,
                    [run / "halftoned.sock", USER, seed, 3, kinds]),
            Clients(folder / "hostile", HOSTILE,
                    [run / "halftoned.sock", run / "status.sock", seed, 4],
                    OTHER_USER)]

    def make_plan(self):
        """What becomes of the calls of the GPU (fake_gpu.h)."""
        steps = {}
        for _ in range(self.random.randrange(12)):
            number = int(1 + self.random.expovariate(1 / 60))
            if self.random.random() < 0.7:
                fault = self.random.choice(
                    ["wrong"] * 3 * self.is_wrong + ["broken", "hang"])
                steps[f"kernel:{number}"] = fault
            else:
                call = self.random.choice(GPU_CALLS)
                steps[f"{call}:{number}"] = self.random.choice(
                    ["refused", "refused", "broken", "hang"])
        return ",".join(f"{call}={fault}" for call, fault in steps.items())

    def live(self, has_enough):
        """One daemon, from its start to its end."""
        self.plan = self.make_plan()
        self.mean_pause = self.random.choices([MEAN_PAUSE, CALM_PAUSE],
                                              [9, 1])[0]
        self.faults.write_text("")
        self.faults.chmod(0o666)
        (self.folder / "log").unlink(missing_ok=True)
        self.daemon = Daemon(
            self.folder, is_ready=self.random.random() < 0.8,
            environment={"HALFTONED_FAKE_GPU": self.plan,
                         "HALFTONED_FAKE_GPU_LOG": str(self.faults)},
            threads=self.random.choice([1, 2, 4]),
            memory=self.random.choice([16, 64, 1024]),
            max_connections=self.random.choice([20, 90, 512]),
            max_connections_per_user=self.random.choice([10, 80, 512]),
            gpus=[GPU] if self.random.random() < 0.7 else "none",
            gpu_check=1, page_idle=1, stop_timeout=1, health_interval=1)
        self.daemon.start()
        kills = 0
        try:
            if self.daemon.is_ready:
                self.daemon.wait_ready()
            for _ in range(self.random.randint(1, 16)):
                self.pause()
                for clients in self.clients:
                    clients.check()
                if self.daemon.process.poll() is not None:
                    raise Failure("the supervisor has ended by itself")
                kills += self.strike()
                if kills == MOST_DEATHS or has_enough():
                    break
            self.end()
        finally:
            if self.daemon.process.poll() is None:
                self.daemon.kill()
        self.check_log(kills)
        self.counts["daemons"] += 1

    def pause(self):
        time.sleep(self.random.expovariate(1 / self.mean_pause))

    def pick(self, wants_worker):
        """A process to strike, which is certain to be the daemon's."""
        supervisor = self.daemon.process.pid
        workers = children_of(supervisor)
        if workers and (wants_worker or self.random.random() < 0.6):
            pid = self.random.choice(workers)
            try:
                process = os.pidfd_open(pid)
            except ProcessLookupError:
                return None, None
            if pid in children_of(supervisor):
                return process, "worker"
            os.close(process)
            return None, None
        if wants_worker:
            return None, None
        return os.pidfd_open(supervisor), "supervisor"

    def strike(self):
        """How many workers it has killed."""
        kind = self.random.choices(["pause", "kill", "hang"], [6, 3, 1])[0]
        # The end of the supervisor is that of the daemon: see end().
        process, victim = self.pick(kind != "pause")
        if process is None:
            return 0
        try:
            if kind != "kill":
                signal.pidfd_send_signal(process, signal.SIGSTOP)
                if kind == "hang" or self.random.random() < 0.05:
                    # Longer than some clients wait.
                    time.sleep(self.random.uniform(0.1, 0.5))
                else:
                    self.pause()
            signal.pidfd_send_signal(
                process, signal.SIGCONT if kind == "pause" else signal.SIGKILL)
        except ProcessLookupError:
            return 0  # it has been faster
        finally:
            os.close(process)
        self.counts[f"strike {kind} {victim}"] += 1
        return kind != "pause"

    def end(self):
        """Killed, in most cases as it is; sometimes told to stop."""
        # Before it is ready, a signal may end it as any other process.
        if self.daemon.is_ready and self.random.random() < 0.1:
            self.daemon.send(signal.SIGTERM)
            if self.daemon.wait_end() != 0:
                raise Failure("the supervisor has not stopped well")
            return
        for pid in children_of(self.daemon.process.pid):
            try:
                self.leaving.append(
                    (os.pidfd_open(pid), time.monotonic() + TIME_TO_LEAVE))
            except ProcessLookupError:
                pass
        kind = "kill"
        if self.random.random() < 0.3:
            kind = "hang"
            self.daemon.send(signal.SIGSTOP)
            time.sleep(self.random.uniform(0, 0.3))
        self.daemon.kill()
        self.counts[f"strike {kind} supervisor"] += 1

    def check_log(self, kills):
        faults = self.faults.read_text().splitlines()
        for fault in faults:
            self.counts[f"strike gpu {fault.partition('=')[2]}"] += 1
        log = self.daemon.log()
        if "anitizer" in log or "runtime error" in log:
            raise Failure("a sanitizer has found something")
        if "cannot start worker" in log:
            raise Failure("a worker could not be started")
        killed = 0
        for kind, end in re.findall(r"worker \d+ \((.*?)\) has died: (.*)",
                                    log):
            is_struck = kind == GPU and faults
            if end == "killed by SIGKILL":
                killed += 1
            elif not end.endswith("killed by SIGKILL") and not is_struck:
                raise Failure("a worker has died by itself")
            self.counts["deaths of workers"] += 1
        if killed > kills:
            raise Failure("more workers were killed than were struck")
        is_wrong = any(fault.endswith("=wrong") for fault in faults)
        if "is quarantined" in log:
            if not is_wrong:
                raise Failure("a GPU was blamed that was right")
            self.counts["GPUs quarantined"] += 1

    def wait_leaving(self, to_end=False):
        """Looks at workers whose supervisors are dead, or waits for them."""
        while self.leaving:
            process, deadline = self.leaving[0]
            wait = deadline - time.monotonic() if to_end else 0
            if not select.select([process], [], [], max(wait, 0))[0]:
                if time.monotonic() >= deadline:
                    raise Failure("a worker has outlived its supervisor")
                return
            os.close(process)
            self.leaving.pop(0)

    def finish(self):
        for clients in self.clients:
            self.counts.update(clients.end())
        self.wait_leaving(to_end=True)

    def kill(self):
        """After a failure."""
        for clients in self.clients:
            if clients.process.poll() is None:
                clients.process.kill()

    def strikes(self):
        return sum(count for name, count in self.counts.items()
                   if name.startswith("strike "))


def run_cell(seed, deadline, total, over, results):
    with tempfile.TemporaryDirectory(prefix="halftoned-") as name:
        os.chmod(name, 0o755)
        cell = Cell(pathlib.Path(name), seed)

        def has_enough():
            return over.is_set() or time.monotonic() > deadline

        failure = None
        try:
            while not has_enough():
                before = cell.strikes()
                cell.live(has_enough)
                cell.wait_leaving()
                with total.get_lock():
                    total.value += cell.strikes() - before
                    if total.value >= options.strikes:
                        over.set()
            cell.finish()
        except (Failure, AssertionError, OSError,
                subprocess.TimeoutExpired) as error:
            over.set()
            cell.kill()
            failure = f"seed {seed}: {error}; the GPU's plan was '{cell.plan}'"
            kept = options.keep / str(seed)
            shutil.copytree(name, kept, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("run"))
        results.put((failure, cell.counts))


def main():
    shared_folder()
    began = time.monotonic()
    deadline = began + options.minutes * 60
    print(f"{options.cells} cells, seed {options.seed}", flush=True)
    context = multiprocessing.get_context("fork")
    total, over = context.Value("q", 0), context.Event()
    results = context.Queue()
    cells = [context.Process(target=run_cell, args=(
        options.seed * 1000 + i, deadline, total, over, results))
        for i in range(options.cells)]
    for cell in cells:
        cell.start()
    counts, failures = collections.Counter(), []
    for _ in cells:
        while True:
            try:
                failure, of_cell = results.get(timeout=5)
                break
            except queue.Empty:
                if not any(cell.is_alive() for cell in cells):
                    sys.exit("a cell has ended without a result")
        counts.update(of_cell)
        if failure:
            failures.append(failure)
    for cell in cells:
        cell.join()
    for name in sorted(counts):
        print(f"{counts[name]:10} {name}")
    strikes = sum(count for name, count in counts.items()
                  if name.startswith("strike "))
    seconds = time.monotonic() - began
    print(f"{strikes} strikes in {seconds:.0f} s, {strikes / seconds:.0f} a "
          f"second; {counts['pages']} pages, {len(failures)} failures")
    for failure in failures:
        print("FAILED", failure, file=sys.stderr)
    if failures:
        sys.exit(f"their traces are in {options.keep}")
    # Such a page has rows of a daemon. On a busy machine, no page may be a daemon's alone.
    if counts["pages"] >= 200 and not counts["jobs-moved-in-mid-page"]:
        sys.exit("no page has had to move")


if __name__ == "__main__":
    main()

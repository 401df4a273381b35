# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resources of processes, as /proc shows them, and processes left behind."""

import fcntl
import os
import pathlib

from daemon_process import wait_until


def of_program(path):
    """The processes that run the file `path`."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if os.path.samefile(f"/proc/{name}/exe", path):
                found.append(int(name))
        except (OSError, ValueError):
            pass
    return found


def children_of(pid):
    try:
        tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks
                for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def open_files_of(pid):
    """How many descriptors it has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def resident_kib_of(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ProcessLookupError(pid)


def held_slots(path, slots):
    """Which of the first `slots` bytes of the file somebody has locked."""
    held = []
    with open(path, "a+b") as file:
        for slot in range(slots):
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
            except OSError:
                held.append(slot)
    return held


def files_of_idle(daemon, most=None):
    """The open files of supervisor and worker once no client is there; with
    `most`, once there are no more than these: health checks come and go."""
    worker = daemon.wait_ready()["pid"]
    pids = (daemon.process.pid, worker)

    def files():
        daemon.wait_status(lambda status: not status["sessions"], "idleness")
        found = [open_files_of(pid) for pid in pids]
        is_well = most is None or all(map(int.__le__, found, most))
        return found if is_well else None
    return wait_until(files, f"no more than {most} open files")

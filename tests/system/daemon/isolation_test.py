#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What users can do to one another, to the workers and to the supervisor, and
these to them: with pages, rings, status, signals and what /proc shows. Each is
tried in both directions.

As a program it is one of these users:
  isolation_test.py print SOCKET JOB SEED   prints a page of its own in a ring, a
                                            band for each line of its input
  isolation_test.py touch PID...            says which attempts on a process
                                            succeed, a line for each
"""

import array
import ctypes
import fcntl
import json
import mmap
import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import sys
import unittest

from wire import Client

WIDTH, ROWS = 100, 8  # of a band
BITS = WIDTH * ROWS // 2  # bytes, for 16 levels
RING, BAND = 1, 3  # frames
F_SEAL_FUTURE_WRITE = 0x10
PTRACE_SEIZE = 0x4206
SYS_PIDFD_GETFD = 438


def make_memory(size):
    file = os.memfd_create("ring", os.MFD_ALLOW_SEALING)
    os.write(file, bytes(size))
    memory = mmap.mmap(file, size)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS,
                fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
    return file, memory


def print_page(path, job, seed):
    """Prints "ready", and then the bits of each band."""
    client = Client(path, job=int(job), printer="laser", title=f"secret {seed}")
    (gray, grays), (bits, made) = make_memory(WIDTH * ROWS), make_memory(BITS)
    fcntl.fcntl(gray, fcntl.F_ADD_SEALS, F_SEAL_FUTURE_WRITE |
                fcntl.F_SEAL_SEAL)
    # The frame with its files, as one message.
    send, frames = client.send, []
    client.send = frames.append
    client.send_frame(RING, 0, struct.pack("<QQ", WIDTH * ROWS, BITS))
    client.send = send
    client.socket.sendmsg(frames, [(
        socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [gray, bits]))])
    client.open_page(1, WIDTH, ROWS)
    print("ready", flush=True)
    noise = random.Random(int(seed))
    for _ in sys.stdin:
        grays[:] = noise.randbytes(WIDTH * ROWS)
        client.send_frame(BAND, 1, struct.pack("<iBQQI", ROWS, 0, 0, 0, 0))
        assert client.answer(1) == ROWS
        print(made[:].hex(), flush=True)


def attempts(pid):
    """By name, what may fail with an error."""
    libc = ctypes.CDLL(None, use_errno=True)

    def check(result):
        error = ctypes.get_errno()
        # Without the right to it the address does not matter.
        if result < 0 and error not in (14, 9):  # EFAULT, EBADF
            raise OSError(error, os.strerror(error))

    def take_descriptor():
        process = os.pidfd_open(pid)
        check(libc.syscall(SYS_PIDFD_GETFD, process, 0, 0))

    def read_memory():
        room = ctypes.create_string_buffer(16)
        vector = struct.pack("@PN", ctypes.addressof(room), 16)
        there = struct.pack("@PN", 4096, 16)
        check(libc.process_vm_readv(pid, vector, 1, there, 1, 0))

    def trace():
        check(libc.ptrace(PTRACE_SEIZE, pid, None, None))

    return {"signal": lambda: os.kill(pid, 0),
            "descriptors": lambda: os.listdir(f"/proc/{pid}/fd"),
            "mappings": lambda: os.listdir(f"/proc/{pid}/map_files"),
            "environment":
                lambda: pathlib.Path(f"/proc/{pid}/environ").read_bytes(),
            "memory": lambda: open(f"/proc/{pid}/mem", "rb").close(),
            "read memory": read_memory, "take a descriptor": take_descriptor,
            "trace": trace}


def touch(pids):
    for pid in map(int, pids):
        os.stat(f"/proc/{pid}")  # it is there
        done = []
        for name, attempt in attempts(pid).items():
            try:
                attempt()
                done.append(name)
            except OSError:
                pass
        print(json.dumps(done), flush=True)


if __name__ == "__main__" and sys.argv[1:2] in (["print"], ["touch"]):
    if sys.argv[1] == "print":
        print_page(*sys.argv[2:])
    else:
        touch(sys.argv[2:])
    sys.exit()

from daemon_process import (IS_ROOT, IS_SANITIZED, OTHER_USER,  # noqa: E402
                            USER, WORKER_USER, ClientOf, Daemon, as_user, shared_folder)

USERS = OTHER_USER, "bin"


def program(user, *arguments):
    """The command of this file as another user."""
    copy = shared_folder() / "isolation_test.py"
    if not copy.exists():
        shutil.copy(__file__, copy)
    return as_user(user, ["/usr/bin/python3", copy, *map(str, arguments)])


class Printer:
    """A user who prints a page, and asks for a band at a time."""

    def __init__(self, user, daemon, job, seed):
        self.process = subprocess.Popen(
            program(user, "print", daemon.socket, job, seed),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def band(self):
        self.process.stdin.write("next\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()


class Confinement(unittest.TestCase):
    @unittest.skipIf(IS_SANITIZED, "sanitized programs are not confined")
    def test_supervisor_and_worker_are_confined(self):
        with Daemon() as daemon:
            for pid in (daemon.process.pid, daemon.wait_ready()["pid"]):
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
                self.assertIn("\nNoNewPrivs:\t1\n", status)
                if "does not offer" not in daemon.log():
                    self.assertIn("\nSeccomp:\t2\n", status)


@unittest.skipUnless(IS_ROOT, "only root can be several users")
class Users(unittest.TestCase):
    def touch(self, user, *processes):
        """What succeeds, by process."""
        done = subprocess.run(program(user, "touch", *processes),
                              stdout=subprocess.PIPE, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_pages_and_rings_are_their_owners(self):
        """The same job and page numbers, at the same time, in one worker."""
        seeds = 1, 2
        alone = []
        with Daemon() as daemon:
            for user, seed in zip(USERS, seeds):
                with Printer(user, daemon, 5, seed) as printer:
                    alone.append([printer.band() for _ in range(5)])
            self.assertNotEqual(alone[0], alone[1])
            with Printer(USERS[0], daemon, 5, seeds[0]) as first, \
                    Printer(USERS[1], daemon, 5, seeds[1]) as second:
                together = [(first.band(), second.band()) for _ in range(5)]
            self.assertEqual([list(bits) for bits in zip(*together)], alone)

    @unittest.skipIf(IS_SANITIZED, "sanitized programs are not confined")
    def test_users_cannot_reach_processes_of_others(self):
        with Daemon() as daemon, Printer(USERS[0], daemon, 5, 1) as first, \
                Printer(USERS[1], daemon, 5, 2) as second:
            supervisor = daemon.process.pid
            worker = daemon.wait_ready()["pid"]
            clients = first.process.pid, second.process.pid
            for user, others in (
                    (USERS[0], (clients[1], worker, supervisor)),
                    (USERS[1], (clients[0], worker, supervisor)),
                    (WORKER_USER, (supervisor, *clients)),
                    (USER, (worker, *clients))):
                with self.subTest(user=user):
                    self.assertEqual(self.touch(user, *others), [[], [], []])
            # The attempts are good ones: on a process of their own user.
            own, = self.touch(USERS[0], clients[0])
            self.assertLessEqual({"signal", "descriptors", "environment",
                                  "mappings"}, set(own))
            self.assertTrue(first.band() and second.band())

    def test_titles_are_shown_to_their_owners(self):
        with Daemon() as daemon, Printer(USERS[0], daemon, 5, 1), \
                Printer(USERS[1], daemon, 6, 2):
            for user, own, others in ((USERS[0], 1, 2), (USERS[1], 2, 1)):
                asked = subprocess.run(
                    as_user(user, ["/usr/bin/python3", "-c", (
                        "import socket, sys; s = socket.socket(socket.AF_UNIX);"
                        "s.connect(sys.argv[1]); s.sendall(b'json\\n');"
                        "sys.stdout.write(s.makefile().read())"),
                        daemon.status_socket]),
                    stdout=subprocess.PIPE, text=True, check=True).stdout
                self.assertIn(f"secret {own}", asked)
                self.assertNotIn(f"secret {others}", asked)
                self.assertEqual(len(json.loads(asked)["sessions"]), 2)

    def test_a_job_is_blamed_on_its_user(self):
        for poisonous, other in (USERS, USERS[::-1]):
            with self.subTest(poisonous=poisonous), Daemon() as daemon:
                for _ in range(2):
                    with ClientOf(poisonous, daemon.socket, "5", "", "work"):
                        daemon.wait_status(lambda status: any(
                            session["page"] for session in status["sessions"]),
                            "a band in flight")
                        killed = daemon.kill_worker()
                    daemon.wait_ready(above=killed)
                with ClientOf(poisonous, daemon.socket, "5") as refused:
                    self.assertIn("while working for this job",
                                  refused.outcome)
                with ClientOf(other, daemon.socket, "5") as served:
                    self.assertRegex(served.outcome, "^welcome")


if __name__ == "__main__":
    shared_folder()
    unittest.main()

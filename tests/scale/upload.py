#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server dies in an upload, in the middle or between the last byte and its answer.
The client of docs/how-to/print-servers.md sends the job again, and it is printed once.

Usage: upload.py"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests/system/cups")]
from private_cups import CUPSD, PrivateCups, become_root, wait_until  # noqa: E402
from tried_blocks import blocks_of  # noqa: E402

SKIPPED = 77
# More than lp's buffer, and less than that of a socket.
DOCUMENT = b"%!PS\n" + bytes(range(256)) * 500
PART = len(DOCUMENT) * 3 // 4


BACKEND = """#!/bin/sh
cat "${6:--}" >> "$HALFTONED_OUT/page"
"""


class Server(PrivateCups):
    def _write_configuration(self):
        super()._write_configuration()
        conf = self.root / "etc/cupsd.conf"
        conf.write_text(conf.read_text() + "MultipleOperationTimeout 1\n")

    def requests(self):
        """Bodies that arrive, each in a file with a number of eight digits."""
        return [path for path in (self.root / "spool").glob("?" * 8)
                if path.stat().st_size > 0]

    def sizes(self):
        listed = self.command("lpstat", "-W", "all", "-o").stdout
        return {line.split()[0]: int(line.split()[2])
                for line in listed.splitlines()}

    def die(self):
        self.process.kill()
        self.process.wait()


def die_in_the_middle(server, pipe):
    pipe.write(DOCUMENT[:PART])
    wait_until(server.requests, "the server has a part")
    server.die()
    pipe.close()


def die_before_the_answer(server, pipe):
    pipe.write(DOCUMENT[:PART])
    wait_until(server.requests, "the server has a part")
    server.process.send_signal(signal.SIGSTOP)
    pipe.write(DOCUMENT[PART:])
    pipe.close()


def upload(server, client, fault):
    """Once from a pipe and with the fault, and then from a file."""
    fifo = server.root / "document"
    os.mkfifo(fifo)
    with subprocess.Popen(["sh", client, "-d", "laser", "-o", "raw", "--", fifo],
                          env=server.environment, text=True,
                          stdout=subprocess.PIPE) as printing:
        with open(fifo, "wb", buffering=0) as pipe:
            fault(server, pipe)
        # lp has handed everything over, or has failed, when it has closed its end.
        wait_until(lambda: not is_read(fifo), "lp has read all")
        fifo.unlink()
        fifo.write_bytes(DOCUMENT)
        server.die()
        server.start()
        job = printing.communicate(timeout=60)[0].strip()
    assert printing.returncode == 0, printing.returncode
    fifo.unlink()
    return job


def is_read(fifo):
    """Whether anybody has it open to read."""
    try:
        os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def check(server, client_text):
    client = server.root / "print-safely"
    # A Unix socket needs no TLS.
    client.write_text(client_text.replace("ENCRYPTION=Required",
                                          "ENCRYPTION=IfRequested"))
    server.command("lpadmin", "-p", "laser", "-E", "-v", "keep:", "-m", "raw")
    faults = (die_in_the_middle, die_before_the_answer)
    jobs = [upload(server, client, fault) for fault in faults]
    for job in jobs:
        assert server.wait(int(job.partition("-")[2])) == "completed"
    assert (server.out / "page").read_bytes() == 2 * DOCUMENT
    empty = [job for job, size in server.sizes().items() if size == 0]
    assert len(empty) >= 2 and not set(empty) & set(jobs), (empty, jobs)
    for job in empty:  # ends by itself, and the log says so
        number = int(job.partition("-")[2])
        server.wait(number)
        log = (server.root / "log/error_log").read_text()
        assert f"[Job {number}] Aborting job because it has no files" in log


def main():
    if not shutil.which(CUPSD) or not shutil.which("lp"):
        print("NOT run: needs cupsd and lp")
        sys.exit(SKIPPED)
    become_root()
    client = blocks_of(SOURCE / "docs/how-to/print-servers.md")["print-safely"]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        backend = pathlib.Path(folder) / "keep"
        backend.write_text(BACKEND)
        with Server({}, {"keep": backend}) as server:
            check(server, client)


if __name__ == "__main__":
    main()

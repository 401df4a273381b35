#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long honest jobs take while another user floods halftone-printer-app, beside
their quiet time: with 8,000 connections, each with half a request, of which those that
the server ends are made anew; a document on each printer that comes byte by byte; and
requests of random bytes. Milliseconds until the printer has the whole job; the server's
threads and memory. Needs root, which takes the other user's place.

Usage: flood.py BUILD_FOLDER [--connections 8000] [--jobs 30] [--rounds 3]
"""

import argparse
import contextlib
import multiprocessing
import os
import pathlib
import pwd
import random
import resource
import socket
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests/system/printer_app")]
from kit.ipp_client import (CHARSET, LANGUAGE, MIME, NAME, PRINT_JOB, URI,  # noqa: E402
                            Client, message)
from kit.marked_documents import PCL, own, pdf  # noqa: E402
from kit.server import Application  # noqa: E402

ATTACKER = "daemon"  # that every system has
PRINTERS = ("one", "two")
HEAD = b"POST /ipp/print/%s HTTP/1.1\r\nHost: localhost\r\n" \
    b"Content-Type: application/ipp\r\n"
RECONNECTS = 500  # a second, at most


def drip(port, printer):
    """A connection with a document that has no end."""
    words = [(CHARSET, "attributes-charset", "utf-8"),
             (LANGUAGE, "attributes-natural-language", "en"),
             (URI, "printer-uri", f"ipp://localhost:{port}/ipp/print/{printer}"),
             (NAME, "requesting-user-name", "bob"), (MIME, "document-format", PCL)]
    body = message(PRINT_JOB, words) + own(99)
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(HEAD % printer.encode() + b"Transfer-Encoding: chunked\r\n\r\n"
                       b"%x\r\n%s\r\n" % (len(body), body))
    return connection


def half(port):
    connection = socket.socket()
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        connection.connect(("127.0.0.1", port))
    return connection


def has_ended(connection):
    try:
        return connection.recv(4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def attack(port, count, is_ready):
    """As another user, until it is killed."""
    os.seteuid(pwd.getpwnam(ATTACKER).pw_uid)
    drips = [drip(port, printer) for printer in PRINTERS]
    connections, source = [], random.Random(1)
    while len(connections) < count:
        connections.append(half(port))
    is_ready.set()
    at = 0
    while True:
        for _ in range(RECONNECTS // 10):
            at = (at + 1) % count
            if has_ended(connections[at]):
                connections[at].close()
                connections[at] = half(port)
            with contextlib.suppress(OSError):
                connections[at].send(b"POST /ipp HTTP/1.1\r\n")
        with contextlib.suppress(OSError), \
                socket.create_connection(("127.0.0.1", port), 1) as noise:
            noise.sendall(HEAD % b"one" + b"Content-Length: 4096\r\n\r\n" +
                          source.randbytes(4096))
        for number, connection in enumerate(drips):
            try:
                connection.sendall(b"1\r\n\0\r\n")
            except OSError:
                with contextlib.suppress(OSError):
                    drips[number] = drip(port, PRINTERS[number])
        time.sleep(0.1)


def job_times(app, printers, jobs):
    """The times of jobs one after another, by kind."""
    client, times = Client(app.port, "root"), {"raw": [], "PDF": []}
    for number in range(jobs):
        for name, document, kind in (("raw", own(number), PCL),
                                     ("PDF", pdf(number), "application/pdf")):
            printer = printers[number % len(printers)]
            done = len(printer.jobs)
            begin = time.monotonic()
            status, _ = client.print(PRINTERS[number % len(printers)], document, kind)
            assert status == 0, hex(status)
            printer.job(done)
            times[name].append((time.monotonic() - begin) * 1000)
    return times


def usage(app):
    return (f"{app.status('Threads')} threads, {app.status('VmRSS') >> 10} MiB before "
            f"PAPPL; {app.status('Threads', pid=app.behind())} threads, "
            f"{app.status('VmRSS', pid=app.behind()) >> 10} MiB behind")


def measure(app, printers, words):
    quiet = job_times(app, printers, words.jobs)
    before = usage(app)
    is_ready = multiprocessing.Event()
    attacker = multiprocessing.Process(
        target=attack, args=(app.port, words.connections, is_ready), daemon=True)
    attacker.start()
    try:
        assert is_ready.wait(60), "the flood does not begin"
        flooded = job_times(app, printers, words.jobs)
        during = usage(app)
    finally:
        attacker.kill()
        attacker.join()
    for kind in quiet:
        rows = [statistics.median(each[kind]) for each in (quiet, flooded)] + \
            [max(each[kind]) for each in (quiet, flooded)]
        print(f"| {kind} | " + " | ".join(f"{each:.0f}" for each in rows) +
              f" | {rows[1] / rows[0]:.2f} |", flush=True)
    return before, during


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--connections", type=int, default=8000)
    parser.add_argument("--jobs", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    words = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("flood.py: only root can take another user's place")
    most = max(words.connections + 100, *resource.getrlimit(resource.RLIMIT_NOFILE))
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    program = words.build.resolve() / "printer_app/halftone-printer-app"
    with tempfile.TemporaryDirectory() as folder:
        app = Application(program, folder, level="error")
        app.start()
        try:
            printers = [app.add(name, "pcl5e") for name in PRINTERS]
            print("| job | quiet, median | flooded | quiet, most | flooded | ratio |\n"
                  "|---|---:|---:|---:|---:|---:|", flush=True)
            for _ in range(words.rounds):
                before, during = measure(app, printers, words)
            print(f"quiet: {before}; flooded: {during}; load {os.getloadavg()[0]:.1f}")
        finally:
            app.kill()


if __name__ == "__main__":
    main()

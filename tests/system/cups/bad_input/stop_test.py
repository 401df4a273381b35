#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters that are told to end, and readers that end.

Usage: stop_test.py FILTER [unittest arguments]
"""

import fcntl
import os
import pathlib
import re
import select
import signal
import subprocess
import tempfile
import time
import unittest

from filter_case import (FILTER, IS_SANITIZED, MEBIBYTE, PLAIN, SOUND_OUT,
                         WAIT_SECONDS, raster, sound_page)
from cups_raster import V2_BYTES, pack_header, page_header

# From SIGTERM to the end: half a second of it is ours, the rest is left to a
# busy machine.
STOP_SECONDS = 5


LARGE = 1 << 14


def threads_of(child):
    """The state of each thread, and how often it has begun to wait."""
    return [re.findall(r"^(?:State|voluntary_ctxt_switches):\s+(\w+)",
                       (task / "status").read_text(), re.MULTILINE)
            for task in pathlib.Path(f"/proc/{child.pid}/task").iterdir()]


def everybody_waits(child):
    """No thread of it has run between two looks, which are further apart than
    the clock lets any of them wait (for a processor, 10 ms)."""
    threads = threads_of(child)
    time.sleep(0.05)
    return (all(state == "S" for state, _ in threads) and
            threads_of(child) == threads)


def takes(stream):
    return bool(select.select([], [stream], [], 0)[1])


def feed_large_page(child, height=1 << 20):
    """Rows of a page whose end never comes, until all pipes are full."""
    child.stdin.write(raster(pack_header(page_header(
        LARGE, height, dpi=(600, 19200)))))
    os.set_blocking(child.stdin.fileno(), False)
    rows = b"\x55" * MEBIBYTE
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            os.write(child.stdin.fileno(), rows)
        except BlockingIOError:
            # Still full, or it has been emptied since and more is waited for.
            if everybody_waits(child) and not takes(child.stdin):
                return
    raise TimeoutError(f"the filter took rows for {WAIT_SECONDS} s")


def start(**streams):
    """Starts the filter, and waits until it is at work."""
    child = subprocess.Popen(
        [FILTER, "1", "user", "title", "1", ""], stderr=subprocess.PIPE,
        bufsize=0, **streams,
        env=dict(os.environ, HALFTONED_CONF=PLAIN))
    while not child.stderr.readline().startswith(b"DEBUG: engine"):
        pass
    return child


def close(child):
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream:
            stream.close()


def read_exactly(stream, size):
    data = b""
    while len(data) < size:
        piece = stream.read(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


class Stops(unittest.TestCase):
    def test_waiting_for_input_ends_when_told(self):
        page = sound_page()
        for data, answer in ((b"", 0), (raster(), 0),
                             (raster(page[:-1]), 4 + V2_BYTES),
                             (raster(page), len(SOUND_OUT)),
                             (raster(page, page[:99]), len(SOUND_OUT))):
            with self.subTest(bytes=len(data)):
                child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                child.stdin.write(data)
                read_exactly(child.stdout, answer)
                self.assert_ends_when_told(child)

    def test_a_reader_that_does_not_read(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feed_large_page(child)
        with os.fdopen(os.dup(child.stdout.fileno()), "rb") as reader:
            self.assert_ends_when_told(child)
            left = len(reader.read())
        self.assertGreater(left, 4 + V2_BYTES)
        self.assertEqual((left - 4 - V2_BYTES) % (LARGE // 8), 0)

    def test_messages_that_nobody_reads(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        fcntl.fcntl(child.stderr, fcntl.F_SETPIPE_SZ, 4096)
        with open(f"/proc/{child.pid}/fd/2", "wb", buffering=0) as others:
            others.write(b"x" * 4096)
        # A line of progress every other band, and room for none.
        feed_large_page(child, 12800)
        self.assert_ends_when_told(child)

    def assert_ends_when_told(self, child):
        begun = time.monotonic()
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(WAIT_SECONDS), 1)
        self.assertLess(time.monotonic() - begun, STOP_SECONDS)
        close(child)

    def test_canceled_output_ends_with_a_complete_row(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feed_large_page(child)
        child.send_signal(signal.SIGTERM)
        out = child.stdout.readall()
        self.assertEqual(child.wait(WAIT_SECONDS), 1)
        self.assertGreater(len(out), 4 + V2_BYTES)
        self.assertEqual((len(out) - 4 - V2_BYTES) % (LARGE // 8), 0)
        close(child)

    def test_a_reader_that_goes_away(self):
        child = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        feed_large_page(child)
        child.stdout.close()
        self.assertEqual(child.wait(WAIT_SECONDS), 1)
        errors = [line for line in child.stderr.readlines()
                  if line.startswith(b"ERROR:")]
        self.assertEqual(
            errors, [b"ERROR: cannot print: the next program of the job has "
                     b"closed its input\n"])
        close(child)

    def test_a_bomb_is_bounded_and_ends_when_told(self):
        # 2¹⁸ columns of 2²² rows, in 256 rows of 4 KiB each: 1 TB of gray.
        header = page_header(2**18, 2**22, dpi=(600, 19200))
        line = b"\xff" + b"\x7f\x55" * (2**18 // 128)
        with tempfile.TemporaryFile() as source:
            source.write(raster(pack_header(header, 2), version=2))
            for _ in range(4096):
                source.write(line)
            source.seek(0)
            child = start(stdin=source, stdout=subprocess.PIPE)
            # It is at work: the first band has come.
            read_exactly(child.stdout, MEBIBYTE)
            begun = time.monotonic()
            child.send_signal(signal.SIGTERM)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.assertLess(time.monotonic() - begun, STOP_SECONDS)
            self.assertEqual(child.returncode, 1)
            close(child)
            if not IS_SANITIZED:
                self.assertLessEqual(usage.ru_maxrss, 64 * 1024)


if __name__ == "__main__":
    unittest.main()

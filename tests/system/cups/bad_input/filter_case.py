# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs rastertohalftone on input that no renderer sends, and checks how it ends.

The first argument of a test is the program. If $FORKED_FILTER names one with the same
main (forked_main.cc), `run` starts that once and forks it for each case.

A case that must fail ends, after at most a second of work, with exit code 1 and one
ERROR line that names the problem and contains no byte of the input; its output is, bit
for bit, the start of the expected output. Memory stays within 64 MiB, unless a
sanitizer needs more.
"""

import atexit
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import time
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import expected  # noqa: E402
from cups_raster import (pack_header, pack_page, page_header,  # noqa: E402
                         read_pages, sync_word)

FILTER = str(pathlib.Path(sys.argv.pop(1)).resolve())
IS_SANITIZED = "asan" in FILTER
# Every case, for minutes.
LONG = "--long" in sys.argv
if LONG:
    sys.argv.remove("--long")
MEBIBYTE = 1 << 20
PLAIN = str(HERE / "plain.conf")
WIDTH, HEIGHT = 24, 6
# Processor time, which a busy machine does not stretch; sanitizers do. Waiting
# is bounded too, so that a test that hangs ends.
CPU_SECONDS = 1 if not IS_SANITIZED else 20
WAIT_SECONDS = 60


class Ended:
    def __init__(self, data, code, out, out_bytes, err, kibibytes):
        self.data, self.code, self.err = data, code, err
        self.out, self.out_bytes = out, out_bytes
        self.kibibytes = kibibytes
        self.errors = [line for line in err.splitlines()
                       if line.startswith(b"ERROR:")]


def _started(words, environment, files):
    """The status of the program, and the resources that it has used."""
    child = subprocess.Popen(
        [FILTER, *words], env=environment,
        **dict(zip(("stdin", "stdout", "stderr"), files)))
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return status, usage
        if time.monotonic() > deadline:
            child.kill()
            os.wait4(child.pid, 0)
            raise TimeoutError(f"longer than {WAIT_SECONDS} s")
        time.sleep(0.001)


_forking = None  # the process and the socket of $FORKED_FILTER


def _stop_forking():
    process, requests = _forking
    requests.close()
    process.kill()
    process.wait()


def _forked(words, environment, files):
    global _forking
    if not _forking:
        requests, theirs = socket.socketpair(socket.AF_UNIX,
                                             socket.SOCK_SEQPACKET)
        requests.settimeout(WAIT_SECONDS)
        with theirs:
            _forking = (subprocess.Popen([os.environ["FORKED_FILTER"]],
                                         stdin=theirs), requests)
        atexit.register(_stop_forking)
    text = [str(1 + len(words)), FILTER, *words,
            *(f"{name}={value}" for name, value in environment.items())]
    socket.send_fds(_forking[1],
                    [b"".join(os.fsencode(word) + b"\0" for word in text)],
                    [file.fileno() for file in files])
    reply = _forking[1].recv(4096)
    status, = struct.unpack_from("i", reply)
    # struct rusage, as wait4 gives it.
    times = struct.unpack_from("8xqqqqq", reply)
    return status, types.SimpleNamespace(
        ru_utime=times[0] + times[1] / 1e6, ru_stime=times[2] + times[3] / 1e6,
        ru_maxrss=times[4])


def run(data, options="", arguments=None, environment=None,
        cpu_seconds=CPU_SECONDS):
    """Runs the filter on `data`, bytes or pieces of them, and measures it.
    Keeps the first MiB of what it writes: the memory of a process begins with
    that of the one it was forked from, so this one must stay small."""
    with tempfile.TemporaryFile() as source, \
            tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        for piece in [data] if isinstance(data, bytes) else data:
            source.write(piece)
        source.seek(0)
        words = arguments or ["1", "user", "title", "1", options]
        environment = {**os.environ, "HALFTONED_CONF": PLAIN,
                       **(environment or {})}
        start = _forked if "FORKED_FILTER" in os.environ else _started
        status, usage = start(words, environment, (source, out, err))
        used = usage.ru_utime + usage.ru_stime
        if used > cpu_seconds:
            raise TimeoutError(f"{used} s of work")
        out_bytes = out.seek(0, os.SEEK_END)
        out.seek(0)
        err.seek(0)
        return Ended(data, os.waitstatus_to_exitcode(status),
                     out.read(MEBIBYTE), out_bytes, err.read(MEBIBYTE),
                     usage.ru_maxrss)


def raster(*pages, version=3, order="<"):
    return sync_word(version, order) + b"".join(pages)


def sound_page(version=3, **fields):
    header = page_header(WIDTH, HEIGHT, **fields)
    rows = bytes(range(WIDTH)) * HEIGHT
    return pack_page(header, rows, version)


def with_fields(**fields):
    """A header whose fields are as given, and more rows than it can want."""
    return raster(pack_header(page_header(WIDTH, HEIGHT, **fields)),
                  bytes(4096))


def with_one_page(**fields):
    return raster(sound_page(**fields))


SOUND_OUT = b"".join(expected.cups_output(raster(sound_page())))


def every(first, end):
    """All of a range in the long form, otherwise a spread with both ends."""
    if LONG:
        return range(first, end)
    return sorted({first, end - 1, *range(first, end, 197)})


def every_count(count):
    return 20 * count if LONG else count // 6


class FilterCase(unittest.TestCase):
    def assert_refused(self, ended, says=""):
        text = ended.err.decode(errors="replace")
        self.assertEqual(ended.code, 1, text)
        self.assertEqual(len(ended.errors), 1, text)
        line = ended.errors[0].decode()
        self.assertRegex(line, r"^ERROR: cannot print: [a-z0-9/*]")
        self.assertIn(says, line)
        expected.assert_begins(ended.out, ended.data, is_all=False)
        if not IS_SANITIZED:
            self.assertLessEqual(ended.kibibytes, 64 * 1024)

    def assert_accepted(self, ended, pages=1):
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(ended.errors, [])
        if ended.out[:4] == sync_word(2, ">"):
            self.assert_on_sheets(ended)
        else:
            expected.assert_begins(ended.out, ended.data, is_all=True)
        self.assertEqual(len(read_pages(ended.out)), pages)
        if not IS_SANITIZED:
            self.assertLessEqual(ended.kibibytes, 64 * 1024)

    def assert_printed_without(self, ended, problem):
        """With a warning of what is wrong in the configuration."""
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(ended.errors, [])
        text = ended.err.decode()
        warnings = [line for line in text.splitlines()
                    if line.startswith("WARNING: ")]
        self.assertEqual(len(warnings), 1, text)
        self.assertIn(problem, warnings[0])
        self.assertIn("STATE: +halftoned-configuration-warning\n", text)
        self.assertIn("STATE: -halftoned-configuration-error\n", text)

    def assert_on_sheets(self, ended):
        """PWG raster: the same bits at the upper left, white around them."""
        given = list(expected.pages(ended.data))
        written = read_pages(ended.out)
        self.assertEqual(len(written), len(given))
        for (header, rows), (_, _, ink) in zip(written, given):
            line = header["cupsBytesPerLine"]
            sheet = b"".join(row[:line].ljust(line, b"\0") for row in ink)
            size = len(rows)
            self.assertEqual(rows, sheet[:size].ljust(size, b"\0"))

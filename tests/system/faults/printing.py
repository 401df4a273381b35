# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A job of some pages, its bits if nothing fails, and filters that print it while
something fails."""

import fcntl
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "cups"), str(HERE.parent / "daemon")]

import cups_raster  # noqa: E402

FILTER = os.environ["RASTERTOHALFTONE"]
BAND = 128  # rows, as the filter has them
WIDTH = 300
TIMEOUT = 0.3  # seconds until a daemon counts as hanging
PIPE_BYTES = 4096  # of a slow job's output
LIMIT = 60  # seconds for a job, so that none hangs
MOVED = "and later rows by"


class Outcome:
    """The result of a filter: its status, output and messages."""

    def __init__(self, status, bits, log):
        self.status = status
        self.bits = bits
        self.log = log

    def moves(self):
        return self.log.count(MOVED)


class Printing:
    """`rows_of_pages`: of each page; `options`: of the job. Everything is in a
    folder that ends with close()."""

    def __init__(self, rows_of_pages, options=""):
        self.options = options
        self._folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.folder = pathlib.Path(self._folder.name)
        self.folder.chmod(0o755)
        self.rows = sum(rows_of_pages)
        self.raster = self.folder / "pages.ras"
        noise = [random.Random(i).randbytes(WIDTH) for i in range(64)]
        pages = [cups_raster.pack_header(cups_raster.page_header(WIDTH, rows)) +
                 b"".join(noise[(i * 31 + rows) % 64] for i in range(rows))
                 for rows in rows_of_pages]
        self.raster.write_bytes(cups_raster.sync_word(3) + b"".join(pages))
        alone = self.print_job(self.conf("alone", use_daemon=False))
        assert alone.status == 0 and self.rows < len(alone.bits), alone.log
        self.expected = alone.bits

    def close(self):
        self._folder.cleanup()

    def conf(self, name="filter", socket="/nowhere", **keys):
        """The path of a configuration by which a filter finds a daemon;
        keywords are keys of [filter]."""
        keys = {"daemon_timeout": TIMEOUT, **keys}
        path = self.folder / f"{name}.conf"
        lines = [f'[daemon]\nsocket = "{socket}"\nuser = "nobody"\n[filter]']
        for key, value in keys.items():
            text = str(value).lower() if isinstance(value, bool) else value
            lines.append(f"{key.replace('_', '-')} = {text}")
        path.write_text("\n".join(lines) + "\n")
        return path

    def start(self, conf, job=1, environment=(), options=None, raster=None,
              **popen):
        """A filter at work. raster: a file's path; "": its input; else ours."""
        if options is None:
            options = self.options
        files = [] if raster == "" else [str(raster or self.raster)]
        return subprocess.Popen(
            [FILTER, str(job), "user", "title", "1", options, *files],
            env={**os.environ, "HALFTONED_CONF": str(conf),
                 **dict(environment)},
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
               "stderr": subprocess.PIPE, **popen})

    def start_slowly(self, conf, **start):
        """A running filter, and the reading end of a small pipe for its output. The
        filter blocks if the test does not read."""
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        process = self.start(conf, stdout=writer, **start)
        os.close(writer)
        return process, reader

    def finish(self, process, reader, bits):
        """The outcome of a filter; `bits` have been read already."""
        with open(reader, "rb") as rest:
            bits += rest.read()
        _, log = process.communicate()
        return Outcome(process.returncode, bits, log.decode())

    def print_job(self, conf, **start):
        with self.start(conf, **start) as process:
            try:
                bits, log = process.communicate(timeout=LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise AssertionError("the filter hangs") from None
        return Outcome(process.returncode, bits,
                       log.decode() if log is not None else "")

    def print_by_daemon(self, daemon, job=1, environment=(), **keys):
        """Prints a job entirely on the daemon, or fails; a busy machine may take
        long."""
        conf = self.conf("patient", socket=daemon.socket,
                         daemon_timeout=LIMIT, **keys)
        self.check(self.print_job(conf, job=job, environment=environment,
                                  options="halftone-engine=remote"))

    def check(self, outcome, may_fail=False):
        """Checks the outcome of a job, whatever fails: all its bits or, if it may
        fail, one line with the failure and only the beginning of its bits. True
        if it has all bits."""
        if outcome.status == 0 or not may_fail:
            assert outcome.status == 0, f"the job failed:\n{outcome.log}"
            assert outcome.bits == self.expected, f"other bits:\n{outcome.log}"
            return True
        assert outcome.status == 1, f"{outcome.status}:\n{outcome.log}"
        assert outcome.log.count("ERROR: ") == 1, outcome.log
        assert self.expected.startswith(outcome.bits), \
            f"wrong bits before the end:\n{outcome.log}"
        return False

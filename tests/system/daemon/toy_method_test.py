#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A client that knows a method more than the daemon and its workers: nobody but
its own definition makes the page.

$TOY_HALFTONE is the file tool with that method, $WORKER_CUDA a worker on a GPU
that a test has made up.
"""

import os
import shutil
import subprocess
import unittest

from daemon_process import IS_ROOT, USER, Daemon, as_user, shared_folder

WIDTH, HEIGHT = 200, 60
PAGE = b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + bytes(
    (37 * i + i * i // 91) % 256 for i in range(WIDTH * HEIGHT))
HEAD = b"P4\n%d %d\n" % (WIDTH, HEIGHT)
VECTORS = ("avx512", "avx2", "ssse3", "neon")


class ToyMethod(unittest.TestCase):
    def convert(self, *options, kind="toy", **environment):
        command = [shutil.copy(os.environ["TOY_HALFTONE"], shared_folder()),
                   "convert", "--halftone-type", kind, *options, "-", "-"]
        return subprocess.run(
            as_user(USER, command) if IS_ROOT else command, input=PAGE,
            capture_output=True, check=False,
            env={**os.environ,
                 "HALFTONED_LIBEXEC": str(shared_folder() / "libexec"),
                 **environment})

    def refuses(self, message, *options):
        done = self.convert(*options)
        self.assertEqual(done.returncode, 1, options)
        self.assertIn(done.stdout, (b"", HEAD))  # not a row
        self.assertIn(message, done.stderr.decode())

    def test_is_made_by_the_definition(self):
        done = self.convert("--engine", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = self.convert("--engine", "scalar")
        self.assertEqual(done.stdout, made.stdout)
        self.assertEqual(len(made.stdout), len(HEAD) + 25 * HEIGHT)
        self.assertNotEqual(
            made.stdout,
            self.convert("--engine", "scalar", kind="fine").stdout)

    def test_is_refused_by_other_engines(self):
        for name in VECTORS:
            known = self.convert("--engine", name, kind="floyd-steinberg")
            if known.returncode == 0:  # this processor has it
                with self.subTest(name=name):
                    self.refuses("does not support toy", "--engine", name)

    def test_is_refused_by_a_daemon(self):
        with Daemon() as daemon:
            remote = ("--engine", "remote", "--socket", daemon.socket)
            self.assertEqual(self.convert(*remote, kind="fine").returncode, 0)
            self.assertEqual(daemon.status()["refusals"]["no_worker"], 0)
            self.refuses("no worker can accept this connection", *remote)
            self.assertEqual(daemon.status()["refusals"]["no_worker"], 1)

    def test_is_refused_by_a_worker_on_a_gpu(self):
        cuda = ("--engine", "cuda")
        self.assertEqual(self.convert(*cuda, kind="fine").returncode, 0)
        self.refuses("unknown halftone algorithm 15", *cuda)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert --engine cuda where no daemon is: it starts the GPU worker in
the folder $HALFTONED_LIBEXEC for itself, here one whose GPU a test has made up.
"""

import os
import pathlib
import sys
import unittest

from convert_case import Case, halftone, noise, pbm, pgm

SIZE = (203, 1130)
CUDA = ("--engine", "cuda", "--socket", "/nowhere/halftoned.sock")


class ConvertOnAGpu(Case):
    def test_starts_a_worker_that_gives_the_same_bits(self):
        files = []
        for seed in range(3):
            pixels = noise(*SIZE, seed=seed)
            files.append((self.path(f"{seed}.pgm", pgm(*SIZE, pixels)),
                          pbm(*SIZE, halftone(*SIZE, pixels))))
        out = self.path("out")
        os.mkdir(out)
        said = self.convert(*CUDA, "--json", "--format", "pbm",
                            *(path for path, _ in files), "-o", out)
        self.assertEqual(said.count(b'"engine":"cuda"'), len(files))
        made = {path.read_bytes() for path in pathlib.Path(out).iterdir()}
        self.assertEqual(made, {bits for _, bits in files})

    def test_knows_every_type(self):
        path = self.path("a.pgm", pgm(*SIZE, noise(*SIZE)))
        for kind in ("fine", "clustered", "bi-level", "screen", "blue-noise"):
            for edges in ("off", "crisp"):
                with self.subTest(kind=kind, edges=edges):
                    made = [self.path(f"{name}.pbm") for name in "ab"]
                    options = ("--halftone-type", kind, "--text-edges", edges)
                    said = self.convert(*CUDA, "--json", path, made[0],
                                        *options)
                    self.assertIn(b'"engine":"cuda"', said)
                    self.convert("--engine", "scalar", path, made[1], *options)
                    self.assertEqual(*(pathlib.Path(one).read_bytes()
                                       for one in made))

    def test_refuses_types_that_gpus_do_not_know(self):
        path = self.path("a.pgm", pgm(3, 1, b"abc"))
        self.fails(*CUDA, path, self.path("b.pbm"), "--halftone-type", "jarvis",
                   says="no engine here supports jarvis")

    def test_says_why_there_is_no_gpu(self):
        path = self.path("a.pgm", pgm(3, 1, b"abc"))
        environment = {**os.environ, "HALFTONED_FAKE_GPU": "attach:1=absent"}
        self.fails(*CUDA, path, self.path("b.pbm"), env=environment,
                   says="no device")

    def test_reports_a_missing_worker(self):
        path = self.path("a.pgm", pgm(3, 1, b"abc"))
        environment = {**os.environ, "HALFTONED_LIBEXEC": "/nowhere"}
        self.fails(*CUDA, path, self.path("b.pbm"), env=environment,
                   says="the GPU worker is not installed: no "
                   "/nowhere/worker-cuda")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)

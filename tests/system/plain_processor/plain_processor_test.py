#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A processor without a vector engine serves every halftone type: in the filter, in
the daemon's worker and in the file tool. All of these are built without the vector
engines; $HALFTONE has them, and its output is compared.

Usage: plain_processor_test.py FILTER EXPECT_RASTER [unittest arguments]
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cups"))
import filter_with_daemon_test as with_daemon  # noqa: E402
from filter_with_daemon_test import Daemon, Filter, Page  # noqa: E402

HALFTONE, PLAIN_HALFTONE = (
    os.environ[name] for name in ("HALFTONE", "PLAIN_HALFTONE"))
# None: the default for a laser, with crisp edges.
TYPES = (None, "fine", "best", "floyd-steinberg", "clustered", "bi-level", "screen",
         "blue-noise", "jarvis")


class PlainProcessor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_has_no_vector_engine(self):
        said = subprocess.run([PLAIN_HALFTONE, "engines"], check=True,
                              capture_output=True, text=True).stdout
        self.assertEqual([line.split()[:2] for line in said.splitlines()],
                         [["scalar", "default"]])

    def test_the_filter_and_the_worker_serve_every_type(self):
        with Daemon() as daemon:
            for kind in TYPES:
                with self.subTest(kind=kind):
                    # The filter by itself; its bits are the definition's.
                    page = Page(self.folder, 203, 301, 1, kind)
                    look = ({"halftone_type": kind, "text_edges": "off"}
                            if kind else {})
                    conf = self.folder / "remote.conf"
                    conf.write_text(
                        daemon.filter_conf(engine="remote", **look))
                    bits, _ = Filter(conf).feed(page.raster).end()
                    self.assertEqual(bits, page.bits)

    def test_the_file_tool_serves_every_type(self):
        gray = self.folder / "gray.pgm"
        gray.write_bytes(b"P5 203 301 255\n" +
                         random.Random(1).randbytes(203 * 301))
        for kind in TYPES[1:]:
            for edges in ("off", "crisp"):
                with self.subTest(kind=kind, edges=edges):
                    made = []
                    for program in (HALFTONE, PLAIN_HALFTONE):
                        out = self.folder / "bits.pbm"
                        subprocess.run([program, "convert", "--halftone-type",
                                        kind, "--text-edges", edges,
                                        gray, out],
                                       check=True)
                        made.append(out.read_bytes())
                    self.assertEqual(made[0], made[1])


if __name__ == "__main__":
    with_daemon.FILTER, with_daemon.EXPECT_RASTER = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

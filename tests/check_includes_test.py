#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_includes.py finds what it is there to find."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("check_includes.py")


class CheckIncludes(unittest.TestCase):
    def check(self, path, text):
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            done = subprocess.run([sys.executable, CHECK, root],
                                  capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_lets_the_right_direction_pass(self):
        status, _ = self.check("engine/halftone/a.cc",
                               '#include "base/result.h"\n#include <vector>\n')
        self.assertEqual(status, 0)

    def test_finds_what_is_wrong(self):
        for path, text in [
                ("engine/base/a.h", '#include "halftone/page.h"\n'),
                ("engine/halftone/a.cc", '#include "wire/frame.h"\n'),
                ("engine/halftone/a.cc", "#include <unistd.h>\n"),
                ("engine/halftone/a.cc", "#  include <cups/raster.h>\n"),
                ("engine/wire/a.cc", '#include "filter/job.h"\n'),
                ("engine/wire/a.cc", '#include "config/config.h"\n'),
                ("filter/a.cc", '#include "tools/convert.h"\n'),
                ("tools/a.cc", '#include "tests/equality/oracle.h"\n'),
                ("engine/wire/a.cc", '#include "frame.h"\n'),
                ("engine/halftone/cuda/a.cc", "#include <cuda_runtime.h>\n"),
                ("engine/base/a.h", "#include <halftone/page.h>\n"),
                ("engine/base/a.h", '#include "../halftone/page.h"\n'),
                ("engine/halftone/a.cc", "#include <wire/frame.h>\n"),
                ("engine/halftone/a.cc", '#include "base/descriptor.h"\n'),
                ("engine/halftone/a.cc", "#include <pthread.h>\n"),
                ("engine/halftone/a.cc", "#include <filesystem>\n"),
                ("engine/halftone/a.cc", "#include <sys/mman.h>\n"),
                ("engine/halftone/a.inc", "#include <syslog.h>\n"),
        ]:
            status, output = self.check(path, "\n" + text)
            self.assertEqual(status, 1, path + " " + text)
            self.assertIn(f"{path}:2: ", output)

    def test_a_folder_without_a_place_is_found(self):
        status, output = self.check("engine/extra/a.cc", "\n")
        self.assertEqual(status, 1)
        self.assertIn("engine/extra/a.cc:1: ", output)

    def test_an_empty_tree_is_not_a_pass(self):
        with tempfile.TemporaryDirectory() as root:
            done = subprocess.run([sys.executable, CHECK, root],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()

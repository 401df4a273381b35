#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_includes.py finds every kind of wrong include."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_includes


class CheckIncludes(unittest.TestCase):
    def check(self, path, text):
        """What is wrong with a tree of this one file."""
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            files, bad = check_includes.check(pathlib.Path(root))
        self.assertEqual(files, 1)
        return bad

    def test_lets_the_right_direction_pass(self):
        self.assertEqual([], self.check(
            "engine/halftone/run/a.cc",
            '#include "base/result.h"\n#include <vector>\n'))
        for header in ("halftoned/halftone.h", "library/handles.h",
                       "halftone/look/settings.h", "base/text.h"):
            self.assertEqual([], self.check("engine/library/a.cc",
                                            f'#include "{header}"\n'))
        for header in ("halftone/cpu/local_engines.h", "halftone/run/engine.h",
                       "halftone/gpu/host/engine.h"):
            self.assertEqual([], self.check("engine/daemon/worker/cuda/main.cc",
                                            f'#include "{header}"\n'))

    def test_finds_violations(self):
        for path, text in [
                ("engine/base/a.h", '#include "halftone/page.h"\n'),
                ("engine/halftone/run/a.cc", '#include "wire/frame.h"\n'),
                ("engine/halftone/run/a.cc", "#include <unistd.h>\n"),
                ("engine/halftone/run/a.cc", "#  include <cups/raster.h>\n"),
                ("engine/halftone/page/a.h", '#include "halftone/run/flow.h"\n'),
                ("engine/halftone/run/a.h", '#include "halftone/cpu/kernel.h"\n'),
                ("engine/halftone/cpu/a.h", '#include "halftone/look/tones/tone.h"\n'),
                ("engine/daemon/a.cc", '#include "halftone/cpu/scalar.h"\n'),
                ("engine/daemon/a.cc", '#include "halftone/gpu/host/engine.h"\n'),
                ("engine/library/a.cc", '#include "wire/frame.h"\n'),
                ("engine/library/a.cc", '#include "halftone/cpu/kernel.h"\n'),
                ("tools/a.cc", '#include "library/handles.h"\n'),
                ("tools/a.cc", '#include <halftoned/halftone.h>\n'),
                ("engine/wire/a.cc", '#include "filter/job.h"\n'),
                ("engine/wire/a.cc", '#include "config/config.h"\n'),
                ("filter/a.cc", '#include "tools/convert/convert.h"\n'),
                ("printer_app/a.cc", '#include "filter/job.h"\n'),
                ("printer_app/front/a.cc", "#include <pappl/pappl.h>\n"),
                ("printer_app/front/a.cc", '#include "printer_app/jobs/a.h"\n'),
                ("printer_app/front/rules/a.cc",
                 '#include "printer_app/front/front.h"\n'),
                ("print/page/a.cc", '#include "filter/job.h"\n'),
                ("print/image/a.cc", '#include "print/render/document.h"\n'),
                ("engine/daemon/worker/a.cc",
                 '#include "halftone/gpu/host/engine.h"\n'),
                ("tools/a.cc", '#include "tests/equality/oracle.h"\n'),
                ("tools/a.cc", '#include "daemon/health_page.h"\n'),
                ("engine/control/a.cc", '#include "config/config.h"\n'),
                ("engine/wire/a.cc", '#include "control/control.h"\n'),
                ("engine/wire/a.cc", '#include "frame.h"\n'),
                ("engine/halftone/gpu/host/a.cc", "#include <cuda_runtime.h>\n"),
                ("engine/halftone/gpu/host/a.cu", "#include <unistd.h>\n"),
                ("engine/halftone/gpu/host/a.cc",
                 '#include "halftone/gpu/host/runtime/launch.cuh"\n'),
                ("engine/halftone/gpu/common/a.cuh",
                 '#include "halftone/gpu/collect/levels.cuh"\n'),
                ("engine/halftone/gpu/common/a.h",
                 '#include "halftone/run/session.h"\n'),
                ("engine/halftone/gpu/collect/a.cu",
                 '#include "halftone/gpu/spread/pixel.h"\n'),
                ("engine/halftone/gpu/spread/a.cu",
                 '#include "halftone/gpu/collect/row_pairs.h"\n'),
                ("engine/halftone/gpu/spread/a.cuh",
                 '#include "halftone/gpu/host/session/handed_rows.h"\n'),
                ("engine/halftone/gpu/decide/a.cu",
                 '#include "halftone/gpu/spread/pixel.h"\n'),
                ("engine/base/a.h", "#include <halftone/page.h>\n"),
                ("engine/base/a.h", '#include "../halftone/page.h"\n'),
                ("engine/halftone/run/a.cc", "#include <wire/frame.h>\n"),
                ("engine/halftone/run/a.cc", '#include "base/descriptor.h"\n'),
                ("engine/halftone/run/a.cc", "#include <pthread.h>\n"),
                ("engine/halftone/run/a.cc", "#include <filesystem>\n"),
                ("engine/halftone/run/a.cc", "#include <sys/mman.h>\n"),
                ("engine/halftone/run/a.inc", "#include <syslog.h>\n"),
        ]:
            offence, = self.check(path, "\n" + text)
            self.assertTrue(offence.startswith(f"{path}:2: "), offence)

    def test_a_folder_without_a_place_is_found(self):
        offence, = self.check("engine/extra/a.cc", "\n")
        self.assertTrue(offence.startswith("engine/extra/a.cc:1: "), offence)

    def test_the_rooms_of_the_kernels_share_what_is_common(self):
        for path, text in [
                ("gpu/collect/a.cu", '#include "halftone/gpu/common/tone.h"\n'),
                ("gpu/spread/a.cu", '#include "halftone/page/recipe.h"\n'),
                ("gpu/decide/a.cu", "#include <cuda_runtime_api.h>\n"),
                ("gpu/host/a.cc", '#include "halftone/gpu/spread/pixel.h"\n'),
        ]:
            self.assertEqual([], self.check("engine/halftone/" + path, text))

    def test_a_new_room_of_the_gpu_needs_a_place(self):
        self.assertEqual(
            1, len(self.check("engine/halftone/gpu/extra/a.cu", "\n")))

    def test_the_program_fails_where_anything_is_wrong_or_nothing_is_there(self):
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root) / "engine/base/a.h"
            for text, status in ((None, 1), ("\n", 0), ('#include "../b.h"\n', 1)):
                if text:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(text)
                done = subprocess.run(
                    [sys.executable, check_includes.__file__, root],
                    stdout=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn("engine/base/a.h:1: ", done.stdout)


if __name__ == "__main__":
    unittest.main()

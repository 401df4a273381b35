# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators that Ghostscript allows documents."""

import subprocess


def may_make_files():
    """False for newer Ghostscripts, which hide the operator for temporary files."""
    return subprocess.run(
        ["gs", "-q", "-dNODISPLAY", "-dSAFER", "-c", "systemdict /.tempfile known == quit"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout == b"true\n"

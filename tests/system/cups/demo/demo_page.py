#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the page that ./demo prints, as PDF. Usage: demo_page.py OUTPUT"""

import pathlib
import subprocess
import sys
import tempfile

import demo_still_life

HERE = pathlib.Path(__file__).parent


def main():
    with tempfile.NamedTemporaryFile(suffix=".gray") as samples:
        samples.write(demo_still_life.picture().tobytes())
        samples.flush()
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        f"--permit-file-read={samples.name}",
                        "-sDEVICE=pdfwrite", "-sPAPERSIZE=a4",
                        # JPEG would halftone its blocks too.
                        "-dAutoFilterGrayImages=false",
                        "-dGrayImageFilter=/FlateEncode",
                        "-dDownsampleGrayImages=false",
                        f"-sPicture={samples.name}",
                        f"-dWidth={demo_still_life.WIDTH}",
                        f"-dHeight={demo_still_life.HEIGHT}",
                        f"-sOutputFile={sys.argv[1]}", HERE / "demo_page.ps"],
                       check=True)


if __name__ == "__main__":
    main()

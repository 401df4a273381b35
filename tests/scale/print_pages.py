# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents of one page each, and what their printer must get: made by one cupsd
without a daemon, from PDF and from a front's raster."""

import re
import subprocess

from private_cups import PrivateCups

PAGES = """%!PS
0 1 {count} 1 sub {{ /page exch def
  0 8 839 {{ dup 840 div setgray 0 exch 595 8 rectfill }} for
  0 setgray /Helvetica findfont 60 scalefont setfont
  40 80 moveto page 20 string cvs show
  0.5 setgray 150 200 page 5 mul 20 add 0 360 arc fill
  showpage }} for
"""


class Pages:
    def __init__(self, folder, count):
        self.count = count
        source = folder / "pages.ps"
        source.write_text(PAGES.format(count=count))
        subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER",
                        "-sPAPERSIZE=a4", "-sDEVICE=pdfwrite",
                        f"-sOutputFile={folder}/page-%d.pdf", source], check=True)
        self.documents = [folder / f"page-{i + 1}.pdf" for i in range(count)]
        self.right = {}

    def make(self, programs, ppd, thin, options):
        """`thin`: the PPD file of a front that renders, if there is one."""
        with PrivateCups(programs.filters) as cups:
            cups.conf.write_text("[filter]\nuse-daemon = false\n")
            cups.add_queue("laser", ppd, f"file:{cups.out}/laser")
            self.right["pdf"] = [print_one(cups, "laser", document, options)
                                 for document in self.documents]
            if not thin:
                return
            cups.add_queue("thin", thin, f"file:{cups.out}/thin")
            gray, self.right["raster"] = cups.root / "gray", []
            for document in self.documents:
                gray.write_bytes(print_one(cups, "thin", document, options))
                self.right["raster"].append(
                    print_one(cups, "laser", gray, options))

    def document(self, number):
        return self.documents[number % self.count]

    def bits(self, title, kind):
        """The bits of the job of this title."""
        return self.right[kind][int(re.search(r"\d+", title)[0]) % self.count]


def print_one(cups, queue, document, options):
    """Returns what the queue's printer gets."""
    job = cups.print_file(queue, document, options)
    state = cups.wait(job)
    assert state == "completed", "\n".join(cups.job_log(job)[-30:])
    return (cups.out / queue).read_bytes()

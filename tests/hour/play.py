# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types what README and other documents for the first hour say: each command must
succeed and print what the document shows, and each page must come out of its printer."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import little_network
import readme_steps
from little_network import wait_until

from private_cups import PrivateCups  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLE = little_network.TESTS / "cups/sample.ps"
LIMIT = 600  # seconds; only keeps a command from hanging
# In this order; the last one removes the packages.
PLAYED = ("README.md", "docs/how-to/calibrate.md", "docs/tutorials/labels.md",
          "docs/how-to/troubleshooting.md", "docs/tutorials/first-print.md",
          "docs/tutorials/engraver.md", "docs/tutorials/e-paper.md",
          "docs/how-to/convert.md", "docs/how-to/install.md")
DOCUMENTS = {  # by Ghostscript's device, with the files that they name
    "pdfwrite": ("photo.pdf", "page.pdf", "scan.pdf", "label.pdf",
                 "report.pdf"),
    "tiffgray": ("scan.tif", "a.tif"),
    "png16m": ("photo.png",),
    "jpeg": ("photo.jpg",),
}


class Failed(Exception):
    pass


def make_documents(folder):
    for device, names in DOCUMENTS.items():
        for name in names:
            subprocess.run(
                ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r300",
                 "-sPAPERSIZE=a6", f"-sDEVICE={device}", "-dLastPage=1",
                 f"-sOutputFile={folder / name}", SAMPLE], check=True)


class Cups:
    """The queues' jobs, of the cupsd at `socket`."""

    ask = PrivateCups.ask
    job_state = PrivateCups.job_state

    def __init__(self, socket):
        self.socket = socket
        self.known = set()

    def lpstat(self, *words):
        return subprocess.run(["lpstat", *words], text=True, check=False,
                              env=dict(os.environ, CUPS_SERVER=self.socket),
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    def is_idle(self):
        return not self.lpstat("-W", "not-completed", "-o")

    def new_jobs(self):
        """By number, how those ended that were not seen yet."""
        wait_until(self.is_idle, "the jobs end", LIMIT)
        jobs = set(map(int, re.findall(r"^\S+-(\d+) ", self.lpstat(
            "-W", "completed", "-o"), re.MULTILINE))) - self.known
        self.known |= jobs
        return {job: self.job_state(job) for job in jobs}


class Hour:
    """`stage` has a folder in which commands are typed, their environment, a cupsd
    and a printer "laser"; what it can do (`does`), and what follows a command that
    changes packages (`after`)."""

    def __init__(self, stage, folder):
        self.stage = stage
        self.left_out = []
        self.typed = 0
        paper = folder / "paper"
        paper.mkdir()
        self.laser = little_network.SocketPrinter(paper, little_network.LASER)
        self.labels = little_network.SocketPrinter(paper, little_network.LABELS)
        self.office = little_network.IppPrinter(folder, stage.bus)
        self.scans = folder / "scan.pgm"
        make_documents(stage.folder)

    def printed(self):
        return self.laser.jobs + self.labels.jobs + self.office.jobs

    def run(self, command):
        before = self.printed()
        pages = self.laser.jobs
        done = subprocess.run(["bash", "-c", command], cwd=self.stage.folder,
                              env=self.stage.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT,
                              check=False)
        if done.returncode != 0:
            raise Failed(f"exits with {done.returncode}:\n{done.stdout}")
        self.stage.after(command)
        states = self.stage.cups.new_jobs()
        if set(states.values()) - {"completed"}:
            raise Failed(f"jobs end {states}:\n{done.stdout}")
        try:
            wait_until(lambda: self.printed() == before + len(states),
                       "its pages come out", 30)
        except TimeoutError as late:
            raise Failed(f"{late}:\n{done.stdout}") from late
        if "calibrate print" in command and self.laser.jobs > pages:
            self.scans.write_bytes(little_network.scan_of(self.laser.last()))
        return done.stdout

    def play(self, document):
        print(document)
        for step in readme_steps.steps_of(ROOT / document):
            if step.where and step.where not in self.stage.does:
                self.left_out.append((document, step))
                continue
            said = ""
            for command in step.commands:
                if command.startswith("#"):
                    continue
                began = time.monotonic()
                try:
                    said += self.run(command)
                except Failed as failure:
                    raise Failed(f"{document}:{step.line}: {command}\n"
                                 f"{failure}") from failure
                self.typed += 1
                print(f"{step.line:4}  {time.monotonic() - began:5.1f} s  "
                      f"{command}", flush=True)
            if step.output is not None and not readme_steps.is_said(
                    step.output, said.splitlines()):
                raise Failed(f"{document}:{step.line}: shows\n" +
                             "\n".join(step.output) + f"\nbut it says\n{said}")

    def report(self):
        for document, step in self.left_out:
            print(f"{document}:{step.line}: left out ({step.where}): "
                  f"{step.commands[0]}" + (" …" if len(step.commands) > 1 else ""))
        print(f"{self.typed} commands of {len(PLAYED)} documents do what they say")


def play(stage, folder):
    """As a program: exits with 1 if a document is wrong."""
    hour = Hour(stage, folder)
    try:
        for document in PLAYED:
            hour.play(document)
        stage.last_look(hour)
    except Failed as failure:
        sys.exit(f"FAILED: {failure}")
    finally:
        hour.office.stop()
    hour.report()


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)


def needs(*programs):
    """Exits as a test that was left out where one is missing."""
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        print("SKIPPED, nothing was tested: there is no " + ", no ".join(missing))
        sys.exit(77)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print servers on the nodes of a Network: each a cupsd and, if it has the engine, a
halftoned, configured as docs/how-to/print-servers.md says; and IPP printers on its
head."""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

import nodes
from nodes import SECOND_LAN, wait_until

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "system/cups"), str(HERE.parent / "hour")]
from private_cups import CUPSD, FILES_CONF, PrivateCups  # noqa: E402

HEAD_6 = "2001:db8::1"
FIRST_PORT = 8631  # of the printers
DAEMON = """[daemon]
socket = "{root}/daemon/halftoned.sock"
status-socket = "{root}/daemon/status.sock"
user = "nobody"
worker-user = "games"
group = "lp"
threads = 1
[filter]
threads = 1
parallel-pages = 1
"""


class Programs:
    """The programs of a build folder or an installed prefix, where any user may run
    them."""

    FILTERS = ("rastertohalftone", "pdftohalftone")

    def __init__(self, place, folder):
        self.libexec = folder / "libexec"
        self.bin = folder / "bin"
        for kind in (self.libexec, self.bin):
            kind.mkdir()
        for name in (*self.FILTERS, "halftone", "halftoned"):
            self.copy(place, name, self.bin)
        for name in ("worker-cpu", "halftone-adopt"):
            self.copy(place, name, self.libexec)
        self.filters = {name: self.bin / name for name in self.FILTERS}

    @staticmethod
    def copy(place, name, folder):
        found = [path for path in sorted(place.rglob(name))
                 if path.is_file() and "tests" not in path.parts[len(place.parts):]]
        if not found:
            sys.exit(f"FAILED: no {name} in {place}")
        shutil.copy(found[0], folder / name)


class PrintHost(PrivateCups):
    """`conf`: the text of its cupsd.conf; `at_start`: a command of its node."""

    def __init__(self, node, programs, conf, at_start="", backends=None):
        self.node, self.programs, self.text = node, programs, conf
        self.at_start = at_start
        drivers = SOURCE / "ppd"
        super().__init__(programs.filters, backends, data=[
            drivers / "halftoned.drv", drivers / "halftoned.types",
            drivers / "halftoned.convs", *drivers.glob("*.po")])
        self.environment.update(
            PATH=f"{programs.bin}:{os.environ['PATH']}",
            CUPS_SERVERROOT=str(self.root / "etc"),
            HALFTONED_CONF=str(self.conf),
            HALFTONED_LIBEXEC=str(programs.libexec))

    def _write_configuration(self):
        (self.root / "etc/ssl").mkdir(mode=0o700)
        (self.root / "etc/cups-files.conf").write_text(
            FILES_CONF.format(root=self.root).replace(
                "SyncOnClose No", "SyncOnClose Yes"))
        (self.root / "etc/cupsd.conf").write_text(self.text.replace(
            "/run/cups/cups.sock", self.socket))
        self.conf.write_text(DAEMON.format(root=self.root))

    def start(self):
        """And again whenever its node starts."""
        log = self.root / "log/services"
        if self.at_start:
            self.node.serve(("sh", "-ec", self.at_start), log)
        self.node.serve((CUPSD, "-f", "-c", str(self.root / "etc/cupsd.conf"),
                         "-s", str(self.root / "etc/cups-files.conf")), log)
        wait_until(self.answers, f"cupsd of {self.node.name}")

    def enable_queues(self, script):
        """`script` of the document, every few seconds."""
        path = self.root / "enable-queues"
        path.write_text(script)
        self.node.serve(("env", f"CUPS_SERVER={self.socket}", "sh", "-c",
                         f"while sleep 5; do sh {path}; done"),
                        self.root / "log/services")

    def start_daemon(self):
        self.node.serve(
            ("env", f"HALFTONED_LIBEXEC={self.programs.libexec}",
             str(self.programs.bin / "halftoned"), "--config", str(self.conf)),
            self.root / "log/halftoned")
        wait_until(lambda: subprocess.run(
            [self.programs.bin / "halftone", "status", "--socket",
             self.root / "daemon/status.sock"], check=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode == 0, "the daemon answers")

    def answers(self):
        return "is running" in self.command("lpstat", "-r", check=False).stdout

    def type(self, commands):
        """Shell commands of the document, on its node."""
        done = subprocess.run(
            self.node.inside("bash", "-ec", commands), env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.node.name}: {commands}\n{done.stdout}")
        return done.stdout

    def open_jobs(self):
        """Those of lpstat that have a document, and none that breaks off; none only if
        cupsd says so."""
        asked = self.command("lpstat", "-l", "-W", "not-completed", "-o", check=False)
        if asked.returncode != 0:
            return ["down"]
        jobs = re.findall(r"^\S.*(?:\n\s.*)*", asked.stdout, re.MULTILINE)
        # A document that breaks off stops its job.
        return [job for job in jobs if job.split()[2] != "0"
                and "job-completed-with-errors" not in job]

    def tries(self):
        """For each title, how often its jobs went out, as the logs tell it. A client may
        send one again."""
        log = (self.root / "log/error_log").read_text(errors="replace")
        starts = collections.Counter(
            re.findall(r"\[Job (\d+)\] Started backend", log))
        titles = collections.defaultdict(set)
        for line in self.page_log():
            title = re.search(r"page-\d+", line)
            if title:
                titles[title[0]].add(line.split()[2])
        return {title: sum(starts[job] for job in jobs)
                for title, jobs in titles.items()}

    def page_log(self):
        """Lines of the page log."""
        log = self.root / "log/page_log"
        return log.read_text().splitlines() if log.exists() else []


class Printers:
    """IPP printers on the head, which never fail; each keeps what it is sent. They are
    on the second network, as printers of hosts: where a connection stalls in a
    document, ippeveprinter prints it cut off and says that it has completed."""

    def __init__(self, folder, count, bus):
        self.folders = []
        # It listens on an address of each kind that its name has.
        nodes.run("ip", "address", "add", f"{HEAD_6}/64", "dev", "second",
                  "nodad")
        with open("/etc/hosts", "a", encoding="ascii") as hosts:
            hosts.write(f"{SECOND_LAN}.1 printers\n{HEAD_6} printers\n")
        for i in range(count):
            spool = folder / f"printer-{i + 1}"
            spool.mkdir()
            self.folders.append(spool)
            with open(folder / f"printer-{i + 1}.log", "wb") as log:
                subprocess.Popen(
                    ["ippeveprinter", "-k", "-K", folder, "-d", spool, "-p",
                     str(FIRST_PORT + i), "-n", "printers", "-r", "off", "-s", "1200",
                     "-f", "image/pwg-raster,application/octet-stream",
                     # With a command, it does not pretend to print for 5 to 15 s.
                     "-c", "/bin/true", f"Printer {i + 1}"], stdout=log,
                    stderr=log, env={**os.environ, **bus})
        for i in range(count):
            wait_until(lambda: subprocess.run(
                ["ipptool", "-q", f"ipp://printers:{FIRST_PORT + i}/ipp/print",
                 "get-printer-attributes.test"], check=False,
                stderr=subprocess.DEVNULL).returncode == 0,
                f"printer {i + 1}")

    @staticmethod
    def give_up(node):
        """What a node without power left open. ippeveprinter would wait for ever, and
        refuse further documents; real printers do not."""
        own = next(own for lan, own in node.links.values() if lan == "second")
        subprocess.run(["ss", "--kill", "--no-header", "dst", own], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @staticmethod
    def address(i):
        return f"printers:{FIRST_PORT + i}"

    def printed(self):
        """All files: (printer, title, path), as they arrived."""
        found = []
        for number, folder in enumerate(self.folders):
            for path in sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime):
                title = re.search(r"page-\d+", path.name)
                if title and path.stat().st_size:
                    found.append((number, title[0], path))
        return found

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A private CUPS: a cupsd in a temporary folder, on a Unix socket, with the system's
filters and those that a test adds. It needs root, because cupsd runs its filters
as another user, but it touches nothing outside its folder and ends only processes
that it started.

    with PrivateCups({"rastertohalftone": path}) as cups:
        cups.add_queue("q", "q.ppd", "file:" + str(cups.out / "page.ras"))
        job = cups.print_file("q", "page.pdf", ["Resolution=300dpi"])
        assert cups.wait(job) == "completed"

As a program: private_cups.py FILTER... starts one, says how to reach it, and
ends it with the end of its input.
"""

import http.client
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

SERVER_BIN = pathlib.Path("/usr/lib/cups")
DATA_DIR = pathlib.Path("/usr/share/cups")
CUPSD = "/usr/sbin/cupsd"
# Where CUPS looks for data, by what a file is called.
DATA_FOLDERS = {".drv": "drv", ".po": "ppdc", ".types": "mime",
                ".convs": "mime"}

FILES_CONF = """\
User lp
Group lp
SystemGroup root
FileDevice Yes
Sandboxing relaxed
SyncOnClose No
ServerRoot {root}/etc
ServerBin {root}/bin
DataDir {root}/share
DocumentRoot {root}/share
RequestRoot {root}/spool
TempDir {root}/spool/tmp
CacheDir {root}/cache
StateDir {root}/state
AccessLog {root}/log/access_log
ErrorLog {root}/log/error_log
PageLog {root}/log/page_log
LogFilePerm 0644
FatalErrors config listen log permissions
SetEnv HALFTONED_OUT {root}/out
SetEnv HALFTONED_CONF {root}/halftoned.conf
SetEnv HALFTONED_LIBEXEC {root}/libexec
# libcups never frees some words of a PPD file.
SetEnv ASAN_OPTIONS detect_leaks=0
"""

CUPSD_CONF = """\
LogLevel debug
LogTimeFormat usecs
MaxLogSize 0
Listen {socket}
Browsing Off
WebInterface No
DefaultEncryption Never
PreserveJobFiles No
DirtyCleanInterval 0
PreserveJobHistory Yes
JobKillDelay 5
ErrorPolicy abort-job
FilterLimit 0
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  SubscriptionPrivateAccess all
  SubscriptionPrivateValues none
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
"""

# What IPP wants to know first.
LANGUAGE = ((0x47, b"attributes-charset", b"utf-8"),
            (0x48, b"attributes-natural-language", b"en"))

JOB_STATES = {3: "pending", 4: "held", 5: "processing", 6: "stopped",
              7: "canceled", 8: "aborted", 9: "completed"}


def wait_until(condition, what, seconds=60):
    """Polls until `condition` returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not after {seconds} s")
        time.sleep(0.02)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class PrivateCups:
    """`filters` and `backends`: programs to add, by name; `data`: sources of
    printer models, their catalogs, MIME types and conversions; `types` and
    `convs`: lines of further ones. It has none of the system's models. Filters
    see `out`, where they may write, as $HALFTONED_OUT, and read `conf`, which is
    not there at first, as their halftoned.conf."""

    def __init__(self, filters, backends=None, data=(), types="", convs=""):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="halftoned-cups-"))
        self.root.chmod(0o755)
        self.out = self.root / "out"
        self.conf = self.root / "halftoned.conf"
        self.socket = str(self.root / "state" / "cups.sock")
        self.environment = dict(os.environ, CUPS_SERVER=self.socket)
        self.process = None
        self.files = {}  # that queues print to, by queue
        self._make_folders()
        self._link_programs("filter", filters)
        self._link_programs("backend", backends or {})
        # Without the programs of `driver`, which list thousands of models.
        for name in ("daemon", "monitor", "notifier", "cgi-bin"):
            if (SERVER_BIN / name).exists():
                (self.root / "bin" / name).symlink_to(SERVER_BIN / name)
        self._link_data(data)
        (self.root / "etc" / "private.types").write_text(types)
        (self.root / "etc" / "private.convs").write_text(convs)
        self._write_configuration()

    def _make_folders(self):
        for name in ("etc/ppd", "spool/tmp", "cache", "state", "log", "out",
                     "share/drv", "share/ppdc", "share/mime", "bin/filter",
                     "bin/backend", "bin/driver"):
            (self.root / name).mkdir(parents=True)
        for name in ("etc", "etc/ppd", "state", "cache", "log", "spool"):
            shutil.chown(self.root / name, "root", "lp")
        (self.root / "spool").chmod(0o710)
        shutil.chown(self.root / "spool/tmp", "root", "lp")
        (self.root / "spool/tmp").chmod(0o1770)
        shutil.chown(self.out, "lp", "lp")

    def _link_data(self, files):
        share = self.root / "share"
        for entry in DATA_DIR.iterdir():
            if entry.name not in DATA_FOLDERS.values():
                (share / entry.name).symlink_to(entry)
        for folder in ("ppdc", "mime"):
            for entry in (DATA_DIR / folder).iterdir():
                (share / folder / entry.name).symlink_to(entry)
        for path in map(pathlib.Path, files):
            target = share / DATA_FOLDERS[path.suffix] / path.name
            target.unlink(missing_ok=True)
            shutil.copy(path, target)

    def _link_programs(self, kind, programs):
        folder = self.root / "bin" / kind
        for entry in (SERVER_BIN / kind).iterdir():
            (folder / entry.name).symlink_to(entry)
        for name, source in programs.items():
            program = folder / name
            program.unlink(missing_ok=True)
            # cupsd requires a file that only root may write.
            shutil.copyfile(source, program)
            shutil.chown(program, "root", "root")
            program.chmod(0o755)

    def _write_configuration(self):
        (self.root / "etc/cups-files.conf").write_text(
            FILES_CONF.format(root=self.root))
        (self.root / "etc/cupsd.conf").write_text(
            CUPSD_CONF.format(socket=self.socket))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, value, traceback):
        self.stop()
        if kind is None:
            self.remove()
        else:
            print(f"left for a look: {self.root}", file=sys.stderr)

    def start(self):
        with open(self.root / "log/cupsd.out", "wb") as log:
            self.process = subprocess.Popen(
                [CUPSD, "-f", "-c", self.root / "etc/cupsd.conf",
                 "-s", self.root / "etc/cups-files.conf"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self._answers, "cupsd answers")

    def _answers(self):
        if self.process.poll() is not None:
            raise RuntimeError("cupsd ended: " +
                               (self.root / "log/cupsd.out").read_text())
        # lpstat -r ends with 0 whether there is one or not.
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket) == 0

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def empty_file(self, queue):
        """Since 2.4.17, cupsd overwrites files without emptying them, and creates none."""
        if queue in self.files:
            self.files[queue].write_bytes(b"")

    def command(self, *words, check=True):
        words = [str(word) for word in words]
        if words[0] == "lpadmin" and "-v" in words:
            queue, uri = (words[words.index(option) + 1] for option in ("-p", "-v"))
            self.files.pop(queue, None)
            if uri.startswith("file:/") and not uri.startswith("file:/dev/"):
                self.files[queue] = pathlib.Path(uri.removeprefix("file:"))
            self.empty_file(queue)
        result = subprocess.run(words, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        if check and result.returncode != 0:
            raise RuntimeError(f"{words}: {result.stdout}")
        return result

    def add_queue(self, name, ppd, uri):
        self.command("lpadmin", "-p", name, "-P", ppd, "-v", uri, "-E")

    def add_queue_of_model(self, name, model, uri):
        self.command("lpadmin", "-p", name, "-m", model, "-v", uri, "-E")

    def print_file(self, queue, path, options=(), copies=1):
        """Submits a file; returns the job's number."""
        self.empty_file(queue)
        words = ["lp", "-d", queue, "-n", str(copies)]
        for option in options:
            words += ["-o", option]
        printed = self.command(*words, "--", path).stdout
        return int(re.search(rf"{re.escape(queue)}-(\d+)", printed)[1])

    def ask(self, path, operation, *groups):
        """An IPP request of RFC 8011, and the answer as it is. `groups`: lists of
        (tag, name, value), of the operation and of the printer."""
        body = struct.pack(">BBHI", 2, 0, operation, 1)
        for number, group in zip((1, 4), groups):
            body += bytes([number])
            for tag, name, value in group:
                body += struct.pack(">BH", tag, len(name)) + name
                body += struct.pack(">H", len(value)) + value
        connection = UnixConnection(self.socket)
        connection.request("POST", path, body + b"\x03",
                           {"Content-Type": "application/ipp"})
        answer = connection.getresponse().read()
        connection.close()
        return answer

    def add_temporary_queue(self, name):
        """As CUPS creates it when a job is sent to a network printer."""
        self.ask("/", 0x4028, [*LANGUAGE, (0x45, b"printer-uri",
                                           b"ipp://localhost/")],
                 [(0x42, b"printer-name", name.encode()),
                  (0x45, b"device-uri", b"ipp://localhost:1/ipp/print")])

    def job_state(self, job):
        """The job's state, by Get-Job-Attributes."""
        answer = self.ask(f"/jobs/{job}", 0x0009, [
            *LANGUAGE,
            (0x45, b"job-uri", b"ipp://localhost/jobs/%d" % job),
            (0x44, b"requested-attributes", b"job-state")])
        at = answer.index(b"job-state\0\x04") + len(b"job-state\0\x04")
        return JOB_STATES[struct.unpack_from(">I", answer, at)[0]]

    def wait(self, job, seconds=120):
        """The state in which the job ended."""
        def ended():
            state = self.job_state(job)
            # "stopped" is how cupsd calls a job whose filter failed.
            return state if state in ("stopped", "canceled", "aborted",
                                      "completed") else None
        return wait_until(ended, f"job {job} ends", seconds)

    def cancel(self, job):
        self.command("cancel", str(job))

    def timed_job_log(self, job):
        """The log lines of a job: [(second of the day, text)]."""
        text = (self.root / "log/error_log").read_text(errors="replace")
        of_job = f"] [Job {job}] "
        pattern = re.compile(
            r"\w \[\S+?:(\d+):(\d+):([\d.]+) \S+\] \[Job \d+\] (.*)")
        found = (pattern.match(line) for line in text.split("\n") if of_job in line)
        return [(3600 * int(hour) + 60 * int(minute) + float(second), line)
                for hour, minute, second, line in
                (match.groups() for match in found if match)]

    def job_log(self, job):
        return [line for _, line in self.timed_job_log(job)]


def become_root():
    """Starts this program anew as root, by sudo and with its environment."""
    if os.geteuid() == 0:
        return
    own = ("HOME", "LOGNAME", "USER", "PATH")
    words = [f"{name}={value}" for name, value in os.environ.items()
             if name not in own]
    try:
        os.execvp("sudo", ["sudo", "-n", "env", "PYTHONDONTWRITEBYTECODE=1",
                           *words, sys.executable, *sys.argv])
    except OSError as error:
        sys.exit(f"FAILED: a cupsd of one's own needs root, or sudo: {error}")


def main():
    become_root()
    filters = {pathlib.Path(path).name: path for path in sys.argv[1:]}
    with PrivateCups(filters) as cups:
        print(f"CUPS_SERVER={cups.socket}\nfiles: {cups.root}", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()

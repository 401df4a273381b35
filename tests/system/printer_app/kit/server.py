# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs halftone-printer-app with all its files in one directory, and printers that are
sockets."""

import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "cups"))
from kit.ipp_client import Client  # noqa: E402
from ports import unused_port  # noqa: E402


def until(what, seconds=30):
    for _ in range(int(seconds / 0.05)):
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("it does not come to that")


def any_certificate():
    """A context for TLS to a server that nobody vouches for."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def use_own_mounts():
    """Starts this program anew in a mount namespace, if root may create one, so that a
    killed test leaves no mounts."""
    if os.geteuid() != 0 or "HAS_OWN_MOUNTS" in os.environ:
        return
    os.environ["HAS_OWN_MOUNTS"] = "1"
    unshare = ["unshare", "--mount"]
    if subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv])


class Listener:
    """A printer that records the data of each connection. pause: seconds per
    32 KiB."""

    def __init__(self, pause=0, port=0, address="127.0.0.1"):
        self.listener = socket.create_server((address, port), backlog=128)
        self.uri = "socket://%s:%d" % self.listener.getsockname()
        if pause:  # as over a wire, little waits on the way
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 15)
            self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1460)
        self.pause, self.streams, self.takers = pause, [], []
        self.jobs, self.came = [], threading.Condition()
        self.may_take = threading.Event()
        self.may_take.set()
        self.is_busy, self.closed = False, 0  # connections, at once
        self.drops_next = False  # connection, with what it has not taken
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            if self.is_busy:
                connection.close()
                self.closed += 1
                continue
            stream = bytearray()
            self.streams.append(stream)
            taker = threading.Thread(
                target=self.take, args=(connection, stream), daemon=True)
            taker.start()
            self.takers.append(taker)

    def queued(self):
        """The number of bytes on their way to it."""
        port = "%04X" % self.listener.getsockname()[1]
        lines = [line.split() for line in
                 pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(int(line[4].split(":")[0], 16) for line in lines
                   if line[2].endswith(port))

    def take_all(self):
        """Once nobody is connected any more."""
        for taker in self.takers:
            taker.join()

    def job(self, number):
        """What came by a connection, of those that have ended, from 0."""
        with self.came:
            assert self.came.wait_for(lambda: len(self.jobs) > number, 30)
            return self.jobs[number]

    def take(self, connection, stream):
        with connection:
            try:
                while (self.may_take.wait() and not self.drops_next
                       and (more := connection.recv(1 << 15))):
                    stream += more
                    if self.pause:
                        time.sleep(self.pause)
            except OSError:
                pass
            self.drops_next = False
        with self.came:
            self.jobs.append(bytes(stream))
            self.came.notify_all()


class Application:
    """folder: for all its files; none: a temporary directory, until close()."""

    def __init__(self, program, folder=None, level="info", options=(),
                 listen="localhost", environment=None):
        self.own = None if folder else tempfile.TemporaryDirectory()
        self.program = str(program)
        self.folder = pathlib.Path(folder or self.own.name)
        self.spool = self.folder / "spool"
        self.log = self.folder / "log"
        self.level, self.listen, self.process = level, listen, None
        self.options = options
        # All that PAPPL keeps goes there. Documents are read by a program of the
        # same build.
        self.environment = dict(
            os.environ, SNAP_COMMON=str(self.folder), TMPDIR=str(self.folder),
            HOME=str(self.folder), **(environment or {}))
        self.environment.setdefault(
            "HALFTONED_LIBEXEC", str(pathlib.Path(program).parent / "sheets"))
        self.port = unused_port()

    def spawn(self, **how):
        self.process = subprocess.Popen(
            [self.program, "server", "-o", f"server-port={self.port}",
             "-o", f"listen-hostname={self.listen}",
             "-o", f"log-level={self.level}", "-o", f"log-file={self.log}",
             *(word for option in self.options for word in ("-o", option))],
            env=self.environment, **how)

    def listens(self):
        """Both sockets must answer: without the server's own socket, a command starts
        another server."""
        try:
            socket.create_connection((self.listen, self.port)).close()
            for path in self.folder.rglob("halftone-printer-app*.sock"):
                with socket.socket(socket.AF_UNIX) as own:
                    own.connect(str(path))
                return True
        except OSError:
            pass
        return False

    def start(self, **how):
        self.spawn(**how)
        for _ in range(600):
            if self.listens():
                return
            assert self.process.poll() is None, "the application ended"
            time.sleep(0.05)
        raise AssertionError("the application does not listen")

    def behind(self):
        """The ID of PAPPL's process."""
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")

        def found():
            self.process.poll()  # if it has ended, /proc forgets it
            # The kernel leaves some out if another one ends meanwhile.
            return children.read_text().split()
        return int(until(found)[0])

    def status(self, field, base=10, pid=None):
        """A field of /proc; sizes are KiB."""
        status = pathlib.Path(f"/proc/{pid or self.process.pid}/status").read_text()
        return int(status.split(field + ":")[1].split()[0], base)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        return self.process.wait(75)

    def close(self):
        status = self.end()
        if self.own:
            self.own.cleanup()
        assert status == 0, f"the application ended with status {status}"

    def run(self, *words, status=0):
        done = subprocess.run([self.program, *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    def add(self, name, driver, pause=0):
        printer = Listener(pause)
        self.run("add", "-d", name, "-m", driver, "-v", printer.uri)
        return printer

    def uri(self, printer):
        return f"ipp://{self.listen}:{self.port}/ipp/print/{printer}"

    def log_text(self):
        return self.log.read_text(errors="replace")


class ServerTest(unittest.TestCase):
    """Tests that start their own servers. PRINTER_APP is the program."""
    kind = Application

    def new_folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return made.name

    def new_disk(self, size):
        """The directory of a disk of this size, such as 8m. Only root can mount it."""
        if os.geteuid() != 0:
            self.skipTest("mounts a disk")
        disk = pathlib.Path(self.new_folder())
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700",
                               "disk", disk], capture_output=True, text=True)
        if done.returncode:
            self.skipTest(done.stderr)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return disk

    def new_log(self):
        """A file on another disk, for a server whose disk is full."""
        log = tempfile.NamedTemporaryFile()
        self.addCleanup(log.close)
        return pathlib.Path(log.name)

    def start(self, *options, folder=None, log=None, **environment):
        """folder: none for a new one."""
        self.app = self.kind(os.environ["PRINTER_APP"], folder or self.new_folder(),
                               options=options, environment=environment)
        self.app.log = log or self.app.log
        self.addCleanup(self.app.kill)
        self.app.start()
        self.client = Client(self.app.port)

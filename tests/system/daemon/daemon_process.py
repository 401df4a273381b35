# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The real halftoned in a private folder, and helpers for tests.

Tests wait only for events or for the daemon's own status; LIMIT bounds each wait,
so that nothing hangs.
"""

import grp
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

LIMIT = 30  # seconds
HALFTONED = os.environ["HALFTONED"]
WORKER = os.environ["WORKER_CPU"]
# Then the programs are not confined: sanitizers look at a process from outside.
IS_SANITIZED = any(name in pathlib.Path(HALFTONED).read_bytes()
                   for name in (b"__asan_init", b"__tsan_init"))
HERE = pathlib.Path(__file__).parent
IS_ROOT = os.geteuid() == 0
USER = "nobody"  # of the daemon, when root starts it
WORKER_USER = "games"  # of its workers, when root starts it
OTHER_USER = "daemon"  # somebody else
GROUP = "lp" if IS_ROOT else grp.getgrgid(os.getegid()).gr_name

_shared = None


def shared_folder():
    """Holds what every daemon uses, where any user can read it."""
    global _shared
    if not _shared:
        _shared = tempfile.TemporaryDirectory(prefix="halftoned-")
        folder = pathlib.Path(_shared.name)
        folder.chmod(0o755)
        (folder / "libexec").mkdir(mode=0o755)
        shutil.copy(WORKER, folder / "libexec" / "worker-cpu")
        if "WORKER_CUDA" in os.environ:
            shutil.copy(os.environ["WORKER_CUDA"],
                        folder / "libexec" / "worker-cuda")
        shutil.copy(HERE / "wire.py", folder / "wire.py")
    return pathlib.Path(_shared.name)


def within_reach(file):
    """A copy that any user can read and run, wherever this was built."""
    return shutil.copy(file, shared_folder())


def wait_until(true, what):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        value = true()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


def is_gone(pid):
    """Whether it has ended; its parent may not have asked for it yet."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def as_user(user, command):
    """`command` run by another user, with the group that may connect."""
    return ["setpriv", f"--reuid={user}", f"--regid={GROUP}", "--clear-groups",
            *command]


class ClientOf:
    """A client of another user; `outcome` is what it says."""

    def __init__(self, user, path, *arguments):
        self.process = subprocess.Popen(
            as_user(user, ["/usr/bin/python3", shared_folder() / "wire.py",
                           path, *arguments]),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.outcome = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()


class Daemon:
    """`with Daemon(...) as daemon`: a daemon whose worker is ready, ended with
    SIGTERM. Keywords are keys of [daemon], with _ for -."""

    def __init__(self, folder=None, is_ready=True, environment=(), wrap=(),
                 stderr=None, **config):
        self._own = None
        if folder is None:
            self._own = tempfile.TemporaryDirectory(prefix="halftoned-")
            folder = self._own.name
            os.chmod(folder, 0o755)
        self.folder = pathlib.Path(folder)
        # The daemon makes this folder, for itself.
        self.socket = self.folder / "run" / "halftoned.sock"
        self.status_socket = self.folder / "run" / "status.sock"
        self.conf = self.folder / "halftoned.conf"
        self.log_path = self.folder / "log"
        self.is_ready = is_ready
        self.wrap = list(wrap)
        self.stderr = stderr  # instead of the log
        self.environment = {
            **os.environ,
            "HALFTONED_LIBEXEC": str(shared_folder() / "libexec"),
            **dict(environment)}
        self.process = None
        self.configure(**config)

    def configure(self, **config):
        keys = {"socket": str(self.socket),
                "status-socket": str(self.status_socket),
                "user": USER, "group": GROUP, "threads": 2,
                "log-level": "debug", "worker-user": WORKER_USER,
                **{key.replace("_", "-"): value
                   for key, value in config.items()}}
        self.conf.write_text("[daemon]\n" + "".join(
            f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))

    def filter_conf(self, **config):
        """The text of a halftoned.conf by which a filter finds this daemon;
        keywords are keys of [filter]."""
        return self.conf.read_text() + "[filter]\n" + "".join(
            f"{key.replace('_', '-')} = {json.dumps(value)}\n"
            for key, value in config.items())

    def __enter__(self):
        self.start()
        if self.is_ready:
            try:
                self.wait_ready()
            except BaseException:
                self.kill()
                raise
        return self

    def __exit__(self, *_):
        is_up = self.process.poll() is None
        status = self.stop()
        log = self.log()
        if self._own:
            self._own.cleanup()
        # Its worker's sanitizers write there too.
        if (is_up and status != 0) or "anitizer" in log or "runtime error" in log:
            raise AssertionError(f"the daemon ended with {status}:\n{log}")

    def start(self):
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                [*self.wrap, HALFTONED, "--config", str(self.conf)],
                stdin=subprocess.DEVNULL, stderr=self.stderr or log,
                env=self.environment)

    def send(self, number):
        self.process.send_signal(number)

    def stop(self):
        if self.process.poll() is None:
            self.send(signal.SIGTERM)
        return self.wait_end()

    def wait_end(self):
        try:
            return self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the daemon did not end:\n" + self.log())

    def kill(self):
        self.process.kill()
        self.process.wait()

    def log(self):
        return self.log_path.read_text()

    def wait_log(self, line, times=1):
        def is_there():
            return self.log().count(line) >= times
        try:
            wait_until(is_there, f"'{line}' in the log")
        except AssertionError as error:
            raise AssertionError(f"{error}:\n{self.log()}") from None

    def ask(self, question):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(LIMIT)
            asking.connect(str(self.status_socket))
            asking.sendall(question)
            answer = b""
            while more := asking.recv(65536):
                answer += more
            return answer.decode()

    def status(self):
        answer = self.ask(b"json\n")
        if not answer:
            raise ConnectionError("the daemon closed the connection")
        return json.loads(answer)

    def wait_status(self, true, what):
        """The first status for which `true` holds."""
        last = {}

        def is_so():
            if self.process.poll() is not None:
                raise AssertionError("the daemon has ended:\n" + self.log())
            try:
                last["status"] = self.status()
            except (FileNotFoundError, ConnectionError):
                return None  # not yet, or that of a daemon that was killed
            return last["status"] if true(last["status"]) else None
        try:
            return wait_until(is_so, what)
        except AssertionError as error:
            raise AssertionError(f"{error}: {last}\n{self.log()}") from None

    def wait_rows(self, rows):
        """Work of the engines, by name, once it amounts to so many rows."""
        return self.wait_status(
            lambda status: sum(done["rows"] for done in
                               status["engines"].values()) == rows,
            f"{rows} rows")["engines"]

    def wait_ready(self, above=0):
        """A ready worker of a higher number than `above`."""
        def ready(status):
            return [worker for worker in status["workers"]
                    if worker["state"] == "ready" and worker["number"] > above]
        return ready(self.wait_status(ready, "a ready worker"))[0]

    def kill_worker(self, number=signal.SIGKILL):
        """Its number."""
        worker = self.wait_ready()
        os.kill(worker["pid"], number)
        return worker["number"]

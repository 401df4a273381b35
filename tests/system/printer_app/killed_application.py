# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app with all that it keeps in a folder, and printers that are
sockets."""

import os
import pathlib
import socket
import subprocess
import threading
import time


class Listener:
    """A printer that keeps what it gets, connection by connection; pause: seconds
    for each 32 KiB."""

    def __init__(self, pause=0, port=0):
        self.listener = socket.create_server(("127.0.0.1", port), backlog=128)
        self.uri = "socket://127.0.0.1:%d" % self.listener.getsockname()[1]
        if pause:  # as over a wire, little waits on the way
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 15)
            self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1460)
        self.pause, self.streams, self.takers = pause, [], []
        self.may_take = threading.Event()
        self.may_take.set()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            stream = bytearray()
            self.streams.append(stream)
            self.takers.append(threading.Thread(
                target=self.take, args=(connection, stream), daemon=True))
            self.takers[-1].start()

    def queued(self):
        """Bytes on their way to it."""
        port = "%04X" % self.listener.getsockname()[1]
        lines = [line.split() for line in
                 pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(int(line[4].split(":")[0], 16) for line in lines
                   if line[2].endswith(port))

    def take_all(self):
        """Once nobody is connected any more."""
        for taker in self.takers:
            taker.join()

    def take(self, connection, stream):
        with connection:
            try:
                while self.may_take.wait() and (more := connection.recv(1 << 15)):
                    stream += more
                    if self.pause:
                        time.sleep(self.pause)
            except OSError:
                pass


class Application:
    def __init__(self, program, folder, level="info", options=()):
        self.program, self.folder = program, pathlib.Path(folder)
        self.spool = self.folder / "spool"
        self.log = self.folder / "log"
        self.level, self.process = level, None
        self.options = options
        self.environment = dict(os.environ, SNAP_COMMON=str(folder),
                                TMPDIR=str(folder), HOME=str(folder))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def spawn(self, **how):
        self.process = subprocess.Popen(
            [self.program, "server", "-o", f"server-port={self.port}",
             "-o", f"log-level={self.level}", "-o", f"log-file={self.log}",
             *(word for option in self.options for word in ("-o", option))],
            env=self.environment, **how)

    def start(self):
        self.spawn()
        for _ in range(600):
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                assert self.process.poll() is None, "the application ended"
                time.sleep(0.05)
        raise AssertionError("the application does not listen")

    def status(self, field, base=10):
        """Of /proc; sizes are KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(field + ":")[1].split()[0], base)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        return self.process.wait(75)

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def add(self, name, driver, pause=0):
        printer = Listener(pause)
        self.run("add", "-d", name, "-m", driver, "-v", printer.uri)
        return printer

    def log_text(self):
        return self.log.read_text(errors="replace")

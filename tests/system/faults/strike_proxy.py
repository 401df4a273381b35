# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A socket between a client and halftoned that strikes at one frame.

Whatever is to happen there happens between two frames, before the next one is
handed on: so every moment of a page can be reached, and no other. Descriptors
that travel with a frame travel on with it.
"""

import array
import os
import selectors
import socket
import struct
import threading

HELLO_BYTES = 512
HEADER = struct.Struct("<IHHIIIIII")  # see engine/wire/protocol.h
MAX_FDS = 8


class Direction:
    """Bytes one way, cut into frames."""

    def __init__(self, source, target, hello_bytes):
        self.source = source
        self.target = target
        self.pending = b""
        self.fds = []
        self.hello_bytes = hello_bytes
        self.open = True

    def frame_bytes(self):
        """The bytes of the frame with which `pending` begins; None if it cannot tell."""
        if self.hello_bytes:
            return self.hello_bytes
        if len(self.pending) < HEADER.size:
            return None
        fields = HEADER.unpack_from(self.pending)
        return HEADER.size + fields[5] + fields[6]

    def receive(self):
        """Reads available bytes; False at the end."""
        size = array.array("i").itemsize
        try:
            data, ancillary, _, _ = self.source.recvmsg(
                1 << 20, socket.CMSG_SPACE(MAX_FDS * size))
        except ConnectionError:
            return False
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                fds = array.array("i")
                fds.frombytes(content[:len(content) // size * size])
                self.fds += fds
        self.pending += data
        return bool(data)

    def send(self, data):
        ancillary = []
        if self.fds:
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                          array.array("i", self.fds))]
        try:
            sent = self.target.sendmsg([data], ancillary)
            if sent < len(data):
                self.target.sendall(data[sent:])
        except OSError:
            self.open = False
        for fd in self.fds:
            os.close(fd)
        self.fds = []


class StrikeProxy:
    """Listens at `path` and connects to `daemon`. `strike` is called before
    frame number `at` of all that pass, the hello being 0."""

    def __init__(self, path, daemon, at, strike):
        self.frames = 0
        self.struck = False
        self._daemon = daemon
        self._at = at
        self._strike = strike
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self):
        """No more connections; those that there are end with their ends."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,),
                             daemon=True).start()

    def _serve(self, client):
        daemon = socket.socket(socket.AF_UNIX)
        with client, daemon:
            try:
                daemon.connect(self._daemon)
            except OSError:
                return
            ways = [Direction(client, daemon, HELLO_BYTES),
                    Direction(daemon, client, 0)]
            with selectors.DefaultSelector() as selector:
                for way in ways:
                    selector.register(way.source, selectors.EVENT_READ, way)
                while all(way.open for way in ways):
                    for key, _ in selector.select():
                        self._pass_on(key.data)

    def _pass_on(self, way):
        if not way.receive():
            way.open = False
        while True:
            size = way.frame_bytes()
            if size is None or len(way.pending) < size:
                return
            self._count()
            way.send(way.pending[:size])
            way.pending = way.pending[size:]
            way.hello_bytes = 0

    def _count(self):
        with self._lock:
            if self.frames == self._at:
                self.struck = True
                self._strike()
            self.frames += 1

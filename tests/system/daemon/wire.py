#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second implementation of the wire's client, as far as tests need it: pages
without a ring, 16 levels, the identity for a curve.

As a program it is a client of another user: wire.py SOCKET [JOB [TITLE [WORK]]]
connects, prints "welcome N" or "refused: why", and stays until its input ends,
with a band in flight if there is a WORK.
"""

import ctypes
import socket
import struct
import sys

HELLO_BYTES = 512
HEADER = struct.Struct("<IHHIIIIII")
WELCOME, ANSWER, FAILED, EVICTED = 16, 17, 18, 19
OPEN, BAND = 2, 3
PROTOCOL_ERROR = 2
VERSION = 3
# As Debian has it wherever libxxhash-dev is; python3-xxhash is one package more.
XXH3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
XXH3.argtypes = ctypes.c_char_p, ctypes.c_size_t
XXH3.restype = ctypes.c_uint64


def checksum(data):
    return XXH3(data, len(data)) & 0xFFFFFFFF


def text(string):
    data = string if isinstance(string, bytes) else string.encode()
    return struct.pack("<H", len(data)) + data


def hello(job=0, wanted=0, avoided=0, printer="", title="", kind=0,
          version=VERSION):
    body = struct.pack("<IHIII", 0x4C455448, version, job, wanted, avoided)
    body += text(printer) + text(title) + struct.pack("<I", kind)
    body += bytes(HELLO_BYTES - 4 - len(body))
    return body + struct.pack("<I", checksum(body))


class Refused(Exception):
    def __init__(self, payload):
        self.code, size = struct.unpack_from("<IH", payload)
        super().__init__(payload[6:6 + size].decode())


class Ended(Exception):
    pass


class Client:
    """A connection; with_hello=False leaves it silent."""

    def __init__(self, path, with_hello=True, **words):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.sent = 0
        self.worker = None
        try:
            self.socket.connect(str(path))
            if with_hello:
                self.send(hello(**words))
                self.greet()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except BrokenPipeError:
            pass  # refused already; the reason is there to be read

    def receive(self, count):
        data = b""
        while len(data) < count:
            try:
                more = self.socket.recv(count - len(data))
            except ConnectionResetError:
                more = b""
            if not more:
                raise Ended()
            data += more
        return data

    def frame(self):
        """Type, page, payload and tail of the next frame."""
        _, _, kind, _, page, length, tail, _, _ = HEADER.unpack(
            self.receive(HEADER.size))
        payload = self.receive(length)
        if kind == FAILED:
            raise Refused(payload)
        return kind, page, payload, self.receive(tail)

    def greet(self):
        kind, _, payload, _ = self.frame()
        assert kind == WELCOME, kind
        self.worker = struct.unpack_from("<I", payload)[0]

    def wait_for_end(self):
        try:
            while True:
                self.frame()
        except Ended:
            pass

    def send_frame(self, kind, page, payload, tail=b""):
        header = struct.pack("<IHHIIIII", 0x314E5448, VERSION, kind,
                             self.sent, page, len(payload), len(tail),
                             checksum(payload))
        self.sent += 1
        self.send(header + struct.pack("<I", checksum(header)) + payload + tail)

    def open_page(self, page, width, rows_per_band):
        curve = struct.pack("<4081H", *range(4081))
        recipe = struct.pack("<HHi8i", 1, 1, 16, *[0] * 8) + curve
        self.send_frame(
            OPEN, page,
            struct.pack("<iiqiB", width, 8, 0, rows_per_band, 0) + recipe)

    def send_band(self, page, gray, rows, last):
        self.send_frame(
            BAND, page,
            struct.pack("<iBQQI", rows, last, 0, 0, checksum(gray)), gray)

    def keep_at_work(self, rows=8, width=100):
        """Begins page 1, with a band that does not end: the worker has it, since
        it reads all of this at once."""
        frames, send = [], self.send
        self.send = frames.append
        self.open_page(1, width, rows)
        self.send_band(1, bytes(width * rows), rows, True)
        self.send = send
        self.send(b"".join(frames)[:-1])

    def answer(self, page):
        """The rows of the next answer."""
        kind, of_page, payload, _ = self.frame()
        assert (kind, of_page) == (ANSWER, page), (kind, of_page)
        return struct.unpack_from("<qi", payload)[1]


def main():
    path, job, title, work = (sys.argv[1:] + ["0", "", ""][len(sys.argv) - 2:])
    try:
        client = Client(path, job=int(job), title=title)
        if work:
            client.keep_at_work()
        print("welcome", client.worker, flush=True)
    except (Refused, OSError) as refusal:
        print("refused:", refusal, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

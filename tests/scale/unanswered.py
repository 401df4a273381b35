#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server dies after a gateway has sent it the last byte of a document, and before its
reply. The backend `safely` of docs/how-to/print-servers.md sends the job again: it is
printed, and if it was printed before, the gateway's log tells of two starts.

Usage: unanswered.py"""

import os
import pathlib
import re
import shutil
import socket
import sys
import tempfile
import threading

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests/system/cups")]
from ports import unused_port  # noqa: E402
from private_cups import CUPSD, PrivateCups, become_root  # noqa: E402
from tried_blocks import blocks_of  # noqa: E402

SKIPPED = 77
DOCUMENT = b"%!PS\n" + bytes(range(256)) * 50
KEEP = """#!/bin/sh
cat "${6:--}" >> "$HALFTONED_OUT/page"
"""
SEND_DOCUMENT = re.compile(rb"\r\n\r\n[0-9a-fA-F]+\r\n\x02.\x00\x06", re.DOTALL)
LAST_CHUNK = b"\r\n0\r\n\r\n"


class Host(PrivateCups):
    """Reached by a port of this machine."""

    def __init__(self, port, backend):
        self.port = port
        super().__init__({}, {"keep": backend})

    def _write_configuration(self):
        super()._write_configuration()
        conf = self.root / "etc/cupsd.conf"
        conf.write_text(conf.read_text() + f"Listen 127.0.0.1:{self.port}\n")


class Relay:
    """Before a host. The next Send-Document loses its document, or its answer, and the
    connection with it."""

    def __init__(self, port):
        self.to, self.loses = ("127.0.0.1", port), None
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            near = self.listening.accept()[0]
            far = socket.create_connection(self.to)
            losing = threading.Event()
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self.carry, daemon=True,
                                 args=(source, target, source is near, losing)).start()

    def carry(self, source, target, is_request, losing):
        seen = b""
        try:
            while data := source.recv(65536):
                seen += data
                if is_request and self.loses and SEND_DOCUMENT.search(seen):
                    losing.set()
                if not losing.is_set():
                    target.sendall(data)
                elif self.lose(seen, data, target, is_request):
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def lose(self, seen, data, target, is_request):
        """Whether the connection is over: with the request, or with its answer."""
        if self.loses == "document" or not is_request:
            over = (seen.endswith(LAST_CHUNK) if is_request
                    else b"HTTP/1.1 200" in data)
        else:
            target.sendall(data)
            over = False
        if over:
            self.loses = None
        return over


def print_through(front, host, relay, scheme, loses):
    """How often the host printed it, and how often the front's log says that it went."""
    page = host.out / "page"
    page.unlink(missing_ok=True)
    front.command("lpadmin", "-p", "via", "-E", "-v", f"{scheme}://127.0.0.1:"
                  f"{relay.port}/printers/laser?waitjob=false", "-m", "raw",
                  "-o", "printer-error-policy=retry-current-job")
    relay.loses = loses
    document = front.root / "document"
    document.write_bytes(DOCUMENT)
    job = front.print_file("via", document)
    assert front.wait(job) == "completed", "\n".join(front.job_log(job)[-30:])
    assert relay.loses is None, f"no {loses} was sent"
    starts = sum(line.startswith("Started backend") for line in front.job_log(job))
    # Jobs that have a document are printed in their order.
    last = host.print_file("laser", document)
    assert host.wait(last) == "completed"
    pages, rest = divmod(page.stat().st_size, len(DOCUMENT))
    assert rest == 0 and page.read_bytes() == pages * DOCUMENT
    return pages - 1, starts


def check(front, host, relay):
    host.command("lpadmin", "-p", "laser", "-E", "-v", "keep:", "-m", "raw",
                 "-o", "printer-is-shared=true")
    found = {loses: print_through(front, host, relay, "safely:ipp", loses)
             for loses in (None, "document", "answer")}
    assert found == {None: (1, 1), "document": (1, 2), "answer": (2, 2)}, found
    alone = print_through(front, host, relay, "ipp", "document")
    print("without it, a lost document was printed", alone[0], "times")


def main():
    if not shutil.which(CUPSD) or not shutil.which("lp"):
        print("NOT run: needs cupsd and lp")
        sys.exit(SKIPPED)
    become_root()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        keep, safely = (pathlib.Path(folder) / name for name in ("keep", "safely"))
        keep.write_text(KEEP)
        safely.write_text(blocks_of(SOURCE / "docs/how-to/print-servers.md")["safely"])
        port = unused_port()
        with Host(port, keep) as host, PrivateCups({}, {"safely": safely}) as front:
            check(front, host, Relay(port))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ports for the servers of tests that run at the same time."""

import pathlib
import random
import socket

RANGE = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")


def unused_port():
    """A port at which nobody listens, and that the system gives to no outgoing
    connection: a server cannot listen at the port of another program's connection
    until a minute after its end."""
    first, last = map(int, RANGE.read_text().split())
    ports = range(10000, first) or range(last + 1, 1 << 16) or [0]
    while True:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", random.SystemRandom().choice(ports)))
            except OSError:
                continue
            return probe.getsockname()[1]

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app finds printers by SNMP and prints on them: on another machine, a
network of a thread's own, and not on this one. Needs root and the Debian package
iproute2; is left out where there is no network to create. PRINTER_APP is the program."""

import contextlib
import ctypes
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import threading
import unittest

from kit.server import Listener, ServerTest, until

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cups"))
from private_cups import become_root  # noqa: E402

ABORTED, COMPLETED = 8, 9
CLONE_NEWNET = 0x40000000
PCL = "application/vnd.hp-pcl"
DOCUMENT = b"\33E" + b"x" * 2_000_000 + b"\33E"
PORT = 9100
THIS, OTHER = "192.0.2.1", "192.0.2.2"

# Object ids, and their values in replies.
TYPE = bytes.fromhex("2b06010201190302010201")
PRINTER = bytes.fromhex("2b0601020119030105")
NAME = bytes.fromhex("2b06010201010500")
ID = bytes.fromhex("2b06010401950b0102010201010301")


def field(tag, value):
    return bytes((tag, len(value))) + value


def reply(request, name, value):
    pairs = field(0x30, field(0x30, field(6, name) + value))
    numbers = [field(2, bytes((number,))) for number in (request, 0, 0)]
    return field(0x30, field(2, b"\0") + field(4, b"public") +
                 field(0xa2, b"".join(numbers) + pairs))


def answer(agent, name):
    """As a printer of this name does."""
    values = {TYPE: (1, field(6, PRINTER)), NAME: (3, field(4, name)),
              ID: (2, field(4, b"MFG:HP;MDL:LaserJet;CMD:PCL;"))}
    while True:
        question, asker = agent.recvfrom(1500)
        for object_id, (request, value) in values.items():
            if object_id in question:
                agent.sendto(reply(request, object_id, value), asker)


class SpeakingPrinter(Listener):
    """Reads slowly, and says its status at the beginning. most: bytes of a job; then it
    resets the connection."""

    def __init__(self, address, name):
        super().__init__(pause=0.005, port=PORT, address=address)
        self.most = None
        agent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        agent.bind(("0.0.0.0", 161))
        threading.Thread(target=answer, args=(agent, name), daemon=True).start()

    def take(self, connection, stream):
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"@PJL USTATUS DEVICE\r\nCODE=10001\r\n\f")
        if not self.most:
            return super().take(connection, stream)
        with connection:
            connection.recv(self.most, socket.MSG_WAITALL)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                  struct.pack("ii", 1, 0))


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def add_network(name, address):
    ip("addr", "add", f"{address}/24", "brd", "+", "dev", name)
    ip("link", "set", name, "up")


class OtherMachine(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.printer = None
        self.start()
        self.join()

    def run(self):
        assert ctypes.CDLL(None).unshare(CLONE_NEWNET) == 0
        ip("link", "add", "net1", "type", "veth", "peer", "name", "net0", "netns",
           str(os.getpid()))
        add_network("net1", OTHER)
        # What they open stays in this thread's network.
        self.printer = SpeakingPrinter(OTHER, b"laser")


class SnmpTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        ip("link", "set", "lo", "up")
        cls.other = OtherMachine().printer
        add_network("net0", THIS)
        cls.own = SpeakingPrinter(THIS, b"own")

    def setUp(self):
        self.start()

    def add(self, name):
        self.app.run("add", "-d", name, "-m", "pcl5e", "-v", f"snmp://{name}")

    def end_of_job(self, name):
        _, job = self.client.print(name, DOCUMENT, PCL)
        return until(lambda: (state := self.client.state(name, job)) in
                     (ABORTED, COMPLETED) and state, 60)

    def test_a_printer_that_speaks_gets_all_of_a_job(self):
        self.add("laser")
        self.assertEqual(self.end_of_job("laser"), COMPLETED)
        self.assertEqual(len(self.other.job(0)), len(DOCUMENT))
        self.other.most = 100_000
        self.assertEqual(self.end_of_job("laser"), ABORTED)

    def test_a_name_does_not_lead_to_this_machine(self):
        self.add("own")
        _, job = self.client.print("own", DOCUMENT, PCL)
        until(lambda: "snmp://own leads to this machine, not to a printer"
              in self.app.log_text())
        self.client.cancel("own", job)
        self.own.take_all()
        self.assertFalse(any(self.own.streams))


if __name__ == "__main__":
    if not shutil.which("ip"):
        print("left out: there is no ip")
        sys.exit(77)
    become_root()
    if "IN_A_NETWORK" not in os.environ:
        if subprocess.run(["unshare", "-n", "true"]).returncode:
            print("left out: root may not create a network")
            sys.exit(77)
        os.environ["IN_A_NETWORK"] = "1"
        os.execvp("unshare", ["unshare", "-n", sys.executable, *sys.argv])
    unittest.main()

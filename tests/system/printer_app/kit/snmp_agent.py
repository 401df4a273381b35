#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network printer at 127.0.0.1: accepts connections, and says by SNMP that its device
ID is the file's. Prints a line when it listens, and the user that asked first. Needs
root."""

import pathlib
import socket
import sys

OCTETS, OBJECT, NUMBER, LIST, RESPONSE = 4, 6, 2, 0x30, 0xa2
DEVICE_ID = bytes([2])  # the request's number in PAPPL


def item(kind, *parts):
    body = b"".join(parts)
    return bytes([kind, 0x82]) + len(body).to_bytes(2, "big") + body


def answer(device_id):
    zero = item(NUMBER, b"\0")
    value = item(LIST, item(OBJECT, b"\x2b\x06\x01"), item(OCTETS, device_id))
    return item(LIST, zero, item(OCTETS, b"public"), item(
        RESPONSE, item(NUMBER, DEVICE_ID), zero, zero, item(LIST, value)))


def user_at(port):
    for line in pathlib.Path("/proc/net/udp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(f":{port:04X}"):
            return fields[7]


def main(file):
    printer = socket.create_server(("127.0.0.1", 9100))
    agent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    agent.bind(("127.0.0.1", 161))
    print("listens", flush=True)
    _, client = agent.recvfrom(2000)
    print(user_at(client[1]), flush=True)
    agent.sendto(answer(pathlib.Path(file).read_bytes()), client)
    printer.accept()


if __name__ == "__main__":
    main(sys.argv[1])

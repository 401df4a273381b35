#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rastertohalftone in front of a network printer that takes PWG raster: CUPS' IPP
backend brings it the same bits.

Usage: filter_to_network_test.py BUILD_FOLDER [unittest arguments]
"""

import os
import socket
import subprocess

import cups_case
from cups_case import CupsCase
from ports import unused_port
from private_cups import wait_until


class NetworkPrinter:
    """ippeveprinter, which keeps what it is sent. It insists on a message bus;
    so it gets one of its own."""

    BUS = """<!DOCTYPE busconfig PUBLIC
        "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>unix:path={path}</listen>
        <auth>EXTERNAL</auth><policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""

    def __init__(self, folder):
        self.spool = folder / "printer"
        self.spool.mkdir()
        self.bus = folder / "bus"
        (folder / "bus.conf").write_text(self.BUS.format(path=self.bus))
        self.port = unused_port()
        self.processes = [subprocess.Popen(
            ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork",
             "--nopidfile"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)]
        self.uri = f"ipp://localhost:{self.port}/ipp/print"

    def __enter__(self):
        wait_until(self.bus.exists, "the message bus")
        self.processes.append(subprocess.Popen(
            ["ippeveprinter", "-k", "-d", self.spool, "-p", str(self.port),
             "-n", "localhost", "-f", "image/pwg-raster", "-r", "off",
             "-s", "1200",
             # With a command, it does not pretend to print for 5 to 15 s.
             "-c", "/bin/true", "halftoned"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ,
                     DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.bus}")))
        wait_until(self.listens, "ippeveprinter")
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kept(self):
        return list(self.spool.glob("*.pwg"))


class FilterToNetwork(CupsCase):
    def test_a_network_printer_keeps_the_same_bits(self):
        with NetworkPrinter(self.cups.root) as printer:
            queue = self.add_queue("htpwg", uri=printer.uri)
            job = self.assert_completes(
                queue, self.pdf3, ["Resolution=600dpi", "media=A4"])
            kept = wait_until(printer.kept, "the printer has the job")
            self.output(queue).write_bytes(kept[0].read_bytes())
        self.assertEqual(self.assert_exact(queue, job), 3)


if __name__ == "__main__":
    cups_case.main()

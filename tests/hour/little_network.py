# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network with three printers, in namespaces of this process (unshare --net
--mount): a laser and a label printer, which take whatever comes on port 9100, and
printer.local, an IPP printer. The laser's last page can be scanned."""

import fcntl
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent / "system"
sys.path[:0] = [str(TESTS / name) for name in ("cups", "adopt", "convert")]
import brother  # noqa: E402
import fake_scan  # noqa: E402

LABELS, LASER = "192.0.2.7", "192.0.2.9"
SET_ADDRESS, GET_FLAGS, SET_FLAGS = 0x8916, 0x8913, 0x8914
IS_UP = 1
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration
 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={}</listen>
<auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""


def wait_until(condition, what, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not after {seconds} s")
        time.sleep(0.05)


def make_addresses(folder):
    """On the loopback interface; returns a file for /etc/hosts."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        flags, = struct.unpack_from("h", fcntl.ioctl(
            any_socket, GET_FLAGS, struct.pack("16s24x", b"lo")), 16)
        fcntl.ioctl(any_socket, SET_FLAGS,
                    struct.pack("16sh22x", b"lo", flags | IS_UP))
        for i, address in enumerate((LABELS, LASER)):
            fcntl.ioctl(any_socket, SET_ADDRESS, struct.pack(
                "16sHH4s16x", f"lo:{i}".encode(), socket.AF_INET, 0,
                socket.inet_aton(address)))
    hosts = folder / "hosts"
    # libcups calls a printer of its own machine localhost, whatever its name.
    names = f"localhost printer.local {socket.gethostname()}"
    hosts.write_text(f"127.0.0.1 {names}\n::1 {names}\n")
    return hosts


class SocketPrinter:
    """Each connection is a job, which becomes a file."""

    def __init__(self, folder, address):
        self.folder, self.address = folder, address
        self.jobs = 0
        self.listener = socket.create_server((address, 9100))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            data = b""
            with connection:
                while block := connection.recv(1 << 16):
                    data += block
            # CUPS may look whether a printer is there.
            if data:
                path = self.folder / f"{self.address}-{self.jobs + 1}"
                path.write_bytes(data)
                self.jobs += 1

    def last(self):
        return (self.folder / f"{self.address}-{self.jobs}").read_bytes()


class IppPrinter:
    """As ippeveprinter is by itself. `bus`: where the D-Bus is, which it needs;
    empty for that of the system, by which it says its name to the network."""

    def __init__(self, folder, bus):
        self.spool = folder / "printer.local"
        self.spool.mkdir()
        with open(folder / "ippeveprinter.log", "wb") as log:
            self.process = subprocess.Popen(
                ["ippeveprinter", "-k", "-K", folder, "-d", self.spool,
                 "-p", "631", "-n", "printer.local", "-f",
                 "image/pwg-raster,application/octet-stream",
                 *(["-r", "off"] if bus else []), "Office laser"],
                env=dict(os.environ, **bus), stdout=log,
                stderr=subprocess.STDOUT)
        wait_until(self.answers, "the IPP printer answers", 30)

    def answers(self):
        if self.process.poll() is not None:
            raise RuntimeError("ippeveprinter ended")
        try:
            socket.create_connection(("printer.local", 631)).close()
        except OSError:
            return False
        return True

    @property
    def jobs(self):
        return len(list(self.spool.iterdir()))

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Bus:
    """A D-Bus, without which ippeveprinter does not start; as a context, what its
    clients need in their environment."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        conf, where = self.folder / "bus.conf", self.folder / "bus"
        conf.write_text(BUS.format(where))
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={conf}", "--nofork", "--nopidfile"],
            stderr=subprocess.DEVNULL)
        wait_until(where.exists, "the bus is there")
        return {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={where}"}

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def scan_of(data):
    """A scan of a calibration sheet of 300 dpi, of what a laser got."""
    rows = brother.read_pages(re.sub(rb"\A.*?(?=\x1b%-12345X)", b"", data,
                                     flags=re.DOTALL))[0]
    # White rows may be short.
    width = max(map(len, rows))
    rows = [row.ljust(width, b"\0") for row in rows]
    return fake_scan.scan(fake_scan.cropped(rows, 300, 140, 200))

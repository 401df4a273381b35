# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a service tells systemd."""

import os
import socket
import tempfile

from daemon_process import LIMIT


class Notify:
    """Receives a service's notifications, as systemd does."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        self.path = self.folder.name + "/notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        os.chmod(self.path, 0o777)
        self.socket.settimeout(LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.folder.cleanup()

    def environment(self, watchdog_seconds=8):
        return {"NOTIFY_SOCKET": self.path,
                "WATCHDOG_USEC": str(watchdog_seconds * 1000000)}

    def until(self, wanted):
        """Notifications up to a line that begins so, including this one."""
        lines = []
        while not any(line.startswith(wanted) for line in lines):
            lines += self.socket.recv(4096).decode().splitlines()
        return lines

    def said(self):
        """Notifications that have not been read yet."""
        lines = []
        self.socket.setblocking(False)
        try:
            while True:
                lines += self.socket.recv(4096).decode().splitlines()
        except BlockingIOError:
            return lines
        finally:
            self.socket.settimeout(LIMIT)

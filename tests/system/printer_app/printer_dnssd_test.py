#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ippfind finds the printers of halftone-printer-app: an Avahi and a D-Bus of the
test's own, in a network of its own. Needs root and the Debian packages avahi-daemon
and avahi-utils; is left out where they are not. PRINTER_APP is the program."""

import http.client
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from kit.server import Application

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cups"))
from private_cups import become_root, wait_until  # noqa: E402

ADDRESS = "192.0.2.1"
BUS = """<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><listen>unix:path={path}</listen><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/>
<allow send_type="method_call"/><allow receive_sender="*"/>
</policy></busconfig>
"""
AVAHI = """[server]
host-name=printhost
use-ipv6=no
allow-interfaces=net0
[publish]
publish-workstation=no
[rlimits]
"""
NETWORK = (("link", "set", "lo", "up"),
           ("link", "add", "net0", "type", "veth", "peer", "name", "net1"),
           ("addr", "add", f"{ADDRESS}/24", "dev", "net0"),
           ("link", "set", "net0", "up"), ("link", "set", "net1", "up"),
           ("route", "add", "224.0.0.0/4", "dev", "net0"))


class DnssdTest(unittest.TestCase):
    def serve(self, *words):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process

    def find(self, service):
        return subprocess.run(["ippfind", "-T", "2", service, "--print"],
                              capture_output=True, text=True).stdout

    @classmethod
    def setUpClass(cls):
        for words in NETWORK:
            subprocess.run(["ip", *words], check=True)
        # The machine's own avahi-daemon may have files there.
        os.makedirs("/run/avahi-daemon", exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run/avahi-daemon"],
                       check=True)

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        folder = pathlib.Path(made.name)
        bus = folder / "bus"
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={bus}"
        (folder / "bus.conf").write_text(BUS.format(path=bus))
        (folder / "avahi.conf").write_text(AVAHI)
        self.serve("dbus-daemon", f"--config-file={folder}/bus.conf",
                   "--nofork")
        wait_until(bus.exists, "D-Bus listens")
        self.words = ("avahi-daemon", "-f", folder / "avahi.conf",
                      "--no-drop-root", "--no-chroot", "--no-rlimits")
        self.avahi = self.serve(*self.words)

    def serve_printer(self, listen):
        app = Application(os.environ["PRINTER_APP"], listen=listen)
        app.start()
        self.addCleanup(app.close)
        app.run("add", "-d", "Laser", "-m", "pcl5e", "-v",
                "socket://192.0.2.7")
        return app, f"ipp://printhost.local:{app.port}/ipp/print/Laser\n"

    def names(self, service="_ipp._tcp"):
        """Of all services of the type, without their hosts and ports."""
        found = subprocess.run(
            ["ippfind", "-T", "2", service, "-x", "echo", "{service_name}", ";"],
            capture_output=True, text=True).stdout
        return sorted(line.split("._ipp")[0] for line in found.splitlines())

    def test_printers_are_found(self):
        app, found = self.serve_printer(ADDRESS)
        wait_until(lambda: self.find("_ipp._tcp") == found,
                   "ippfind finds the printer")
        self.assertEqual(self.find("_ipp._tcp,_universal"), found)
        self.assertEqual(self.find("_ipp._tcp,_print"), found)
        page = subprocess.run(["ippfind", "-T", "2", "_ipp._tcp", "-x", "echo",
                               "{txt_adminurl}", ";"], capture_output=True, text=True).stdout
        self.assertEqual(page, f"http://printhost.local:{app.port}/Laser/\n")
        # Clients connect by Avahi's name for the machine.
        page = http.client.HTTPConnection(ADDRESS, app.port, timeout=30)
        page.request("GET", "/", headers={"Host": f"printhost.local:{app.port}"})
        self.assertEqual(page.getresponse().status, 200)
        page.close()
        # The next Avahi knows nothing of it.
        self.avahi.terminate()
        self.avahi.wait()
        self.assertEqual(self.find("_ipp._tcp"), "")
        self.serve(*self.words)
        wait_until(lambda: self.find("_ipp._tcp") == found, "it is found again")
        app.run("delete", "-d", "Laser")
        wait_until(lambda: self.find("_ipp._tcp") == "", "the printer is gone")
        self.assertNotIn("DNS-SD", app.log_text())

    def test_a_name_that_others_have_gets_the_machine_s(self):
        rival = ("_ipp._tcp", "9", "rp=ipp/print/rival")
        self.serve("avahi-publish", "-f", "-s", "Laser", *rival)
        wait_until(lambda: self.names() == ["Laser"], "the rival is found")
        app, _ = self.serve_printer(ADDRESS)
        wait_until(lambda: self.names() == ["Laser", "Laser (printhost)"],
                   "both are found")
        self.assertIn("Laser", app.run("printers"))
        self.assertNotIn("printhost", app.run("printers"))

    def signal(self, path, name, *arguments):
        """From somebody else than its sender, to all connections."""
        def send(*words):
            return subprocess.run(["dbus-send", "--system", *words], check=True,
                                  capture_output=True, text=True).stdout
        names = send("--dest=org.freedesktop.DBus", "--print-reply=literal", "/",
                     "org.freedesktop.DBus.ListNames")
        for each in re.findall(r":1\.\d+", names):
            send("--type=signal", f"--dest={each}", path,
                 f"org.freedesktop.{name}", *arguments)

    def test_signals_of_others_do_not_end_the_announcement(self):
        app, _ = self.serve_printer(ADDRESS)
        wait_until(lambda: self.names() == ["Laser"], "it is found")
        # Conflicts that Avahi does not know of.
        for client in range(3):
            for group in range(1, 4):
                self.signal(f"/Client{client}/EntryGroup{group}",
                            "Avahi.EntryGroup.StateChanged", "int32:3", "string:x")
        # Avahi's: a conflict of the machine's name, starting, no answer.
        for state in (3, 1, 100, 101):
            self.signal("/", "Avahi.Server.StateChanged", f"int32:{state}", "string:x")
        # Avahi ends, and a new one starts.
        for old, new in ((":1.0", ""), ("", ":1.0")):
            self.signal("/org/freedesktop/DBus", "DBus.NameOwnerChanged",
                        "string:org.freedesktop.Avahi", f"string:{old}",
                        f"string:{new}")
        app.run("add", "-d", "Next", "-m", "pcl5e", "-v", "socket://192.0.2.8")
        wait_until(lambda: self.names() == ["Laser", "Next"], "both are found")
        # Otherwise it says that printers are not announced.
        self.assertNotIn("Avahi does not announce", app.log_text())

    def test_a_server_for_this_machine_is_not_announced(self):
        local, _ = self.serve_printer("127.0.0.5")
        app, found = self.serve_printer(ADDRESS)
        wait_until(lambda: self.find("_ipp._tcp") == found, "one is found")
        self.assertEqual(local.run("printers"), "Laser\n")


if __name__ == "__main__":
    if not (shutil.which("avahi-daemon") and shutil.which("avahi-publish")):
        print("left out: there is no avahi-daemon or no avahi-publish")
        sys.exit(77)
    become_root()
    if "IN_A_NETWORK" not in os.environ:
        os.environ["IN_A_NETWORK"] = "1"
        os.execvp("unshare", ["unshare", "-nm", sys.executable, *sys.argv])
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by tests/hour/run in a bare Debian with CUPS, brlaser and ippeveprinter, where no
systemd runs: types all commands of play.py's documents, installing the packages of
/packages first. Its network is its own, so packages that ours need are in apt's cache."""

import os
import pathlib
import re
import shutil
import subprocess

import little_network
import play

APT = 'APT::Get::Assume-Yes "true";\nDpkg::Use-Pty "0";\n'


def succeed(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          **options).stdout


class BareRoot:
    """A machine of a print-server admin, who has sudo."""

    does = {"", "packages"}
    bus = {}  # the system's

    def __init__(self, folder):
        self.folder = pathlib.Path("/root/home")
        self.folder.mkdir()
        shutil.copytree("/packages", self.folder / "debs")
        self.cups = play.Cups("/run/cups/cups.sock")
        self.environment = dict(os.environ, LC_ALL="C.UTF-8",
                                DEBIAN_FRONTEND="noninteractive")
        pathlib.Path("/etc/apt/apt.conf.d/hour").write_text(APT)
        play.write_program(pathlib.Path("/usr/local/bin/scanimage"),
                           f"#!/bin/sh\nexec cat {folder}/scan.pgm\n")
        # The port of the IPP printer.
        conf = pathlib.Path("/etc/cups/cupsd.conf")
        conf.write_text(re.sub(r"(?m)^Listen localhost.*\n", "",
                               conf.read_text()))

    def start(self):
        for folder in ("/run/dbus", "/run/avahi-daemon", "/run/cups"):
            os.makedirs(folder, exist_ok=True)
        succeed("dbus-daemon", "--system", "--fork")
        succeed("avahi-daemon", "--daemonize", "--no-drop-root", "--no-chroot")
        subprocess.Popen(["cupsd", "-f"])
        little_network.wait_until(
            lambda: "is running" in succeed("lpstat", "-r"), "cupsd runs")
        models = succeed("lpinfo", "-m")
        model = re.search(r"^(\S*brlaser\S*) .*DCP-7030,", models, re.MULTILINE)
        succeed("lpadmin", "-p", "laser", "-E", "-m", model[1], "-v",
                f"socket://{little_network.LASER}", "-o",
                "Resolution=300dpi", stderr=subprocess.DEVNULL)

    def after(self, command):
        """The daemon's restart; and the same printer by the name that it says in
        the network, as lpinfo lists it."""
        if "start-stop-daemon --start" in command:
            self.restart_daemon(command)
        if command.startswith("sudo halftone add office "):
            listed = succeed("lpinfo", "-v")
            uri = re.search(r"(dnssd|ipps?)://\S+_ipps?\._tcp\S*", listed)
            if not uri:
                raise play.Failed(f"lpinfo lists no printer by name:\n{listed}")
            succeed("halftone", "add", "by-name", uri[0])
            succeed("lp", "-d", "by-name", self.folder / "photo.pdf")
        if command.startswith("sudo lpadmin -x "):
            succeed("lpadmin", "-x", "by-name")

    def restart_daemon(self, start):
        """As halftoned(8) says it."""
        daemon = ("start-stop-daemon", "--exec", "/usr/sbin/halftoned", "--stop")
        self.wait_for_daemon(True)
        succeed(*daemon, "--signal", "HUP")
        self.wait_for_daemon(True)
        succeed(*daemon)
        self.wait_for_daemon(False)
        succeed("bash", "-c", start)
        self.wait_for_daemon(True)

    @staticmethod
    def wait_for_daemon(is_there):
        little_network.wait_until(
            lambda: is_there == (subprocess.run(
                ["halftone", "status"], check=False, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode == 0),
            "the daemon serves" if is_there else "the daemon ends")

    def last_look(self, hour):
        """The queues print without us."""
        left = succeed("dpkg-query", "-W", "-f",
                       "${source:Package} ${db:Status-Status}\n")
        if "halftoned installed" in left:
            raise play.Failed("the last document leaves packages")
        # The file of a process that nobody has waited for is empty.
        lines = [path.read_bytes()
                 for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")]
        if any(line.startswith(b"/usr/sbin/halftoned") for line in lines):
            raise play.Failed("the daemon is still there")
        for queue in ("laser", "labels"):
            hour.run(f"lp -d {queue} photo.pdf")
        print("removed, and both queues print")


def main():
    folder = pathlib.Path("/root/hour")
    folder.mkdir()
    folder.chmod(0o755)
    os.environ["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:" \
                         "/sbin:/bin"
    stage = BareRoot(folder)
    shutil.copy(little_network.make_addresses(folder), "/etc/hosts")
    stage.start()
    play.play(stage, folder)


if __name__ == "__main__":
    main()

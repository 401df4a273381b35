#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents' commands, typed beside a private CUPS, with the programs that a build
folder installs; all but those that change packages. tests/hour/run has all.

Usage: hour_test.py BUILD_FOLDER SERVERBIN DATADIR; exits 77 where it cannot be played
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import little_network
import play

from private_cups import PrivateCups, become_root  # noqa: E402

INSIDE = "--inside"
DRV = pathlib.Path("/usr/share/cups/drv")


class BuildFolder:
    """Its programs, installed in a folder."""

    does = {""}

    def __init__(self, folder, build, server_bin, data_dir):
        staged = folder / "installed"
        subprocess.run(["cmake", "--install", build], check=True,
                       env=dict(os.environ, DESTDIR=str(staged)),
                       stdout=subprocess.DEVNULL)
        filters, data = (staged / name.lstrip("/")
                         for name in (server_bin + "/filter", data_dir))
        self.private = PrivateCups(
            {path.name: path for path in filters.iterdir()},
            data=[*data.glob("drv/*"), *data.glob("mime/*"),
                  *data.glob("ppdc/*"), DRV / "sample.drv",
                  DRV / "brlaser.drv"])
        self.cups = play.Cups(self.private.socket)
        self.folder = folder / "home"
        self.folder.mkdir()
        self.conf = self.private.conf
        self.conf.write_text(f'[daemon]\nsocket = "{folder}/no/halftoned.sock"\n'
                             f'status-socket = "{folder}/no/status.sock"\n')
        self.conf.chmod(0o644)
        self.environment = self.make_environment(folder, staged)

    def make_environment(self, folder, staged):
        programs = folder / "programs"
        programs.mkdir()
        play.write_program(programs / "sudo", '#!/bin/sh\nexec "$@"\n')
        play.write_program(programs / "scanimage",
                           f"#!/bin/sh\nexec cat {folder}/scan.pgm\n")
        path, = staged.rglob("bin/halftone")
        libexec = next(staged.rglob("halftone-adopt")).parent
        return dict(os.environ, LC_ALL="C.UTF-8",
                    PATH=f"{programs}:{path.parent}:{os.environ['PATH']}:"
                         "/usr/sbin",
                    CUPS_SERVER=self.private.socket,
                    CUPS_SERVERROOT=str(self.private.root / "etc"),
                    HALFTONED_CONF=str(self.conf),
                    HALFTONED_LIBEXEC=str(libexec))

    def after(self, command):
        """Here no command changes packages."""

    def add_laser(self):
        """The queue that is there before."""
        models = self.private.command("lpinfo", "-m").stdout
        model = re.search(r"^(\S*brlaser\S*) .*DCP-7030,", models, re.MULTILINE)
        self.private.add_queue_of_model("laser", model[1],
                                        f"socket://{little_network.LASER}")
        # As little_network scans it.
        self.private.command("lpadmin", "-p", "laser", "-o",
                             "Resolution=300dpi")

    def last_look(self, hour):
        """The documents say all."""


def enter_namespaces():
    """Enters namespaces of network and mounts, where the system allows them."""
    unshare = ["unshare", "--net", "--mount"]
    tried = subprocess.run([*unshare, "true"], check=False,
                           stderr=subprocess.PIPE, text=True)
    if tried.returncode != 0:
        print(f"SKIPPED, nothing was tested: {tried.stderr}")
        sys.exit(77)
    os.execvp(unshare[0], [*unshare, sys.executable, __file__, INSIDE,
                           *sys.argv[1:]])


def main():
    become_root()
    if sys.argv[1] != INSIDE:
        enter_namespaces()
    del sys.argv[1]
    play.needs("ippeveprinter", "dbus-daemon", "gs")
    if not (DRV / "brlaser.drv").exists():
        print("SKIPPED, nothing was tested: there is no brlaser")
        sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="halftoned-hour-"))
    folder.chmod(0o755)
    try:
        hosts = little_network.make_addresses(folder)
        subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
        stage = BuildFolder(folder, *sys.argv[1:])
        with stage.private, little_network.Bus(folder) as stage.bus:
            stage.add_laser()
            play.play(stage, folder)
    finally:
        subprocess.run(["umount", "/etc/hosts"], check=False,
                       stderr=subprocess.DEVNULL)
        os.environ.get("KEEP") or shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

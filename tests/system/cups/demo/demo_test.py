#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ./demo as an ordinary user, in a copy of the tree that has been built.
A sudo of the test's own says what ./demo wants done by root, and does it.

Usage: demo_test.py BUILD_FOLDER [TEST ...]; needs root, cupsd, Ghostscript and the
Debian packages python3-numpy and python3-pil.
"""

import json
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from private_cups import become_root  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[3]
USER = pwd.getpwnam("nobody")
PROGRAMS = ("filter/pdftohalftone", "filter/rastertohalftone", "tools/halftone")

# Hands its arguments, folder, input and outputs over to ByRoot.
SUDO = """#!/usr/bin/python3
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as root:
    root.connect(%r)
    words = json.dumps([os.getcwd(), *sys.argv[1:]]).encode()
    socket.send_fds(root, [words], [0, 1, 2])
    sys.exit(root.recv(1)[0])
"""


class ByRoot:
    """Does what the sudo in `folder` was asked to, and keeps it as `commands`."""

    def __init__(self, folder):
        self.commands = []
        path = str(folder / "root.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        os.chown(path, USER.pw_uid, USER.pw_gid)
        write_program(folder / "sudo", SUDO % path)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            client, _ = self.listener.accept()
            with client:
                words, files, _, _ = socket.recv_fds(client, 65536, 3)
                folder, *command = json.loads(words)
                self.commands.append(command)
                done = subprocess.run(
                    command, cwd=folder, stdin=files[0], stdout=files[1],
                    stderr=files[2],
                    env=dict(os.environ, SUDO_UID=str(USER.pw_uid),
                             SUDO_GID=str(USER.pw_gid), SUDO_USER=USER.pw_name))
                for file in files:
                    os.close(file)
                client.send(bytes([done.returncode & 255]))


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)


def give(path, owner=USER.pw_uid, group=USER.pw_gid):
    for entry in (path, *path.rglob("*")):
        os.chown(entry, owner, group, follow_symlinks=False)


class DemoTest(unittest.TestCase):
    build = None  # the build folder

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-demo-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.root.chmod(0o755)
        self.tree, self.home = self.root / "tree", self.root / "home"
        self.home.mkdir(mode=0o700)
        self._copy_tree()
        give(self.tree)
        give(self.home)
        tools = self.root / "tools"
        tools.mkdir()
        self.by_root = ByRoot(tools)
        # What is built already; a word for each time that it is to be built.
        write_program(tools / "cmake", f"#!/bin/sh\necho built >>{self.home}/built\n")
        self.environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}",
                                HOME=str(self.home), TMPDIR=str(self.home))

    def _copy_tree(self):
        shutil.copytree(SOURCE / "ppd", self.tree / "ppd")
        shutil.copytree(HERE.parent, self.tree / "tests/system/cups",
                        ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(SOURCE / "demo", self.tree)
        (self.tree / "cmake").mkdir()
        write_program(self.tree / "cmake/install-packages", "#!/bin/sh\n")
        for program in PROGRAMS:
            target = self.tree / "build/demo" / program
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.build / program, target)

    def demo(self, *words, folder=None):
        """With a mask that leaves nothing to others."""
        return subprocess.run([self.tree / "demo", *words], env=self.environment,
                              cwd=folder or self.tree, text=True, umask=0o077,
                              user=USER.pw_uid, group=USER.pw_gid, extra_groups=[],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def assert_shows_prints(self, done):
        """The picture's path is the last line; gives both sides of it."""
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        picture = pathlib.Path(done.stdout.splitlines()[-1])
        self.assertEqual(picture, self.tree / "demo-out/before-after.png")
        with Image.open(picture) as image:
            self.assertEqual((image.size, image.mode), ((1600, 1168), "L"))
            pixels = np.asarray(image, int)
        # Below the title, above the line about the enlarged piece.
        return pixels[46:802, 16:784], pixels[46:802, 816:1584]

    def assert_all_is_the_users(self):
        others = [str(path) for path in self.tree.rglob("*")
                  if path.lstat().st_uid != USER.pw_uid]
        self.assertEqual(others, [])

    def test_what_it_makes_belongs_to_the_user(self):
        before, after = self.assert_shows_prints(self.demo())
        self.assert_all_is_the_users()
        # Root did no more than to print.
        self.assertEqual([command[-2:] for command in self.by_root.commands],
                         [["true"], ["tests/system/cups/demo/demo_print.py",
                                     "build/demo"]])
        # The title's gradient has the steps of a coarse screen, or none.
        steps, smooth = (np.unique(side[25:35, 230:500].mean(0).round()).size
                         for side in (before, after))
        self.assertGreater(smooth, 2 * steps)
        middle = (after > 90) & (after < 200)
        self.assertGreater(middle.mean(), 0.3)
        self.assertGreater(abs(before - after)[middle].mean(), 4)

    def test_takes_over_what_root_left(self):
        left = self.tree / "demo-out"
        left.mkdir()
        (left / "before-after.png").write_text("of yesterday")
        give(left, 0, 0)
        left.chmod(0o700)
        self.assert_shows_prints(self.demo())
        self.assert_all_is_the_users()

    def test_prints_a_file_that_only_the_user_may_read(self):
        letter = self.home / "a letter.ps"
        letter.write_text("%!PS\n.5 setgray 100 100 400 600 rectfill showpage\n")
        letter.chmod(0o600)
        give(self.home)
        before, after = self.assert_shows_prints(
            self.demo("a letter.ps", folder=self.home))
        # All of the piece is gray; the frame of what is enlarged crosses its middle.
        for side in (before, after):
            self.assertTrue((abs(side[10:-10, 10:-10] - 150) < 60).mean() > 0.98)

    def test_refuses_a_file_that_is_not_there_at_once(self):
        for words, error in (
                (["no such.pdf"], "demo: no such.pdf: no such file\n"),
                (["cmake"], "demo: cmake: not a file\n"),
                (["demo", "demo"], "demo: usage: ./demo [FILE]\n"),
                (["--help"], "demo: usage: ./demo [FILE]\n")):
            done = self.demo(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", error))
        self.assertEqual(self.by_root.commands, [])
        self.assertFalse((self.home / "built").exists())
        self.assertFalse((self.tree / "demo-out").exists())

    def test_says_why_a_file_cannot_be_printed(self):
        (self.tree / "noise").write_bytes(bytes(range(256)))
        done = self.demo("noise")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "demo: CUPS printed no page: is it PDF, "
                         "PostScript, JPEG or PNG?\n")


if __name__ == "__main__":
    become_root()
    DemoTest.build = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()

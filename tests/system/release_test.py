#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packaging/make-release makes the same tarball for everybody, signed, with the files of
the tag and the maintainer's address; it refuses a tag that is not signed, that has no
address, or that states another version or another maintainer of the Debian packages.
Usage: release_test.py SOURCE_FOLDER"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
VERSION = "9.8.7"
KEY = "maintainer@example.org"
# The files that state the version: a pattern, and its text in a prepared release.
STATED = {
    "CMakeLists.txt": (r"(project\(halftoned VERSION )\S+", rf"\g<1>{VERSION}"),
    "packaging/debian/changelog": (r"^(halftoned \()[^)]*", rf"\g<1>{VERSION}"),
    "packaging/container/home-assistant/config.yaml": (
        r"(?m)^(version: ).*", rf"\g<1>{VERSION}"),
    "docs/CHANGELOG.md": (r"(?m)^## .*", f"## {VERSION}, 1 December 2026"),
}
MAINTAINER = f"Maintainer <{KEY}>"
# The same for the maintainer.
MAINTAINED = {
    "packaging/debian/control": (r"(?m)^(Maintainer: ).*", rf"\g<1>{MAINTAINER}"),
    "packaging/debian/changelog": (r"(?m)^( -- ).*(  )", rf"\g<1>{MAINTAINER}\g<2>"),
}
FILES = {*STATED, *MAINTAINED, "packaging/make-release"}


class Release(unittest.TestCase):
    def setUp(self):
        # gpg-agent's sockets need short paths.
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tree = self.folder / "tree"
        keys = self.folder / "keys"
        keys.mkdir(mode=0o700)
        self.environment = {
            **os.environ, "GNUPGHOME": str(keys), "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
        self.addCleanup(self.run_in_tree, "gpgconf", "--kill", "all")
        self.tree.mkdir()
        for name in FILES:
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, target)
        self.succeed("gpg", "--batch", "--passphrase", "", "--quick-gen-key", KEY,
                     "ed25519", "sign")
        self.succeed("git", "init", "--quiet")
        for name, value in (("name", "Maintainer"), ("email", KEY), ("signingkey", KEY)):
            self.succeed("git", "config", f"user.{name}", value)
        for name, (said, says) in (*STATED.items(), *MAINTAINED.items()):
            path = self.tree / name
            text, count = re.subn(said, says, path.read_text(), count=1)
            self.assertEqual(count, 1, name)
            path.write_text(text)
        self.commit()

    def run_in_tree(self, *words, **environment):
        umask = environment.pop("umask", 0o022)
        return subprocess.run(words, cwd=self.tree, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, umask=umask,
                              env={**self.environment, **environment})

    def succeed(self, *words, **environment):
        done = self.run_in_tree(*words, **environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def commit(self):
        self.succeed("git", "add", "--all")
        self.succeed("git", "commit", "--quiet", "--message", "Release")

    def tag(self, *how):
        self.succeed("git", "tag", "--force", *how, f"v{VERSION}", "--message", "Release")

    def make(self, out, **environment):
        return self.run_in_tree("packaging/make-release", VERSION, self.folder / out,
                                **environment)

    def refused(self, why):
        done = self.make("refused")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(why, done.stdout)
        self.assertFalse(list((self.folder / "refused").iterdir()))

    def test_the_tarball_has_the_files_of_the_tag_and_a_signature(self):
        self.tag("--sign")
        (self.tree / "later").write_text("not in the release")
        self.commit()
        done = self.make("out")
        self.assertEqual(done.returncode, 0, done.stdout)
        tarball = self.folder / f"out/halftoned-{VERSION}.tar.gz"
        self.succeed("gpg", "--verify", f"{tarball}.asc", tarball)
        self.succeed("sh", "-c", f"cd {tarball.parent} && sha256sum -c *.sha256")
        with tarfile.open(tarball) as archive:
            self.assertEqual(
                sorted(entry.name for entry in archive if entry.isfile()),
                sorted(f"halftoned-{VERSION}/{name}" for name in [*FILES, "CONTACT"]))
            contact = archive.extractfile(f"halftoned-{VERSION}/CONTACT").read()
        self.assertEqual(contact.decode(), f"{MAINTAINER}\n")

    def test_the_tarball_is_the_same_elsewhere(self):
        self.tag("--sign")
        self.assertEqual(self.make("first").returncode, 0)
        # A stranger has only the maintainer's public key.
        public = self.folder / "public.asc"
        self.succeed("gpg", "--armor", "--output", public, "--export", KEY)
        stranger = self.folder / "stranger"
        stranger.mkdir(mode=0o700)
        there = {"GNUPGHOME": str(stranger), "TZ": "Pacific/Kiritimati"}
        self.addCleanup(self.run_in_tree, "gpgconf", "--kill", "all", **there)
        self.succeed("gpg", "--batch", "--import", public, **there)
        (self.folder / ".gitconfig").write_text("[tar]\n  umask = 0077\n")
        done = self.make("second", umask=0o077, **there)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("not signed", done.stdout)
        first, second = (self.folder / out / f"halftoned-{VERSION}.tar.gz"
                         for out in ("first", "second"))
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_a_tag_without_a_signature_is_refused(self):
        self.refused("no tag")
        self.tag("--annotate")
        self.refused("no tag")

    def test_a_tagger_without_mail_is_refused(self):
        for address in "1+me@users.noreply.example.org", "No-Reply@example.org", "me@localhost":
            with self.subTest(address):
                self.succeed("git", "config", "user.email", address)
                self.tag("--sign")
                self.refused(address)

    def test_every_file_must_state_the_version_and_the_maintainer(self):
        others = [*((name, VERSION, "9.8.8") for name in STATED),
                  *((name, MAINTAINER, "Another <another@example.org>")
                    for name in MAINTAINED)]
        for name, said, other in others:
            with self.subTest(f"{name}: {other}"):
                path = self.tree / name
                text = path.read_text()
                path.write_text(text.replace(said, other))
                self.commit()
                self.tag("--sign")
                self.refused(f"{name} says")
                path.write_text(text)
                self.commit()

    def test_a_changelog_without_a_date_is_refused(self):
        path = self.tree / "docs/CHANGELOG.md"
        path.write_text(path.read_text().replace("1 December 2026", "not yet released"))
        self.commit()
        self.tag("--sign")
        self.refused("docs/CHANGELOG.md says")


if __name__ == "__main__":
    if not shutil.which("git") or not shutil.which("gpg"):
        print("skipped: needs git and gpg")
        sys.exit(77)
    unittest.main()

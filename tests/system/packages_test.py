#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian packages in short; packaging/check is the whole. What `cmake --install`
leaves is divided as packaging/debian says: each file is in one package, and dpkg
installs and removes that of the filter in a root that has little else, by the
scripts of its maintainer. No compiler and no debhelper are needed.

Usage: packages_test.py BUILD_FOLDER CUPS_DATADIR
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "adopt"))
import foomatic

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
DEBIAN = SOURCE / "packaging/debian"
ENGINE = "libhalftoned-engine0.1.0"
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
# What those call.
TOOLS = ("sh", "basename", "cat", "chmod", "chown", "cksum", "grep", "mv", "rm")
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# A server, for a shell, that is stopped while another process of its own waits. When
# it is to end, it ends that, and says by which signal it has ended.
SERVER = """
exec 2>/dev/null
trap 'kill -KILL $!; wait $! || echo $(($? - 128)); exit' TERM
"$0" -c 'read line </never' &
kill -STOP $$
"""
# Removes the package of the root $1, where two servers run, from the program $2 before
# an upgrade and after it.
REMOVAL = """
start() {
  chroot "$1" "$2" -c "$3" "$2" &
  until read -r number name state rest </proc/$!/stat; [ "$state" = T ]; do
    kill -0 $!
  done
}
mount -t proc proc "$1/proc"
start "$@"
cp "$1/$2" "$1/next"
mv "$1/next" "$1/$2"
start "$@"
chroot "$1" sh /prerm remove
wait
"""


def run(*words):
    done = subprocess.run([str(word) for word in words], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60,
                          env={"PATH": PATH, "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise RuntimeError(f"{words}: {done.stdout}")
    return done.stdout


def paragraphs():
    """The paragraphs of debian/control: the source's first, then one for each package."""
    for text in (DEBIAN / "control").read_text().split("\n\n"):
        yield dict(re.findall(r"^([A-Z]\S*):\s*(.*(?:\n .*)*)", text, re.MULTILINE))


def names(field):
    """The names of packages, in a field such as Depends; what debhelper adds is left
    out."""
    return set(re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9.+-]+)", field))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="halftoned-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.folder.chmod(0o755)
        cls.stage = cls.folder / "stage"
        done = subprocess.run(["cmake", "--install", BUILD], text=True,
                              capture_output=True,
                              env={**os.environ, "DESTDIR": str(cls.stage)})
        assert done.returncode == 0, done.stderr
        # Where debian/rules has them.
        units = cls.stage / "usr/lib/systemd"
        if units.exists():
            (cls.stage / "lib").mkdir()
            units.rename(cls.stage / "lib/systemd")
        cls.packages = {fields["Package"]: fields for fields in paragraphs()
                        if "Package" in fields}

    def listed(self, package):
        """The installed files that PACKAGE.install lists."""
        for line in (DEBIAN / f"{package}.install").read_text().split():
            found = list(self.stage.glob(line))
            # Built where there is an nvcc, and for packages alone.
            if package not in ("halftoned-cuda", ENGINE):
                self.assertNotEqual(found, [], f"{package}.install: {line}")
            for path in found:
                below = sorted(path.rglob("*")) if path.is_dir() else [path]
                yield from (one for one in below if not one.is_dir())

    def test_every_installed_file_is_in_one_package(self):
        owners = {}
        for package in self.packages:
            for path in self.listed(package):
                owners.setdefault(path, []).append(package)
        self.assertEqual([path for path in self.stage.rglob("*")
                          if not path.is_dir() and path not in owners], [])
        self.assertEqual({path: found for path, found in owners.items()
                          if len(found) > 1}, {})

    def test_the_engines_package_is_of_this_version(self):
        version = re.search(r"^project\(halftoned VERSION (\S+)",
                            (SOURCE / "CMakeLists.txt").read_text(),
                            re.MULTILINE)[1]
        self.assertEqual(ENGINE, "libhalftoned-engine" + version)
        self.assertIn(ENGINE, self.packages)

    def test_building_needs_the_same_by_both_lists(self):
        source = next(paragraphs())
        script = (SOURCE / "cmake/install-packages").read_text()
        for_cmake = set(re.search(r'^packages="([^"]*)"', script,
                                  re.MULTILINE)[1].split())
        for_debian = names(re.sub(r"[:(][^,]*", "", source["Build-Depends"]))
        self.assertEqual(for_debian - {"debhelper-compat"},
                         for_cmake - {"g++"})
        # No list of Debian's names them: each package needs them to be built.
        packaging = re.search(r'^packaging="([^"]*)"', script,
                              re.MULTILINE)[1].split()
        self.assertLessEqual({"build-essential", "debhelper"},
                             set(packaging))
        arm64 = set(re.search(r'^arm64="([^"]*)"', script,
                              re.MULTILINE)[1].split())
        compiled = {name for name in for_debian if name.startswith("lib")}
        # CLI11 is headers alone, for every architecture.
        self.assertEqual({name.removesuffix(":arm64") for name in arm64
                          if name.startswith("lib")}, compiled - {"libcli11-dev"})

    def make(self, package):
        """PACKAGE as a .deb, without what debhelper adds to it."""
        root = self.folder / package
        for path in self.listed(package):
            place = root / path.relative_to(self.stage)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place, follow_symlinks=False)
        control = root / "DEBIAN"
        control.mkdir(parents=True)
        for script in SCRIPTS:
            if (DEBIAN / f"{package}.{script}").exists():
                shutil.copy(DEBIAN / f"{package}.{script}", control / script)
                (control / script).chmod(0o755)
        fields = self.packages[package]
        (control / "control").write_text(
            f"Package: {package}\nVersion: 1\nArchitecture: all\n"
            "Maintainer: nobody <nobody@localhost.invalid>\n"
            f"Depends: {', '.join(sorted(names(fields['Depends'])))}\n"
            f"Description: {fields['Description']}\n")
        deb = self.folder / f"{package}.deb"
        run("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, deb)
        return deb

    def make_root(self, name, tools, own=()):
        """A root with TOOLS, and with the libraries of them and of our OWN programs."""
        root = self.folder / name
        for folder in ("usr/bin", "usr/lib", "usr/lib64", "run", "etc/cups/ppd",
                       "var/lib/dpkg/info", "var/lib/dpkg/updates"):
            (root / folder).mkdir(parents=True)
        for folder in ("bin", "lib", "lib64"):
            (root / folder).symlink_to(f"usr/{folder}")
        (root / "var/lib/dpkg/status").touch()
        programs = [shutil.which(tool, path=PATH) for tool in tools]
        for tool in programs:
            shutil.copy(tool, root / "usr/bin")
        programs += own
        for library in set(re.findall(r"(/\S+) \(", run("ldd", *programs))):
            if library.startswith(str(self.stage)):
                continue  # in a package of ours
            place = root / library.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, place)
        return root

    @unittest.skipIf(os.geteuid() != 0, "SKIPPED: only root may change its root")
    def test_the_filter_is_installed_and_removed(self):
        def dpkg(*words):
            return run("dpkg", f"--root={root}", "--force-depends", *words)

        root = self.make_root(
            "root", TOOLS, self.stage.glob("usr/libexec/halftoned/halftone-adopt"))
        dpkg("--install", self.make("halftoned-common"), self.make(ENGINE),
             self.make("cups-filter-halftone"))
        ppds = root / "etc/cups/ppd"
        stand_in = root / "usr/libexec/halftoned/ghostscript/gs"
        self.assertTrue((root / str(stand_in.readlink()).lstrip("/")).is_file())
        run("ppdc", "-d", self.folder / "models", f"{DATADIR}/drv/sample.drv")
        drivers = {"raster": (self.folder / "models/zebra.ppd").read_text(),
                   "behind": foomatic.ppd("ljet4", foomatic.device("ljet4"))}
        adopted = {}
        for name, driver in drivers.items():
            (ppds / "released.ppd").write_text(driver)
            run("chroot", root, "/usr/libexec/halftoned/halftone-adopt", "adopt",
                "--ppd", "/etc/cups/ppd/released.ppd", f"/etc/cups/ppd/{name}.ppd")
            adopted[name] = (ppds / f"{name}.ppd").read_text()
            self.assertNotEqual(adopted[name], driver)

        # A queue that would print no longer keeps the filter, and all as it is.
        run("ppdc", "-I", self.stage / "usr/share/cups/ppdc", "-d",
            self.folder / "models", self.stage / "usr/share/cups/drv/halftoned.drv")
        models = sorted((self.folder / "models").glob("ht*.ppd"))
        self.assertNotEqual(models, [])
        for model in models:
            shutil.copy(model, ppds)
        needing = " ".join(model.stem for model in models)
        with self.assertRaisesRegex(RuntimeError, f"through it alone: {needing}"):
            dpkg("--remove", "cups-filter-halftone")
        for name, text in adopted.items():
            self.assertEqual((ppds / f"{name}.ppd").read_text(), text)
        for model in models:
            (ppds / model.name).unlink()

        dpkg("--install", self.folder / "cups-filter-halftone.deb")
        # What filters leave, and what cupsd remembers of the queue.
        cache = root / "var/cache/cups"
        cache.mkdir(parents=True)
        for name in ("halftoned.slots", "halftoned.renderers", "raster.data",
                     "behind.data", "released.data"):
            (cache / name).touch()
        dpkg("--purge", "cups-filter-halftone", ENGINE, "halftoned-common")
        for name, driver in drivers.items():
            self.assertEqual((ppds / f"{name}.ppd").read_text(), driver)
        self.assertEqual([path.name for path in cache.iterdir()], ["released.data"])
        self.assertEqual(sorted(root.rglob("*halfton*")), [])

    @unittest.skipIf(os.geteuid() != 0, "SKIPPED: only root may change its root")
    def test_removal_stops_the_programs_of_its_root_alone(self):
        if subprocess.run(["unshare", "-m", "true"], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("SKIPPED: no mount namespaces here")
        # The printer application's server alone ends those that its jobs need.
        for package, program, by in (
                ("halftoned", "/usr/sbin/halftoned", signal.SIGTERM),
                ("halftone-printer-app", "/usr/bin/halftone-printer-app",
                 signal.SIGKILL)):
            with self.subTest(package):
                inner = self.make_root(package + "-root", ("readlink", "sh", "sleep"))
                # A program with the same path in both roots.
                path = self.folder / package / "runs"
                script = (DEBIAN / f"{package}.prerm").read_text()
                self.assertIn(program, script)
                (inner / "prerm").write_text(
                    script.replace(program, str(path)).replace("#DEBHELPER#", ""))
                for place in (path, inner / str(path).lstrip("/")):
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(shutil.which("sh"), place)
                (inner / "proc").mkdir()
                (inner / "dev").mkdir()
                (inner / "dev/null").touch()
                os.mkfifo(inner / "never")
                with subprocess.Popen([path, "-c", "read line"],
                                      stdin=subprocess.PIPE) as outer_one:
                    try:
                        ended = run("unshare", "-m", "sh", "-euc",
                                    REMOVAL, "sh", inner, path, SERVER)
                        self.assertEqual(ended.split(), [str(by.value)] * 2)
                        self.assertIsNone(outer_one.poll())
                    finally:
                        outer_one.kill()


if __name__ == "__main__":
    BUILD, DATADIR = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    del sys.argv[1:3]
    unittest.main()

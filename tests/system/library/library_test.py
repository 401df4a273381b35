#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C library as strangers get it: installed into an empty folder, found by
pkg-config or CMake, and used by the examples. HALFTONED_BUILD is the build
folder, HALFTONED_LIBDIR where libraries go below its root; HALFTONE, the file
tool, says what the bits are to be.

To record the interface of a new version: library_test.py record
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
HEADER = SOURCE / "include/halftoned/halftone.h"
EXAMPLES = SOURCE / "examples"
RECORDED = pathlib.Path(__file__).with_name("halftone.abi")

WIDTH, HEIGHT = 333, 250
DIALECTS = ("-xc -std=c89", "-xc -std=c99", "-xc++ -std=c++11")
STRICT = "-pedantic -Wall -Wextra -Werror"


def run(*words, **options):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(words)}: {done.returncode}\n"
                             f"{done.stdout.decode(errors='replace')}"
                             f"{done.stderr.decode(errors='replace')}")
    return done.stdout


def sample_pgm():
    """Tones, and text with edges of gray."""
    rows = bytearray(b"P5 %d %d 255\n" % (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            rows.append((0, 128, 255, 255)[x // 3 % 4] if y < 60
                        else (x * y // 300 + x) % 256)
    return bytes(rows)


def declarations():
    """What the header declares: {name: prototype}."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    found = re.findall(r"^HT_API (.*?);", text, re.DOTALL | re.MULTILINE)
    return {re.search(r"\b(\w+)\(", each)[1]: each for each in found}


def described_interface(folder):
    """A library of the same functions that does nothing: all of its debugging
    information is about the interface."""
    bodies = "".join(
        prototype + (" {}\n" if prototype.startswith("void ")
                     else " { return 0; }\n")
        for prototype in declarations().values())
    (folder / "interface.c").write_text(
        "#include <halftoned/halftone.h>\n" + bodies)
    run("gcc", "-g", "-shared", "-fPIC", "-w", "-I", SOURCE / "include",
        "interface.c", "-o", "interface.so", cwd=folder)
    return run("abidw", "--no-show-locs", "--no-comp-dir-path",
               "--no-corpus-path", "--no-elf-needed", "interface.so",
               cwd=folder)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.root = cls.folder / "root"
        cls.root.mkdir()
        umask = os.umask(0o077)
        for component in ("library", "development"):
            run("cmake", "--install", os.environ["HALFTONED_BUILD"],
                "--component", component,
                env=dict(os.environ, DESTDIR=str(cls.root)))
        os.umask(umask)
        cls.libdir = cls.root / os.environ["HALFTONED_LIBDIR"].lstrip("/")
        cls.library = cls.libdir / "libhalftone.so.0"
        cls.run_env = {"LD_LIBRARY_PATH": str(cls.libdir)}
        cls.pgm = sample_pgm()

    def pkg_config(self, *words):
        return run("pkg-config", *words, "halftone", env={
            "PATH": os.environ["PATH"],
            "PKG_CONFIG_LIBDIR": str(self.libdir / "pkgconfig")
        }).decode().split()

    def build(self, name, compiler="gcc", dialect=DIALECTS[0], libs=None):
        program = self.folder / name
        run(compiler, *dialect.split(), *STRICT.split(),
            *self.pkg_config("--cflags"), EXAMPLES / f"{name}.c", "-xnone",
            "-o", program, *(libs or self.pkg_config("--libs")))
        return program

    def output(self, program, *options):
        return run(program, *options, input=self.pgm, env=self.run_env)

    def converted(self, target, *options):
        """The file that the file tool makes."""
        program = os.environ.get("HALFTONE")
        if not program:
            self.skipTest("the file tool, which says what is right, is not "
                          "built")
        source, target = self.folder / "in.pgm", self.folder / target
        source.write_bytes(self.pgm)
        run(program, "convert", *options, source, target)
        return target.read_bytes()

    def expected_ink(self, *options):
        """Rows with 1 for ink, padding 0."""
        size = (WIDTH + 7) // 8 * HEIGHT
        return self.converted("out.pbm", *options)[-size:]

    def expected_frame(self, levels, bits):
        """Rows of samples of so many bits."""
        samples = self.converted("out.pgm", "--levels", levels)
        samples = samples[-WIDTH * HEIGHT:]
        frame = bytearray()
        for at in range(0, len(samples), WIDTH):
            row = "".join(f"{sample:0{bits}b}"
                          for sample in samples[at:at + WIDTH])
            row += "0" * (-len(row) % 8)
            frame += int(row, 2).to_bytes(len(row) // 8, "big")
        return bytes(frame)

    def test_is_a_header_its_manual_two_libraries_and_their_descriptions(self):
        found = {str(path.relative_to(self.root)) for path in
                 self.root.rglob("*") if not path.is_dir()}
        libdir = self.libdir.relative_to(self.root)
        prefix = f"{libdir.parts[0]}/" if len(libdir.parts) > 1 else ""
        version = re.search(rb"\d[\d.]*", run(
            "pkg-config", "--modversion", self.libdir / "pkgconfig/halftone.pc")
                           )[0].decode()
        self.assertEqual(
            {name for name in found if not name.startswith(f"{libdir}/cmake/")},
            {f"{prefix}include/halftoned/halftone.h",
             f"{prefix}share/man/man3/halftone.3",
             *(f"{prefix}share/man/man3/{name}.3" for name in declarations()),
             f"{libdir}/libhalftone.a", f"{libdir}/libhalftone.so",
             f"{libdir}/libhalftone.so.0", f"{libdir}/libhalftone.so.{version}",
             f"{libdir}/pkgconfig/halftone.pc"})

    def test_has_the_manual_that_its_header_makes(self):
        manual = SOURCE / "engine/library/halftone.3"
        made = run(sys.executable, "-B", "-c",
                   "import sys; sys.path.insert(0, sys.argv[1])\n"
                   "import make_manual\n"
                   "sys.stdout.buffer.write(make_manual.manual().encode())",
                   manual.parent)
        self.assertEqual(manual.read_text(), made.decode(),
                         "run engine/library/make_manual.py")
        for name, prototype in declarations().items():
            self.assertIn(re.sub(r"\s+", " ", prototype),
                          re.sub(r"\s+", " ", made.decode()), name)
        if shutil.which("lexgrog"):
            self.assertIn(b'"halftone - halftoning for drivers"',
                          run("lexgrog", manual))
        if shutil.which("groff"):
            warned = subprocess.run(
                ["groff", "-ww", "-mandoc", "-Tutf8", "-Kutf8", "-z", manual],
                capture_output=True)
            self.assertEqual((warned.returncode, warned.stderr), (0, b""))

    def test_is_there_for_everybody(self):
        for path in self.root.rglob("*"):
            if not path.is_symlink():
                needed = 0o555 if path.is_dir() else 0o444
                self.assertEqual(path.stat().st_mode & needed, needed, path)

    def test_serves_every_compiler_and_dialect(self):
        for compiler in ("gcc", "clang"):
            if not shutil.which(compiler):
                print(f"{compiler} is not installed: not tried")
                continue
            for dialect in DIALECTS:
                for name in ("pgmtopcl", "pgmtopcl_by_row", "pgmtozpl",
                             "epaper"):
                    with self.subTest(compiler, dialect=dialect, name=name):
                        self.build(name, compiler, dialect)

    def test_drivers_of_lasers_print_what_the_file_tool_makes(self):
        ink = self.expected_ink("--text-edges", "crisp", "--dot-gain", "20",
                                "--toner-save", "25")
        row = (WIDTH + 7) // 8
        rows = b"".join(b"\033*b%dW" % row + ink[at:at + row]
                        for at in range(0, len(ink), row))
        for name in ("pgmtopcl", "pgmtopcl_by_row"):
            pcl = self.output(self.build(name), "600",
                              "dot-gain=20,toner-save=25")
            self.assertEqual(
                pcl, b"\033E\033*t600R\033*r%dS\033*r1A\033*b0M" % WIDTH +
                rows + b"\033*rC\f\033E", name)

    def test_drivers_of_labels_print_what_the_file_tool_makes(self):
        ink = self.expected_ink("--halftone-type", "bi-level")
        zpl = self.output(self.build("pgmtozpl"), "halftone-type=bi-level")
        self.assertEqual(zpl.decode(), f"^XA^FO0,0^GFA,{len(ink)},{len(ink)},"
                         f"{(WIDTH + 7) // 8},{ink.hex().upper()}^FS^XZ\n")

    def test_frames_of_displays_are_what_the_file_tool_makes(self):
        program = self.build("epaper")
        for levels, bits in ((4, 2), (16, 4)):
            self.assertEqual(self.output(program, levels),
                             self.expected_frame(levels, bits))

    def test_programs_say_what_is_wrong_with_options(self):
        done = subprocess.run([self.build("pgmtozpl"), "halftone-type=round"],
                              input=self.pgm, env=self.run_env,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn("pgmtozpl: option 'halftone-type': 'round' is not auto, ",
                      done.stderr.decode())

    def test_uses_no_memory_that_has_no_value(self):
        if not shutil.which("valgrind"):
            self.skipTest("valgrind is not installed")
        program = self.folder / "pages"
        run("gcc", *DIALECTS[0].split(), *STRICT.split(),
            *self.pkg_config("--cflags"),
            pathlib.Path(__file__).with_name("pages.c"), "-o", program,
            *self.pkg_config("--libs"))
        checked = run("valgrind", "--quiet", "--error-exitcode=9",
                      "--leak-check=full", program,
                      env={"PATH": os.environ["PATH"], **self.run_env})
        sums = [re.sub(".*: ", "", line) for line in
                checked.decode().splitlines()]
        # The processor here may have wider vectors than valgrind knows.
        self.assertEqual(sums, [re.sub(".*: ", "", line) for line in
                                run(program, env=self.run_env)
                                .decode().splitlines()])
        self.assertGreater(len(sums), 24)

    def test_may_be_linked_statically(self):
        flags = self.pkg_config("--libs", "--static")
        flags[flags.index("-lhalftone")] = "-l:libhalftone.a"
        program = self.build("pgmtozpl", libs=flags)
        self.assertNotIn(b"libhalftone", run("ldd", program))
        shared = self.output(self.build("pgmtozpl"))
        program = self.build("pgmtozpl", libs=flags)
        self.assertEqual(run(program, input=self.pgm, env={}), shared)

    def test_is_found_by_cmake(self):
        project = pathlib.Path(__file__).parent
        prefix = self.root / self.libdir.relative_to(self.root).parts[0]
        build = self.folder / "cmake"
        run("cmake", "-S", project, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DEXAMPLES={EXAMPLES}")
        run("cmake", "--build", build)
        expected = self.output(self.build("pgmtozpl"))
        for form in ("halftone", "halftone_static"):
            self.assertEqual(self.output(build / f"with_{form}"), expected)

    def test_exports_what_the_header_declares(self):
        lines = run("nm", "-D", "--defined-only", self.library).decode()
        exported = {line.split()[2].split("@")[0]
                    for line in lines.splitlines() if " A " not in line}
        self.assertEqual(exported, set(declarations()))
        for name in exported:
            self.assertTrue(name.startswith("ht_"))

    def test_needs_nothing_but_the_compilers_libraries(self):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\.so",
                                run("readelf", "-d", self.library).decode()))
        self.assertLessEqual(needed, {"libc", "libm", "libstdc++", "libgcc_s",
                                      "ld-linux-x86-64", "ld-linux-aarch64"})

    def test_keeps_the_recorded_interface(self):
        if not shutil.which("abidiff"):
            self.skipTest("abidiff (Debian: abigail-tools) is not installed")
        if os.uname().machine != "x86_64":
            self.skipTest("the record is of x86_64")
        now = self.folder / "now.abi"
        now.write_bytes(described_interface(self.folder))
        run("abidiff", RECORDED, now)

    def test_python_gets_the_same_bits(self):
        ink = self.expected_ink("--halftone-type", "fine")
        env = {"LIBHALFTONE": str(self.library), "PATH": os.environ["PATH"]}
        pbm = run(sys.executable, EXAMPLES / "halftone.py", "halftone-type=fine",
                  input=self.pgm, env=env)
        self.assertEqual(pbm, b"P4 %d %d\n" % (WIDTH, HEIGHT) + ink)

    def test_python_takes_arrays_where_numpy_is(self):
        script = ("import sys\nsys.path.insert(0, sys.argv[1])\n"
                  "import halftone, numpy\n"
                  "gray = numpy.arange(6000, dtype=numpy.uint16)"
                  ".reshape(60, 100) * 10\n"
                  "recipe = halftone.Recipe('levels=4')\n"
                  "engine = halftone.Engine('scalar', 1)\n"
                  "bits = recipe.halftone(gray[:, ::2], engine=engine)\n"
                  "assert bits.shape == (60, 13), bits.shape\n"
                  "assert bits.tobytes() == recipe.halftone("
                  "gray[:, ::2].tobytes(), width=50, depth=16)\n")
        env = {"LIBHALFTONE": str(self.library), "PATH": os.environ["PATH"]}
        try:
            run(sys.executable, "-c", "import numpy")
        except AssertionError:
            self.skipTest("numpy is not installed")
        run(sys.executable, "-c", script, EXAMPLES, env=env)

    def test_pappl_drivers_compile(self):
        try:
            flags = run("pkg-config", "--cflags", "pappl").decode().split()
        except AssertionError:
            self.skipTest("PAPPL (Debian: libpappl-dev) is not installed")
        run("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", *flags,
            *self.pkg_config("--cflags"), "-c", EXAMPLES / "pappl_driver.c",
            "-o", self.folder / "pappl.o")


if __name__ == "__main__":
    if sys.argv[1:] == ["record"]:
        with tempfile.TemporaryDirectory() as place:
            RECORDED.write_bytes(described_interface(pathlib.Path(place)))
    else:
        unittest.main()

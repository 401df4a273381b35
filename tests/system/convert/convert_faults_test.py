# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert when something is wrong: targets, signals, memory.

HALFTONE_STARVED names the program that does not get its memory.
"""

import os
import pathlib
import resource
import shutil
import signal
import stat
import struct
import subprocess
import unittest
import zlib

from convert_case import (Case, HALFTONE, halftone, noise, pbm, pgm)


class Targets(Case):
    def setUp(self):
        super().setUp()
        self.source = self.path("in.pgm", pgm(30, 20, noise(30, 20)))
        self.expected = pbm(30, 20, halftone(30, 20, noise(30, 20)))

    def test_keep_links_and_permissions(self):
        target = self.path("target.pbm", b"old")
        os.chmod(target, 0o640)
        os.symlink("target.pbm", self.path("link.pbm"))
        self.convert(self.source, self.path("link.pbm"))
        self.assertTrue(os.path.islink(self.path("link.pbm")))
        self.assertEqual((self.dir / "target.pbm").read_bytes(),
                         self.expected)
        self.assertEqual(os.stat(target).st_mode & 0o777, 0o640)

    def test_keep_their_owner_where_they_can(self):
        if os.getuid() != 0:
            self.skipTest("only root gives files away")
        target = self.path("target.pbm", b"old")
        os.chown(target, 12345, 23456)
        os.chmod(target, 0o4664)
        self.convert(self.source, target)
        status = os.stat(target)
        self.assertEqual((status.st_uid, status.st_gid, status.st_mode),
                         (12345, 23456, stat.S_IFREG | 0o664))

    def test_do_not_open_to_another_group(self):
        if os.getuid() != 0:
            self.skipTest("only root becomes another user")

        def be_nobody():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

        os.chmod(self.dir, 0o777)
        program = self.path("halftone")
        shutil.copy(HALFTONE, program)
        os.chmod(program, 0o755)
        target = self.path("target.pbm", b"old")
        os.chmod(target, 0o676)  # root's group may read, write and run it
        self.convert(self.source, target, preexec_fn=be_nobody,
                     executable=program)
        status = os.stat(target)
        self.assertEqual((status.st_uid, status.st_gid, status.st_mode),
                         (65534, 65534, stat.S_IFREG | 0o666))

    def test_may_be_links_to_what_is_not_there_yet(self):
        (self.dir / "folder").mkdir()
        os.symlink("folder/second", self.path("link.pbm"))
        os.symlink("../target.pbm", self.path("folder/second"))
        self.convert(self.source, self.path("link.pbm"))
        self.assertTrue(os.path.islink(self.path("link.pbm")))
        self.assertTrue(os.path.islink(self.path("folder/second")))
        self.assertFalse(os.path.islink(self.path("target.pbm")))
        self.assertEqual((self.dir / "target.pbm").read_bytes(),
                         self.expected)
        os.symlink("loop.pbm", self.path("loop.pbm"))
        run = self.run_halftone("convert", self.source, self.path("loop.pbm"))
        self.assertEqual(run.returncode, 1)
        self.assertTrue(os.path.islink(self.path("loop.pbm")))

    def test_that_are_no_files_are_written_through(self):
        fifo = self.path("fifo.pbm")
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
        self.convert(self.source, fifo)
        self.assertEqual(reader.communicate(timeout=60)[0], self.expected)

    def test_that_vanish_are_an_error(self):
        folder = self.dir / "folder"
        folder.mkdir()
        child = subprocess.Popen([HALFTONE, "convert", "-",
                                  str(folder / "out.pbm")],
                                 stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(pgm(30, 20, noise(30, 20)))
        child.stdin.flush()
        wait_for_temporary(folder)
        shutil.rmtree(folder)
        _, error = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 1)
        self.assertEqual(error.decode().count("\n"), 1)
        self.assertIn("out.pbm", error.decode())


def wait_for_temporary(folder):
    """Until the program has begun to write there."""
    while not any(n.startswith(".halftone-") for n in os.listdir(folder)):
        os.sched_yield()


class Signals(Case):
    def test_leave_nothing_and_are_passed_on(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                       signal.SIGQUIT, signal.SIGALRM, signal.SIGVTALRM,
                       signal.SIGXCPU, signal.SIGUSR2):
            for name in ("out.pbm", "out.tif", "out.png"):
                child = subprocess.Popen(
                    [HALFTONE, "convert", "-", self.path(name)],
                    stdin=subprocess.PIPE, stderr=subprocess.PIPE)
                # More is promised than comes: it waits for the rest.
                child.stdin.write(b"P5 500 1000 255\n" + noise(500, 10))
                child.stdin.flush()
                wait_for_temporary(self.dir)
                child.send_signal(number)
                self.assertEqual(child.wait(timeout=60), -number)
                child.stdin.close()
                self.assertEqual(child.stderr.read(), b"")
                child.stderr.close()
                self.assertEqual(os.listdir(self.dir), [])


class Bombs(Case):
    """Small files that would grow to gigabytes in memory."""

    def test_stay_small(self):
        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data +
                    struct.pack(">I", zlib.crc32(kind + data)))

        texts = (b"\x89PNG\r\n\x1a\n" +
                 chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 0, 0, 0, 0)) +
                 chunk(b"zTXt", b"Comment\0\0" +
                       zlib.compress(b"a" * 4000000)) * 500 +
                 chunk(b"IDAT", zlib.compress(b"\0abcd" * 4)) +
                 chunk(b"IEND", b""))
        # A thousand tags, all of them the same two megabytes.
        size = 2 << 20
        fields = [(256, 4, 1, 4), (257, 4, 1, 4), (258, 3, 1, 8),
                  (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
                  (278, 4, 1, 4), (279, 4, 1, 16)]
        fields += [(50000 + i, 1, size, 8) for i in range(1000)]
        tags = (b"II*\0" + struct.pack("<I", 8 + size) + bytes(size) +
                struct.pack("<H", len(fields)) +
                b"".join(struct.pack("<HHII", *field) for field in fields) +
                b"\0\0\0\0")
        for name, data in (("texts.png", texts), ("tags.tif", tags)):
            child = os.posix_spawn(
                HALFTONE, [HALFTONE, "convert", self.path(name, data),
                           self.path("out.pbm")], os.environ)
            _, status, usage = os.wait4(child, 0)
            self.assertEqual(status, 0)
            self.assertLess(usage.ru_maxrss, 512 << 10, name)


class Memory(Case):
    """That cannot be had costs a line, and never half an output."""

    def setUp(self):
        super().setUp()
        self.source = self.path("in.pgm", pgm(600, 400, noise(600, 400)))
        (self.dir / "out").mkdir()

    def ends_well(self, run, out, expected):
        """Whether it could do without."""
        left = os.listdir(self.dir / "out")
        if run.returncode == 0:
            self.assertEqual((run.stderr, left), (b"", [os.path.basename(out)]))
            self.assertEqual(pathlib.Path(out).read_bytes(), expected)
            os.unlink(out)
            return True
        self.assertEqual((run.returncode, left), (1, []), run.stderr)
        self.assertRegex(run.stderr.decode(), r"\Ahalftone: [^\n]*\n\Z")
        return False

    def test_may_fail_at_any_time(self):
        starved = os.environ["HALFTONE_STARVED"]
        for name in ("out.pbm", "out.tif", "out.png"):
            out = self.path("out/" + name)

            def run(number):
                return subprocess.run(
                    [starved, "convert", self.source, out,
                     "--rows-per-band", "64"],
                    capture_output=True, timeout=60,
                    env=dict(os.environ, HALFTONE_FAILS_AT=str(number)))

            allocations = int(run(0).stderr)
            expected = pathlib.Path(out).read_bytes()
            os.unlink(out)
            failed = 0
            for number in (*range(1, allocations, allocations // 60),
                           *range(allocations - 5, allocations + 1)):
                failed += not self.ends_well(run(number), out, expected)
            self.assertGreater(failed, 30, name)

    def test_may_be_limited(self):
        def limit_to(mebibytes):
            size = mebibytes << 20
            return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

        if subprocess.run([HALFTONE, "--version"], capture_output=True,
                          preexec_fn=limit_to(256)).returncode != 0:
            self.skipTest("a sanitizer takes more")
        out = self.path("out/out.png")
        self.convert(self.source, out)
        expected = pathlib.Path(out).read_bytes()
        os.unlink(out)
        done = [self.ends_well(
            self.run_halftone("convert", self.source, out, "--halftone-type",
                              "floyd-steinberg", preexec_fn=limit_to(size)),
            out, expected)
            for size in range(16, 256, 4)]
        self.assertIn(False, done)
        self.assertTrue(done[-1])


if __name__ == "__main__":
    unittest.main()

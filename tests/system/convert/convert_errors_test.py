# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of halftone convert: what they say, and what they leave as it was."""

import os
import pathlib
import pty
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

from convert_case import Case, HALFTONE, noise, pgm


class Errors(Case):
    def setUp(self):
        super().setUp()
        self.image = pgm(300, 200, noise(300, 200))
        self.source = self.path("in.pgm", self.image)

    def test_of_the_command_line_exit_with_2(self):
        out = self.path("out.pbm")
        for args in ([], [self.source], [self.source, self.path("out.xyz")],
                     [self.source, out, "--levels", "3"],
                     [self.source, out, "--engine", "nonesuch"],
                     [self.source, out, "--gamma", "0"],
                     [self.source, out, "--gamma", "nan"],
                     [self.source, out, "--dot-gain", "46"],
                     [self.source, out, "--dot-gain", "2x"],
                     [self.source, out, "--black-point", "-1"],
                     [self.source, out, "--brightness", ""],
                     [self.source, out, "--halftone-type", "newsprint"],
                     [self.source, out, "--cluster-size", "10"],
                     [self.source, out, "--text-edges", "sharp"],
                     [self.source, self.path("nonesuch/")],
                     [self.source, out, "--levels", "4"],
                     [self.source, self.path("out.pgm")],
                     [self.source, "-", "--format", "pgm"],
                     [self.source, out, "--compression", "lzw"],
                     [self.source, self.path("o.tif"), "--compression", "g4",
                      "--levels", "4"],
                     [self.source, out, "--bigtiff"],
                     [self.source, "-", "--json"],
                     [self.source, out, "--nonesuch"]):
            self.fails(*args, status=2)

    def test_of_numbers_say_what_they_may_be(self):
        self.fails(self.source, self.path("out.pbm"), "--contrast", "101",
                   status=2,
                   says="--contrast: '101' is not a number from -100 to 100")
        self.fails(self.source, self.path("out.pbm"), "--levels", "x",
                   status=2, says="--levels: 'x' is not 2, 4, 8 or 16")
        self.fails(self.source, self.path("out.pbm"), "--cluster-size", "3.5",
                   status=2,
                   says="--cluster-size: '3.5' is not a whole number from 2 to 9")
        self.fails(self.source, self.path("out.pbm"), "--screen-lpi", "45",
                   status=2,
                   says="--screen-lpi is only for --halftone-type screen")

    def test_of_formats_name_suitable_ones(self):
        self.fails(self.source, self.path("o.jpg"), status=2,
                   says="use .tif, .png, .bmp, .pbm, .pnm or --format")
        self.fails(self.source, self.path("out.PGM"), status=2,
                   says="out.PGM: pgm does not support 2 levels; use .tif, .png, "
                   ".bmp, .pbm, .pnm or --format")
        self.fails(self.source, self.path("out.pbm"), "--levels", "4",
                   status=2, says="out.pbm: pbm does not support 4 levels; use "
                   ".tif, .png, .pgm, .pnm or --format")
        self.fails("-o", self.path("out.pbm"), status=2,
                   says="give an input and an output, or inputs and --output")
        self.fails("a", "b", "c", status=2, says="3 files given; give an input")
        self.fails("", self.path("out.pbm"), status=2,
                   says="the name of a file must not be empty")

    def test_of_levels_that_a_type_lacks_say_so(self):
        self.fails(self.source, self.path("out.pgm"), "--levels", "4",
                   "--halftone-type", "clustered", status=2,
                   says="clustered has two levels")

    def test_of_runs_that_a_type_lacks_name_types_that_have_them(self):
        out = self.path("out.pbm")
        self.fails(self.source, out, "--min-run", "3", "--halftone-type", "fine",
                   status=2, says="fine has no min-run; choose halftone-type "
                   "jarvis, stucki,")
        self.fails(self.source, out, "--min-run", "4", "--halftone-type",
                   "false-floyd-steinberg", status=2, says="no min-run above 3")
        self.fails(self.source, self.path("out.pgm"), "--min-run", "2", "--levels", "4",
                   status=2, says="min-run needs two levels")
        self.fails(self.source, out, "--min-run", "7", status=2, says="--min-run")

    def test_of_tone_curves_say_what_is_wrong(self):
        out = self.path("out.pbm")
        curve = self.path("curve", b"0 0\n255 255\n")
        self.fails(self.source, out, "--tone-curve", curve, "--dot-gain", "20",
                   status=2, says="--dot-gain")
        self.fails(self.source, out, "--tone-curve", "", status=2,
                   says="--tone-curve: expected the name of a file")
        none = self.path("none")
        self.fails(self.source, out, "--tone-curve", none,
                   says=f"tone curve {none}: No such file or directory")
        queue = self.path("queue")
        os.mkfifo(queue)
        self.fails(self.source, out, "--tone-curve", queue,
                   says=f"tone curve {queue}: is not a regular file")

    def test_of_the_configuration_are_shown_if_it_is_needed(self):
        out = self.path("out.pbm")
        conf = self.path("halftoned.conf", b"[daemon]\nsockets = 1\n")
        environment = {**os.environ, "HALFTONED_CONF": conf}
        mistake = (f"halftone: {conf}, line 2: unknown key 'sockets' in "
                   "[daemon]; did you mean 'socket'?\n")
        for engine in ("remote", "cuda"):
            for more in ([], ["--socket", "/nowhere/halftoned.sock"]):
                self.fails(self.source, out, "--engine", engine, *more,
                           env=environment, says=mistake)
        status = self.run_halftone("status", env=environment)
        self.assertEqual((status.returncode, status.stdout, status.stderr),
                         (1, b"", mistake.encode()))
        self.convert(self.source, out, env=environment)
        self.assertTrue(os.path.exists(out))

    def test_of_the_daemon_name_the_socket_of_the_configuration(self):
        out = self.path("out.pbm")
        conf = self.path("halftoned.conf",
                         b"[daemon]\nsocket = '/nowhere/a.sock'\n")
        environment = {**os.environ, "HALFTONED_CONF": conf}
        for path, *options in (["/nowhere/a.sock"],
                               ["/nowhere/b.sock", "--socket",
                                "/nowhere/b.sock"]):
            self.fails(self.source, out, "--engine", "remote", *options,
                       env=environment,
                       says=f"halftone: cannot reach halftoned at {path}: "
                       "No such file or directory\n")

    def test_without_a_command_name_them(self):
        run = self.run_halftone()
        self.assertEqual((run.returncode, run.stderr), (2, b""))
        helped = self.run_halftone("help")
        self.assertEqual((helped.returncode, helped.stdout), (0, run.stdout))
        self.assertRegex(run.stdout.decode(), r"(?m)^Usage: halftone COMMAND")

    def test_of_files_name_the_file(self):
        none = self.path("none.pgm")
        self.fails(none, self.path("out.pbm"), says=none)
        self.fails(str(self.dir), self.path("out.pbm"), says="directory")
        target = self.path("none/out.pbm")
        self.fails(self.source, target, says=target)
        self.fails(self.path("cut.pgm", self.image[:-1]),
                   self.path("out.pbm"), says="cut.pgm: ends too early")
        for text, says in ((b"0 0\n255 256\n", "line 2"),
                           (b"0 10\n255 255\n", "line 1: the first pair must "
                            "be 0 0, so that black stays solid"),
                           (b"0 0\n255 250\n", "line 2: the last pair must "
                            "be 255 255, so that paper stays white")):
            curve = self.path("curve", text)
            self.fails(self.source, self.path("out.pbm"), "--tone-curve",
                       curve, says=f"{curve}: {says}")
        self.fails(self.source, "/dev/full", "--format", "pbm",
                   says="/dev/full: cannot write: No space left on device")

    def test_are_a_printable_line_whatever_the_files_are_called(self):
        name = os.fsencode(self.dir) + b"/\xff\x1b[31m\xc2\x9b\n\xc3\xa4.pgm"
        for args, status in (([name, "x.pbm"], 1), ([name, name], 2),
                             ([name, b"x", b"--\x1b[31m\n"], 2)):
            run = self.run_halftone("convert", *args)
            self.assertEqual(run.returncode, status)
            self.assertRegex(run.stderr.decode(),
                             "\\Ahalftone: [^\0-\x1f\x7f-\x9f]*\n\\Z")

    def test_of_targets_that_may_not_be_written(self):
        # A folder that other users can read, wherever the program was built.
        folder = tempfile.mkdtemp(prefix="halftone-program-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        os.chmod(folder, 0o755)
        program = os.path.join(folder, "halftone")
        shutil.copy(HALFTONE, program)
        os.chmod(program, 0o755)

        def be_nobody():
            if os.getuid() == 0:
                os.setuid(65534)

        os.chmod(self.dir, 0o555)
        self.addCleanup(os.chmod, self.dir, 0o755)
        self.fails(self.source, self.path("out.pbm"), preexec_fn=be_nobody,
                   executable=program,
                   says="out.pbm: cannot create: Permission denied")
        os.chmod(self.dir, 0o777)
        locked = self.path("locked.pbm", b"old")
        os.chmod(locked, 0o444)
        self.fails(self.source, locked, preexec_fn=be_nobody,
                   executable=program,
                   says="locked.pbm: cannot write: Permission denied")

    def test_never_overwrite_an_input(self):
        os.link(self.source, self.path("hard.pbm"))
        os.symlink(self.source, self.path("soft.pbm"))
        for name in ("in.pgm", "hard.pbm", "soft.pbm"):
            self.fails(self.source, self.path(name), status=2,
                       says="is also an input")
            with open(self.source, "rb") as source:
                self.fails("-", self.path(name), status=2, stdin=source,
                           says="is also an input")
        with open(self.source, "ab") as target:
            run = subprocess.run([HALFTONE, "convert", self.source, "-"],
                                 stdout=target, stderr=subprocess.PIPE,
                                 timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertEqual((self.dir / "in.pgm").read_bytes(), self.image)

    def test_leave_an_older_output_alone(self):
        cut = self.path("cut.pgm", self.image[:-1])
        for name in ("out.pbm", "out.tif", "out.png"):
            out = self.path(name, b"old")
            self.fails(cut, out)
            self.assertEqual(pathlib.Path(out).read_bytes(), b"old")

    def test_of_a_full_disk_leave_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

        for name in ("out.pbm", "out.tif", "out.png"):
            self.fails(self.source, self.path(name), preexec_fn=limit,
                       says=name + ": cannot write: File too large")

    def write_to_nobody(self, *words, **options):
        read, write = os.pipe()
        os.close(read)
        run = subprocess.run([HALFTONE, "convert", *words], stdout=write,
                             stderr=subprocess.PIPE, timeout=60, **options)
        os.close(write)
        return run.returncode, run.stderr

    def test_of_a_reader_that_leaves_are_its_own(self):
        self.assertEqual(self.write_to_nobody(self.source, "-"),
                         (-signal.SIGPIPE, b""))
        # The file is there, and what was said about it is lost.
        self.assertEqual(
            self.write_to_nobody("--json", self.source, self.path("a.pbm")),
            (-signal.SIGPIPE, b""))
        self.assertTrue((self.dir / "a.pbm").exists())

    def test_of_other_kinds_are_said_though_the_reader_left(self):
        status, said = self.write_to_nobody(self.path("none.pgm"), "-")
        self.assertEqual(status, 1)
        self.assertIn(b"none.pgm", said)

    def test_of_a_reader_that_leaves_are_errors_where_signals_are_ignored(self):
        def ignore():
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)

        self.assertEqual(
            self.write_to_nobody(self.source, "-", preexec_fn=ignore,
                                 restore_signals=False),
            (1, b"halftone: standard output: cannot write: Broken pipe\n"))

    def test_of_a_terminal_that_would_get_an_image(self):
        terminal, child_end = pty.openpty()
        run = subprocess.run([HALFTONE, "convert", self.source, "-"],
                             stdout=child_end, stderr=subprocess.PIPE,
                             timeout=60)
        os.close(child_end)
        os.close(terminal)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, rb"\Ahalftone: standard output is a "
                         rb"terminal; write .*\n\Z")


if __name__ == "__main__":
    unittest.main()

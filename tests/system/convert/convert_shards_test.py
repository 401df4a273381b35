# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone convert --shard, --resume and --manifest: parts of the work make all of
it, what is whole stays, and a program that was killed goes on where it was.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from convert_case import (Case, HALFTONE, make_tiff, noise, pgm, tiff_rows,
                          tiff_tags)
from convert_large_test import add_page

SOFTWARE = 305


def pages_tiff(pages, width=40, height=30):
    body = bytearray(b"II*\0" + bytes(4))
    for page in range(pages):
        add_page(body, width, height, noise(width, height, page + 1), height)
    return bytes(body)


def contents(folder):
    return {path.name: path.read_bytes()
            for path in pathlib.Path(folder).iterdir()}


def inodes(folder):
    return {path.name: path.stat().st_ino
            for path in pathlib.Path(folder).iterdir()}


class Shards(Case):
    def images(self, count):
        return [self.path(f"{i}.tif", make_tiff(50, 40, noise(50, 40, i + 1)))
                for i in range(count)]

    def into(self, name, inputs, *options):
        self.convert(*inputs, "-o", self.path(name) + "/", *options)
        return contents(self.path(name))

    def check_union(self, inputs, options, parts):
        """All shards make what one run makes, each file once."""
        whole = self.into("whole", inputs, *options)
        union, counts = {}, []
        for part in range(1, parts + 1):
            made = self.into(f"part{part}", inputs[::-1], *options, "--shard",
                             f"{part}/{parts}")
            self.assertFalse(union.keys() & made.keys())
            union |= made
            counts.append(len(made))
        self.assertEqual(union, whole)
        self.assertLessEqual(max(counts) - min(counts), 1)

    def test_files_are_shared_evenly(self):
        self.check_union(self.images(7), (), 3)

    def test_more_parts_than_files(self):
        self.check_union(self.images(2), (), 5)

    def test_shards_write_to_one_folder(self):
        inputs = self.images(5)
        runs = [subprocess.Popen([HALFTONE, "convert", *inputs, "-o",
                                  self.path("all") + "/", "--shard",
                                  f"{part}/8"], stderr=subprocess.PIPE)
                for part in range(1, 9)]
        for run in runs:
            self.assertEqual((run.communicate(timeout=60)[1], run.returncode),
                             (b"", 0))
        self.assertEqual(len(contents(self.path("all"))), 5)

    def test_pages_of_one_file_are_shared(self):
        book = self.path("book.tif", pages_tiff(7))
        self.check_union([book], ("--format", "png"), 3)

    def test_chosen_pages_are_shared(self):
        book = self.path("book.tif", pages_tiff(7))
        self.check_union([book], ("--format", "png", "--pages", "2-3,5-"), 4)

    def test_a_file_of_one_page_is_one_part(self):
        self.check_union(self.images(1), ("--format", "png"), 3)

    def test_a_tiff_of_one_page_is_one_part(self):
        self.check_union(self.images(1), (), 3)

    def test_each_page_of_a_tiff_becomes_a_tiff(self):
        book = self.path("book.tif", pages_tiff(5))
        whole = self.into("whole", [book])["book.tif"]
        parts = {}
        for part in (1, 2):
            parts |= self.into("parts", [book], "--shard", f"{part}/2")
        self.assertEqual(sorted(parts),
                         [f"book-00{page}.tif" for page in range(1, 6)])
        for page in range(5):
            made = parts[f"book-00{page + 1}.tif"]
            self.assertEqual(len(tiff_tags(made)), 1)
            self.assertEqual(tiff_rows(made), tiff_rows(whole, page))

    def test_wrong_shards(self):
        image = self.images(1)[0]
        for text in ("0/3", "4/3", "1", "1/0", "a/b", "1/2x", " 1/2", "-1/2",
                     "1/", "/2", "1/1000001", "1/99999999999999999999"):
            self.fails(image, "out.png", f"--shard={text}", status=2,
                       says=f"'{text}' is not PART/PARTS, such as 2/8")


class Resuming(Case):
    def setUp(self):
        super().setUp()
        self.inputs = [
            self.path(f"{i}.tif", make_tiff(50, 40, noise(50, 40, i + 1)))
            for i in range(3)]
        self.out = self.path("out")

    def resume(self, *options, inputs=None):
        self.convert(*(inputs or self.inputs), "-o", self.out + "/",
                     "--resume", *options)
        return inodes(self.out)

    def remade(self, before, after):
        return {name for name in after if before.get(name) != after[name]}

    def test_complete_outputs_stay(self):
        for form in ("tiff", "png"):
            with self.subTest(form):
                shutil.rmtree(self.out, ignore_errors=True)
                first = self.resume("--format", form)
                self.assertEqual(self.resume("--format", form), first)

    def test_work_options_change_nothing(self):
        first = self.resume()
        self.assertEqual(
            self.resume("--threads", "2", "--engine", "scalar",
                        "--rows-per-band", "3", "--any-size"), first)

    def test_pixels_are_those_without_it(self):
        self.resume()
        self.convert(*self.inputs, "-o", self.path("plain") + "/")
        for name, data in contents(self.path("plain")).items():
            resumed = contents(self.out)[name]
            self.assertEqual(tiff_rows(resumed), tiff_rows(data))
            software = tiff_tags(data)[0][SOFTWARE]
            text = tiff_tags(resumed)[0][SOFTWARE]
            self.assertRegex(text, f"^{software}; halftone-type=floyd-steinberg; "
                             "settings=[0-9a-f]{32}; input=[0-9a-f]{32}$")

    def test_copies_of_an_input_make_the_same_file(self):
        first = self.resume() and contents(self.out)
        shutil.rmtree(self.out)
        for path in self.inputs:
            os.utime(path, (1, 1))
        self.resume()
        self.assertEqual(contents(self.out), first)

    def test_another_recipe_is_made_again(self):
        for options in (("--halftone-type", "fine"), ("--levels", "4"),
                        ("--gamma", "1.5"), ("--text-edges", "soft"),
                        ("--invert",), ("--dpi", "300", "--size", "50px"),
                        ("--size", "50x50px"),
                        ("--size", "50x50px", "--scaling", "fit"),
                        ("--rotate", "90"), ("--compression", "g4"),
                        ("--bigtiff",), ("--pages", "1")):
            with self.subTest(options):
                first = self.resume()
                second = self.resume(*options)
                self.assertEqual(self.remade(first, second), second.keys())
                self.assertEqual(self.resume(*options), second)

    def test_another_input_is_made_again(self):
        first = self.resume()
        status = os.stat(self.inputs[1])
        pathlib.Path(self.inputs[1]).write_bytes(
            make_tiff(50, 40, noise(50, 40, 9)))
        os.utime(self.inputs[1], ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertEqual(self.remade(first, self.resume()), {"1.tif"})

    def test_truncated_outputs_are_made_again(self):
        for form, name in (("tiff", "1.tif"), ("png", "1.png")):
            first = self.resume("--format", form)
            place = pathlib.Path(self.out) / name
            whole = place.read_bytes()
            cuts = {0, 1, 8, 20, 100, len(whole) // 2, len(whole) - 40,
                    len(whole) - 12, len(whole) - 1}
            for cut in sorted(cuts):
                with self.subTest(form=form, cut=cut):
                    os.unlink(place)
                    place.write_bytes(whole[:cut])
                    first[name] = place.stat().st_ino
                    second = self.resume("--format", form)
                    self.assertEqual(place.read_bytes(), whole)
                    self.assertEqual(self.remade(first, second), {name})
                    first = second

    def test_outputs_of_other_programs_are_made_again(self):
        first = self.resume()
        place = pathlib.Path(self.out) / "1.tif"
        self.convert(self.inputs[1], str(place))
        first["1.tif"] = place.stat().st_ino
        self.assertEqual(self.remade(first, self.resume()), {"1.tif"})

    def test_pages_of_their_own_stay(self):
        book = self.path("book.tif", pages_tiff(5))
        first = self.resume("--format", "png", inputs=[book])
        self.assertEqual(len(first), 5)
        whole = contents(self.out)
        for missing in (("001",), ("002", "003"), ("005",),
                        ("001", "002", "003", "004", "005")):
            for page in missing:
                os.unlink(f"{self.out}/book-{page}.png")
            second = self.resume("--format", "png", inputs=[book])
            self.assertLessEqual(self.remade(first, second),
                                 {f"book-{page}.png" for page in missing})
            self.assertEqual(contents(self.out), whole)
            first = second

    def test_pages_of_shards_stay(self):
        book = self.path("book.tif", pages_tiff(5))
        self.resume("--format", "png", inputs=[book])
        whole = contents(self.out)
        os.unlink(f"{self.out}/book-003.png")
        first = inodes(self.out)
        for part in (1, 2):
            second = self.resume("--format", "png", "--shard", f"{part}/2",
                                 inputs=[book])
        self.assertEqual(self.remade(first, second), {"book-003.png"})
        self.assertEqual(contents(self.out), whole)

    def test_a_whole_book_is_no_page_of_it(self):
        book = self.path("book.tif", pages_tiff(3))
        self.resume(inputs=[book])
        for part in (1, 2):
            after = self.resume("--shard", f"{part}/2", inputs=[book])
        self.assertEqual(sorted(after), ["book-001.tif", "book-002.tif",
                                         "book-003.tif", "book.tif"])

    def test_a_killed_run_goes_on(self):
        inputs = [self.path(f"k{i}.pgm", pgm(900, 900, noise(300, 300, i) * 9))
                  for i in range(40)]
        words = [HALFTONE, "convert", *inputs, "-o", self.out + "/",
                 "--resume", "--threads", "1", "--engine", "scalar",
                 "--halftone-type", "fine"]
        run = subprocess.Popen(words)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        wanted = {"k3.tif", "k4.tif"}
        while run.poll() is None and not wanted <= self.made():
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
        run.wait(60)
        before = {name: inode for name, inode in inodes(self.out).items()
                  if not name.startswith(".")}
        self.assertGreaterEqual(before.keys(), wanted)
        subprocess.run(words, check=True, timeout=120)
        after = {name: inode for name, inode in inodes(self.out).items()
                 if not name.startswith(".halftone-")}
        self.assertEqual(len(after), 40)
        self.assertEqual({name: after[name] for name in before}, before)
        words[words.index(self.out + "/")] = self.path("whole") + "/"
        subprocess.run(words, check=True, timeout=120)
        made = contents(self.out)
        for name, data in contents(self.path("whole")).items():
            self.assertEqual(made[name], data, name)

    def made(self):
        try:
            return set(os.listdir(self.out))
        except FileNotFoundError:
            return set()

    def test_only_formats_that_can_record_it(self):
        image = self.inputs[0]
        self.fails(image, self.path("out.bmp"), "--resume", status=2,
                   says="out.bmp: bmp cannot record its origin; with --resume use .tif "
                        "or .png")
        self.fails("-", self.path("out.tif"), "--resume", status=2,
                   says="--resume is only for files, not for standard input")
        self.fails(image, "-", "--resume", "--format", "png", status=2,
                   says="not for standard output")
        self.fails("/dev/null", self.path("out.tif"), "--resume",
                   says="/dev/null: --resume is only for regular files")


class Manifests(Case):
    def setUp(self):
        super().setUp()
        self.book = self.path("book.tif", pages_tiff(3))
        self.list = self.path("list.jsonl")

    def lines(self):
        text = pathlib.Path(self.list).read_text(encoding="ascii")
        return [json.loads(line) for line in text.splitlines()]

    def check(self, line):
        data = pathlib.Path(line["output"]).read_bytes()
        self.assertEqual(line["bytes"], len(data))
        self.assertGreaterEqual(line["seconds"], 0)
        tool = shutil.which("xxh128sum")
        if tool:
            summed = subprocess.run([tool, line["output"]], check=True,
                                    stdout=subprocess.PIPE, text=True)
            self.assertEqual(summed.stdout.split()[0], line["xxh128"])

    def test_a_line_for_each_output(self):
        images = [self.path(f"{i}.pgm", pgm(50, 40, noise(50, 40, i + 1)))
                  for i in range(9)]
        self.convert(*images, self.book, "-o", self.path("out") + "/",
                     "--manifest", self.list)
        lines = self.lines()
        self.assertEqual({line["input"] for line in lines},
                         {*images, self.book})
        for line in lines:
            self.check(line)
            self.assertEqual(line["pages"],
                             3 if line["input"] == self.book else 1)
            self.assertFalse(line["kept"])
            self.assertEqual(list(line), ["input", "output", "pages", "bytes",
                                          "xxh128", "kept", "seconds"])

    def test_pages_in_files_of_their_own(self):
        self.convert(self.book, self.path("p.png"), "--manifest", self.list)
        self.assertEqual([line["output"] for line in self.lines()],
                         [self.path(f"p-00{i}.png") for i in (1, 2, 3)])
        for line in self.lines():
            self.check(line)

    def test_kept_outputs_are_listed_too(self):
        words = (self.book, self.path("p.png"), "--resume", "--manifest",
                 self.list)
        self.convert(*words)
        first = self.lines()
        os.unlink(self.path("p-002.png"))
        self.convert(*words)
        second = self.lines()
        self.assertEqual({line["output"]: line["kept"] for line in second},
                         {self.path("p-001.png"): True,
                          self.path("p-002.png"): False,
                          self.path("p-003.png"): True})
        self.assertEqual({line["output"]: line["xxh128"] for line in first},
                         {line["output"]: line["xxh128"] for line in second})

    def test_failed_outputs_are_not_listed(self):
        broken = self.path("broken.tif", b"II*\0nothing")
        good = self.path("good.pgm", pgm(9, 9, noise(9, 9)))
        run = self.run_halftone("convert", broken, good, "-o",
                                self.path("out") + "/", "--manifest", self.list)
        self.assertEqual((run.returncode, run.stderr.count(b"\n")), (1, 1))
        self.assertEqual([line["input"] for line in self.lines()], [good])

    def test_a_pipe_has_no_digest(self):
        self.convert(self.book, "-", "--format", "pnm", "--manifest", self.list)
        line, = self.lines()
        self.assertEqual((line["output"], line["pages"]), ("-", 3))
        self.assertNotIn("xxh128", line)

    def test_places_that_it_may_not_take(self):
        self.fails(self.book, self.path("o.tif"), "--manifest", self.book,
                   status=2, says="is also an input")
        self.fails(self.book, self.path("o.tif"), "--manifest",
                   self.path("o.tif"), status=2, says="is also an output")
        self.fails(self.book, self.path("o.tif"), "--manifest", "-", status=2,
                   says="'-' is not the name of a file")
        self.fails(self.book, self.path("o.tif"), "--manifest",
                   self.path("none/list"), says="none/list: cannot create")


if __name__ == "__main__":
    if not shutil.which("xxh128sum"):
        print("xxh128sum is missing: digests are NOT compared", flush=True)
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Queues of a real CUPS are adopted, print and are released.

Usage: queues_test.py BUILD_FOLDER [unittest arguments]
"""

import contextlib
import re
import select
import socket
import socketserver
import subprocess
import threading

import adopt_case
from adopt_case import CUPS, SOURCE
from queue_case import QueueCase

import cups_raster
import pcl
from private_cups import wait_until

# CUPS 2.4.10 deletes one as soon as its printer does not answer.
TEMPORARY = ("is temporary" if CUPS < (2, 4, 10) else
             "is temporary|CUPS has no such queue")


class CutPpd(socketserver.ThreadingUnixStreamServer):
    """Between a command and CUPS: ends the first CUTS connections that ask for a
    PPD file after ANSWERED bytes of it."""

    daemon_threads = True

    def __init__(self, path, cups, answered, cuts):
        super().__init__(str(path), None)
        self.cups, self.answered, self.cuts = cups, answered, cuts

    def finish_request(self, request, client_address):
        with socket.socket(socket.AF_UNIX) as cups:
            cups.connect(self.cups)
            sent = 0
            for end in iter(lambda: select.select([request, cups], [], [])[0][0],
                            None):
                data = end.recv(65536)
                if not data:
                    return
                if end is request:
                    cuts = self.cuts and b"\2\0\x40\x0f" in data
                    cups.sendall(data)
                    continue
                sent += len(data) if cuts else 0
                request.sendall(data[:self.answered] if cuts else data)
                if sent > self.answered:
                    self.cuts -= 1
                    return


class Queues(QueueCase):
    def test_our_own_pcl_model(self):
        models = self.folder / "own"
        subprocess.run(["ppdc", "-d", models, SOURCE / "ppd/halftoned.drv"],
                       check=True, stdout=subprocess.DEVNULL)
        for media, resolution in (("A5", "600dpi"), ("EnvDL", "300dpi")):
            queue = f"htpcl-{media}"
            self.cups.add_queue(queue, models / "htpcl.ppd",
                                f"file:{self.output(queue)}")
            job = self.print(queue, self.pdf, f"media={media}",
                             f"Resolution={resolution}")
            (_, rows), = self.bits(job, 1)
            (_, found), = pcl.read_pages(self.output(queue).read_bytes())
            white = [bytes(len(rows[0]))] * (len(rows) - len(found))
            self.assertEqual(found + white, rows)
            # Text and tints take less than their dots.
            self.assertLess(self.output(queue).stat().st_size,
                            0.9 * len(rows) * len(rows[0]))

    def test_an_option_of_the_adopted_queue_counts(self):
        queue = self.add("cups", "laserjet")
        job = self.print(queue, self.pdf, "media=A5", "halftonedBrightness=20")
        self.bits(job, 1, "brightness=20")
        self.cups.command("lpadmin", "-p", queue, "-o",
                          "halftonedTextEdges=off")
        self.succeed("adopt", queue)
        job = self.print(queue, self.pdf, "media=A5")
        self.bits(job, 1, "text-edges=off")

    def test_what_is_set_for_a_queue_counts(self):
        queue = self.add("cups", "laserjet")
        self.addCleanup(self.cups.conf.unlink)
        self.environment["HALFTONED_CONF"] = str(self.cups.conf)
        self.addCleanup(self.environment.pop, "HALFTONED_CONF")
        self.succeed("set", queue, "brightness=20", "text-edges=off")
        job = self.print(queue, self.pdf, "media=A5")
        self.bits(job, 1, "brightness=20", "text-edges=off")
        self.succeed("unset", queue, "--all-settings")
        job = self.print(queue, self.pdf, "media=A5")
        self.bits(job, 1)

    def test_a_ppd_file_that_ends_early_is_no_ppd_file(self):
        queue = self.add("cups", "laserjet", adopt=False)
        before = self.installed(queue)
        for answered, cuts, why in (
                (10000, 1, "CUPS ended the connection while it sent its PPD file"),
                (0, 3, "CUPS refuses to send its PPD file: the connection ended")):
            path = self.folder / f"{answered}.sock"
            with CutPpd(path, self.cups.socket, answered, cuts) as proxy:
                threading.Thread(target=proxy.serve_forever, daemon=True).start()
                run = self.halftone("adopt", queue, env=dict(
                    self.environment, CUPS_SERVER=str(path)))
                proxy.shutdown()
            self.assertEqual(proxy.cuts, 0)
            self.assertIn(why, run.stderr)
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(self.installed(queue), before)

    # Back again.

    def test_release_keeps_what_was_changed_meanwhile(self):
        queue = self.add("cups", "laserjet")
        self.cups.command("lpadmin", "-p", queue, "-o", "PageSize=A5", "-o",
                          "halftonedBrightness=20")
        self.assertIn("released", self.succeed("release", queue))
        before = self.ppd("cups", "laserjet").read_text()
        expected = re.sub(r"^(\*Default(Page|Ima|Paper).*: ).*", r"\1A5", before,
                          flags=re.MULTILINE)
        self.assertNotEqual(expected, before)
        self.assertEqual(self.installed(queue).decode(), expected)
        job = self.print(queue, self.pdf)
        self.assertEqual(self.programs(job)[-2:], ["gstoraster", "rastertohp"])
        self.assertFalse((self.cups.out / f"{job}.gray").exists())
        self.assertIn("is not adopted", self.succeed("release", queue))
        self.assertEqual(self.states()[queue], "can be adopted")

    def test_an_option_that_is_ignored_is_in_the_jobs_state(self):
        queue = self.add("cups", "zebra")
        job = self.cups.print_file(queue, self.pdf, ["halftone-type=nosuch"])
        self.assertEqual(self.cups.wait(job), "completed")
        self.assertIn("Status: halftone-type of the job is ignored: it is not auto",
                      self.cups.command("lpstat", "-l", "-W", "completed", "-o",
                                        queue).stdout)

    def test_many_at_once_of_which_some_are_refused(self):
        good = [self.add("cups", model, adopt=False)
                for model in ("laserjet", "zebra", "dymo")]
        colour = self.add("cups", "deskjet", adopt=False)
        self.cups.command("lpadmin", "-p", "raw", "-E", "-v", "file:/dev/null")
        self.cups.command("lpadmin", "-p", good[0], "-c", "class")
        self.cups.command("lpadmin", "-p", good[2], "-o",
                          "cups-browsed-default=true")
        self.cups.command("lpadmin", "-p", "remote", "-E", "-v",
                          "ipp://nowhere/printers/q")
        self.cups.add_temporary_queue("temporary")
        run = self.halftone("adopt", *good[:2], colour, "raw", "class", good[2],
                            "remote", "temporary", "nobody")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout, "".join(f"{queue}: adopted\n"
                                             for queue in good[:2]))
        for queue, reason in ((colour, "requests color.*color printers cannot be adopted"),
                              ("raw", "has no driver"),
                              ("class", "is a class"),
                              (good[2], "cups-browsed"),
                              ("remote", "belongs to another server"),
                              ("temporary", TEMPORARY),
                              ("nobody", "has no such queue")):
            self.assertRegex(run.stderr, f"halftone: {queue}: .*{reason}")
            if queue != "nobody":
                self.assertRegex(run.stderr, f"halftone: {queue}: .*; .+")
        states = self.states()
        self.assertEqual(states[good[0]], "adopted")
        self.assertRegex(states["raw"], "^no: .*no driver")
        files = [self.installed(queue) for queue in good]
        self.assertEqual(self.succeed("adopt", *good[:2]),
                         "".join(f"{queue}: is already adopted\n"
                                 for queue in good[:2]))
        self.assertEqual([self.installed(queue) for queue in good], files)
        self.succeed("release", *good[:2])

    def test_all(self):
        good = [self.add("cups", model, adopt=False)
                for model in ("laserjet", "zebra")]
        self.add("cups", "deskjet", adopt=False)
        files = [self.installed(queue) for queue in good]
        done = self.succeed("adopt", "--all", "--dry-run")
        for queue in good:
            self.assertIn(f"{queue}: would be adopted\n", done)
        self.assertEqual([self.installed(queue) for queue in good], files)
        done = self.succeed("adopt", "--all")
        for queue in good:
            self.assertIn(f"{queue}: adopted\n", done)
        self.assertIn(f"{good[0]}: would be released\n",
                      self.succeed("release", "--dry-run", *good))
        self.assertEqual(self.states()[good[0]], "adopted")
        done = self.succeed("release", "--all")
        for queue in good:
            self.assertIn(f"{queue}: released\n", done)
        self.assertEqual(self.succeed("release", "--all"), "")

    EDITED = b"application/x-halftoned-raster", b"application/vnd.cups-raster"
    LOST = b"*%halftoned ends", b"*%"

    def install(self, queue, text):
        ppd = self.folder / "changed.ppd"
        ppd.write_bytes(text)
        self.cups.add_queue(queue, ppd, f"file:{self.output(queue)}")

    def test_drift_is_told_and_mended(self):
        queue = self.add("cups", "laserjet")
        # What an update of the driver does.
        self.install(queue, self.ppd("cups", "laserjet").read_bytes())
        self.assertRegex(self.states()[queue], "out of date: .*replaced")
        self.assertIn(": adopted\n", self.succeed("adopt", queue))
        self.assertEqual(self.states()[queue], "adopted")
        # What an editor does.
        self.install(queue, self.installed(queue).replace(*self.EDITED))
        self.assertRegex(self.states()[queue], "out of date: .*changed after")
        self.assertIn("adopted again", self.succeed("adopt", queue))
        self.assertEqual(self.states()[queue], "adopted")
        # A change that cannot be undone.
        self.install(queue, self.installed(queue).replace(*self.LOST))
        self.assertIn("reinstall its driver", self.refuse("release", queue))
        self.install(queue, self.ppd("cups", "laserjet").read_bytes())
        self.assertIn("replaced", self.succeed("release", queue))
        self.assertEqual(self.states()[queue], "can be adopted")

    def test_drifted_queues_are_adopted_again(self):
        replaced, kept, changed, lost = (
            self.add("cups", model)
            for model in ("laserjet", "zebra", "dymo", "zebraep1"))
        self.install(replaced, self.ppd("cups", "laserjet").read_bytes())
        self.install(changed, self.installed(changed).replace(*self.EDITED))
        self.install(lost, self.installed(lost).replace(*self.LOST))
        files = [self.installed(queue) for queue in (replaced, changed, lost)]
        for words, first, again in (
                (["--dry-run"], "would be adopted", "would be adopted again"),
                ([], "adopted", "adopted again")):
            self.assertEqual(
                [self.installed(queue) for queue in (replaced, changed, lost)],
                files)
            run = self.halftone("adopt", "--again", *words)
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"{replaced}: {first}\n", run.stdout)
            self.assertIn(f"{changed}: {again}\n", run.stdout)
            self.assertNotIn(kept, run.stdout + run.stderr)
            self.assertRegex(run.stderr, rf"\Ahalftone: {lost}: the lines .*\n\Z")
        states = self.states()
        self.assertEqual([states[queue] for queue in (replaced, kept, changed)],
                         3 * ["adopted"])
        self.cups.command("lpadmin", "-x", lost)
        self.assertEqual(self.succeed("adopt", "--again"), "")

    # Nothing gray, and nothing of more levels, reaches a driver.

    @contextlib.contextmanager
    def without_the_filter(self):
        program = self.cups.root / "bin/filter/rastertohalftone"
        hidden = program.with_suffix(".hidden")
        program.rename(hidden)
        try:
            yield program
        finally:
            hidden.rename(program)

    def test_without_the_filter_jobs_fail(self):
        queue = self.add("cups", "laserjet")
        self.addCleanup(self.restart)
        with self.without_the_filter():
            job = self.cups.print_file(queue, self.pdf)
            self.assertEqual(self.cups.wait(job), "stopped")
            self.assert_nothing_printed(queue)
            self.restart()
            with self.assertRaisesRegex(RuntimeError, "Unsupported document"):
                self.cups.print_file(queue, self.pdf)
            other = self.add("cups", "zebra", adopt=False)
            before = self.installed(other)
            self.assertIn("restart cupsd", self.refuse("adopt", other))
            self.assertEqual(self.installed(other), before)
            self.assertEqual(self.states()[other], "can be adopted")
            self.succeed("release", queue)
            self.print(queue, self.pdf)

    def test_a_filter_that_was_just_removed_is_missed(self):
        queue = self.add("cups", "laserjet", adopt=False)
        before = self.installed(queue)
        self.environment["CUPS_SERVERROOT"] = str(self.cups.root / "etc")
        self.addCleanup(self.environment.pop, "CUPS_SERVERROOT")
        with self.without_the_filter() as program:
            self.assertIn(f"there is no {program}; type",
                          self.refuse("adopt", queue))
            self.assertEqual(self.installed(queue), before)
        self.succeed("adopt", queue)

    def assert_nothing_printed(self, queue):
        out = self.output(queue)
        if out.exists():
            self.assertEqual(pcl.read_pages(out.read_bytes()), [])

    def restart(self):
        self.cups.stop()
        self.cups.start()

    def test_levels_are_the_drivers(self):
        queue = self.add("cups", "laserjet")
        self.cups.conf.write_text("[filter]\nlevels = 16\n")
        self.addCleanup(self.cups.conf.unlink)
        job = self.print(queue, self.pdf, "halftone-levels=4")
        self.bits(job, 1)
        self.assertIn("halftone-levels of the job is ignored: the driver accepts 2",
                      "\n".join(self.cups.job_log(job)))

    def test_raster_of_bits_is_not_for_the_filter(self):
        queue = self.add("cups", "laserjet")
        header = cups_raster.page_header(64, 5, bits=8)
        header.update(cupsBitsPerColor=1, cupsBitsPerPixel=1,
                      cupsBytesPerLine=8)
        path = self.folder / "bits.ras"
        path.write_bytes(cups_raster.sync_word(3) +
                         cups_raster.pack_page(header, bytes(8 * 5)))
        job = self.cups.print_file(
            queue, path, ["document-format=application/vnd.cups-raster"])
        self.assertEqual(self.cups.wait(job), "stopped")
        self.assert_nothing_printed(queue)

    # CUPS itself.

    def test_a_queue_that_prints_is_left_alone(self):
        queue = self.add("cups", "laserjet", adopt=False)
        self.cups.command("lpadmin", "-p", queue, "-v", "stuck:/")
        stuck = self.cups.out / "stuck"
        job = self.cups.print_file(queue, self.pdf)
        wait_until(stuck.exists, "the printer is stuck")
        self.assertIn("is printing", self.refuse("adopt", queue))
        self.cups.cancel(job)
        self.cups.wait(job)
        wait_until(lambda: self.halftone("adopt", queue).returncode == 0,
                   "the queue is idle")

    def test_no_server(self):
        run = self.halftone("adopt", "q",
                            env=dict(self.environment, CUPS_SERVER="/nowhere"))
        self.assertEqual((run.returncode, run.stderr), (
            1, "halftone: CUPS does not reply at /nowhere; is cupsd running?\n"))

    def test_what_nobody_can_read_is_no_success(self):
        self.add("cups", "laserjet", adopt=False)
        with open("/dev/full", "w") as full:
            run = self.halftone("list", stdout=full)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Ahalftone: standard output: .*\n\Z")

    def test_cupsd_that_stops_in_the_middle_leaves_queues_whole(self):
        queues = [self.add("cups", model, adopt=False)
                  for model in ("laserjet", "zebra", "zebraep2", "dymo")]
        for command, state in (("adopt", "adopted"),
                               ("release", "can be adopted")):
            running = subprocess.Popen(
                [self.program, command, *queues],
                env=self.environment, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
            running.stdout.readline()  # the first of them is done
            self.restart()
            running.communicate(timeout=60)
            states = self.states()
            self.assertEqual(states[queues[0]], state)
            for queue in queues:
                self.assertIn(states[queue], ("adopted", "can be adopted"))
            self.succeed(command, *queues)
            self.assertEqual({self.states()[queue] for queue in queues},
                             {state})

    def test_users_without_rights_are_told_so(self):
        queue = self.add("cups", "laserjet", adopt=False)
        conf = self.cups.root / "etc/cupsd.conf"
        text = conf.read_text()
        conf.write_text(text.replace("  <Limit All>", """\
  <Limit CUPS-Add-Modify-Printer>
    AuthType Default
    Require user @SYSTEM
    Order deny,allow
  </Limit>
  <Limit All>"""))
        self.addCleanup(self.restart)
        self.addCleanup(conf.write_text, text)
        self.restart()
        self.folder.chmod(0o755)
        run = self.halftone("adopt", queue, user="nobody", group="nogroup",
                            start_new_session=True)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"\Ahalftone: .*; this requires root or the "
                         r"group lpadmin .*\n\Z")
        self.assertNotIn(b"halftoned", self.installed(queue))


if __name__ == "__main__":
    adopt_case.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters, a real halftoned and its worker on a GPU, and what becomes of pages
when the GPU fails. Whatever happens, the bits are the definition's.

The worker is $WORKER_CUDA. It has a GPU that a test has made up, which fails as
it is told, unless $REAL_GPU is 1: then the first that there is. Files too are halftoned by
it, where $HALFTONE is.

Usage: gpu_worker_test.py FILTER EXPECT_RASTER [unittest arguments]
"""

import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import filter_with_daemon_test as with_daemon
from filter_with_daemon_test import PLAIN, TYPE, Daemon, Filter, Page
from daemon_process import (IS_ROOT, USER, as_user, is_gone, shared_folder,
                            wait_until)

HALFTONE = os.environ.get("HALFTONE")
IS_REAL = os.environ.get("REAL_GPU") == "1"
GPUS = "auto" if IS_REAL else ["GPU-0"]
KIND = "gpu-0" if IS_REAL else "GPU-0"
WIDTH, HEIGHT = 801, 1201
OTHER_TYPES = ("fine", "best", "clustered", "bi-level", "screen", "blue-noise")


def gpu_daemon(plan="", strike="", environment=(), **config):
    """Health checks run only when workers start."""
    config = {"gpus": GPUS, "health_interval": 3600, **config}
    return Daemon(environment={"HALFTONED_FAKE_GPU": plan,
                               "HALFTONED_STRIKE": strike, **dict(environment)},
                  **config)


def gpu_worker(status):
    """The one that is ready on the GPU, if it is."""
    for worker in status["workers"]:
        if worker["kind"] == KIND and worker["state"] == "ready":
            return worker
    return None


@functools.cache
def a_page():
    folder = tempfile.TemporaryDirectory(prefix="halftoned-")
    unittest.addModuleCleanup(folder.cleanup)
    return Page(pathlib.Path(folder.name), WIDTH, HEIGHT, 2, TYPE)


class VersionTest(unittest.TestCase):
    def test_the_worker_says_what_it_needs_of_a_driver(self):
        said = subprocess.run([os.environ["WORKER_CUDA"], "--version"],
                              check=True, stdout=subprocess.PIPE, text=True)
        versions = r"[0-9.]+, driver [0-9.]+" if IS_REAL else "13.0, driver 12.2"
        self.assertRegex(said.stdout,
                         rf"\Aworker-cuda [0-9.]+\nCUDA {versions}\n\Z")


class GpuTest(unittest.TestCase):
    """A worker's first two kernels are its own check. The next two are the supervisor's
    check of the new worker. From the fifth on, the kernels belong to a test's first
    page, if it begins after `wait_gpu`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halftoned-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, job, daemon, kind=TYPE, **config):
        conf = self.folder / f"filter-{job}.conf"
        if kind:  # else by default, with crisp edges
            config = {**PLAIN, "halftone_type": kind, **config}
        conf.write_text(daemon.filter_conf(**config))
        return Filter(conf, job)

    def wait_gpu(self, daemon):
        """The GPU's worker, which has been checked and has no page."""
        status = daemon.wait_status(
            lambda status: (found := gpu_worker(status)) and
            not found["connections"] and
            status["health_checks"] >= len(status["workers"]),
            "a worker on the GPU")
        return gpu_worker(status)

    def make_page(self, daemon, **config):
        page = a_page()
        bits, messages = self.start(1, daemon, **config).feed(
            page.raster).end()
        self.assertEqual(bits, page.bits)
        return messages


class OnAGpu(GpuTest):
    def test_pages_are_made_by_it_and_by_nobody_else(self):
        pages = [Page(self.folder, 100 + 77 * i, 400 + i, i, TYPE) for i in range(8)]
        for ring in (True, False):
            with self.subTest(ring=ring), gpu_daemon(gpu_check=3) as daemon:
                self.assertIn("GPU-", self.wait_gpu(daemon)["device"])
                filters = [self.start(job, daemon, use_ring=ring)
                           for job in range(1, len(pages) + 1)]
                for half in (0, 1):
                    for job, page in zip(filters, pages):
                        job.feed(page.parts(2)[half])
                for job, page in zip(filters, pages):
                    bits, messages = job.end()
                    self.assertEqual(bits, page.bits)
                    self.assertNotIn("later rows by", messages)
                done = daemon.wait_rows(sum(page.height for page in pages))
                self.assertEqual(list(done), ["cuda"])
                self.assertEqual(done["cuda"]["pages"], len(pages))
                self.assertEqual(done["cuda"]["failed_pages"], 0)
                # However many GPUs there are.
                deaths = daemon.status()["deaths"]
                self.assertIn(KIND, deaths)
                self.assertEqual(set(deaths.values()), {0})

    def test_pages_of_every_type_are_made_by_it(self):
        with gpu_daemon(gpu_check=2) as daemon:
            self.wait_gpu(daemon)
            for job, kind in enumerate((None, *OTHER_TYPES), start=1):
                with self.subTest(kind=kind):
                    # The fake GPU is slow, on a busy machine very slow.
                    part = 4 if kind == "best" else 2
                    page = Page(self.folder, WIDTH // part, HEIGHT // part, job,
                                kind)
                    bits, messages = self.start(
                        job, daemon, kind, daemon_timeout=100).feed(
                            page.raster).end()
                    self.assertEqual(bits, page.bits)
                    self.assertNotIn("later rows by", messages)
            if HALFTONE:
                # It trusts a daemon of its own user's.
                command = [shutil.copy(HALFTONE, daemon.folder), "convert",
                           "--engine", "remote", "--socket", daemon.socket,
                           "--halftone-type", "fine", "-", "-"]
                made = subprocess.run(
                    as_user(USER, command) if IS_ROOT else command, check=True,
                    input=b"P5 8 1 255\n" + bytes(8), capture_output=True)
                self.assertEqual(made.stdout, b"P4\n8 1\n\xff")
            status = daemon.status()
            self.assertEqual(list(status["engines"]), ["cuda"])
            self.assertEqual(status["engines"]["cuda"]["failed_pages"], 0)

    def test_its_worker_is_killed_in_mid_page(self):
        page = a_page()
        for ring in (True, False):
            with self.subTest(ring=ring), gpu_daemon() as daemon:
                worker = self.wait_gpu(daemon)
                job = self.start(1, daemon, use_ring=ring)
                job.feed(page.parts(2)[0])
                daemon.wait_status(
                    lambda status: any(session["row"] >= 256 for session in
                                       status["sessions"]), "rows")
                os.kill(worker["pid"], signal.SIGKILL)
                job.feed(page.parts(2)[1])
                bits, _ = job.end()
                self.assertEqual(bits, page.bits)
                daemon.wait_status(
                    lambda status: status["deaths"][KIND] == 1, "its death")
                self.assertGreater(self.wait_gpu(daemon)["number"],
                                   worker["number"])

    def test_it_is_left_alone_where_the_configuration_says_so(self):
        with gpu_daemon(gpus="none") as daemon:
            daemon.wait_ready()
            self.assertEqual([worker["kind"] for worker in
                              daemon.status()["workers"]], ["cpu"])
            daemon.configure(gpus=GPUS, health_interval=3600)
            daemon.send(signal.SIGHUP)
            self.wait_gpu(daemon)
            daemon.configure(gpus="none", health_interval=3600)
            daemon.send(signal.SIGHUP)
            daemon.wait_status(
                lambda status: [worker["kind"] for worker in
                                status["workers"]] == ["cpu"], "no GPU")


@unittest.skipIf(IS_REAL and os.environ.get("CAN_BE_STRUCK") != "1",
                 "the worker is not made to fail")
class OnAGpuThatIsStruck(GpuTest):
    def test_an_illegal_access_ends_the_worker_and_not_the_page(self):
        # The ninth of the page's ten bands. If the page continues with the next worker
        # on the GPU, that worker runs too few kernels to be struck.
        with gpu_daemon("kernel:13=broken", strike="13") as daemon:
            self.wait_gpu(daemon)
            self.make_page(daemon)
            daemon.wait_log("an illegal memory access was encountered")
            self.assertEqual(daemon.status()["deaths"][KIND], 1)
            self.assertEqual(daemon.status()["kept_out"], {})
            self.wait_gpu(daemon)


@unittest.skipIf(IS_REAL, "a real GPU does not fail when it is told to")
class OnAGpuThatFails(GpuTest):
    def test_any_call_may_fail(self):
        for call in ("copy-up:9", "copy-down:12", "fill:8", "launch:7",
                     "record:18", "follow:9", "query:10"):
            with self.subTest(call=call), \
                    gpu_daemon(f"{call}=broken") as daemon:
                self.wait_gpu(daemon)
                self.make_page(daemon)
                daemon.wait_log("has died: could not")
                self.assertEqual(daemon.status()["kept_out"], {})

    def test_a_wrong_bit_keeps_the_gpu_out(self):
        plan = ",".join(f"kernel:{n}=wrong" for n in range(7, 40))
        with gpu_daemon(plan, gpu_check=1) as daemon:
            self.wait_gpu(daemon)
            self.make_page(daemon)
            status = daemon.wait_status(lambda status: status["kept_out"],
                                        "a quarantined GPU")
            self.assertRegex(status["kept_out"][KIND], "^a bit is wrong in row")
            daemon.wait_log("is quarantined until")
            self.assertIn("is quarantined: a bit is wrong", daemon.ask(b"text\n"))
            # Only reloading the configuration starts it again.
            self.assertEqual([worker["kind"] for worker in
                              daemon.status()["workers"]], ["cpu"])
            daemon.send(signal.SIGHUP)
            self.wait_gpu(daemon)

    def test_a_bit_that_is_wrong_once_costs_the_gpu_that_page(self):
        with gpu_daemon("kernel:6=wrong", gpu_check=1) as daemon:
            self.wait_gpu(daemon)
            self.assertIn("but right in a second attempt",
                          self.make_page(daemon))
            status = daemon.status()
            self.assertEqual(status["kept_out"], {})
            self.assertEqual(status["deaths"][KIND], 0)

    def late(self, name):
        """A directory with the workers; `name` starts only once its file `go` exists."""
        folder = self.folder / name
        folder.mkdir(mode=0o755)
        for path in (shared_folder() / "libexec").iterdir():
            (folder / path.name).symlink_to(path)
        worker = folder / name
        real = worker.resolve()
        worker.unlink()
        worker.write_text(f"#!/bin/sh\nuntil [ -e {folder}/go ]; do sleep 0.02; done\n"
                          f"exec {real} \"$@\"\n")
        worker.chmod(0o755)
        return folder

    def test_each_worker_is_checked_once_whichever_is_ready_first(self):
        self.folder.chmod(0o755)
        for name in ("worker-cpu", "worker-cuda"):
            folder = self.late(name)
            with self.subTest(late=name), gpu_daemon(
                    "kernel:6=wrong", gpu_check=1, environment={
                        "HALFTONED_LIBEXEC": folder}) as daemon:
                daemon.wait_status(lambda status: status["health_checks"] == 1,
                                   "the check of the first")
                (folder / "go").touch()
                self.wait_gpu(daemon)
                self.assertIn("but right in a second attempt",
                              self.make_page(daemon))
                status = daemon.status()
                self.assertEqual(status["health_checks"], 2)
                self.assertEqual(status["health_failures"], 0)

    def test_one_that_is_wrong_from_the_start_gets_no_page(self):
        for plan, recipe in (("check=wrong", "floyd-steinberg"),
                             ("fine=wrong", "fine")):
            with self.subTest(plan=plan), \
                    gpu_daemon(plan, gpu_check=0) as daemon:
                status = daemon.wait_status(lambda status: status["kept_out"],
                                            "a quarantined GPU")
                self.assertEqual(status["kept_out"][KIND],
                                 f"row 0 by {recipe} is wrong")
                self.make_page(daemon)
                self.assertNotIn("cuda", daemon.status()["engines"])

    def test_a_small_one_need_not_make_the_default_print(self):
        with gpu_daemon("small=yes") as daemon:
            self.wait_gpu(daemon)
            self.make_page(daemon)
            status = daemon.status()
            self.assertEqual(status["health_failures"], 0)
            self.assertEqual(status["deaths"][KIND], 0)
            self.assertEqual(status["engines"]["cuda"]["rows"], HEIGHT)

    def test_one_that_hangs_is_left_and_found_out(self):
        with gpu_daemon("kernel:7=hang", health_interval=1) as daemon:
            self.wait_gpu(daemon)
            self.assertIn("later rows by",
                          self.make_page(daemon, daemon_timeout=0.3))
            daemon.wait_log("its health check failed")
            self.assertEqual(daemon.status()["deaths"][KIND], 1)

    def test_one_that_hangs_ends_behind_its_supervisor(self):
        with gpu_daemon("kernel:7=hang", stop_timeout=1) as daemon:
            pid = self.wait_gpu(daemon)["pid"]
            # Whose end waits for the GPU, in the worker.
            self.make_page(daemon, daemon_timeout=0.3)
            daemon.kill()
            wait_until(lambda: is_gone(pid), "the worker's end")
        with gpu_daemon("learn:1=hang", stop_timeout=1) as daemon:
            pid, = (worker["pid"] for worker in daemon.status()["workers"]
                    if worker["kind"] == KIND)
            daemon.kill()
            wait_until(lambda: is_gone(pid), "the end of one that starts")

    def test_one_that_is_not_there_is_looked_for_later(self):
        for fault, why in (("absent", "no device"),
                           ("mismatch", "driver mismatch")):
            with self.subTest(fault=fault), \
                    gpu_daemon(f"attach:1={fault}") as daemon:
                status = daemon.wait_status(lambda status: status["absent"],
                                            "a GPU that is absent")
                self.assertEqual(status["absent"],
                                 {KIND: f"could not use the GPU: {why}"})
                self.assertEqual(status["deaths"][KIND], 0)
                self.assertEqual(status["kept_out"], {})
                self.make_page(daemon)

    def test_what_its_memory_has_no_room_for_is_made_elsewhere(self):
        with gpu_daemon("memory=30000000") as daemon:
            self.wait_gpu(daemon)
            page = Page(self.folder, 150000, 30, 3, TYPE)
            bits, _ = self.start(1, daemon).feed(page.raster).end()
            self.assertEqual(bits, page.bits)
            self.make_page(daemon)
            status = daemon.status()
            self.assertEqual(status["deaths"], {"cpu": 0, KIND: 0})
            self.assertEqual(status["engines"]["cuda"]["rows"], HEIGHT)


if __name__ == "__main__":
    with_daemon.FILTER, with_daemon.EXPECT_RASTER = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

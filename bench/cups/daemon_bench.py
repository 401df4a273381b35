#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Costs and benefits of the daemon: rastertohalftone alone and through halftoned,
with its ring and without, for one A4 page at 600 dpi, of noise, text, text and a
photograph, and a photograph; with pages of noise, jobs in a row and at the same time; a
short job beside a long one; memory; and the start of the daemon.

Whole processes are timed, in turn, from a file in memory to /dev/null. This program
starts the daemon, so that both are scheduled alike; run it with chrt(1) on a shared
machine.

    bench/cups/daemon_bench.py [--runs N]
"""

import concurrent.futures
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import chains
import documents
from chains import SYSTEM, record

PARSER = record.parser(__doc__)
PARSER.add_argument("--runs", type=int, default=25)
GIVEN = PARSER.parse_args()
os.environ["HALFTONED"] = str(GIVEN.build / "engine/daemon/halftoned")
os.environ["WORKER_CPU"] = str(GIVEN.build / "engine/daemon/worker/worker-cpu")
sys.path.append(str(SYSTEM / "daemon"))
from daemon_process import Daemon  # noqa: E402
from wire import Client  # noqa: E402

FILTER = [GIVEN.build / "filter/rastertohalftone", "1", "user", "title", "1", ""]
JOBS_AT_ONCE = 8


class Bench:
    def __init__(self, folder, daemon):
        self.folder, self.daemon = folder, daemon
        self.page = folder / "noise.ras"
        chains.make_noise(self.page)
        self.pages = [self.page]
        for make in (documents.text, documents.mixed, documents.photo):
            document = folder / "page.pdf"
            document.write_bytes(make())
            self.pages.append(folder / f"{make.__name__}.ras")
            chains.render(document, self.pages[-1])
        alone = folder / "alone.conf"
        alone.write_text("[filter]\nuse-daemon = false\n")
        self.confs = {"alone": alone}
        for name, ring in (("ring", True), ("inline", False)):
            self.confs[name] = folder / f"{name}.conf"
            self.confs[name].write_text(daemon.filter_conf(use_ring=ring))

    def job(self, how):
        """Milliseconds of a job of one page."""
        return 1e3 * chains.spend(FILTER, self.page,
                                  HALFTONED_CONF=str(self.confs[how]))[0]

    def processor_ms(self):
        """What supervisor and worker have used so far."""
        return sum(int(stat.read_text().split()[0]) / 1e6
                   for pid in self.pids()
                   for stat in pathlib.Path(f"/proc/{pid}/task").glob(
                       "*/schedstat"))

    def spend(self, how, page):
        """Milliseconds on the clock, and of processors in all processes."""
        before = self.processor_ms()
        clock, processor = chains.spend(
            FILTER, page, HALFTONED_CONF=str(self.confs[how]))
        time.sleep(0.003)  # the worker takes leave of its client
        return 1e3 * clock, 1e3 * processor + self.processor_ms() - before

    def open_job(self, how, feed):
        """A filter whose pages `feed` writes to a pipe."""
        process = subprocess.Popen(
            FILTER, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, HALFTONED_CONF=str(self.confs[how])))
        thread = threading.Thread(target=feed, args=(process.stdin,))
        thread.start()
        return process, thread

    def single(self, runs):
        for page in self.pages:
            spent = {how: [] for how in self.confs}
            for _ in range(runs):
                for how, kept in spent.items():
                    kept.append(self.spend(how, page))
            medians = {how: [statistics.median(each) for each in zip(*times)]
                       for how, times in spent.items()}
            base = medians["alone"]
            for how, (clock, processor) in medians.items():
                print(f"  {page.stem:6} {how:8} {clock:6.1f} ms, "
                      f"{clock / base[0]:.2f} x alone; {processor:6.1f} ms of "
                      f"processors, {processor / base[1]:.2f} x", flush=True)

    def throughput(self, runs):
        for how in ("alone", "ring", "inline"):
            rates = []
            for at_once in (1, JOBS_AT_ONCE):
                with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                    begun = time.perf_counter()
                    list(pool.map(self.job, [how] * runs * 2))
                    rates.append(2 * runs / (time.perf_counter() - begun))
            print(f"  {how:8} {rates[0]:6.1f} jobs/s one by one, "
                  f"{rates[1]:6.1f} {JOBS_AT_ONCE} at once")

    def beside_long_job(self, runs):
        page = self.page.read_bytes()
        for how in ("alone", "ring"):
            over, pages = threading.Event(), [0]

            def feed(pipe):
                pipe.write(page[:4])
                while not over.is_set():
                    pipe.write(memoryview(page)[4:])
                    pages[0] += 1
                pipe.close()
            quiet = statistics.median(self.job(how) for _ in range(runs))
            process, thread = self.open_job(how, feed)
            while pages[0] < 2:
                time.sleep(0.01)
            busy = [self.job(how) for _ in range(runs)]
            over.set()
            thread.join()
            process.wait()
            print(f"  {how:8} {quiet:6.1f} ms, beside a long job (of "
                  f"{pages[0]} pages when it was ended) "
                  f"{statistics.median(busy):6.1f} ms, at most "
                  f"{max(busy):6.1f} ms")

    def memory(self):
        half = self.page.read_bytes()[:16 << 20]
        jobs = []
        print(f"  none: {self.pss()}")
        for count in (1, 10, 100):
            clients = [Client(self.daemon.socket) for _ in range(count)]
            line = f"  {count} more without a page: {self.pss()}"
            for client in clients:
                client.close()
            while len(jobs) < count:
                jobs.append(self.open_job("ring",
                                          lambda pipe: pipe.write(half)))
            self.daemon.wait_status(
                lambda status: sum(session["row"] > 3000 for session in
                                   status["sessions"]) == count, "open pages")
            print(f"{line}; {count} in mid-page: {self.pss()}")
        for process, thread in jobs:
            thread.join()
            process.terminate()
            process.stdin.close()
            process.wait()

    def pids(self):
        return self.daemon.process.pid, self.daemon.wait_ready()["pid"]

    def pss(self):
        sizes = []
        for pid in self.pids():
            text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
            sizes.append(int(text.split("Pss:")[1].split()[0]) / 1024)
        return f"supervisor {sizes[0]:.1f} MiB, worker {sizes[1]:.1f} MiB"


def start_to_first_band():
    """Milliseconds from the start of the daemon to the bits of a band."""
    daemon = Daemon(is_ready=False)
    begun = time.perf_counter()
    with daemon:
        while True:
            if daemon.process.poll() is not None:
                raise RuntimeError(daemon.log())
            try:
                client = Client(daemon.socket)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.0005)
        with client:
            client.open_page(1, 64, 8)
            client.send_band(1, bytes(64 * 8), 8, True)
            client.answer(1)
        return 1e3 * (time.perf_counter() - begun)


def main():
    runs = GIVEN.runs
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name, \
            Daemon(log_level="warning", threads=0) as daemon:
        os.chmod(name, 0o755)
        bench = Bench(pathlib.Path(name), daemon)
        print(f"A4 at 600 dpi, {runs} runs, {len(os.sched_getaffinity(0))} processors")
        print("one job:")
        bench.single(runs)
        print("many jobs of one page:")
        bench.throughput(runs)
        print("the latency of a job of one page:")
        bench.beside_long_job(runs)
        print("memory (Pss) by connections:")
        bench.memory()
        by = {engine: done["rows"] for engine, done in
              daemon.status()["engines"].items()}
        print(f"rows by the daemon's engines: {by}")
    starts = [start_to_first_band() for _ in range(runs)]
    print(f"start of the daemon to its first band: median "
          f"{statistics.median(starts):.1f} ms, at most {max(starts):.1f} ms")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The alerts of halftoned-rules.yml by real faults, but for slow bands: two daemons, of which each has a GPU
that fails, and Prometheus from Debian with these rules, whose spans are seconds here
instead of minutes. Takes two minutes; a command of its own.

Usage: alerts.py [PICTURE]
$HALFTONED, $WORKER_CPU and $HALFTONE are the programs, $WORKER_CUDA is fake-worker-cuda.
PICTURE: an SVG of the dashboard's panels, as Prometheus remembers them
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import dashboard_picture
from daemon_process import Daemon, wait_until
from wire import Client, Ended, Refused

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cups"))
from ports import unused_port  # noqa: E402

MONITORING = pathlib.Path(__file__).parents[3] / "conf" / "monitoring"
WIDTH = 800


def quickened(rules):
    """Spans of minutes become seconds; no other change."""
    rules = re.sub(r"for: (\d+)m", r"for: \1s", rules)
    return re.sub(r"\[\d+m\]", "[20s]", rules)


class Exporter:
    """What halftoned-metrics.socket does: a process for each connection."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection = self.listening.accept()[0]
            with connection:
                subprocess.run([os.environ["HALFTONE"], "status", "--http", "--socket",
                                str(self.daemon.status_socket)], stdin=connection,
                               stdout=connection, stderr=subprocess.DEVNULL, check=False)


class Prometheus:
    def __init__(self, folder, daemons):
        self.address = f"127.0.0.1:{unused_port()}"
        rules = (MONITORING / "halftoned-rules.yml").read_text()
        (folder / "rules.yml").write_text(quickened(rules))
        self.alerts = set(re.findall(r"alert: (\w+)", rules))
        self.raised = set()
        (folder / "prometheus.yml").write_text(json.dumps({  # JSON is YAML
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": ["rules.yml"],
            "scrape_configs": [{"job_name": "halftoned", "static_configs": [
                {"targets": [f"127.0.0.1:{Exporter(daemon).port}"],
                 "labels": {"instance": name}}
                for name, daemon in daemons.items()]}]}))
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml",
             f"--storage.tsdb.path={folder}/data", "--log.level=warn",
             f"--web.listen-address={self.address}"], stdin=subprocess.DEVNULL)
        wait_until(self.is_up, "Prometheus")
        self.began = time.time()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def is_up(self):
        try:
            return self.ask("query?query=up")
        except OSError:
            return None

    def ask(self, path):
        with urllib.request.urlopen(f"http://{self.address}/api/v1/{path}") as answer:
            return json.load(answer)["data"]

    def firing(self):
        return {(alert["labels"]["alertname"], alert["labels"]["instance"])
                for alert in self.ask("alerts")["alerts"] if alert["state"] == "firing"}

    def wait_alert(self, name, instance):
        wait_until(lambda: (name, instance) in self.firing(), f"{name} of {instance}")
        self.raised.add(name)
        print(f"{name} of {instance}", flush=True)


def make_page(daemon, bands=50, wait=0):
    """One that takes `wait` seconds."""
    with Client(daemon.socket) as client:
        client.open_page(1, WIDTH, 8)
        for number in range(bands):
            time.sleep(wait / bands)
            client.send_band(1, bytes(WIDTH * 8), 8, number == bands - 1)
            client.answer(1)


class Work:
    """Pages for a daemon, one after the other, whatever happens to it."""

    def __init__(self, daemon):
        self.daemon, self.has_ended = daemon, threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.has_ended.set()
        self.thread.join()

    def run(self):
        while not self.has_ended.wait(0.05):
            with contextlib.suppress(OSError, Ended, Refused):
                make_page(self.daemon)


def refuse(daemon):
    for _ in range(20):
        with contextlib.suppress(Refused, Ended), \
                Client(daemon.socket, with_hello=False) as client:
            client.send(bytes(512))
            client.greet()


def strike(prometheus, first, second):
    """Each fault, until its alert is there."""
    prometheus.wait_alert("HalftonedGpuKeptOut", "press-1")
    prometheus.wait_alert("HalftonedGpuMissing", "press-2")
    make_page(second, wait=12)
    prometheus.wait_alert("HalftonedPagesSlow", "press-2")
    with Work(first):
        time.sleep(10)  # for the picture
        refuse(first)
        prometheus.wait_alert("HalftonedRefuses", "press-1")
        first.kill_worker()
        prometheus.wait_alert("HalftonedWorkersDie", "press-1")
    program = pathlib.Path(first.environment["HALFTONED_LIBEXEC"]) / "worker-cpu"
    program.rename(program.with_name("gone"))
    first.kill_worker()
    prometheus.wait_alert("HalftonedNoWorker", "press-1")
    program.with_name("gone").rename(program)
    second.kill()
    prometheus.wait_alert("HalftonedAbsent", "press-2")
    second.start()
    wait_until(lambda: ("HalftonedAbsent", "press-2") not in prometheus.firing(),
               "the end of an alert")


def main():
    if not shutil.which("prometheus"):
        sys.exit("prometheus is not installed")
    with tempfile.TemporaryDirectory() as name, \
            Daemon(environment={"HALFTONED_FAKE_GPU": "check=wrong"}, gpus=["GPU-0"],
                   gpu_check=0) as first, \
            Daemon(environment={"HALFTONED_FAKE_GPU": "attach:1=absent"},
                   gpus=["GPU-0"]) as second, \
            Prometheus(pathlib.Path(name), {"press-1": first,
                                            "press-2": second}) as prometheus:
        strike(prometheus, first, second)
        if len(sys.argv) > 1:
            pathlib.Path(sys.argv[1]).write_text(dashboard_picture.draw(
                MONITORING / "halftoned-dashboard.json", prometheus.ask,
                prometheus.began, time.time()))
    assert prometheus.alerts - prometheus.raised == {"HalftonedBandsSlow"}, \
        prometheus.alerts - prometheus.raised


if __name__ == "__main__":
    main()

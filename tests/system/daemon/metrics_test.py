#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The metrics of halftoned, as the parser of Prometheus' own library reads them,
over its socket and over HTTP; what raises alerts; and halftone status --watch."""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import unittest

from daemon_process import LIMIT, Daemon, wait_until
from wire import Client

try:
    from prometheus_client.openmetrics.parser import (
        text_string_to_metric_families as parse)
except ImportError:
    parse = None

HALFTONE = os.environ.get("HALFTONE")
MONITORING = pathlib.Path(__file__).parents[3] / "conf" / "monitoring"
OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"


def families(text):
    return {family.name: family for family in parse(text)}


def value(all_families, sample, **labels):
    """The only sample of this name that has these labels."""
    found = [each.value for family in all_families.values()
             for each in family.samples
             if each.name == sample and labels.items() <= each.labels.items()]
    assert len(found) == 1, (sample, labels, found)
    return found[0]


def http(daemon, request, arguments=()):
    """Status, headers and body of the answer to these bytes."""
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen(
            [HALFTONE, "status", "--http", "--socket",
             str(daemon.status_socket), *arguments],
            stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        theirs.close()
        ours.settimeout(LIMIT)
        ours.sendall(request)
        answer = b""
        while more := ours.recv(65536):
            answer += more
        process.wait(LIMIT)
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return (int(first.split(" ")[1]),
            dict(line.split(": ", 1) for line in lines), body.decode())


@unittest.skipUnless(parse, "python3-prometheus-client is not installed")
class Metrics(unittest.TestCase):
    def test_they_count_work(self):
        with Daemon() as daemon, Client(daemon.socket, job=3) as client:
            client.open_page(1, 100, 8)
            client.send_band(1, bytes(800), 8, False)
            client.answer(1)
            told = families(daemon.ask(b"metrics\n"))
            self.assertEqual(value(told, "halftoned_worker_open_pages"), 1)
            self.assertEqual(value(told, "halftoned_load"), 0.5)  # 2 threads
            self.assertEqual(value(told, "halftoned_jobs"), 1)
            self.assertEqual(value(told, "halftoned_page_seconds_count"), 0)
            client.send_band(1, bytes(800), 8, True)
            client.answer(1)
            told = families(daemon.ask(b"metrics\n"))
        types = {sample.labels["type"]: sample.value
                 for sample in told["halftoned_type_rows"].samples}
        self.assertEqual(sum(types.values()), 16)
        self.assertEqual(sorted(types.values())[-1], 16)  # of one type
        self.assertEqual(value(told, "halftoned_band_seconds_count"), 2)
        self.assertEqual(value(told, "halftoned_page_seconds_count"), 1)
        self.assertEqual(
            value(told, "halftoned_page_seconds_bucket", le="+Inf"), 1)
        self.assertEqual(value(told, "halftoned_wait_seconds_count"), 1)
        self.assertGreater(
            value(told, "halftoned_page_seconds_sum"), 0)
        self.assertEqual(told["halftoned_rows"].type, "counter")
        self.assertEqual(told["halftoned"].type, "info")
        self.assertEqual(told["halftoned_page_seconds"].unit, "seconds")
        self.assertEqual(told["halftoned_load"].type, "gauge")

    def test_health_checks_do_not_count(self):
        with Daemon(health_interval=1) as daemon:
            daemon.wait_status(lambda status: status["health_checks"] > 0,
                               "a check")
            told = families(daemon.ask(b"metrics\n"))
            self.assertGreater(value(told, "halftoned_health_checks_total"), 0)
            for name in ("page", "band", "wait"):
                self.assertEqual(
                    value(told, f"halftoned_{name}_seconds_count"), 0)

    def test_they_end_with_their_mark(self):
        with Daemon() as daemon:
            self.assertTrue(daemon.ask(b"metrics\n").endswith("\n# EOF\n"))


@unittest.skipUnless(HALFTONE, "halftone is not built")
class Http(unittest.TestCase):
    def test_a_scrape(self):
        with Daemon() as daemon:
            status, headers, body = http(
                daemon, b"GET /metrics HTTP/1.1\r\nHost: [::1]:9842\r\n\r\n")
            self.assertEqual((status, headers["Content-Type"]),
                             (200, OPEN_METRICS))
            self.assertEqual(int(headers["Content-Length"]), len(body))
            if parse:
                self.assertIn("halftoned_load", families(body))
            status, _, body = http(daemon, b"GET /load HTTP/1.0\r\n\r\n")
            self.assertEqual((status, body), (200, "0\n"))
            status, headers, body = http(daemon,
                                         b"HEAD /load HTTP/1.0\r\n\r\n")
            self.assertEqual((status, headers["Content-Length"], body),
                             (200, "2", ""))

    def test_other_requests_are_refused(self):
        with Daemon() as daemon:
            for request, expected in (
                    (b"GET / HTTP/1.1\r\n\r\n", 404),
                    (b"GET /metrics/../load HTTP/1.1\r\n\r\n", 404),
                    (b"POST /metrics HTTP/1.1\r\n\r\n", 405),
                    (b"\0\xff\r\n\r\n", 400),
                    (b"GET /metrics\r\n\r\n", 400),
                    ((b"GET /metrics HTTP/1.1\r\n" + b"a" * 8192)[:8192], 431)):
                self.assertEqual(http(daemon, request)[0], expected, request)
            self.assertEqual(daemon.status()["state"], "serving")

    def test_only_its_own_names_are_answered(self):
        def status(*headers, arguments=()):
            lines = [b"GET /load HTTP/1.1",
                     *(header.encode() for header in headers), b"", b""]
            return http(daemon, b"\r\n".join(lines), arguments)[0]

        with Daemon() as daemon:
            for host in ("127.0.0.1", "192.0.2.7:9842", "[2001:db8::1]:9842",
                         "[::1]", "localhost", "LocalHost.:9842",
                         socket.gethostname()):
                self.assertEqual(status(f"Host: {host}"), 200, host)
            for host in ("attacker.example", "1.attacker.example:9842",
                         "127.0.0.1.attacker.example", "localhost.example",
                         "[::1].example", "print1.example", "1", ""):
                self.assertEqual(status(f"Host: {host}"), 421, host)
            self.assertEqual(status("HOST : attacker.example"), 421)
            self.assertEqual(
                status("Host: localhost", "host:attacker.example"), 421)
            for host, expected in (("Print1.example:9842", 200),
                                   ("press", 200), ("print2.example", 421)):
                self.assertEqual(
                    status(f"Host: {host}",
                           arguments=("--http-name", "print1.example",
                                      "--http-name", "press")),
                    expected, host)

    def test_an_absent_daemon_is_unavailable(self):
        with Daemon() as daemon:
            daemon.stop()
            for path in (b"/metrics", b"/load"):
                status, _, body = http(
                    daemon, b"GET " + path + b" HTTP/1.1\r\n\r\n")
                self.assertEqual(status, 503)
                self.assertIn("cannot reach halftoned", body)


@unittest.skipUnless(HALFTONE, "halftone is not built")
class Watch(unittest.TestCase):
    def watch(self, daemon, **options):
        return subprocess.Popen(
            [HALFTONE, "status", "--watch", "1", "--socket",
             str(daemon.status_socket)], **options)

    def test_a_pipe_gets_one_after_another_through_a_restart(self):
        with Daemon() as daemon:
            with self.watch(daemon, stdout=subprocess.PIPE,
                            text=True) as watching:
                def wait_for(part):
                    while part not in (line := watching.stdout.readline()):
                        self.assertNotEqual(line, "")
                    self.assertNotIn("\033", line)
                wait_for("is serving")
                wait_for("is serving")
                daemon.stop()
                wait_for("halftone: cannot reach halftoned")
                daemon.start()
                wait_for("is serving")
                watching.send_signal(signal.SIGINT)
                self.assertEqual(watching.wait(LIMIT), -signal.SIGINT)
            daemon.wait_ready()

    def test_a_terminal_is_painted_in_place(self):
        leader, follower = pty.openpty()
        with Daemon() as daemon, self.watch(
                daemon, stdin=follower, stdout=follower,
                start_new_session=True) as watching:
            os.close(follower)
            seen = b""

            def painted_twice():
                nonlocal seen
                if select.select([leader], [], [], 0)[0]:
                    seen += os.read(leader, 65536)
                return seen.count(b"\033[H") >= 2
            wait_until(painted_twice, "two paintings")
            self.assertIn(b"is serving", seen)
            self.assertIn(b"\033[J", seen)
            watching.send_signal(signal.SIGINT)
            watching.wait(LIMIT)
        os.close(leader)


class Alerts(unittest.TestCase):
    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_takes_the_rules_and_their_tests(self):
        for command in (["check", "rules", "halftoned-rules.yml"],
                        ["test", "rules", "halftoned-rules-test.yml"]):
            subprocess.run(["promtool", *command], check=True, cwd=MONITORING,
                           stdout=subprocess.DEVNULL, timeout=LIMIT)

    def test_each_alert_is_tried(self):
        alerts = re.findall(r"alert: (\w+)",
                            (MONITORING / "halftoned-rules.yml").read_text())
        tests = (MONITORING / "halftoned-rules-test.yml").read_text()
        for alert in alerts:
            # Once where it must not be raised, and once where it must be.
            self.assertGreaterEqual(
                len(re.findall(rf"alertname: {alert}\b", tests)), 2, alert)

    def test_rules_and_dashboard_name_metrics_that_exist(self):
        with Daemon() as daemon:
            told = daemon.ask(b"metrics\n")
        known = set(re.findall(r"^(?:# TYPE )?(halftoned_\w+)", told, re.M))
        panels = json.loads(
            (MONITORING / "halftoned-dashboard.json").read_text())["panels"]
        said = " ".join(target["expr"] for panel in panels
                        for target in panel["targets"])
        said += (MONITORING / "halftoned-rules.yml").read_text()
        used = set(re.findall(r"\bhalftoned_\w+", said))
        counters = {"halftoned_" + name + "_total"
                    for name in ("rows", "evicted_pages")}  # after work
        self.assertEqual(used - known - counters, set())
        self.assertGreater(len(used), 10)


if __name__ == "__main__":
    unittest.main()

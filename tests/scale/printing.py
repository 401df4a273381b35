#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print jobs through several servers on nodes of this machine (nodes.py), configured by
docs/how-to/print-servers.md as it stands: behind a class on a gateway, or from thin
gateways to servers with the engine, or from those to HAProxy before the servers; while
nodes die, lose their power or their link, and come back. Every job must be printed, none twice without the log
telling of it, and each page must have the bits that one machine without a daemon makes.

Usage: printing.py [--short] [--jobs N] [--data FILE] PLACE [class | thin | haproxy]
PLACE: a build folder or an installed prefix; --data: what happened, as JSON,
whatever the outcome
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import nodes
import printed
from nodes import Network, wait_until
from print_balancer import (Balancer, check_health, serve_health,
                            share_certificate)
from print_hosts import PrintHost, Printers, Programs, SOURCE
from print_pages import Pages
from tried_blocks import blocks_of

import little_network

OPTIONS = ("media=A4", "Resolution=300dpi")
# Hosts and fronts.
SIZES = {"class": (5, 1), "thin": (2, 4), "haproxy": (2, 3)}
TAIL = 0.1  # of the jobs are printed without trouble
LIMIT = 3600  # seconds; only keeps a trial from hanging


class Room:
    """Hosts with engine and printer, and fronts; `node_of` of each."""

    def __init__(self, folder, place, hosts, fronts, bus):
        self.blocks = blocks_of(SOURCE / "docs/how-to/print-servers.md")
        # The last one may be a balancer.
        self.network = Network(folder, hosts + fronts + 1, has_second=True)
        self.kinds = ["pdf"] * fronts
        self.balancer = None
        self.client = folder / "print-safely"
        self.client.write_text(self.blocks["print-safely"])
        safely = folder / "safely"
        safely.write_text(self.blocks["safely"])
        self.printers = Printers(folder, hosts, bus)
        self.programs = programs = Programs(place, folder)
        sysctl = "sysctl -q -w " + self.blocks["sysctl.conf"].replace(" = ", "=")

        def serve(kind, some):
            made = [PrintHost(node, programs, self.blocks[f"{kind}-cupsd.conf"],
                              sysctl, {"safely": safely}) for node in some]
            for host in made:
                host.start()
                host.enable_queues(self.blocks["enable-queues"])
            return made

        self.hosts = serve("host", self.network.nodes[:hosts])
        self.fronts = serve("front", self.network.nodes[hosts:-1])
        for i, host in enumerate(self.hosts):
            host.start_daemon()
            host.type(self.blocks["host-queue"].replace(
                "printer.local", self.printers.address(i)))

    @property
    def all(self):
        return self.hosts + self.fronts

    def make_class(self):
        names = " ".join(host.node.name for host in self.hosts)
        self.fronts[0].type(self.blocks["front-class"].replace(
            "n1 n2 n3 n4 n5", names))

    def make_thin(self):
        """Every second front renders; each leads to another host in turn."""
        ppd = self.hosts[0].root / "etc/ppd/laser.ppd"
        self.kinds = ["raster" if i % 2 else "pdf"
                      for i in range(len(self.fronts))]
        for i, front in enumerate(self.fronts):
            host = self.hosts[i % len(self.hosts)].node.name
            block = self.blocks[f"thin-{self.kinds[i]}"]
            front.type(f"cd {front.root} && cp {ppd} . && "
                       + block.replace("n1", host))

    def make_balanced(self, folder):
        """All fronts lead to the balancer."""
        share_certificate(self.hosts, self.blocks["certificate"], folder)
        for host in self.hosts:
            serve_health(host, self.blocks["halftoned-agent"])
        self.balancer = Balancer(self.network.nodes[-1], folder,
                                 self.blocks["haproxy.cfg"])
        for front in self.fronts:
            front.type(self.blocks["thin-pdf"].replace(
                "n1", self.balancer.node.name))

    def kind(self, number):
        """Who renders it: the host, or a thin front."""
        return self.kinds[number % len(self.fronts)]

    def submit(self, number, title, document):
        """As a client: the document's script tries until its front has the job."""
        front = self.fronts[number % len(self.fronts)]
        queue = "lasers" if len(self.fronts) == 1 else "laser"
        subprocess.run(
            ["sh", self.client, "-d", queue, "-t", title,
             *(f"-o{option}" for option in OPTIONS), "--", document],
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=600,
            env={**os.environ, "CUPS_SERVER": f"{front.node.name}:631",
                 "CUPS_USER": "anna"})

    def open_jobs(self):
        return [f"{server.node.name}: {line}" for server in self.all
                for line in server.open_jobs()]


class Trouble:
    """What happens to nodes, one after the other, and when."""

    def __init__(self, room, seed, seconds, most):
        self.room, self.seconds, self.most = room, seconds, most
        self.random = random.Random(seed)
        self.events = []

    def once(self):
        server = self.random.choice(self.room.all)
        node = server.node
        kind = self.random.choice(("killed", "without power", "without link"))
        event = {"node": node.name, "what": kind, "at": time.time()}
        cut = {"killed": [], "without link": [node.name]}.get(kind, node.links)
        for link in cut:
            nodes.run("ip", "link", "set", link, "down")
        if kind != "without link":
            node.kill()
        time.sleep(self.random.uniform(*self.seconds))
        if kind == "without link":
            nodes.run("ip", "link", "set", node.name, "up")
        else:
            node.start()
            wait_until(server.answers, f"{node.name} is back")
            self.room.printers.give_up(node)
        event["until"] = time.time()
        self.events.append(event)
        print(f"{node.name} was {kind} for "
              f"{event['until'] - event['at']:.0f} s", flush=True)


class Feeder(threading.Thread):
    """Submits jobs, evenly to all fronts, as fast as they are taken."""

    def __init__(self, trial, numbers):
        super().__init__(daemon=True)
        self.trial, self.numbers = trial, numbers
        self.submitted, self.failure = {}, None

    def run(self):
        try:
            for number in self.numbers:
                self.submit(number)
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure

    def submit(self, number):
        title = f"page-{number:05}"
        kind = self.trial.room.kind(number)
        self.submitted[title] = [time.time(), kind]
        self.trial.room.submit(number, title,
                               self.trial.pages.document(number))


class Trial:
    def __init__(self, room, pages):
        self.room, self.pages = room, pages
        self.jobs = 0
        self.summaries = []

    def run(self, name, count, trouble=None):
        began = time.time()
        feeder = Feeder(self, range(self.jobs, self.jobs + count))
        self.jobs += count
        feeder.start()
        try:
            self.wait(feeder, count, trouble)
        finally:
            summary = printed.check(self.room, self.pages, feeder.submitted)
            summary.update(name=name, jobs=count, began=began,
                           submitted=feeder.submitted,
                           events=trouble.events if trouble else [],
                           hosts=len(self.room.hosts),
                           fronts=len(self.room.fronts))
            summary["figures"] = printed.figures(summary)
            self.summaries.append(summary)
            printed.report(summary)
        # HAProxy keeps each client at a host.
        printed.demand(summary, is_balanced=not trouble and not self.room.balancer)

    def wait(self, feeder, count, trouble):
        """For the end of all jobs."""
        deadline = time.monotonic() + LIMIT
        while feeder.is_alive() or self.room.open_jobs():
            if time.monotonic() > deadline:
                raise TimeoutError("\n".join(self.room.open_jobs()))
            if (trouble and len(trouble.events) < trouble.most
                    and self.left(feeder) > TAIL * count):
                trouble.once()
            time.sleep(0.3)
        if feeder.failure:
            raise feeder.failure

    def print_one(self):
        """Prints a job, and says which host had it."""
        self.run("one", 1)
        (_, printer), = self.summaries[-1]["printed"].values()
        return self.room.hosts[printer]

    def left(self, feeder):
        """Jobs that no printer has yet, roughly: a page may be there twice."""
        return len(feeder.numbers) - sum(
            title in feeder.submitted
            for _, title, _ in self.room.printers.printed())


def make_trial(folder, arguments, bus):
    hosts, fronts = SIZES[arguments.arrangement]
    if arguments.short:
        hosts = 2
    room = Room(folder, arguments.place, hosts, fronts, bus)
    pages = Pages(folder, 2 if arguments.short else 8)
    if arguments.arrangement == "thin":
        room.make_thin()
    elif arguments.arrangement == "haproxy":
        room.make_balanced(folder)
    else:
        room.make_class()
    thin = "raster" in room.kinds and room.fronts[1].root / "thin.ppd"
    pages.make(room.programs, room.hosts[0].root / "etc/ppd/laser.ppd", thin,
               OPTIONS)
    return Trial(room, pages)


def play(folder, arguments):
    tempfile.tempdir = str(folder)
    with little_network.Bus(folder) as bus:
        trial = make_trial(folder, arguments, bus)
        try:
            run_trial(trial, arguments)
        finally:
            if arguments.data:
                arguments.data.write_text(json.dumps(trial.summaries, indent=1))


def run_trial(trial, arguments):
    if trial.room.balancer:
        for host in trial.room.hosts:
            check_health(trial.room.balancer, host, trial.print_one)
    calm = 2 if arguments.short else max(arguments.jobs // 5, 1)
    trial.run("calm", calm)
    trouble = Trouble(trial.room, arguments.seed,
                      (0.5, 1) if arguments.short else (1, 15),
                      1 if arguments.short else arguments.jobs)
    trial.run("trouble", 2 if arguments.short else arguments.jobs - calm,
              trouble)


def main():
    arguments = parse()
    arguments.place = arguments.place.resolve()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="halftone-scale-"))
    folder.chmod(0o755)
    try:
        play(folder, arguments)
    except BaseException:
        print(f"left for a look: {folder}", file=sys.stderr)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("place", type=pathlib.Path)
    parser.add_argument("arrangement", nargs="?", choices=("class", "thin", "haproxy"),
                        default="class")
    return parser.parse_args()


if __name__ == "__main__":
    more = {"haproxy": ("haproxy", "socat", "openssl")}
    nodes.enter_namespaces(
        *more.get(parse().arrangement, ()), "cupsd", "ippeveprinter", "ipptool",
        "dbus-daemon", "gs", "lp", "ss", "sysctl")
    main()

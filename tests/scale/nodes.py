# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes on one machine: each has a network, a name and processes of its own, and
files in common. A node is killed as a machine that loses its power: everything on
it at once.

Needs root, and runs in namespaces of its own; whatever happens, nothing outlives it.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "system/cups"))
from private_cups import become_root  # noqa: E402

SKIPPED = 77
HEAD = "198.51.100.1"
SECOND_LAN = "203.0.113"
UNSHARE = ("unshare", "--net", "--uts", "--pid", "--fork", "--kill-child",
           "--mount-proc")
INSIDE = "HALFTONED_SCALE_INSIDE"


def missing(*programs):
    """Why root cannot have nodes with these programs, or nothing."""
    absent = [name for name in (*programs, "unshare", "nsenter", "ip")
              if not shutil.which(name, path=os.defpath + ":/usr/sbin:/sbin")]
    if absent:
        return f"{', '.join(absent)} missing"
    allowed = subprocess.run([*UNSHARE, "ip", "link", "add", "type", "veth"],
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, check=False)
    return "" if allowed.returncode == 0 else "namespaces are not allowed"


def enter_namespaces(*programs):
    """Starts this program again in namespaces, as root; returns only there. Ends it
    where that, or one of these programs, cannot be had."""
    if INSIDE in os.environ:
        return
    become_root()
    if why := missing(*programs):
        print(f"NOT run: {why}")
        sys.exit(SKIPPED)
    os.environ[INSIDE] = "1"
    os.environ["PATH"] = os.environ["PATH"] + ":/usr/sbin:/sbin"
    os.execvp("unshare", [*UNSHARE, sys.executable, *sys.argv])


def wait_until(condition, what, seconds=120):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not after {seconds} s")
        time.sleep(0.02)
    return found


def run(*words):
    subprocess.run(words, check=True)


class Network:
    """A bridge that this process is on as `head`; nodes are n1, n2, … They may have
    a second one."""

    def __init__(self, folder, nodes, has_second=False):
        hosts = folder / "hosts"
        hosts.write_text("127.0.0.1 localhost\n" + f"{HEAD} head\n" + "".join(
            f"{address(i)} {name(i)}\n" for i in range(nodes)))
        run("mount", "--bind", hosts, "/etc/hosts")
        run("hostname", "head")
        run("ip", "link", "set", "lo", "up")
        lans = {"nodes": HEAD.rpartition(".")[0]}
        if has_second:
            lans["second"] = SECOND_LAN
        for number, (lan, prefix) in enumerate(lans.items()):
            # With an address of its own: a bridge that takes one of its links'
            # changes it when nodes come and go, and is not found for seconds.
            run("ip", "link", "add", lan, "address", mac(number, 0), "type", "bridge")
            run("ip", "address", "add", f"{prefix}.1/24", "dev", lan)
            run("ip", "link", "set", lan, "up")
        self.nodes = [Node(i, lans) for i in range(nodes)]
        for node in self.nodes:
            node.start()


def name(i):
    return f"n{i + 1}"


def mac(lan, host):
    """A machine keeps it when it starts again."""
    return f"02:00:00:00:{lan:02x}:{host:02x}"


def address(i):
    return f"198.51.100.{11 + i}"


class Node:
    """Its services are started again with it."""

    def __init__(self, i, lans):
        # The first link has the node's name.
        self.links = {name(i) + "-" * number: (lan, f"{prefix}.{11 + i}")
                      for number, (lan, prefix) in enumerate(lans.items())}
        self.number, self.name, self.address = i, name(i), address(i)
        self.cpu = sorted(os.sched_getaffinity(0))[i % os.cpu_count()]
        self.services = []

    def start(self):
        outer = subprocess.Popen([*UNSHARE, "sleep", "infinity"])
        children = pathlib.Path(f"/proc/{outer.pid}/task/{outer.pid}/children")
        self.first = int(wait_until(children.read_text, "the node's first"))
        # It is `sleep` only when its namespaces are whole.
        wait_until(lambda: self.command() == "sleep", "the node")
        run(*self.inside("hostname", self.name))
        run(*self.inside("ip", "link", "set", "lo", "up"))
        for number, (link, (lan, own)) in enumerate(self.links.items()):
            inner = f"eth{number}"
            run("ip", "link", "add", link, "type", "veth", "peer", "name", inner,
                "address", mac(number, self.number + 1), "netns", str(self.first))
            run("ip", "link", "set", link, "master", lan, "up")
            run(*self.inside("ip", "address", "add", own + "/24", "dev", inner))
            run(*self.inside("ip", "link", "set", inner, "up"))
        self.outer = outer
        for words, log in self.services:
            self.popen(words, log)

    def command(self):
        return pathlib.Path(f"/proc/{self.first}/comm").read_text().strip()

    def inside(self, *words):
        """A command there: on one processor, so that nodes are equal."""
        return ("nsenter", "--all", "--target", str(self.first), "taskset",
                "--cpu-list", str(self.cpu), *words)

    def popen(self, words, log):
        with open(log, "ab") as out:
            subprocess.Popen(self.inside(*words), stdin=subprocess.DEVNULL,
                             stdout=out, stderr=subprocess.STDOUT)

    def serve(self, words, log):
        self.services.append((words, log))
        self.popen(words, log)

    def kill(self):
        """SIGKILL to all that runs there; its network goes with it."""
        os.kill(self.first, 9)
        self.outer.wait()
        for link in self.links:  # the kernel would take its time
            subprocess.run(["ip", "link", "delete", link], check=False,
                           stderr=subprocess.DEVNULL)

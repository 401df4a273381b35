# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HAProxy on a node before print hosts, which say on a port of their own whether they
are well."""

import contextlib
import csv
import shutil
import socket

from nodes import wait_until

PORT = 9632  # of the hosts' answers


def serve_health(host, script):
    """`script` as the document has it, with the programs of this host."""
    agent = host.root / "agent"
    agent.write_text(script.replace("/usr/lib/cups", str(host.root)).replace(
        f"{host.root}/filter", f"{host.root}/bin/filter"))
    agent.chmod(0o755)
    words = [f"{name}={host.environment[name]}" for name in
             ("PATH", "CUPS_SERVER", "HALFTONED_CONF")]
    host.node.serve(("env", *words, "socat",
                     f"TCP-LISTEN:{PORT},fork,reuseaddr", f"EXEC:{agent}"),
                    host.root / "log/agent")
    wait_until(lambda: health(host) == "up", f"{host.node.name} is up")


def health(host):
    """What the host says; nothing if it cannot be asked."""
    try:
        with socket.create_connection((host.node.address, PORT), 5) as asking:
            return asking.recv(200).decode().strip()
    except OSError:
        return ""


class Balancer:
    """`conf`: the document's haproxy.cfg."""

    def __init__(self, node, folder, conf):
        self.node = node
        path = folder / "haproxy.cfg"
        self.socket = str(folder / "haproxy.sock")
        path.write_text(conf)
        own = folder / "haproxy-socket.cfg"
        own.write_text(f"global\n  stats socket {self.socket}\n")
        node.serve(("haproxy", "-db", "-f", str(path), "-f", str(own)),
                   folder / "haproxy.log")
        wait_until(self.is_up, "HAProxy")

    def is_up(self):
        with socket.socket() as probe:
            return probe.connect_ex((self.node.address, 631)) == 0

    def says(self, host):
        """HAProxy's word on a host: UP, or DOWN and by which check."""
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(self.socket)
            asking.sendall(b"show stat\n")
            with asking.makefile() as answer:
                lines = csv.DictReader(answer.read().lstrip("# ").splitlines())
        return next(line["status"] for line in lines
                    if line["svname"] == host.node.name)


@contextlib.contextmanager
def without_daemon(host):
    daemon = next(service for service in host.node.services
                  if any("halftoned" in word and "--config" in service[0]
                         for word in service[0]))
    host.type("kill -KILL $(pidof halftoned)")
    yield
    host.node.popen(*daemon)


@contextlib.contextmanager
def without_filter(host):
    path = host.root / "bin/filter/pdftohalftone"
    kept = path.rename(path.with_name("gone"))
    yield
    kept.rename(path)


FAULTS = {without_daemon: "down #no daemon", without_filter: "down #no filter"}


def check_health(balancer, host, print_one):
    """A host that misses something gets no jobs, and gets them again with it.
    `print_one` prints a job, and says which host had it."""
    for fault, why in FAULTS.items():
        with fault(host):
            wait_until(lambda: health(host) == why, f"{host.node.name}: {why}")
            wait_until(lambda: balancer.says(host).startswith("DOWN"),
                       f"HAProxy knows: {why}")
            assert print_one() != host, f"{host.node.name} has a job: {why}"
        wait_until(lambda: balancer.says(host) == "UP", "HAProxy knows: up")


def share_certificate(hosts, commands, folder):
    """One for the balancer's name, made by the document's commands."""
    hosts[0].type(f"cd {folder} && {commands}")
    for host in hosts:
        for path in folder.glob("n6.*"):
            shutil.copy(path, host.root / "etc/ssl" / (host.node.name + path.suffix))

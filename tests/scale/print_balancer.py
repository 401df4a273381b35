# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HAProxy on a node before print hosts, which say on a port of their own whether they
are well."""

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
        path.write_text(conf)
        node.serve(("haproxy", "-db", "-f", str(path)), folder / "haproxy.log")
        wait_until(self.is_up, "HAProxy")

    def is_up(self):
        with socket.socket() as probe:
            return probe.connect_ex((self.node.address, 631)) == 0


def share_certificate(hosts, commands, folder):
    """One for the balancer's name, made by the document's commands."""
    hosts[0].type(f"cd {folder} && {commands}")
    for host in hosts:
        for path in folder.glob("n6.*"):
            shutil.copy(path, host.root / "etc/ssl")

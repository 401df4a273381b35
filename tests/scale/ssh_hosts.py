# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sshd on the nodes of a Network, and GNU parallel to them."""

import os
import subprocess

from nodes import run, wait_until

SERVER = """Port 22
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
"""
CLIENT = """Host *
IdentityFile {folder}/key
UserKnownHostsFile /dev/null
StrictHostKeyChecking no
LogLevel ERROR
ConnectTimeout 5
ServerAliveInterval 2
ServerAliveCountMax 2
"""


class SshHosts:
    def __init__(self, folder, network):
        self.folder, self.nodes = folder, network.nodes
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "key")
        server, client = folder / "sshd_config", folder / "ssh_config"
        server.write_text(SERVER.format(folder=folder))
        client.write_text(CLIENT.format(folder=folder))
        os.makedirs("/run/sshd", exist_ok=True)
        for node in self.nodes:
            node.serve(("/usr/sbin/sshd", "-D", "-e", "-f", str(server)),
                       folder / f"sshd-{node.name}.log")
            wait_until(lambda: subprocess.run(
                ["ssh", "-F", client, node.name, "true"], check=False,
                stderr=subprocess.DEVNULL).returncode == 0, "sshd answers")
        self.client = client

    def start(self, command, parts, folder):
        """`command` for each of `parts` parts, {} being its number, as a process
        that ends with them."""
        home = self.folder / "home"
        (home / ".parallel").mkdir(parents=True, exist_ok=True)
        (home / ".parallel" / "will-cite").touch()
        hosts = ",".join(f"1/{node.name}" for node in self.nodes)
        log = self.folder / f"parallel-{folder.name}.log"
        return subprocess.Popen(
            ["parallel", "--ssh", f"ssh -F {self.client}", "--sshlogin", hosts,
             "--workdir", str(folder), "--retries", "5", "--joblog", str(log),
             command, ":::", *map(str, range(1, parts + 1))],
            env={**os.environ, "HOME": str(home)}, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slurm on the nodes of a Network: slurmctld on its head, a slurmd on each."""

import subprocess

from nodes import HEAD, wait_until

CONFIGURATION = """ClusterName=halftoned
SlurmctldHost=head({head})
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
SlurmUser=root
SlurmdUser=root
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=5
ReturnToService=2
MailProg=/bin/true
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    def __init__(self, folder, network):
        self.folder = folder
        self.conf = folder / "slurm.conf"
        (folder / "state").mkdir()
        nodes = "\n".join(f"NodeName={node.name} NodeAddr={node.address} CPUs=1"
                          for node in network.nodes)
        self.conf.write_text(CONFIGURATION.format(head=HEAD, folder=folder,
                                                  nodes=nodes))
        with open(folder / "slurmctld.log", "wb") as log:
            subprocess.Popen(["slurmctld", "-D", "-f", self.conf], stdout=log,
                             stderr=subprocess.STDOUT)
        for node in network.nodes:
            node.serve(("slurmd", "-D", "-f", str(self.conf), "-N", node.name),
                       folder / f"slurmd-{node.name}.log")
        wait_until(lambda: self.states() == {node.name: "idle"
                                             for node in network.nodes},
                   "Slurm's nodes are idle", 60)

    def ask(self, *words):
        return subprocess.run(words, env=self.environment(), check=False,
                              stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL).stdout

    def environment(self):
        return {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
                "SLURM_CONF": str(self.conf)}

    def states(self):
        """The state of each node."""
        lines = self.ask("sinfo", "-h", "-N", "-o", "%N %t").splitlines()
        return dict(line.split() for line in lines)

    def tasks_on(self, node):
        return self.ask("squeue", "-h", "-t", "R", "-w", node.name, "-o",
                        "%K").split()

    def start(self, script, tasks, folder):
        """An array of `tasks` tasks, as a process that ends with them."""
        return subprocess.Popen(
            ["sbatch", "--wait", "--requeue", f"--array=1-{tasks}",
             "--output", str(self.folder / "task-%A-%a.log"), "--chdir",
             str(folder), str(script)], env=self.environment(),
            stdout=subprocess.DEVNULL)

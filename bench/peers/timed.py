#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""timed.py SECONDS COMMAND ...: runs it, and prints on stderr how long it took
and the MiB of its largest process, as the last line; if it fails, the last line
is its own. Small on purpose: a child's memory counts its parent's at the time
of its birth. Exits 124 after so many seconds."""

import os
import signal
import sys
import time

os.setpgid(0, 0)
begun = time.monotonic()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)])


def give_up(*_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    os._exit(124)


signal.signal(signal.SIGALRM, give_up)
signal.alarm(int(sys.argv[1]))
_, status, usage = os.wait4(child, 0)
seconds = time.monotonic() - begun
if status != 0:
    sys.exit(1)
print(seconds, usage.ru_maxrss / 1024, file=sys.stderr)

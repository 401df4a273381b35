#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program on a kernel that has neither Landlock nor, for programs, filters
of system calls: without_confinement.py PROGRAM ARGUMENT..."""

import ctypes
import os
import struct
import sys

PR_SET_SECCOMP, FILTER = 22, 2
SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}[os.uname().machine]
SYS_LANDLOCK_CREATE_RULESET = 444
ALLOW, NOT_IMPLEMENTED = 0x7FFF0000, 0x00050000 | 38

# Load the number; compare it with both; return.
CODE = [(0x20, 0, 0, 0), (0x15, 2, 0, SYS_SECCOMP),
        (0x15, 1, 0, SYS_LANDLOCK_CREATE_RULESET), (0x06, 0, 0, ALLOW),
        (0x06, 0, 0, NOT_IMPLEMENTED)]

steps = b"".join(struct.pack("=HBBI", *step) for step in CODE)
buffer = ctypes.create_string_buffer(steps)
program = struct.pack("@HP", len(CODE), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_SECCOMP, FILTER, program, 0, 0) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])

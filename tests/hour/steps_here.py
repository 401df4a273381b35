#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the commands of a document that make the packages, for a shell.

Usage: steps_here.py DOCUMENT
"""

import sys

from readme_steps import steps_of

for step in steps_of(sys.argv[1]):
    if step.where == "here":
        print("\n".join(step.commands))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of an e-paper panel's size to a frame of four levels, two bits per pixel:
epaper.py picture.png >frame.raw"""
import sys
from PIL import Image
import halftoned
picture = Image.open(sys.argv[1]).convert("L")
sys.stdout.buffer.write(halftoned.Recipe(levels=4).halftone(picture))

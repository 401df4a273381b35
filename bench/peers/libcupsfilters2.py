#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A halftone type of libcupsfilters 2.2 or newer, by its filter function for
Ghostscript.

    libcupsfilters2.py TYPE IN.pgm OUT.pbm     prints the function's seconds

The function renders the page at 600 dpi as a driver would ask for it, in one bit
of black, and gets the type as the job option halftone-type. LIBCUPSFILTERS2 in
the environment names its library, if it is not the system's."""

import ctypes
import os
import sys
import tempfile
import time

import numpy as np

import pages

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tests/system/cups"))
import cups_raster  # noqa: E402

CUPS_RASTER = 3  # of cf_filter_out_format_t
# It must have a function for its messages.
SILENCE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)(
    lambda *_: None)


class Option(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class FilterData(ctypes.Structure):
    _fields_ = ([("printer", ctypes.c_char_p), ("job_id", ctypes.c_int)] +
                [(name, ctypes.c_char_p) for name in ("job_user", "job_title")] +
                [("copies", ctypes.c_int)] +
                [(name, ctypes.c_char_p) for name in (
                    "content_type", "final_content_type")] +
                [(name, ctypes.c_void_p) for name in (
                    "job_attrs", "printer_attrs", "header")] +
                [("num_options", ctypes.c_int), ("options", ctypes.POINTER(Option)),
                 ("back_pipe", ctypes.c_int * 2), ("side_pipe", ctypes.c_int * 2)] +
                [(name, ctypes.c_void_p) for name in (
                    "extension", "logfunc", "logdata", "iscanceledfunc",
                    "iscanceleddata")])


def header_of(width, height):
    points = [side * 72 // 600 for side in (width, height)]
    return cups_raster.pack_header(cups_raster.page_header(
        width, height, space="K", bits=1, PageSize0=points[0], PageSize1=points[1],
        NumCopies=1))


def rendered(kind, source, target, width, height):
    """Runs the filter function; returns its seconds."""
    library = ctypes.CDLL(os.environ.get("LIBCUPSFILTERS2", "libcupsfilters.so.2"))
    header = ctypes.create_string_buffer(header_of(width, height))
    options = (Option * 2)(Option(b"halftone-type", kind.encode()),
                           Option(b"filter-streaming-mode", b"true"))
    data = FilterData(printer=b"bench", job_id=1, job_user=b"user",
                      job_title=b"page", copies=1,
                      content_type=b"application/vnd.cups-postscript",
                      header=ctypes.cast(header, ctypes.c_void_p), num_options=2,
                      options=options,
                      logfunc=ctypes.cast(SILENCE, ctypes.c_void_p))
    for pipe in (data.back_pipe, data.side_pipe):
        pipe[0] = pipe[1] = -1
    begun = time.perf_counter()
    status = library.cfFilterGhostscript(
        os.open(source, os.O_RDONLY), os.open(target, os.O_RDWR | os.O_CREAT), 1,
        ctypes.byref(data), ctypes.byref(ctypes.c_int(CUPS_RASTER)))
    if status != 0:
        sys.exit(f"its filter function fails with {kind}")
    return time.perf_counter() - begun


def dots_of(path, height, width):
    """Around the page, there is a margin of a point: 8 pixels and a part of one."""
    with open(path, "rb") as file:
        data = file.read()
    at = 4 + cups_raster.V2_BYTES
    header = cups_raster.unpack_header(data[4:at])
    shape = header["cupsHeight"], header["cupsBytesPerLine"]
    ink = np.frombuffer(data, np.uint8, shape[0] * shape[1], at).reshape(shape)
    return 1 - np.unpackbits(ink, axis=1)[8:8 + height, 8:8 + width]


def main():
    kind, source, target = sys.argv[1:]
    gray = pages.read_gray(source)
    height, width = gray.shape
    # A whole number of points, for its size in them is rounded.
    page = np.pad(gray, ((0, -height % 25), (0, -width % 25)), constant_values=255)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        document, raster = (os.path.join(folder, name) for name in ("page.ps", "raster"))
        pages.write(document, page)
        seconds = rendered(kind, document, raster, page.shape[1], page.shape[0])
        pages.write_dots(target, dots_of(raster, height, width))
    print(seconds)


if __name__ == "__main__":
    main()

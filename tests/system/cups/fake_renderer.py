#!/usr/bin/python3 -ISB
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A renderer for tests, in the place of Ghostscript: $FAKE_PAGES small pages of
$FAKE_ROWS rows, each with a shade of its own, of which it makes those that its program
lists. $FAKE_FAULT says what else it does: "FAULT PAGE", at that page if it is given a
list, and with " always" behind it without a list too.

Tests start hundreds of it: it imports no more than it needs."""

import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import cups_raster  # noqa: E402

WIDTH = 400


def between(text, before, after):
    """None without `before`."""
    _, found, rest = text.partition(before)
    return rest[:rest.index(after)] if found else None


def listed(pages):
    """The pages to make, and whether they are listed."""
    program = sys.stdin.read()
    assert program.endswith(") run\n"), program
    path = program[program.rindex("(") + 1:-len(") run\n")]
    assert f"--permit-file-read={path}" in sys.argv, sys.argv
    with open(path, "rb") as document:
        assert document.read(4) == b"%PDF"
    found = between(program, "/PageList (", ")")
    if not found:
        return list(range(1, pages + 1)), False
    made = []
    for part in found.split(","):
        first, _, last = part.partition("-")
        made += range(int(first), int(last or first) + 1)
    return made, True


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_slowly(data):
    """In 8 pieces, with a fifth of a second of work for each."""
    print("slowly", file=sys.stderr)
    size = -(-len(data) // 8)
    for start in range(0, len(data), size):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        write(data[start:start + size])


def hang():
    """With a child that does not know that anybody has gone."""
    child = os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "1000")
    with open(os.environ["FAKE_NOTE"], "a", encoding="utf-8") as note:
        note.write(f"{os.getpid()} {child}\n")
    while True:
        signal.pause()


def main():
    # As a document can make Ghostscript: cupsd must not obey it.
    print("PAGE: 1 7777", file=sys.stderr)
    pages = int(os.environ["FAKE_PAGES"])
    height = int(os.environ["FAKE_ROWS"])
    fault, _, at = os.environ.get("FAKE_FAULT", "").partition(" ")
    made, is_shared = listed(pages)
    # Without a list only what is asked for always.
    at, _, when = at.partition(" ")
    at_page = int(at) if at and (is_shared or when == "always") else -1
    # As Ghostscript, which makes nothing after a page that it does not find.
    if fault == "stop" and at_page in made:
        made = made[:made.index(at_page)]
    if fault == "add" and at_page in made:
        made.append(at_page + 1)
    write(cups_raster.sync_word(3))
    header = cups_raster.pack_header(cups_raster.page_header(WIDTH, height))
    shades = bytes(range(256)) * 3
    for page in made:
        if page == at_page and fault == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if page == at_page and fault == "fail":
            sys.exit(3)
        rows = shades[page * 7 % 256:][:WIDTH] * height
        if page == at_page and fault == "break":
            write(header + rows[:len(rows) // 2])
            sys.exit(3)
        if page == at_page and fault == "hang":
            hang()
        if page == at_page and fault == "slow":
            write_slowly(header + rows)
            continue
        write(header + rows)
    with open(os.path.join(os.environ["TMPDIR"], f"left-{os.getpid()}"), "w",
              encoding="utf-8"):
        pass
    if fault == "late" and at_page > 0:
        sys.exit(3)
    if fault == "omit" and at_page > 0:
        print("jbig2dec FATAL ERROR decoding image", file=sys.stderr)
    if fault == "damage" and at_page > 0:
        print("\trecoverable image error", file=sys.stderr)


if __name__ == "__main__":
    main()

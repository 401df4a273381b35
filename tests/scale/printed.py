# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What came out of the printers of a print room, held against what went in."""

import collections


def check(room, pages, submitted):
    """Of the jobs of these titles; as a summary. `submitted`: (when, kind)."""
    whole, cut, when = collections.defaultdict(list), [], {}
    wrong = []
    for printer, title, path in room.printers.printed():
        if title not in submitted:
            continue
        data = path.read_bytes()
        right = pages.bits(title, submitted[title][1])
        if data == right:
            whole[title].append(printer)
            when.setdefault(title, path.stat().st_mtime)
        elif right.startswith(data):
            cut.append(title)
        else:
            wrong.append(str(path))
    twice = {title for title, where in whole.items() if len(where) > 1}
    told = twice_by_log(room)
    shares = collections.Counter(where[0] for where in whole.values())
    return {"lost": sorted(set(submitted) - set(whole)), "wrong": wrong,
            "twice": sorted(twice), "untold": sorted(twice - told),
            "cut": cut, "printed": when,
            "share": [shares[i] for i in range(len(room.hosts))]}


def twice_by_log(room):
    """Titles of jobs whose log lines say that they went out more than once."""
    return {title for server in room.all
            for title, tries in server.tries().items() if tries > 1}


def report(summary):
    seconds = max(summary["printed"].values(), default=0) - summary["began"]
    print(f"{summary['name']}: {summary['jobs']} jobs, {len(summary['events'])} "
          f"troubles, {seconds:.0f} s: {len(summary['lost'])} lost, "
          f"{len(summary['twice'])} twice ({len(summary['untold'])} untold), "
          f"{len(summary['cut'])} cut off and printed again, "
          f"{len(summary['wrong'])} wrong; by host: {summary['share']}", flush=True)


def demand(summary, is_balanced):
    """Raises where a promise is broken."""
    for what in ("wrong", "lost", "untold"):
        assert not summary[what], f"{what}: {summary[what]}"
    if is_balanced:
        share = summary["share"]
        even = sum(share) / len(share)
        # Of few jobs, one is more than a fifth.
        slack = max(0.2 * even, 1)
        assert all(abs(one - even) <= slack for one in share), \
            f"shares of the hosts: {share}"

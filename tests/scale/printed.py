# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What came out of the printers of a print room, held against what went in."""

import collections


def check(room, pages, submitted):
    """Checks the jobs of these titles, and returns a summary. `submitted`: (when, kind)."""
    whole, cut, when = collections.defaultdict(list), [], {}
    wrong = []
    for printer, title, path in room.printers.printed():
        if title not in submitted:
            continue
        data = path.read_bytes()
        right = pages.bits(title, submitted[title][1])
        if data == right:
            whole[title].append(printer)
            when.setdefault(title, (path.stat().st_mtime, printer))
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


def figures(summary):
    """What is worth keeping of a summary."""
    last = max((at for at, _ in summary["printed"].values()),
               default=summary["began"])
    back = sorted(recoveries(summary))
    return {
        **{key: summary[key] for key in ("name", "jobs", "hosts", "fronts", "wrong")},
        **{key: len(summary[key]) for key in ("lost", "twice", "untold", "cut")},
        "seconds": round(last - summary["began"]),
        "troubles": collections.Counter(
            event["what"] for event in summary["events"]),
        "by_host": summary["share"],
        "host_prints_again_s": {"median": back[len(back) // 2], "most": back[-1]}
        if back else {}}


def recoveries(summary):
    """Seconds from a host's return until its printer has the next whole page; not of
    hosts that were in trouble again before that, or had no more jobs."""
    for event in summary["events"]:
        number = int(event["node"][1:]) - 1
        again = [other["at"] for other in summary["events"]
                 if other["node"] == event["node"] and other["at"] > event["until"]]
        pages = [at for at, printer in summary["printed"].values()
                 if printer == number and at > event["until"]]
        if number < summary["hosts"] and pages and min(pages) < min(again, default=1e12):
            yield round(min(pages) - event["until"], 1)


def report(summary):
    seconds = max((at for at, _ in summary["printed"].values()),
                  default=summary["began"]) - summary["began"]
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
        # One of few jobs is more than a fifth.
        slack = max(0.2 * even, 1)
        assert all(abs(one - even) <= slack for one in share), \
            f"shares of the hosts: {share}"

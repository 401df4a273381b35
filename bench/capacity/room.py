# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A simulated print room: jobs arrive at random, go to the server that has the least
to do, have their pages made on its cores, and are printed page by page.

It knows no clock of its own and draws from the generator that it is given. A page
takes a core as long as `seconds_of` says; a core takes the pages of jobs in the order
in which the jobs came. A printer takes the jobs of its server's queue in order, too,
and each page as soon as that is made.
"""

import dataclasses
import heapq


@dataclasses.dataclass(frozen=True)
class Room:
    servers: int
    cores: int  # of each
    printers: int  # shared by all servers; 0: pages are finished when made
    pages_per_minute: float  # of each printer


@dataclasses.dataclass(frozen=True)
class Job:
    arrives: float  # seconds
    pages: tuple  # of each, seconds of a core


@dataclasses.dataclass(frozen=True)
class Outcome:
    waits: list  # of each job, seconds until its first page was begun
    times: list  # of each job, seconds until its last page was printed
    pages_per_second: float
    cores_busy: float  # parts of 1
    printers_busy: float


def poisson_jobs(count, jobs_per_second, pages_of, seconds_of, random):
    """Jobs that arrive independently; pages_of and seconds_of draw from `random`."""
    now, jobs = 0.0, []
    for _ in range(count):
        now += random.expovariate(jobs_per_second)
        jobs.append(Job(now, tuple(seconds_of(random)
                                   for _ in range(pages_of(random)))))
    return jobs


def simulate(room, jobs):
    cores = [[0.0] * room.cores for _ in range(room.servers)]  # free from
    printers = [0.0] * room.printers
    page_time = 60 / room.pages_per_minute if room.printers else 0.0
    waits, times, pages, end = [], [], 0, 0.0
    for job in jobs:
        server = min(cores, key=lambda free: sum(
            max(at - job.arrives, 0) for at in free) * 1e6 + min(free))
        begun, made = None, []
        for seconds in job.pages:
            start = max(heapq.heappop(server), job.arrives)
            heapq.heappush(server, start + seconds)
            begun = start if begun is None else begun
            made.append(start + seconds)
        printed = max(made)
        if printers:
            printed = heapq.heappop(printers)
            for at in made:  # in the order of pages
                printed = max(printed, at, job.arrives) + page_time
            heapq.heappush(printers, printed)
        waits.append(begun - job.arrives)
        times.append(printed - job.arrives)
        pages += len(job.pages)
        end = max(end, printed)
    work = sum(sum(job.pages) for job in jobs)
    span = end - jobs[0].arrives
    return Outcome(waits, times, pages / span,
                   work / (span * room.servers * room.cores),
                   pages * page_time / (span * room.printers)
                   if room.printers else 0.0)


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]

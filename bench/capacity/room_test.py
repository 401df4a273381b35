#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated print room, where queueing theory knows the answer."""

import math
import random
import unittest

from room import Job, Room, percentile, poisson_jobs, simulate

JOBS = 100_000


def mean_wait(room, rate, seconds_of):
    jobs = poisson_jobs(JOBS, rate, lambda _: 1, seconds_of, random.Random(1))
    return sum(simulate(room, jobs).waits) / JOBS


def erlang_wait(rate, service, cores):
    """For M/M/c."""
    load = rate * service
    top = load ** cores / math.factorial(cores) * cores / (cores - load)
    waiting = top / (sum(load ** n / math.factorial(n)
                         for n in range(cores)) + top)
    return waiting * service / (cores - load)


def constant_wait(rate, service, cores, most=200):
    """For M/D/c: after one service time, who was served has left, and as many have come as
    a Poisson law says."""
    load = rate * service
    come = [math.exp(-load + n * math.log(load) - math.lgamma(n + 1))
            for n in range(most)]
    chance = [1.0] + [0.0] * (most - 1)
    for _ in range(400):
        after = [0.0] * most
        for n, p in enumerate(chance):
            left = max(n - cores, 0)
            if p > 1e-15:
                for m in range(most - left):
                    after[left + m] += p * come[m]
        chance = after
    return sum(max(n - cores, 0) * p for n, p in enumerate(chance)) / rate


class Theory(unittest.TestCase):
    def check(self, measured, expected):
        self.assertLess(abs(measured / expected - 1), 0.05,
                        (measured, expected))

    def test_one_core_and_exponential_pages(self):
        self.check(mean_wait(Room(1, 1, 0, 0), 0.7,
                             lambda r: r.expovariate(1)), 0.7 / 0.3)

    def test_four_cores_and_exponential_pages(self):
        self.check(mean_wait(Room(1, 4, 0, 0), 3.2,
                             lambda r: r.expovariate(1)),
                   erlang_wait(3.2, 1, 4))

    def test_equal_pages(self):
        self.check(mean_wait(Room(1, 1, 0, 0), 0.7, lambda _: 1),
                   0.7 / (2 * 0.3))
        self.check(mean_wait(Room(1, 3, 0, 0), 2.4, lambda _: 1),
                   constant_wait(2.4, 1, 3, 80))

    def test_servers_share_as_one_with_their_cores(self):
        jobs = poisson_jobs(20_000, 1.6, lambda _: 1, lambda _: 1,
                            random.Random(2))
        self.assertAlmostEqual(
            sum(simulate(Room(2, 1, 0, 0), jobs).waits),
            sum(simulate(Room(1, 2, 0, 0), jobs).waits), places=3)

    def test_a_printer_bounds_a_room(self):
        jobs = [Job(0.0, (0.1,) * 100) for _ in range(10)]
        outcome = simulate(Room(1, 8, 1, 60), jobs)
        self.assertAlmostEqual(outcome.pages_per_second, 1, places=2)
        self.assertAlmostEqual(max(outcome.times), 1000.1)

    def test_pages_are_printed_while_others_are_made(self):
        outcome = simulate(Room(1, 1, 1, 60), [Job(0.0, (2.0, 2.0))])
        self.assertAlmostEqual(outcome.times[0], 5)

    def test_percentiles(self):
        self.assertEqual(percentile(range(100), 95), 95)


if __name__ == "__main__":
    unittest.main()

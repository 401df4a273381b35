# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe `palette` once more, written from docs/reference/bits.md and from nothing
else."""

import itertools

WHITE = 4080
METRIC = ((6003, -4217, -916), (-4217, 7988, -841), (-916, -841, 2053))
CONES = ((1688, 2197, 211), (868, 2788, 440), (362, 1154, 2580))
OPPONENTS = ((862, 3251, -17), (8102, -9948, 1846), (106, 3206, -3312))


def light(sample):
    code = sample / 255
    return round(WHITE * (code / 12.92 if code <= 0.04045
                          else ((code + 0.055) / 1.055) ** 2.4))


LIGHT = [light(a) for a in range(256)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def cube_root(x):
    root = round(x ** (1 / 3))
    while root ** 3 > x:
        root -= 1
    while (root + 1) ** 3 <= x:
        root += 1
    return root


def nearest_mixture(wanted, colors):
    def cones(x):
        return [dot(row, x) >> 8 for row in CONES]

    steep = [2 ** 30 // cube_root(max(s // 16, 82) << 18) ** 2 for s in cones(wanted)]

    def point(x):
        at = [k * s for k, s in zip(steep, cones(x))]
        return [dot(row, at) >> 24 for row in OPPONENTS]

    goal = point(wanted)
    points = [point(p) for p in colors]
    ways = [minus(p, goal) for p in points]
    start = min(range(len(colors)), key=lambda k: dot(ways[k], ways[k]))
    weights = [0] * len(colors)
    weights[start] = 65536
    for step in itertools.count():
        here = [sum(w * p[i] for w, p in zip(weights, points)) >> 16 for i in range(3)]
        way = minus(here, goal)
        if dot(way, way) <= 32 ** 2:
            return list(wanted)
        if step == 400:
            break
        along = [dot(way, p) for p in points]
        to = min(range(len(colors)), key=along.__getitem__)
        held = [k for k in range(len(colors)) if weights[k]]
        source = max(held, key=along.__getitem__)
        apart = minus(points[to], points[source])
        if not any(apart):
            break
        gain = (along[source] - along[to]) * 65536
        share = min(gain // dot(apart, apart), weights[source])
        if share < 4:
            break
        weights[to] += share
        weights[source] -= share
    return [(sum(w * p[c] for w, p in zip(weights, colors)) + 32768) // 65536
            for c in range(3)]


class Palette:
    def __init__(self, measured, sent, compression=100):
        self.sent = [tuple(s) for s in sent]
        self.measured = [tuple(m) for m in measured]
        self.lights = [[LIGHT[a] for a in m] for m in measured]
        self.slopes = [[(dot(row, p) + 2048) >> 12 for row in METRIC]
                       for p in self.lights]
        self.biases = [dot(m, p) >> 1 for m, p in zip(self.slopes, self.lights)]
        luma = [dot((2126, 7152, 722), p) for p in self.lights]
        black = self.lights[luma.index(min(luma))]
        white = self.lights[luma.index(max(luma))]
        lightest = max((max(luma) + 5000) // 10000, 1)
        self.toned = [[min((compression * (b + ((w - b) * e + 2040) // WHITE) +
                            (100 - compression) * ((w * e + lightest // 2) // lightest) +
                            50) // 100, WHITE) for e in LIGHT]
                      for b, w in zip(black, white)]
        self.nodes = {}

    def node(self, place):
        if place not in self.nodes:
            wanted = [self.toned[c][min(16 * n, 255)] for c, n in enumerate(place)]
            given = nearest_mixture(wanted, self.lights)
            self.nodes[place] = [2040 + ((u - t) >> 1) for u, t in zip(given, wanted)]
        return self.nodes[place]

    def target(self, rgb):
        scaled = [a + (a >> 7) for a in rgb]
        place = [min(x >> 4, 15) for x in scaled]
        beyond = [x - 16 * n for x, n in zip(scaled, place)]
        order = sorted(range(3), key=lambda c: -beyond[c])
        ends = [16] + [beyond[c] for c in order] + [0]
        sums = [0, 0, 0]
        for i in range(4):
            share = ends[i] - ends[i + 1]
            if share:
                sums = [s + share * n for s, n in zip(sums, self.node(tuple(place)))]
            if i < 3:
                place[order[i]] += 1
        return [min(max(self.toned[c][rgb[c]] + ((sums[c] - 32636) >> 3), 0), WHITE)
                for c in range(3)]

    def halftone(self, width, rows):
        """Rows of RGB triples to rows of indices."""
        above = [[0, 0, 0] for _ in range(width)]
        out = []
        for row in rows:
            below = [[0, 0, 0] for _ in range(width)]
            out.append([self.pixel(j, tuple(rgb), above, below)
                        for j, rgb in enumerate(row)])
            above = below
        return out

    def pixel(self, column, rgb, above, below):
        for flat in (self.sent, self.measured):
            if rgb in flat:
                return flat.index(rgb)
        value = [t + min(max(a, -WHITE), WHITE)
                 for t, a in zip(self.target(rgb), above[column])]
        far = [b - dot(m, value) for m, b in zip(self.slopes, self.biases)]
        index = far.index(min(far))
        for c, e in enumerate(minus(value, self.lights[index])):
            right, left, aside = (7 * e + 8) >> 4, (3 * e + 8) >> 4, (e + 8) >> 4
            for line, at, part in ((above, column + 1, right), (below, column - 1, left),
                                   (below, column, e - right - left - aside),
                                   (below, column + 1, aside)):
                if 0 <= at < len(line):
                    line[at][c] += part
        return index

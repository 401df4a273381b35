# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time over size, both logarithmic, as an SVG: the best line of each group."""

import html
import math

WIDTH, HEIGHT = 980, 560
LEFT, RIGHT, TOP, BOTTOM = 70, 420, 50, 60
COLOURS = ("#444444", "#d95f02", "#e6ab02", "#7570b3", "#e7298a", "#a6761d",
           "#66a61e", "#1f78b4", "#000000", "#b2182b", "#1b9e77", "#9970ab",
           "#8c510a", "#01665e")


def best_lines(tree):
    """[(label, {side: ms})]: of each group the line that is fastest at its
    largest size; of ours, all."""
    lines = []
    for group, names in tree.items():
        named = list(names.items())
        if not group.startswith("ours"):
            largest = max(side for _, line in named for side in line)
            named = [min(named, key=lambda item:
                         item[1].get(largest, math.inf))]
        lines += [("%s: %s" % (group, name), line) for name, line in named
                  if len(line) > 1]
    return lines


class Axes:
    def __init__(self, lines):
        self.sides = sorted({side for _, line in lines for side in line})
        times = [ms for _, line in lines for ms in line.values()]
        self.low = math.floor(math.log10(min(times)))
        self.high = math.ceil(math.log10(max(times)))

    def x(self, side):
        span = math.log2(self.sides[-1] / self.sides[0]) or 1
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(side / self.sides[0]) / span

    def y(self, ms):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (
            math.log10(ms) - self.low) / (self.high - self.low)

    def grid(self):
        for decade in range(self.low, self.high + 1):
            at = self.y(10.0 ** decade)
            yield (f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">'
                   f'{10.0 ** decade:g} ms</text>')
        for side in self.sides:
            if side & (side - 1) == 0:
                yield (f'<path d="M{self.x(side):.1f} {TOP}V{HEIGHT - BOTTOM}" '
                       f'stroke="#ddd"/><text x="{self.x(side):.1f}" '
                       f'y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{side}K</text>')


def svg(tree, title):
    lines = best_lines(tree)
    axes = Axes(lines)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
           f'height="{HEIGHT}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="24" font-size="15">Halftoning a square page: '
           f'{html.escape(title)}</text>', *axes.grid(),
           f'<text x="{(LEFT + WIDTH - RIGHT) // 2}" y="{HEIGHT - 18}" '
           'text-anchor="middle">pixels a side</text>']
    order = sorted(lines, key=lambda item: -item[1][max(item[1])])
    for i, (label, line) in enumerate(order):
        colour, top = COLOURS[i % len(COLOURS)], TOP + 26 * i
        ours = label.startswith("ours")
        points = " ".join(f"{axes.x(side):.1f},{axes.y(ms):.1f}"
                          for side, ms in sorted(line.items()))
        dashes, bold = ("", ' font-weight="bold"') if ours else (
            ' stroke-dasharray="5 3"', "")
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="'
                   f'{2.5 if ours else 1.5:g}" points="{points}"{dashes}/>')
        out.append(f'<rect x="{WIDTH - RIGHT + 14}" y="{top}" width="12" height="12" '
                   f'fill="{colour}"/><text x="{WIDTH - RIGHT + 32}" y="{top + 10}"'
                   f'{bold} font-size="11">{html.escape(label)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"

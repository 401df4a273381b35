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


def svg(tree, title):
    lines = best_lines(tree)
    sides = sorted({side for _, line in lines for side in line})
    times = [ms for _, line in lines for ms in line.values()]
    low = math.floor(math.log10(min(times)))
    high = math.ceil(math.log10(max(times)))

    def x(side):
        span = math.log2(sides[-1] / sides[0]) or 1
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(
            side / sides[0]) / span

    def y(ms):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (
            math.log10(ms) - low) / (high - low)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
           'font-family="sans-serif" font-size="12">' % (WIDTH, HEIGHT),
           '<rect width="100%" height="100%" fill="white"/>',
           '<text x="%d" y="24" font-size="15">Halftoning a square page: %s'
           '</text>' % (LEFT, html.escape(title))]
    for decade in range(low, high + 1):
        at = y(10.0 ** decade)
        out.append('<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f"'
                   ' text-anchor="end">%g ms</text>' % (
                       LEFT, at, WIDTH - RIGHT, LEFT - 8, at + 4,
                       10.0 ** decade))
    for side in sides:
        if side & (side - 1) == 0:
            out.append('<path d="M%.1f %dV%d" stroke="#ddd"/><text x="%.1f" '
                       'y="%d" text-anchor="middle">%dK</text>' % (
                           x(side), TOP, HEIGHT - BOTTOM, x(side),
                           HEIGHT - BOTTOM + 18, side))
    out.append('<text x="%d" y="%d" text-anchor="middle">pixels a side</text>'
               % ((LEFT + WIDTH - RIGHT) // 2, HEIGHT - 18))
    order = sorted(lines, key=lambda item: -item[1][max(item[1])])
    for i, (label, line) in enumerate(order):
        colour = COLOURS[i % len(COLOURS)]
        ours = label.startswith("ours")
        out.append('<polyline fill="none" stroke="%s" stroke-width="%g" '
                   'points="%s"%s/>' % (
                       colour, 2.5 if ours else 1.5,
                       " ".join("%.1f,%.1f" % (x(side), y(ms))
                                for side, ms in sorted(line.items())),
                       "" if ours else ' stroke-dasharray="5 3"'))
        out.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>'
                   '<text x="%d" y="%d"%s font-size="11">%s</text>' % (
                       WIDTH - RIGHT + 14, TOP + 26 * i, colour,
                       WIDTH - RIGHT + 32, TOP + 26 * i + 10,
                       ' font-weight="bold"' if ours else "",
                       html.escape(label)))
    out.append("</svg>")
    return "\n".join(out) + "\n"

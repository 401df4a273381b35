# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The panels of a dashboard of Grafana, drawn as SVG from what Prometheus remembers: their
queries, legends, units and places; the rest of Grafana's looks is not there."""

import json
import re
import urllib.parse
from xml.sax.saxutils import escape

CELL_X, CELL_Y = 40, 26  # pixels of the dashboard's grid
STEP = 1  # second
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf",
          "#7f7f7f")
UNITS = {"percentunit": (100, " %"), "s": (1, " s"), "bytes": (1 / 2**20, " MiB"),
         "none": (1, "")}


def draw(path, ask, begin, end):
    """`ask` gives the data of a path of Prometheus' API."""
    dashboard = json.loads(path.read_text())
    panels = dashboard["panels"]
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels)
    parts = ["<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->",
             f'<svg xmlns="http://www.w3.org/2000/svg" width="{24 * CELL_X}" '
             f'height="{height * CELL_Y}" font-family="sans-serif" font-size="11">'
             '<rect width="100%" height="100%" fill="#fff"/>']
    for panel in panels:
        parts += draw_panel(panel, curves(panel, ask, begin, end), begin, end)
    return "\n".join([*parts, "</svg>"]) + "\n"


def curves(panel, ask, begin, end):
    """(legend, [(time, value)]) of all its queries; of many, those that are ever above
    0."""
    found = []
    for target in panel["targets"]:
        query = target["expr"].replace("$__rate_interval", "5s").replace("$instance", ".+")
        words = urllib.parse.urlencode({"query": query, "start": begin, "end": end,
                                        "step": STEP})
        for series in ask(f"query_range?{words}")["result"]:
            legend = re.sub(r"\{\{(\w+)\}\}",
                            lambda label: series["metric"].get(label[1], ""),
                            target["legendFormat"])
            values = [(at, float(value)) for at, value in series["values"]]
            found.append((legend, [(at, value) for at, value in values
                                   if value < float("inf")]))
    return [each for each in found if len(found) <= 4 or any(
        value > 0 for _, value in each[1])]


def draw_panel(panel, found, begin, end):
    place = panel["gridPos"]
    left, top = place["x"] * CELL_X, place["y"] * CELL_Y
    wide, high = place["w"] * CELL_X - 70, place["h"] * CELL_Y - 62
    factor, unit = UNITS[panel["fieldConfig"]["defaults"]["unit"]]
    most = max((value * factor for _, values in found for _, value in values),
               default=0) or 1
    parts = [f'<g transform="translate({left + 55},{top + 24})">',
             f'<text y="-8" font-weight="bold">{escape(panel["title"])}</text>',
             f'<rect width="{wide}" height="{high}" fill="none" stroke="#bbb"/>',
             f'<text x="-4" y="8" text-anchor="end">{most:.3g}{unit}</text>',
             f'<text x="-4" y="{high}" text-anchor="end">0{unit}</text>']
    along = 0
    for number, (legend, values) in enumerate(found):
        color = COLORS[number % len(COLORS)]
        parts += [f'<path d="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>'
                  for line in lines(values, begin, end, wide, high, factor / most)]
        parts.append(f'<text x="{along % wide:.0f}" y="{high + 14 + along // wide * 12:.0f}" '
                     f'fill="{color}">{escape(legend.strip())}</text>')
        along += 6.2 * len(legend) + 16
    return [*parts, "</g>"]


def lines(values, begin, end, wide, high, factor):
    """A path; a gap where a sample is missing."""
    path, last = "", None
    for at, value in values:
        x = (at - begin) / (end - begin) * wide
        y = high - value * factor * high
        path += f"{'L' if last and at - last < 1.5 * STEP else 'M'}{x:.1f} {y:.1f}"
        last = at
    return [path] if path else []

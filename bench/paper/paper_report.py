# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What paper_bench.py found, as the tables of docs/measurements/paper.md. Needs
nothing but Python."""

import record

LINE_PIXELS = 1, 2, 3


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def cell(form, values, of=mean):
    """A dash where a part was left out."""
    values = list(values)
    return form % of(values) if values else "–"


def extent(values):
    return min(values), max(values)


def groups(results):
    """(maker, resolution, laser), in the order of the results."""
    return [(row["by"], row["dpi"], row["laser"]) for row in results["tones"]]


def rows_of(results, part, group):
    return [row for row in results[part]
            if (row["by"], row["dpi"], row["laser"]) == group]


def name_of(maker):
    return maker if maker[0].isupper() else f"`{maker}`"


def tones(results):
    def cells(group):
        row = rows_of(results, "tones", group)[0]
        return ["%.2f" % row["reversal"], "%.1f" % row["step"],
                *("%.2f, %.2f" % (row[name], row[f"{name}_worst"])
                  for name in ("grain", "mottle", "banding")),
                "%.2f" % grain_of_light_fill(row)]
    return made(results, "tones", ["reversal", "step", "grain", "mottle", "banding",
                                   "#F2F2F2"], cells)


def grain_of_light_fill(row):
    """The grain of the code that was printed nearest to 242."""
    first, last, count = row["codes"]
    return row["grain_by_code"][round((242 - first) * (count - 1) / (last - first))]


def areas(results):
    """Ramps, fills and photographs."""
    def cells(group):
        ramps = rows_of(results, "ramps", group)
        ink = [row["ink"] for row in rows_of(results, "fills", group)
               if row["ink"] is not None]
        photographs = rows_of(results, "photographs", group)
        return [*(cell("%.2f", (row[name] for row in ramps), max)
                  for name in ("noise", "mottle", "contour")),
                cell("%.2f … %.2f", ink, extent),
                cell("%.1f", (row["psnr"] for row in photographs))]
    return made(results, "ramps", ["noise", "mottle", "contour", "first rows",
                                   "photographs, dB"], cells)


def strokes(results):
    """Lines of 1 … 3 pixels, and text of all sizes."""
    def cells(group):
        lines = [row for row in rows_of(results, "lines", group)
                 if row["width"] in LINE_PIXELS]
        text = rows_of(results, "text", group)
        inks = [row[name] for row in lines for name in ("ink_least", "ink_most")]
        return [cell("%.2f … %.2f", inks, extent),
                cell("%.2f", (row["relative_width"] for row in lines)),
                cell("%.0f", (row["ragged"] for row in lines)),
                cell("%.0f", (100 * row["missing"] for row in lines), max),
                cell("%.1f", (row["pale_own"] for row in text)),
                cell("%.1f", (row["pale_aim"] for row in text)),
                cell("%.0f", (100 * row["open"] for row in text), max)]
    return made(results, "lines", ["ink", "width", "ragged, µm", "missing, %",
                                   "text pale", "from aim", "open, %"], cells)


def made(results, part, head, cells):
    rows = [[name_of(group[0]), *map(str, group[1:]), *cells(group)]
            for group in groups(results) if rows_of(results, part, group)]
    return record.table(["by", "dpi", "laser", *head], rows, 3)


def table(results):
    """All tables that there are figures for."""
    return "\n\n".join(each(results) for part, each in
                       (("tones", tones), ("ramps", areas), ("lines", strokes))
                       if results[part])

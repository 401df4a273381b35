# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What judge.py, judge_levels.py and ceiling.py found, as the tables of
docs/measurements/comparison.md. Needs nothing but Python."""

from programs import record

OURS = "halftone convert, "
PAGES = ("sample page", "test page", "made page")  # the others are photographs
# Mean error of a page, in levels of 255, above which a peer makes other tones on
# purpose, or no tones.
OTHER_TONES = 3
SEARCH = "direct binary search"
FILTERS = {"psnr_csf": "eye", "psnr_nasanen": "Näsänen's eye",
           "psnr_gauss": "Gaussian"}
LEVELS = (4, 16)


def by_peer(rows, key):
    """{who: {key: row}}, in the order of the rows."""
    found = {}
    for row in rows:
        found.setdefault(row["by"], {})[row[key]] = row
    return found


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def name_of(who):
    ours = who.removeprefix(OURS)
    is_ours = ours != who or who in ("fine", "best", "floyd-steinberg")
    return f"`{ours}`" if is_ours else who


# The columns of the digest: how cells are written, and how far one is from the best
# that there could be.
CELLS = {"SSIM": ("%.3f", lambda value: -value),
         "worst tile": ("%.1f", abs),
         "late rows": ("%d", abs),
         "thin lines": ("%.2f, %.2f",
                        lambda value: max(abs(ink - 1) for ink in value))}
DECIBELS = "%.1f", lambda value: -value


def quality_rows(results):
    """{who: {column: value}}, of those whose tones are the page's."""
    flats = by_peer(results["flats"], "tone")
    lines = by_peer(results["lines"], "tone")
    found = {}
    for who, pages in by_peer(results["pages"], "page").items():
        if mean(abs(row["tone_mean"]) for row in pages.values()) > OTHER_TONES:
            continue
        groups = {"pages": [pages[name] for name in PAGES],
                  "photos": [row for name, row in pages.items()
                             if name not in PAGES]}
        columns = {f"{FILTERS[key]}, {group}": mean(row[key] for row in rows)
                   for key in ("psnr_csf", "psnr_gauss")
                   for group, rows in groups.items()}
        columns["SSIM"] = mean(row["ssim"] for row in pages.values())
        columns["worst tile"] = max(row["tone_worst_tile"] for row in pages.values())
        if who in flats and who in lines:
            columns["late rows"] = flats[who][250]["half_rows"]
            columns["thin lines"] = (lines[who][230]["upright"],
                                     lines[who][230]["lying"])
        found[who] = columns
    return dict(sorted(found.items(), key=lambda item: -item[1]["eye, photos"]))


def quality(results):
    rows = quality_rows(results)
    columns = list(max(rows.values(), key=len))

    def cell(column, value):
        if value is None:
            return "–"
        form, distance = CELLS.get(column, DECIBELS)
        best = min((row[column] for row in rows.values() if column in row),
                   key=distance)
        text = form % value
        return f"**{text}**" if text == form % best else text

    return record.table(["", *columns], [
        [name_of(who), *(cell(column, row.get(column)) for column in columns)]
        for who, row in rows.items()])


def named(results, ours):
    """Types that people ask for by name, on the pages that all of them have, with the
    same of ours from the first results."""
    peers = by_peer([*results["pages"], *(
        row for row in ours["pages"] if row["by"] in (OURS + "fine", OURS + "screen"))],
                    "page")
    pages = set.intersection(*map(set, peers.values()))

    def cells(rows):
        return ["%.1f" % mean(rows[page]["psnr_csf"] for page in pages),
                "%.1f" % mean(rows[page]["psnr_gauss"] for page in pages),
                "%.3f" % mean(rows[page]["ssim"] for page in pages),
                "%.1f" % max(rows[page]["tone_worst_tile"] for page in pages)]

    return record.table(["", "eye", "Gaussian", "SSIM", "worst tile"], [
        [name_of(who), *cells(rows)] for who, rows in sorted(
            peers.items(), key=lambda item: -mean(
                item[1][page]["psnr_csf"] for page in pages))])


def levels(results):
    """Means of all pages, the worst tile of all, and flat pages."""
    def cells(by, count):
        pages, flats = ([row for row in results[kind]
                         if row["by"] == by and row["levels"] == count]
                        for kind in ("pages", "flats"))
        return ["%.1f" % mean(row["psnr_csf"] for row in pages),
                "%.1f" % mean(row["psnr_gauss"] for row in pages),
                "%.2f" % max(row["tone_worst_tile"] for row in pages),
                "%.2f" % flats[0]["seen_mean"]]

    head = [f"{count}: {title}" for count in LEVELS
            for title in ("eye", "Gaussian", "worst tile", "flat")]
    return record.table(["", *head], [
        [name_of(by), *(cell for count in LEVELS for cell in cells(by, count))]
        for by in dict.fromkeys(row["by"] for row in results["pages"])])


def ceiling(results):
    """What each is below the ceiling, in the mean, and the ceiling itself."""
    peers = by_peer(results["pages"], "page")
    best = peers.pop(SEARCH)

    def below(who, key):
        return mean(best[page][key] - peers[who][page][key] for page in best)

    whole = [who for who, pages in peers.items() if len(pages) == len(best)]
    rows = [[name_of(who), *("%.1f" % below(who, key) for key in FILTERS)]
            for who in sorted(whole, key=lambda who: below(who, "psnr_csf"))]
    rows.append(["the ceiling, dB", *("%.1f" % mean(
        row[key] for row in best.values()) for key in FILTERS)])
    return record.table(["", *FILTERS.values()], rows)


def show_rows(results):
    """All figures, as text."""
    for part, rows in results.items():
        if isinstance(rows, list):
            print(f"\n{part}")
            for row in rows:
                print(f"  {row['by']:36}" + ", ".join(
                    f"{key} {value:.4g}" if isinstance(value, float)
                    else f"{key} {value}"
                    for key, value in row.items() if key != "by"))

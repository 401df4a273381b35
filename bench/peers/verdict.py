# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What judge.py found, as tables: all of it as text, a digest as Markdown."""

PAGES = ("sample page", "test page", "made page")  # the others are photographs
FIGURES = (("psnr_csf", "PSNR of what an eye sees from 30 cm, dB", "%.2f"),
           ("psnr_nasanen", "PSNR of what an eye sees by Näsänen's model, dB",
            "%.2f"),
           ("psnr_gauss", "PSNR after a Gaussian of 2 pixels, dB", "%.2f"),
           ("ssim", "structural similarity after the Gaussian", "%.4f"),
           ("tone_worst_tile", "largest error of tone of 64 x 64 pixels, of 255",
            "%.2f"),
           ("tone_mean", "mean error of tone, of 255", "%+.3f"))
# Mean error of a page, in levels of 255, above which a peer makes other tones on
# purpose, or no tones.
OTHER_TONES = 3
# How the cells of the digest are written, and how far one is from the best that
# there could be.
CELLS = {"SSIM": ("%.3f", lambda value: -value),
         "worst tile": ("%.1f", abs),
         "late rows": ("%d", abs),
         "thin lines": ("%.2f, %.2f",
                        lambda value: max(abs(ink - 1) for ink in value))}
SHOWN_LINES = 128, 200, 230
DECIBELS = "%.1f", lambda value: -value


def by_peer(rows, key):
    """{who: {key: row}}, in the order of the rows."""
    found = {}
    for row in rows:
        found.setdefault(row["by"], {})[row[key]] = row
    return found


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def show_pages(rows):
    if not rows:
        return
    peers = by_peer(rows, "page")
    names = list(next(iter(peers.values())))
    for key, title, form in FIGURES:
        print(f"\n{title}\n  {'':36}" + "".join(f"{name[:11]:>12}"
                                                for name in names))
        for who, pages in peers.items():
            print(f"  {who:36}" + "".join(
                f"{form % pages[name][key] if key in pages[name] else '-':>12}"
                for name in names))


def show_flats(rows):
    print("\nflat pages: the first row with a dot; rows and columns until half of "
          "the ink is there; power below 1/16 cycle a pixel (white noise 1); "
          "anisotropy, dB; dots of a cluster; error of tone, of 255")
    for who, tones in by_peer(rows, "tone").items():
        for tone, row in tones.items():
            power, unequal, cluster = (
                "-" if row.get(key) is None else form % row[key]
                for key, form in (("power", "%.3f"), ("anisotropy", "%.1f"),
                                  ("cluster", "%.1f")))
            print(f"  {who:36} {tone:4} {str(row['first_row']):>6} "
                  f"{row['half_rows']:5} {row['half_columns']:5} {power:>7} {unequal:>7} "
                  f"{cluster:>6} "
                  f"{row['tone_error']:7.3f}")


def right_lines(rows):
    """Those that have their ink but for a tenth, and all of them."""
    inks = [row[way] for row in rows for way in ("upright", "lying") if way in row]
    return sum(abs(ink - 1) <= 0.1 for ink in inks), len(inks)


def show_lines(rows):
    print("\ngray lines, one pixel wide: how many have their ink but for a tenth; "
          "the part that there is of some, upright, lying")
    for who, tones in by_peer(rows, "tone").items():
        print(f"  {who:36}" + "%3d of %d" % right_lines(tones.values()) + "".join(
            f"{tone:6}: {tones[tone]['upright']:.2f} {tones[tone]['lying']:.2f}"
            for tone in SHOWN_LINES))


def show_prints(rows):
    print("\nlight of 255 of prints with round dots of 1.25 pixels")
    for row in rows:
        print(f"  {row['by']:36}" + "".join(
            f"{tone:>7}: {light:5.1f}"
            for tone, light in row.items() if tone != "by"))


def digest_rows(results):
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
        columns = {f"{figure}, {group}": mean(row[key] for row in rows)
                   for figure, key in (("eye", "psnr_csf"),
                                       ("Gaussian", "psnr_gauss"))
                   for group, rows in groups.items()}
        columns["SSIM"] = mean(row["ssim"] for row in pages.values())
        columns["worst tile"] = max(row["tone_worst_tile"]
                                    for row in pages.values())
        columns["late rows"] = flats[who][250]["half_rows"]
        columns["thin lines"] = (lines[who][230]["upright"],
                                 lines[who][230]["lying"])
        found[who] = columns
    return dict(sorted(found.items(),
                       key=lambda item: -item[1]["eye, photos"]))


def digest(results):
    rows = digest_rows(results)
    columns = list(next(iter(rows.values())))

    def cell(column, value):
        form, distance = CELLS.get(column, DECIBELS)
        best = min((row[column] for row in rows.values()), key=distance)
        text = form % value
        return f"**{text}**" if text == form % best else text

    lines = ["| | " + " | ".join(columns) + " |",
             "|---|" + "---:|" * len(columns)]
    for who, row in rows.items():
        name = who.replace("halftone convert, ", "")
        lines.append(f"| {f'`{name}`' if name != who else who} | " + " | ".join(
            cell(column, row[column]) for column in columns) + " |")
    return "\n".join(lines)


def show(results):
    print(f"{results['command']}, {results['date']}; " + ", ".join(
        f"{name} {version}" for name, version in results["versions"].items()))
    show_pages(results["pages"])
    show_pages(results.get("more", []))
    show_flats(results["flats"])
    show_lines(results["lines"])
    show_prints(results["prints"])
    for who, note in results["notes"].items():
        print(f"  {who}: {note}")

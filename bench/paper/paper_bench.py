#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How dots look on paper: figures of simulated prints, never of bits.

    bench/paper/paper_bench.py [--by NAME ...] [--dpi 600 ...] [--for judging]
        [--part PART ...] [--step 1] [--oblique] [--processes N] [--save FILE.json]
    bench/paper/paper_bench.py --pictures FOLDER [--by NAME ...] [--dpi 600 ...]
    bench/paper/paper_bench.py --show FILE.json

Stands beside judge.py, which compares bits with gray and knows no printer.

NAME is one of makers.py (a type of ours, `default`, Ghostscript) or options of the C
library, such as halftone-type=clustered,cluster-size=3. --for: tuning or judging selects the
lasers (lasers.py), ramps and photographs; the name of a laser selects it, with the
ramps and photographs for judging. What is tuned is never judged by its own lasers.
--oblique: an eye that sees less of diagonal patterns (seen.py).

tones        every code (--step: every so many): L*, its deepest fall while the code
             rises (reversal), its largest step, and the noise that an eye sees at 40 cm
             with its parts: grain, mottle and banding (seen.py), mean and worst code
ramps        slow ramps: noise and mottle beside the tones, contours, falls of tone
fills        ink of the first 8 rows of light fills, where 1 is right
lines        gray lines of 1 ... 6 pixels (at 600 dpi), of four grays, down, across and
             slanted: ink, width, raggedness, contrast, and the share that is missing
text         gray letters of 6 ... 8 points: how pale, and the share that is void
photographs  dB to the photograph in the printer's own tones

A new --save keeps what FILE.json has of others. Needs the target halftone_shared, and
the Debian packages python3-numpy, python3-pil and ghostscript; python3-scipy and those
of collection.py for photographs for judging. Every code of a type on four lasers takes
about two minutes on two cores."""

import functools
import multiprocessing
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / part) for part in
             ("bench", "bench/paper", "bench/peers", "packaging/python")]
import paper_report as report  # noqa: E402
import record  # noqa: E402

PARTS = "tones", "ramps", "fills", "lines", "text", "photographs"
NOISE = "noise", "grain", "mottle", "banding"
BY_CODE = "lightness", "grain", "mottle"
KEY = "by", "dpi", "laser"


@functools.lru_cache(maxsize=None)
def maker_of(name, dots_per_inch, build):
    import makers
    return makers.maker(name, dots_per_inch, build)


def printer(job):
    import figures
    import lasers
    name, dots_per_inch, laser, build = job
    return figures.Printer(maker_of(name, dots_per_inch, build),
                           lasers.for_use(laser)[0], dots_per_inch)


def flats(job):
    """Flat pages of one code, by laser."""
    import figures
    import lasers
    import sheets
    name, dots_per_inch, names, build, code = job
    dots = maker_of(name, dots_per_inch, build).dots(sheets.flat(code, dots_per_inch))
    return [figures.of_flat(lasers.printed(
        dots, dots_per_inch, lasers.for_use(laser)[0])) for laser in names]


def tones_of(codes, found):
    """One row of the figures of all codes."""
    import figures
    import seen
    lightness = [row["lightness"] for row in found]
    fall, high, low = seen.reversal(lightness)
    steps = [after - before for before, after in zip(lightness, lightness[1:])]
    row = {"reversal": fall, "reversal_codes": [codes[high - 1], codes[low - 1]],
           "step": max(steps), "step_code": codes[steps.index(max(steps))],
           "off_aim": sum(abs(tone - figures.compensated(code)) for code, tone in
                          zip(codes, lightness)) / len(codes)}
    for name in NOISE:
        values = [each[name] for each in found]
        row[name] = sum(values) / len(values)
        row[f"{name}_worst"] = max(values)
        row[f"{name}_code"] = codes[values.index(max(values))]
    return {**row, "codes": [codes[0], codes[-1], len(codes)],
            **{f"{name}_by_code": [round(each[name], 2) for each in found]
               for name in BY_CODE}}


def light_by_code(row):
    """256 numbers, between those that were printed."""
    import numpy as np
    import lasers
    import seen
    first, last, count = row["codes"]
    codes = [0, *np.linspace(first, last, count).round(), 255]
    light = [seen.light_of_lightness(tone) for tone in row["lightness_by_code"]]
    return np.interp(np.arange(256), codes, [lasers.BLACK, *light, 1])


def of_ramp(job, ramp):
    import figures
    return figures.of_ramp(printer(job), *ramp)


def of_fill(job, code):
    import figures
    return {"code": code, "ink": figures.of_fill(printer(job), code)}


def of_lines(job, code, direction, light):
    import figures
    return list(figures.of_lines(printer(job), code, direction, light))


def of_widths(rows):
    """One row for each width of lines."""
    def of(width):
        found = [row for row in rows if row["width"] == width]
        means = {name: report.mean(row[name] for row in found if row[name] is not None)
                 for name in ("ink", "relative_width", "ragged", "contrast")}
        inks = [row["ink"] for row in found]
        return {"width": width, **means, "ink_least": min(inks), "ink_most": max(inks),
                "missing": max(row["missing"] for row in found)}
    return [of(width) for width in dict.fromkeys(row["width"] for row in rows)]


def of_text(job, points, light):
    import figures
    return figures.of_text(printer(job), points, light)


def of_photograph(job, name, gray, curve):
    import figures
    return {"photograph": name,
            "psnr": figures.of_photograph(printer(job), gray, curve)}


def tasks(part, job, tones, use):
    """Functions and arguments of one maker and laser."""
    import sheets
    if part == "ramps":
        return [(of_ramp, job, ramp) for ramp in sheets.RAMPS[use]]
    if part == "fills":
        return [(of_fill, job, code) for code in sheets.LIGHT_FILLS]
    light = light_by_code(tones)
    if part == "lines":
        return [(of_lines, job, code, way, light[code]) for code in sheets.LINE_CODES
                for way in sheets.DIRECTIONS]
    if part == "text":
        return [(of_text, job, points, light[sheets.TEXT_CODE])
                for points in sheets.TEXT_POINTS]
    return [(of_photograph, job, name, gray, light)
            for name, gray in sheets.photographs(use)]


def call(task):
    return task[0](*task[1:])


def run(options):
    import lasers
    import seen
    seen.OBLIQUE = options.oblique
    names = [laser.name for laser in lasers.for_use(options.use)]
    use = "tuning" if options.use == "tuning" else "judging"
    codes = list(range(1, 255, options.step))
    found = {**record.machine("paper_bench.py"), **{part: [] for part in PARTS}}
    with multiprocessing.Pool(options.processes, os.nice, (10,)) as pool:
        for name in options.by:
            for dots in options.dpi:
                grids = pool.map(flats, [(name, dots, names, options.build, code)
                                         for code in codes], 4)
                for at, laser in enumerate(names):
                    key = dict(zip(KEY, (name, dots, laser)))
                    tones = tones_of(codes, [grid[at] for grid in grids])
                    found["tones"].append({**key, **tones})
                    job = name, dots, laser, options.build
                    for part in options.part:
                        done = pool.map(call, tasks(part, job, tones, use), 1)
                        rows = of_widths(sum(done, [])) if part == "lines" else done
                        found[part] += [{**key, **row} for row in rows]
                    print(key, file=sys.stderr)
    return found


def merged(old, new):
    """The new results, with the old ones of other makers, resolutions and lasers."""
    def key(row):
        return tuple(row[name] for name in KEY)

    for part in PARTS:
        there = {key(row) for row in new[part]}
        new[part] = [row for row in old.get(part, []) if key(row) not in there] + \
            new[part]
    return new


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--by", action="append", metavar="NAME")
    parser.add_argument("--dpi", action="append", type=int, choices=(300, 600, 1200))
    parser.add_argument("--for", dest="use", default="judging", metavar="LASERS")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--oblique", action="store_true")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--pictures", metavar="FOLDER", type=pathlib.Path)
    options = parser.parse_args()
    options.by = options.by or ["fine"]
    options.dpi = options.dpi or [600]
    options.part = [part for part in options.part or PARTS if part != "tones"]
    if options.pictures:
        import paper_pictures
        paper_pictures.save(options)
        return
    results = record.read(options.show) if options.show else run(options)
    if options.save:
        if options.save.exists():
            results = merged(record.read(options.save), results)
        record.save(results, options.save)
    print(report.table(results))


if __name__ == "__main__":
    main()

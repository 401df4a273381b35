#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: peers_bench.py LIBHALFTONE EPDOPTIMIZE OPENDISPLAY PICTURE...

Palettes of halftoned, also with tones as light as on a display, beside two programs for
e-paper, as a table: epdoptimize, bundled as one ES module for Node, with its defaults and
with the options that it suggests; and OpenDisplay's epaper-dithering (its Python package's
folder), with Burkes' weights, its default, and with Floyd and Steinberg's. All get the
same measured colors. Gray palettes get gray pictures. Each number is the mean CIEDE2000
between a picture and its dots as palette_bench.py defines it: adapted to black and white
of the panel, adapted to its white alone, and not adapted."""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import palette_bench as bench
from PIL import Image, ImageOps

PALETTES = ("spectra6", "acep7", "bwr", "gray4", "gray16")
NODE = """
import {readFileSync, writeFileSync} from 'fs';
const [,, module, file] = process.argv;
const epd = await import(module);
const job = JSON.parse(readFileSync(file));
const canvas = (width, height, data) => ({width, height, data, getContext() {
  return {getImageData: () => ({width: this.width, height: this.height,
                                data: new Uint8ClampedArray(this.data)}),
          putImageData: image => Object.assign(this, {
            data: new Uint8ClampedArray(image.data),
            width: image.width, height: image.height})};
}});
for (const {raw, width, height, palette, suggested, out} of job) {
  const from = canvas(width, height, new Uint8ClampedArray(readFileSync(raw)));
  const to = canvas(width, height, new Uint8ClampedArray(4 * width * height));
  const options = suggested
      ? epd.suggestCanvasProcessingOptions(from, palette).ditherOptions : {};
  await epd.ditherImage(from, to, {...options, palette});
  writeFileSync(out, to.data);
}
"""


def three_errors(wanted, indices, measured):
    adapted, absolute = bench.errors(wanted, indices, measured)
    inks = bench.light(measured)
    seen = bench.blurred(inks[indices]) / bench.ends_of(inks)[1]
    return adapted, bench.ciede2000(wanted, bench.lab(seen)).mean(), absolute


def by_epdoptimize(module, picture, sent, measured, suggested):
    """Indices; they fail if a color is not the palette's."""
    height, width, _ = picture.shape
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        rgba = np.dstack((picture, np.full((height, width), 255, np.uint8)))
        (path / "in").write_bytes(rgba.tobytes())
        name = "#%02X%02X%02X"
        palette = [{"name": str(k), "color": name % tuple(seen),
                    "deviceColor": name % tuple(code)}
                   for k, (seen, code) in enumerate(zip(measured, sent))]
        (path / "job").write_text(json.dumps([{
            "raw": str(path / "in"), "width": width, "height": height,
            "palette": palette, "suggested": suggested, "out": str(path / "out")}]))
        (path / "run.mjs").write_text(NODE)
        subprocess.run(["node", path / "run.mjs", pathlib.Path(module).resolve(),
                        path / "job"], check=True)
        dots = np.fromfile(path / "out", np.uint8).reshape(height, width, 4)[..., :3]
    distances = np.abs(dots[:, :, None].astype(int) - measured.astype(int)).sum(3)
    assert not distances.min(2).any()
    return distances.argmin(2)


def main():
    library, module, package, *paths = sys.argv[1:]
    library = bench.Library(library)
    sys.path.append(package)
    from epaper_dithering import ColorPalette, DitherMode, dither_image  # noqa: E402

    def by_opendisplay(picture, measured, mode):
        colors = ColorPalette({str(k): tuple(map(int, color))
                               for k, color in enumerate(measured)}, accent="0")
        # It dims pictures for even grays, which have all of white and black.
        compression = 0.0 if name.startswith("gray") else "auto"
        return np.asarray(dither_image(Image.fromarray(picture), colors, mode,
                                       tone_compression=compression))

    images = [ImageOps.fit(ImageOps.exif_transpose(Image.open(path)).convert("RGB"),
                           bench.SIZE, Image.Resampling.LANCZOS) for path in paths]
    print("| palette | halftone | halftone, tone-compression=0 | epdoptimize | "
          "epdoptimize, suggested | OpenDisplay, Burkes | OpenDisplay, Floyd–Steinberg |\n"
          "|---|" + "---:|" * 6)
    for name in PALETTES:
        palette = library.palette(name)
        light = library.palette(name + ",tone-compression=0")
        sent, measured = library.colors(palette, "sent"), library.colors(palette, "measured")
        ways = (lambda p: library.halftone(palette, p),
                lambda p: library.halftone(light, p),
                lambda p: by_epdoptimize(module, p, sent, measured, False),
                lambda p: by_epdoptimize(module, p, sent, measured, True),
                lambda p: by_opendisplay(p, measured, DitherMode.BURKES),
                lambda p: by_opendisplay(p, measured, DitherMode.FLOYD_STEINBERG))
        pictures = [np.array(image.convert("L").convert("RGB")
                             if name.startswith("gray") else image) for image in images]
        seen = [bench.lab(bench.blurred(bench.light(picture))) for picture in pictures]
        cells = [np.mean([three_errors(wanted, way(picture), measured)
                          for wanted, picture in zip(seen, pictures)], axis=0)
                 for way in ways]
        print(f"| `{name}` | " + " | ".join("%.2f / %.2f / %.2f" % tuple(cell)
                                            for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    main()

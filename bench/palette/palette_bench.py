# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: palette_bench.py LIBHALFTONE PICTURE...

Quality and speed of palettes, as tables. Quality is the mean CIEDE2000 between a picture
and its dots, both blurred in linear light as the eye blurs them at reading distance
(1.5 pixels: a panel of 150 dpi, half a meter away). `adapted`: black and white of the panel
count as those of the picture, for eyes that have nothing lighter to see. `absolute`: they do
not. Beside it, Floyd and Steinberg's dots in sRGB as Pillow makes them, from the colors
that drivers name (nominal), from the measured ones, and from these after the tones were
mapped to black and white of the panel as `halftone` does it (toned)."""

import ctypes
import pathlib
import sys
import time

import numpy as np
from PIL import Image

PALETTES = ("spectra6", "acep7", "bwr", "bw")
ENGINES = ("avx512", "avx2", "ssse3", "neon", "scalar")
SIZE = (800, 480)
SIGMA = 1.5
XYZ = np.array(((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
                (0.0193339, 0.1191920, 0.9503041)))


class Library:
    def __init__(self, path):
        self.calls = ctypes.CDLL(path)

    def handle(self, name, *arguments):
        made = ctypes.c_void_p()
        status = getattr(self.calls, name)(*arguments, ctypes.byref(made), None)
        return made if status == 0 else None

    def palette(self, name):
        return self.handle("ht_palette_new", name.encode())

    def engine(self, name):
        return self.handle("ht_engine_new", name.encode(), 1)

    def colors(self, palette, side):
        call = getattr(self.calls, "ht_palette_" + side)
        call.restype = ctypes.c_uint32
        numbers = [call(palette, k) for k in range(self.calls.ht_palette_count(palette))]
        return np.array([[n >> 16, n >> 8 & 255, n & 255] for n in numbers], np.uint8)

    def halftone(self, palette, rgb, engine=None):
        rows, width, _ = rgb.shape
        indices = np.empty((rows, width), np.uint8)
        status = self.calls.ht_palette_halftone(
            engine, palette, width, ctypes.c_void_p(rgb.ctypes.data), ctypes.c_size_t(0),
            ctypes.c_int64(rows), ctypes.c_void_p(indices.ctypes.data),
            ctypes.c_size_t(0), None)
        assert status == 0
        return indices


def light(samples):
    code = np.asarray(samples, np.float64) / 255
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def blurred(image):
    reach = int(4 * SIGMA)
    kernel = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * SIGMA ** 2))
    kernel /= kernel.sum()
    for axis in 0, 1:
        ends = [(reach, reach) if i == axis else (0, 0) for i in range(3)]
        padded = np.pad(image, ends, mode="reflect")
        size = image.shape[axis]
        image = sum(weight * np.take(padded, np.arange(i, i + size), axis)
                    for i, weight in enumerate(kernel))
    return image


def lab(rgb):
    x = np.clip(rgb @ XYZ.T, 0, None) / XYZ.sum(1)
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return (116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
            200 * (f[..., 1] - f[..., 2]))


def ciede2000(one, other):
    """Sharma, Wu and Dalal's formulas (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(mean7 / (mean7 + 25 ** 7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1 = np.degrees(np.arctan2(b1, stretch * a1)) % 360
    h2 = np.degrees(np.arctan2(b2, stretch * a2)) % 360
    is_gray = c1 * c2 == 0
    turn = np.where(is_gray, 0, (h2 - h1 + 180) % 360 - 180)
    hue = np.where(is_gray, h1 + h2, (h1 + turn / 2) % 360)
    chroma, lightness = (c1 + c2) / 2, (l1 + l2) / 2
    t = (1 - 0.17 * np.cos(np.radians(hue - 30)) + 0.24 * np.cos(np.radians(2 * hue)) +
         0.32 * np.cos(np.radians(3 * hue + 6)) - 0.20 * np.cos(np.radians(4 * hue - 63)))
    middle = (lightness - 50) ** 2
    d_l = (l2 - l1) / (1 + 0.015 * middle / np.sqrt(20 + middle))
    d_c = (c2 - c1) / (1 + 0.045 * chroma)
    d_h = (2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2) /
           (1 + 0.015 * chroma * t))
    around = np.sin(np.radians(60 * np.exp(-((hue - 275) / 25) ** 2)))
    both = -2 * np.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * around
    return np.sqrt(np.maximum(d_l ** 2 + d_c ** 2 + d_h ** 2 + both * d_c * d_h, 0))


# Some pairs of their table.
assert all(abs(ciede2000(a, b) - d) < 5e-5 for a, b, d in (
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, -0.001, 2.49), (50, 0.0009, -2.49), 4.8045),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644)))


def ends_of(inks):
    luma = inks @ XYZ[1]
    return inks[luma.argmin()], inks[luma.argmax()]


def errors(wanted, indices, measured):
    """adapted, absolute; wanted: the picture as the eye blurs it, in Lab"""
    inks = light(measured)
    black, white = ends_of(inks)
    seen = blurred(inks[indices])
    return (ciede2000(wanted, lab((seen - black) / (white - black))).mean(),
            ciede2000(wanted, lab(seen)).mean())


def toned(picture, measured):
    """With black and white of the panel, in linear light, as `halftone` does it."""
    black, white = ends_of(light(measured))
    mapped = black + (white - black) * light(picture)
    code = np.where(mapped <= 0.0031308, 12.92 * mapped,
                    1.055 * np.maximum(mapped, 0) ** (1 / 2.4) - 0.055)
    return np.round(255 * code).astype(np.uint8)


def by_pillow(picture, colors):
    palette = Image.new("P", (1, 1))
    palette.putpalette(colors.tobytes() + colors[:1].tobytes() * (256 - len(colors)))
    dots = np.asarray(Image.fromarray(picture).quantize(
        palette=palette, dither=Image.Dither.FLOYDSTEINBERG))
    return np.where(dots < len(colors), dots, 0)


def quality(library, pictures):
    seen = [lab(blurred(light(picture))) for picture in pictures]
    print("| palette | halftone | Pillow, toned | Pillow, measured | Pillow, nominal |\n"
          "|---|---:|---:|---:|---:|")
    for name in PALETTES:
        palette = library.palette(name)
        sent = library.colors(palette, "sent")
        measured = library.colors(palette, "measured")
        ways = (lambda p: library.halftone(palette, p),
                lambda p: by_pillow(toned(p, measured), measured),
                lambda p: by_pillow(p, measured),
                lambda p: by_pillow(p, sent))
        cells = []
        for way in ways:
            means = np.mean([errors(wanted, way(picture), measured)
                             for wanted, picture in zip(seen, pictures)], axis=0)
            cells.append("%.2f / %.2f" % tuple(means))
        print("| `%s` | %s |" % (name, " | ".join(cells)), flush=True)


def speed(library):
    """Mpx/s of one core, in its own time; the best of five."""
    x, y = np.meshgrid(np.arange(1600), np.arange(1200))
    noise = np.random.default_rng(1).integers(0, 16, (1200, 1600, 3))
    ramps = np.stack((x * 240 // 1600, y * 240 // 1200, (x + y) * 240 // 2800), 2) + noise
    flat = np.stack((x // 50 * 7, y // 30 * 5, x // 50 * 3), 2)
    gray = np.repeat(ramps[:, :, 2:], 3, 2)
    pages = {"photo": ramps.astype(np.uint8), "gray photo": gray.astype(np.uint8),
             "interface": flat.astype(np.uint8)}
    print("| palette | page | " + " | ".join(f"`{name}`" for name in ENGINES) + " |")
    print("|---|---|" + "---:|" * len(ENGINES))
    for name in "spectra6", "gray16":
        palette = library.palette(name)
        for kind, page in pages.items():
            cells = []
            for engine in map(library.engine, ENGINES):
                times = []
                for _ in range(5 if engine else 0):
                    start = time.thread_time()
                    library.halftone(palette, page, engine)
                    times.append(time.thread_time() - start)
                cells.append("%.0f" % (1.92 / min(times)) if times else "–")
            print(f"| `{name}` | {kind} | " + " | ".join(cells) + " |", flush=True)


def main():
    library = Library(sys.argv[1])
    pictures = []
    for path in sys.argv[2:]:
        image = Image.open(pathlib.Path(path)).convert("RGB")
        pictures.append(np.asarray(image.resize(SIZE, Image.Resampling.LANCZOS)).copy())
    if pictures:
        quality(library, pictures)
    speed(library)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page's simulated prints beside those of bench, its screen beside Ghostscript's, and
its nearest colors beside a plain loop."""

import base64
import json
import subprocess
import sys
import unittest

import numpy as np
from PIL import Image

from page_case import ROOT, PageCase, noise

sys.path[:0] = [str(ROOT / "bench/paper"), str(ROOT / "bench")]
import lasers  # noqa: E402
import prints  # noqa: E402


def dots_of(size, seed):
    """All tones, lines, solid areas and lone dots; 0 is black."""
    random = np.random.default_rng(seed)
    dots = (random.random((size, size)) > np.linspace(-0.1, 1.1, size)[None]).astype(np.uint8)
    dots[size // 4:size // 4 + 12, 10:size // 2] = 0
    dots[size // 2:size // 2 + 12, size // 2:-10] = 1
    dots[-30:, ::3] = 0
    return dots


class ModelsTest(PageCase):
    def module(self, name, body, **data):
        """The numbers that an expression makes with a module `m` and arrays `data`."""
        packed = {key: base64.b64encode(np.ascontiguousarray(array)).decode()
                  for key, array in data.items()}
        return np.array(json.loads(self.page.run(f"""(async () => {{
          const m = await import('./workers/{name}.js');
          const data = {{}};
          for (const [key, text] of Object.entries({json.dumps(packed)})) {{
            data[key] = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
          }}
          const made = (() => {{ {body} }})();
          return JSON.stringify([...made]);
        }})()""")))

    def laser(self, name, dots, dpi, parts, group):
        size = len(dots)
        made = self.module("laser", f"""
          const page = {{ dots: data.dots, width: {size}, height: {size}, dpi: {dpi},
            chance: (x, y) => data.chance[y * {size} + x] / 255 }};
          const whole = {{ x: 0, y: 0, width: {size}, height: {size} }};
          return m.laserLight(page, whole, m.LASERS.{name}, {parts}, {group}).data;
          """, dots=dots, chance=self.chance(dots.shape))
        side = size * parts // group
        return made.reshape(side, side)

    @staticmethod
    def chance(shape):
        return np.random.default_rng(5).integers(0, 256, shape, np.uint8)

    def bench_laser(self, name, dots, dpi):
        class Chances:  # instead of numpy's, which JavaScript does not have
            @staticmethod
            def random(shape, kind):
                return (ModelsTest.chance(shape) / 255).astype(kind)
        laser = next(each for each in lasers.LASERS if each.name == name)
        default = np.random.default_rng
        np.random.default_rng = lambda *seed: Chances() if seed == (7,) else default(*seed)
        try:
            return lasers.printed(dots, dpi, laser)
        finally:
            np.random.default_rng = default

    def test_lasers_print_as_those_of_bench(self):
        listed = {laser.name: laser for laser in lasers.LASERS}
        for name in ("office", "broad", "crisp", "worn"):
            numbers = json.loads(self.page.run(
                f"import('./workers/laser.js').then(m => JSON.stringify(m.LASERS.{name}))"))
            for key, value in numbers.items():
                self.assertEqual(value, getattr(listed[name], key), (name, key))
        for dpi, size in ((300, 80), (600, 120), (1200, 240)):
            for name in ("office", "broad", "crisp", "worn"):
                with self.subTest(dpi=dpi, laser=name):
                    dots = dots_of(size, dpi)
                    wanted = self.bench_laser(name, dots, dpi)
                    # Beside its page, bench scatters what is at the opposite edge.
                    inner = slice(30, -30)
                    fine = self.laser(name, dots, dpi, 2400 // dpi, 2)
                    off = np.abs(fine - wanted)[inner, inner]
                    self.assertLess(off.max(), 0.012)
                    self.assertLess(off.mean(), 0.002)
                    whole = self.laser(name, dots, dpi, 1200 // dpi, 2)
                    mean = lasers.coarser(wanted, 2)
                    inner = slice(15, -15)
                    off = (whole - mean)[inner, inner]
                    self.assertLess(abs(off.mean()), 0.015)
                    self.assertLess(np.sqrt((off ** 2).mean()), 0.05)

    def test_thermal_prints_are_those_of_bench(self):
        for dpi in (203, 300):
            dots = dots_of(60, dpi)
            wanted = prints.light(dots, ("thermal", dpi), 8)
            made = self.module("thermal", f"""
              const page = {{ dots: data.dots, width: 60, height: 60, dpi: {dpi} }};
              return m.thermalLight(page, {{ x: 0, y: 0, width: 60, height: 60 }},
                m.THERMAL[{dpi}], 8, 1).data;""", dots=dots)
            self.assertLess(np.abs(made.reshape(wanted.shape) - wanted).max(), 1e-4)

    def test_the_screen_is_ghostscripts(self):
        gray = noise(331, 96)[..., 0]
        gray[:, :128] = np.arange(128)
        gray[48:, :128] += 128
        for dpi in (203, 300, 600, 1200):
            with self.subTest(dpi):
                made = self.module("ghostscript_screen", f"""
                  const dots = new Uint8Array(data.gray.length);
                  for (let y = 0; y < 96; ++y) {{
                    m.screenRow(m.screenFor({dpi}), data.gray.subarray(331 * y, 331 * (y + 1)), y,
                      dots.subarray(331 * y, 331 * (y + 1)));
                  }}
                  return dots;""", gray=gray)
                self.assertTrue((made.reshape(gray.shape) == self.ghostscript(gray, dpi)).all())

    def ghostscript(self, gray, dpi):
        height, width = gray.shape
        page = self.files / "page.ps"
        page.write_text(
            f"%!\n<< /PageSize [{width * 72 / dpi} {height * 72 / dpi}] >> setpagedevice\n"
            f"/row {width} string def {width * 72 / dpi} {height * 72 / dpi} scale\n"
            f"{width} {height} 8 [{width} 0 0 -{height} 0 {height}]\n"
            "{ currentfile row readhexstring pop } image\n" + gray.tobytes().hex() +
            "\nshowpage\n")
        out = self.files / "page.pbm"
        subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pbmraw", f"-r{dpi}",
                        f"-sOutputFile={out}", page], check=True)
        return np.array(Image.open(out).convert("L")) // 255

    def test_nearest_colors_are_those_of_a_plain_loop(self):
        colors = [(31, 24, 41), (168, 180, 182), (180, 173, 0), (113, 24, 19)]
        rgb = noise(40, 30)
        for diffused in (False, True):
            made = self.module("nearest_colors", f"""
              const rows = new m.NearestColors({json.dumps(colors)}, 40, {json.dumps(diffused)});
              const all = new Uint8Array(1200);
              for (let y = 0; y < 30; ++y) {{
                rows.row(data.rgb.subarray(120 * y, 120 * (y + 1)),
                  all.subarray(40 * y, 40 * (y + 1)));
              }}
              return all;""", rgb=rgb).reshape(30, 40)
            self.assertGreater((made == self.plain_loop(rgb, colors, diffused)).mean(), 0.99)

    @staticmethod
    def plain_loop(rgb, colors, diffused):
        colors = np.array(colors, float)
        left = np.zeros((rgb.shape[0] + 1, rgb.shape[1] + 2, 3))
        indices = np.zeros(rgb.shape[:2], int)
        for y in range(rgb.shape[0]):
            for x in range(rgb.shape[1]):
                wanted = np.clip(rgb[y, x] + left[y, x + 1], 0, 255)
                index = int(((colors - wanted) ** 2).sum(1).argmin())
                indices[y, x] = index
                if diffused:
                    error = wanted - colors[index]
                    left[y, x + 2] += error * 7 / 16
                    for dx, share in ((0, 3), (1, 5), (2, 1)):
                        left[y + 1, x + dx] += error * share / 16
        return indices


if __name__ == "__main__":
    unittest.main(verbosity=2)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page in Chromium: its dots are those of `halftone convert`; files of all kinds;
cancellation; the keyboard; and nothing leaves the page."""

import json
import re
import subprocess
import unittest

import numpy as np
from PIL import Image, ImageCms

from page_case import PageCase, noise, pixels

DEVICES = {
    "laser-300": 40, "laser-600": 40, "laser-1200": 25, "label-203": 50, "label-300": 40,
    "bw": 0, "gray4": 0, "gray16": 0, "bwr": 0, "bwy": 0, "bwry": 0, "acep7": 0,
    "spectra6": 0,
}


class DotsTest(PageCase):
    def test_every_device_makes_the_bits_of_the_command(self):
        listed = self.page.run(
            "[...document.querySelectorAll('#device option')].map(each => each.value)")
        self.assertEqual(listed, list(DEVICES))
        for device, width in DEVICES.items():
            with self.subTest(device):
                self.choose(device=device, **({"width": width} if width else {"panel": 2}))
                dots = self.expect_native_dots()
                self.assertGreater(len(np.unique(dots)), 1)

    def test_every_type_makes_the_bits_of_the_command(self):
        self.choose(width=30)
        types = self.page.run(
            "[...document.querySelectorAll('#type option')].map(each => each.value)")
        self.assertIn("best", types)
        seen = set()
        for name in types[1:]:
            with self.subTest(name):
                self.choose(type=name)
                seen.add(self.expect_native_dots().tobytes())
        self.assertEqual(len(seen), len(types) - 1)

    def test_every_option_makes_the_bits_of_the_command(self):
        self.choose(width=30)
        before = self.expect_native_dots().tobytes()
        for changes in ({"brightness": 20}, {"contrast": -30}, {"tonerSave": 25},
                        {"textEdges": "crisp"}, {"toneAim": False},
                        {"printFeedback": False}, {"correction": False},
                        {"type": "clustered", "clusterSize": 7},
                        {"type": "screen", "screenLpi": 85, "screenShape": "line"}):
            with self.subTest(changes):
                self.choose(**changes)
                after = self.expect_native_dots().tobytes()
                self.assertNotEqual(before, after)
                before = after

    def test_the_page_and_the_command_read_the_same_pictures(self):
        exif = Image.Exif()
        exif[274] = 6  # turned
        odd = "it's a -\u00e4- picture"
        for name, array, words in (
                ("gray.png", noise(301, 200)[..., 0], {}),
                (f"{odd}.png", noise(300, 211), {}),
                ("-rgb.png", noise(64, 48), {}),
                ("turned.jpg", noise(320, 200), {"exif": exif, "quality": 80}),
                ("progressive.jpg", noise(321, 203), {"progressive": True}),
                ("gray.jpg", noise(320, 200)[..., 0], {"quality": 60})):
            with self.subTest(name):
                path = self.files / name
                Image.fromarray(array).save(path, **words)
                self.drop(path)
                self.wait_ready()
                self.choose(width=31.5)
                self.assertTrue(self.page.run("document.getElementById('save-page').hidden"))
                dots = self.expect_native_dots()
                self.assertEqual(dots.shape[1], round(31.5 / 25.4 * 600))

    def test_pictures_that_the_command_reads_otherwise_are_saved_as_a_page(self):
        xyz, srgb = (ImageCms.ImageCmsProfile(ImageCms.createProfile(name)).tobytes()
                     for name in ("XYZ", "sRGB"))
        transparent = np.dstack([noise(200, 150), np.full((150, 200), 128, np.uint8)])
        for name, image, words in (
                ("photo.webp", Image.fromarray(noise(200, 150)), {"lossless": True}),
                ("flat.gif", Image.fromarray(noise(200, 150)).quantize(16), {}),
                ("clear.png", Image.fromarray(transparent), {}),
                ("profile.png", Image.fromarray(noise(200, 150)), {"icc_profile": xyz}),
                ("profile.jpg", Image.fromarray(noise(200, 150)), {"icc_profile": srgb})):
            with self.subTest(name):
                image.save(self.files / name, **words)
                self.drop(self.files / name)
                self.wait_ready()
                self.choose(width=30)
                if not name.startswith("profile"):  # which may change nothing
                    self.assertFalse(
                        self.page.run("document.getElementById('save-page').hidden"))
                self.expect_native_dots()


class FilesTest(PageCase):
    def pdf(self, pages=2):
        marks = "".join(
            f"0.5 setgray {50 * n} 50 100 100 rectfill 0 setgray /Helvetica findfont 40 "
            f"scalefont setfont 60 300 moveto (Page {n}) show showpage\n"
            for n in range(1, pages + 1))
        (self.files / "page.ps").write_text(
            f"%!\n<< /PageSize [400 500] >> setpagedevice\n{marks}")
        path = self.files / "two pages.pdf"
        subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite",
                        f"-sOutputFile={path}", self.files / "page.ps"], check=True)
        return path

    def test_a_page_of_a_pdf_is_halftoned(self):
        self.assertFalse([url for url in self.page.requests if "pdfjs" in url])
        self.drop(self.pdf())
        self.wait_ready()
        self.assertIn("of 2", self.page.text("#pages-of"))
        first = self.expect_native_dots()
        self.assertEqual(first.shape, (round(100 / 25.4 * 600 * 500 / 400), 2362))
        black = (first == 0).mean()
        self.assertTrue(0.02 < black < 0.2, black)
        self.begin(pages=2)
        self.wait_ready()
        second = self.expect_native_dots()
        self.assertNotEqual(first.tobytes(), second.tobytes())

    def test_broken_files_give_one_clear_line(self):
        cases = {
            "broken.png": b"\x89PNG\r\n\x1a\n" + bytes(100),
            "text.jpg": b"This is not a picture.",
            "empty.png": b"",
            "broken.pdf": b"%PDF-1.7\n" + bytes(200),
        }
        for name, data in cases.items():
            with self.subTest(name):
                (self.files / name).write_bytes(data)
                self.drop(self.files / name)
                line = self.wait_failed()
                self.assertRegex(line, r"^[A-Z][^\n]+\.$")
                self.assertNotIn("Error", line)
        # The page goes on.
        self.page.run("document.getElementById('sample').click()")
        self.wait_ready()
        self.assertIn("sample.jpg", self.page.text("#file-name"))

    def test_a_chosen_and_a_pasted_file_are_opened(self):
        Image.fromarray(noise(120, 90)).save(self.files / "chosen.png")
        self.page.choose_file("#file", self.files / "chosen.png")
        self.page.wait("document.getElementById('file-name').textContent.includes('chosen')")
        self.wait_ready()
        self.page.run("""(async () => {
          const blob = await (await fetch('sample/sample.jpg')).blob();
          const clipboardData = new DataTransfer();
          clipboardData.items.add(new File([blob], 'image.jpg', {type: blob.type}));
          document.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
        })()""")
        self.page.wait("document.getElementById('file-name').textContent.includes('1440')")
        self.wait_ready()

    def test_a_picture_with_too_many_pixels_is_reduced_and_the_page_says_so(self):
        Image.new("L", (9000, 5000), 130).save(self.files / "large.png")
        self.drop(self.files / "large.png")
        self.wait_ready()
        self.assertRegex(self.page.text("#file-note"), "45 megapixels.* pixels of it")
        self.choose(device="laser-1200", width=300)
        self.assertRegex(self.page.text("#status"), r"only \d+ mm wide")
        width, height = map(int, re.findall(r"(\d+) × (\d+) dots",
                                            self.page.text("#status"))[0])
        self.assertLessEqual(width * height, 24_100_000)
        self.expect_native_dots()


class BehaviorTest(PageCase):
    def test_nothing_is_requested_from_elsewhere(self):
        """Neither by the page nor by its workers."""
        self.choose(device="spectra6")
        self.saved("#save-dots")
        # Only workers load it.
        self.assertIn(f"{self.url}halftoned/halftoned.wasm", self.page.requests)
        away = [url for url in self.page.requests
                if not url.startswith((self.url, f"blob:{self.url}"))]
        self.assertEqual(away, [])
        policy = self.page.run(
            "document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe-inline", policy)
        self.assertNotIn("'unsafe-eval'", policy)
        refused = self.page.run(
            "fetch('http://example.invalid/').then(() => 'sent', error => 'refused')")
        self.assertEqual(refused, "refused")
        self.page.problems.clear()  # which are of that request

    def test_a_new_choice_cancels_old_work(self):
        self.begin(type="best", width=300)
        self.page.wait("Number(document.getElementById('progress').value) > 0.05")
        self.assertEqual(self.page.run("document.documentElement.dataset.state"), "working")
        self.begin(type="bi-level", width=20)
        self.wait_ready()
        self.assertRegex(self.page.text("#status"), "^472 × 354 dots")
        self.expect_native_dots()

    def test_the_keyboard_reaches_and_moves_everything(self):
        wanted = {"file", "sample", "device", "width", "type", "summary", "mode",
                  "zoom-out", "zoom-fit", "zoom-actual", "zoom-in", "surface", "divider",
                  "left", "right", "magnification", "copy", "save-dots", "save-sample"}
        focused = []
        for _ in range(40):
            self.page.key("Tab")
            focused.append(self.page.run(
                "(at => at.id || at.name || at.className || at.localName)"
                "(document.activeElement)"))
        self.assertEqual(wanted - set(focused), set())
        places = [focused.index(each) for each in
                  ("file", "device", "type", "zoom-in", "surface", "copy")]
        self.assertEqual(places, sorted(places))

        self.page.run("document.querySelector('.divider').focus()")
        before = int(self.page.run("document.activeElement.ariaValueNow"))
        self.page.key("ArrowRight")
        self.assertEqual(int(self.page.run("document.activeElement.ariaValueNow")), before + 2)
        self.page.run("document.querySelector('.surface').focus()")
        frame = "document.querySelector('.frame').style.transform"
        before = self.page.run(frame)
        self.page.key("ArrowLeft")
        self.assertNotEqual(before, self.page.run(frame))
        before = self.page.text("#scale")
        self.page.key("+")
        self.assertNotEqual(before, self.page.text("#scale"))
        self.page.key("0")
        self.assertEqual(before, self.page.text("#scale"))

    def test_the_magnifier_shows_the_dots(self):
        """Pixel by pixel, at the place of the lens."""
        self.page.run("document.querySelector('[name=mode][value=dots]').click()")
        self.page.run("document.querySelector('.surface').focus()")
        for key in ("ArrowLeft", "ArrowDown", "ArrowDown"):
            self.page.key(key)
        for zoom in (4, 9):
            self.choose_zoom(zoom)
            dots = pixels(self.saved("#save-dots"))
            shown, x, y = self.tile("halftoned")
            size = shown.shape[0]
            # The middles of dots around the lens.
            for row in range(int(y) - 8, int(y) + 8):
                for column in range(int(x) - 8, int(x) + 8):
                    at = (int((row + 0.5 - y) * zoom + size / 2),
                          int((column + 0.5 - x) * zoom + size / 2))
                    self.assertEqual(shown[at] > 127, dots[row, column] > 127, (row, column))

    def choose_zoom(self, zoom):
        self.page.run(f"""{{ const input = document.getElementById('magnification');
          input.value = {zoom};
          input.dispatchEvent(new Event('input', {{bubbles: true}})); }}""")
        self.page.wait("window.halftonedPage.isSettled")

    def tile(self, method):
        """A tile's pixels, and the place of the lens."""
        found = json.loads(self.page.run(f"""(() => {{
          const canvas = document.querySelector('.tiles [data-method={method}] canvas');
          const data = canvas.getContext('2d').getImageData(
            0, 0, canvas.width, canvas.height).data;
          const {{ x, y }} = window.halftonedPage.lens;
          return JSON.stringify({{ width: canvas.width, x, y,
            gray: [...data].filter((_, i) => i % 4 === 0) }});
        }})()"""))
        gray = np.array(found["gray"]).reshape(-1, found["width"])
        return gray, found["x"], found["y"]

    def test_no_width_scrolls_sideways_and_nothing_moves_while_loading(self):
        for width in (390, 900, 1440):
            with self.subTest(width):
                self.page.open(self.url, width=width, height=900)
                self.wait_ready()
                self.assertEqual(
                    self.page.run("document.documentElement.scrollWidth"), width)
                moved = self.page.run("""new Promise(done => {
                  let sum = 0;
                  new PerformanceObserver(list => {
                    for (const each of list.getEntries()) sum += each.value;
                    done(sum);
                  }).observe({ type: 'layout-shift', buffered: true });
                  setTimeout(() => done(sum), 300);
                })""")
                self.assertLess(moved, 0.02)


if __name__ == "__main__":
    unittest.main(verbosity=2)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the page share. HALFTONE is the native program; HALFTONED_PAGE the
built page."""

import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

import numpy as np
from PIL import Image

import browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = pathlib.Path(os.environ["HALFTONED_PAGE"])
HALFTONE = pathlib.Path(os.environ["HALFTONE"])


class PageCase(unittest.TestCase):
    """A browser with the page open, and a directory for files."""

    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.files = pathlib.Path(cls.room.name)
        cls.url = cls.enterClassContext(browser.served(SITE))
        cls.page = cls.enterClassContext(browser.opened(cls.files))
        cls.addClassCleanup(cls.room.cleanup)

    def setUp(self):
        for path in self.files.iterdir():
            path.unlink()
        self.page.problems.clear()
        self.page.requests.clear()
        self.page.open(self.url)
        self.wait_ready()
        self.addCleanup(self.expect_no_problems)

    def expect_no_problems(self):
        self.assertEqual(self.page.problems, [])

    def wait_ready(self):
        self.page.wait("['ready', 'failed'].includes(document.documentElement.dataset.state)")
        self.assertEqual(self.page.text("#error"), "")
        self.page.wait("window.halftonedPage.isSettled")

    def wait_failed(self):
        self.page.wait("document.documentElement.dataset.state === 'failed'")
        self.page.problems.clear()
        return self.page.text("#error")

    def choose(self, **values):
        """Sets fields by their ids, as a user does, and waits for the result."""
        self.begin(**values)
        self.wait_ready()

    def begin(self, **values):
        changes = "".join(
            f"""{{ const input = document.getElementById({json.dumps(name)});
            if (input.type === 'checkbox') input.checked = {json.dumps(value)};
            else input.value = {json.dumps(str(value))};
            input.dispatchEvent(new Event('input', {{bubbles: true}}));
            input.dispatchEvent(new Event('change', {{bubbles: true}})); }}"""
            for name, value in values.items())
        # Numbers count after a pause.
        self.page.run(f"""(async () => {{
          const state = document.documentElement.dataset;
          state.state = 'changed';
          {changes}
          while (state.state === 'changed') await new Promise(done => setTimeout(done, 10));
        }})()""")

    def drop(self, path):
        self.page.run("document.documentElement.dataset.state = 'changed'")
        self.page.drag_file(path, 700, 500)
        self.page.wait("document.documentElement.dataset.state !== 'changed'")

    def saved(self, selector):
        return self.files / self.page.saved(selector)

    def native(self):
        """The dots that the shown command makes."""
        command = self.page.text("#command")
        out = self.files / shlex.split(command.splitlines()[-1])[-1]
        out.unlink(missing_ok=True)
        subprocess.run(["sh", "-euc", command], cwd=self.files, check=True,
                       env={**os.environ, "PATH": f"{HALFTONE.parent}:{os.environ['PATH']}"})
        return pixels(out)

    def expect_native_dots(self):
        """Saves the dots, and what the command reads; then compares its dots."""
        name = self.saved("#save-dots")
        dots = pixels(name)
        name.unlink()
        if not self.page.run("document.getElementById('save-page').hidden"):
            self.saved("#save-page")
        elif not self.page.run("document.getElementById('save-sample').hidden"):
            self.saved("#save-sample")
        native = self.native()
        self.assertEqual(dots.shape, native.shape)
        self.assertEqual(int((dots != native).sum()), 0)
        return dots


def pixels(path):
    """Numbers of levels, or indices of a palette's colors."""
    with Image.open(path) as image:
        if image.mode == "P":
            return np.array(image)
        return np.array(image.convert("L"))


def noise(width, height, channels=3, seed=1):
    """A picture with smooth and rough parts."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    ramp = np.stack([x * 255 / width, y * 255 / height, (x + y) % 256], -1)[..., :channels]
    rough = random.normal(0, 25, ramp.shape) * (x > width / 2)[..., None]
    return np.clip(ramp + rough, 0, 255).astype(np.uint8)

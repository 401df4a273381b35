# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python code in documents runs, and the example."""

import io
import re
import subprocess
import sys

import numpy
import pytest
from PIL import Image

import halftoned
from pages import TESTS, ramps

ROOT = TESTS.parent
PHOTO = Image.merge("RGB", [Image.fromarray(ramps(90, 160, seed=c)) for c in range(3)])


@pytest.fixture
def photos(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in "photo.jpg", "photo.png":
        PHOTO.save(name)


def run(document):
    """The blocks of a document, one after another; returns their names."""
    text = (ROOT / document).read_text()
    names = {"halftoned": halftoned, "numpy": numpy, "Image": Image,
             "gray": numpy.asarray(PHOTO.convert("L")), "rgb": numpy.asarray(PHOTO),
             "source": io.BytesIO(bytes(300 * 4960)), "printer": io.BytesIO()}
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        exec(compile(block, document, "exec"), names)
    return names


def test_how_to(photos):
    names = run("docs/how-to/python.md")
    assert Image.open("dots.png").mode == "1" and Image.open("panel.png").mode == "P"
    assert names["bits"].shape[1] == 620
    assert names["printer"].getvalue() == b"\xff" * (300 * 620)  # ink
    assert names["on_the_panel"].shape == (90, 160, 3)


def test_e_paper(photos):
    names = run("docs/tutorials/e-paper.md")
    frame = names["frame"]
    assert open("frame.raw", "rb").read() == frame.tobytes() and frame.shape == (480, 200)
    high, low = (numpy.unpackbits(names[plane], axis=1) for plane in ("high", "low"))
    assert [*(2 * high + low)[0, :4]] == [frame[0, 0] >> n & 3 for n in (6, 4, 2, 0)]


def test_colors_on_e_paper(photos):
    run("docs/how-to/e-paper-colors.md")
    assert Image.open("panel.png").getcolors()


def test_example(photos):
    made = subprocess.run([sys.executable, ROOT / "examples/epaper.py", "photo.png"],
                          stdout=subprocess.PIPE, check=True).stdout
    assert made == halftoned.Recipe(levels=4).halftone(PHOTO.convert("L")).tobytes()

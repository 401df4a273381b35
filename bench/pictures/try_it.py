#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of the page in docs/how-to/try-it.md.

    bench/pictures/try_it.py PAGE OUTPUT.jpg

PAGE is what web/page/build made. Needs the packages that cmake/install-packages full
installs.
"""

import io
import pathlib
import sys
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/web_page"))
import browser  # noqa: E402

SIZE = 1280, 1370


def main():
    site, output = sys.argv[1:]
    with tempfile.TemporaryDirectory() as room, browser.served(site) as url, \
            browser.opened(room) as page:
        page.open(url, *SIZE)
        page.wait("document.documentElement.dataset.state === 'ready'")
        page.wait("window.halftonedPage.isSettled")
        # It has the time that this machine took.
        page.run("document.getElementById('status').style.visibility = 'hidden'")
        shot = pathlib.Path(room, "shot.png")
        page.screenshot(shot)
        image = Image.open(io.BytesIO(shot.read_bytes())).convert("RGB")
        image.save(output, quality=82, optimize=True)


if __name__ == "__main__":
    main()

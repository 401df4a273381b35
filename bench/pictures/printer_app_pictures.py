#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of halftone-printer-app's web pages, as Chromium shows them (Debian:
chromium): adding a printer, and its options. Forms are filled in before they are
shown.

printer_app_pictures.py BUILD_FOLDER  # writes bench/results/pictures
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/system/printer_app"))
from kit.web import WebApplication  # noqa: E402

PICTURES = ROOT / "bench/results/pictures"
WIDTH = 900


def choose(page, field, value):
    """The page with this choice of a select field."""
    before, select, rest = re.split(rf'(<select name="{field}"[^>]*>)', page)
    choices, after = rest.split("</select>", 1)
    choices = choices.replace(" selected", "").replace(
        f'value="{value}"', f'value="{value}" selected', 1)
    return f"{before}{select}{choices}</select>{after}"


def type_in(page, field, text):
    return re.sub(rf'(<input [^>]*name="{field}"[^>]*?) value="[^"]*"([^>]*)>',
                  rf'\1 value="{text}"\2>',
                  page).replace(' disabled="disabled"', "")


def take(app, page, name, height):
    with tempfile.TemporaryDirectory() as folder:
        file, shot = pathlib.Path(folder, "page.html"), f"{folder}/page.png"
        base = f'<head><base href="http://{app.listen}:{app.port}/">'
        file.write_text(page.replace("<head>", base, 1))
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", f"--user-data-dir={folder}/chromium",
             f"--window-size={WIDTH},{height}", f"--screenshot={shot}",
             file.as_uri()], check=True, capture_output=True, timeout=120)
        # A palette makes a quarter of the bytes.
        Image.open(shot).convert("RGB").quantize(32).save(
            PICTURES / name, optimize=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    app = WebApplication(build / "printer_app/halftone-printer-app")
    app.start()
    try:
        page = app.page("/addprinter")
        page = type_in(type_in(page, "printer_name", "Laser"), "hostname",
                       "192.0.2.7")
        page = choose(choose(page, "device_uri", "socket"), "driver_name",
                      "pcl5e")
        take(app, page, "printer-app-add.png", 520)
        app.run("add", "-d", "Laser", "-m", "pcl5e", "-v",
                "socket://192.0.2.7")
        page = app.page("/Laser/printing")
        page = choose(page, "halftone-type", "clustered")
        page = choose(page, "halftone-toner-save", "25")
        take(app, page, "printer-app-options.png", 1060)
    finally:
        app.close()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""axe-core finds nothing to complain about, in light and dark, at the widths of phones
and desktops, for every kind of device. HALFTONED_AXE is its file axe.min.js, from npm."""

import json
import os
import pathlib
import unittest

from page_case import PageCase

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@unittest.skipUnless("HALFTONED_AXE" in os.environ, "axe-core is missing")
class AccessibilityTest(PageCase):
    def test_axe_finds_nothing(self):
        axe = pathlib.Path(os.environ["HALFTONED_AXE"]).read_text()
        for width, dark in ((1440, False), (1440, True), (390, False), (390, True)):
            self.page.open(self.url, width=width, height=900, dark=dark)
            self.wait_ready()
            self.page.run("document.querySelector('details').open = true")
            self.page.run(axe + "; undefined")
            for device in ("laser-600", "spectra6"):
                with self.subTest(width=width, dark=dark, device=device):
                    self.choose(device=device)
                    found = json.loads(self.page.run(
                        f"axe.run(document, {{runOnly: {json.dumps(RULES)}}}).then(found => "
                        "JSON.stringify(found.violations.map(each => "
                        "[each.id, each.nodes.map(node => node.html)])))"))
                    self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)

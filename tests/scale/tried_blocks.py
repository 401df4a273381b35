# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The blocks of a document that a test uses as they stand: each follows a comment
`<!-- tried: NAME -->`."""

import re

BLOCK = re.compile(r"<!-- tried: (\S+) -->\n+```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks_of(path):
    """Their texts, by name."""
    text = path.read_text(encoding="utf-8")
    found = BLOCK.findall(text)
    names = [name for name, _ in found]
    assert len(set(names)) == len(names), f"{path} names a block twice"
    assert len(found) == text.count("<!-- tried:"), \
        f"{path} names something that is no block"
    return dict(found)

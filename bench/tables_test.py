#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables in the documents are those that bench/tables.py makes."""

import unittest

import tables


class Tables(unittest.TestCase):
    def test_documents_say_what_was_measured(self):
        for document, table in tables.all_tables():
            with self.subTest(document=document, head=table.split("\n")[0]):
                self.assertTrue(table in document.read_text(encoding="utf-8"), table)


if __name__ == "__main__":
    unittest.main()

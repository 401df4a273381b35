#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decoders of the tests notice what is cut off, and what is not their
language; what is printed of the rest is what was there before."""

import unittest

import decoders

ZPL = (b"~SD15\n~DGR:A.GRF,4,2,\nFF0F:\n^XA\n^PW16\n^PQ3,0,0,N\n"
       b"^FO0,0^XGR:A.GRF,1,1^FS\n^XZ\n^XA^IDR:A.GRF^FS^XZ\n")
EPL = b"\nN\nD7\nq24\nGW8,1,1,2,\x0f\xf0\nP2\n"
TSPL = (b"\r\nSIZE 3.1 mm,0.5 mm\r\nGAP 0 mm,0 mm\r\nDENSITY 7\r\nCLS\r\n"
        b"BITMAP 8,1,1,2,0,\x0f\xf0\r\nPRINT 1,2\r\n")
ESCPOS = b"\x1b@\x1dv0\0\x02\0\x02\0\x01\x02\x03\x04\x1dVB\0"


def cuts(decode, data):
    """How many places there are to cut `data` at, and at how many that shows."""
    noticed = 0
    for end in range(1, len(data)):
        try:
            if decode(data[:end]) != decode(data):
                noticed += 1
        except (decoders.Broken, KeyError, TypeError):
            noticed += 1
    return len(data) - 1, noticed


class DecodersTest(unittest.TestCase):
    def test_labels_and_receipts_are_decoded(self):
        (label,) = decoders.zpl(ZPL)
        self.assertEqual((label.rows, label.copies), ([b"\xff\x0f"] * 2, 3))
        (label,) = decoders.epl(EPL)
        self.assertEqual((label.rows, label.copies),
                         ([bytes(3), b"\0\xf0\0", b"\0\x0f\0"], 2))
        (label,) = decoders.tspl(TSPL, 203)
        self.assertEqual((label.rows, label.copies),
                         ([bytes(3), b"\0\xf0\0", b"\0\x0f\0"], 2))
        ((rows, is_cut),) = decoders.escpos(ESCPOS, 3)
        self.assertEqual((rows, is_cut), ([b"\1\2\0", b"\3\4\0"], True))

    def test_cut_streams_are_noticed(self):
        for decode, data, spared in (
                (decoders.zpl, ZPL, 1), (decoders.epl, EPL, 0),
                (lambda data: decoders.tspl(data, 203), TSPL, 0),
                (lambda data: decoders.escpos(data, 2), ESCPOS, 0)):
            places, noticed = cuts(decode, data)
            self.assertEqual(noticed, places - spared, data)

    def test_other_languages_are_refused(self):
        for decode, data in ((decoders.zpl, EPL), (decoders.epl, ZPL),
                             (lambda data: decoders.tspl(data, 203), EPL),
                             (lambda data: decoders.escpos(data, 9), ZPL)):
            with self.assertRaises(decoders.Broken):
                decode(data)


if __name__ == "__main__":
    unittest.main()

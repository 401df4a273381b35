# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PDF files from their objects."""


def pdf_file(objects, remarks=b"", trailer=b""):
    """Numbers the objects from 1, which is the catalog. `remarks`: lines behind the
    first; `trailer`: more entries of the trailer."""
    data, places = b"%PDF-1.4\n" + remarks, []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (b"xref\n0 %d\n0000000000 65535 f \n%s"
                   b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n"
                   % (len(places) + 1, table, len(places) + 1, trailer, len(data)))

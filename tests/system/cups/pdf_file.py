# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PDF files from their objects."""

A4 = "595.276 841.89"


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


def document(pages, size=A4, encrypted=False, drawn=None, content="0.5 g",
             filters=""):
    """Pages with `content`, which has gray, or is packed by `filters`; drawn: the
    dictionary and length of what each may draw, and the dictionaries of what
    follows it."""
    kids = " ".join(f"{3 + i} 0 R" for i in range(pages))
    resources = f"/XObject<</X {3 + pages} 0 R>>" if drawn else ""
    last = 3 + pages + (len(drawn) - 1 if drawn else 0)
    page = (f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size}]"
            f"/Resources<<{resources}>>/Contents {last} 0 R>>")
    objects = ["<</Type/Catalog/Pages 2 0 R>>",
               f"<</Type/Pages/Kids[{kids}]/Count {pages}>>",
               *[page] * pages]
    if drawn:
        objects.append(f"<<{drawn[0]}/Length {drawn[1]}>>stream\n"
                       f"{' ' * drawn[1]}\nendstream")
        objects += [f"<<{other}/Length 0>>stream\n\nendstream"
                    for other in drawn[2:]]
    objects.append(f"<</Length {len(content)}{filters}>>stream\n{content}\nendstream")
    return pdf_file([body.encode("latin-1") for body in objects],
                    trailer=b"/Encrypt<</Filter/Unknown>>" if encrypted else b"")

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a page of a PDF document is drawn in black and white alone, as most
// pages of text are. Drawn by Ghostscript in one bit, such a page has the same
// dots as in gray, and takes a third of the time.

#pragma once

#include <cstddef>
#include <qpdf/QPDFPageObjectHelper.hh>

namespace halftoned {

// True only if everything on the page is known to be black or white.
// `most_bytes`: how many bytes of the document's drawing may still be examined;
// the page's bytes are subtracted.
bool IsBlack(QPDFPageObjectHelper page, size_t& most_bytes);

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a page of a PDF document draws in nothing but black and white, as
// most pages of text do. Ghostscript makes the same dots of such a page in one
// bit as in gray, in a third of the time.

#pragma once

#include <cstddef>
#include <qpdf/QPDFPageObjectHelper.hh>

namespace halftoned {

// Only if everything that the page draws is known to be black or white.
// `most_bytes`: how much of a document's drawing may still be looked into; what
// the page has is taken off.
bool IsBlack(QPDFPageObjectHelper page, size_t& most_bytes);

}  // namespace halftoned

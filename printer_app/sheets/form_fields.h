// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

class QPDF;

namespace halftoned {

// Some programs fill the fields of a form, and leave it to viewers to draw the
// values (/NeedAppearances). Lets Ghostscript draw texts and choices that the
// fields do not show, and draws the marks of boxes and buttons that are on.
void ShowFieldValues(QPDF& document);

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

class QPDF;

namespace halftoned {

// Some programs fill in the fields of a form, and leave it to viewers to draw
// the values (/NeedAppearances). Draws texts and choices that the fields do not
// show, and the marks of boxes and buttons that are on.
void ShowFieldValues(QPDF& document);

}  // namespace halftoned

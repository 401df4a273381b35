// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ghostscript 10.00 misreads parts of PDF that other readers draw, such as
// those that Chromium writes for CSS gradients, or gradients whose functions
// have a smaller domain. They are replaced with parts that mean the same.

#pragma once

#include <qpdf/QPDFObjectHandle.hh>
#include <vector>

namespace halftoned {

// In all that the pages refer to.
void AvoidRendererBugs(std::vector<QPDFObjectHandle> pages);

}  // namespace halftoned

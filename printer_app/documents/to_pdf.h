// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts PostScript and text to PDF documents, with Ghostscript, and with the
// filter texttopdf of cups-filters. Both run under the same limits
// (GuardedChild). `folder` is the job's own.

#pragma once

#include <string>

#include "base/result.h"
#include "printer_app/documents/job_renderers.h"
#include "printer_app/documents/sheet_place.h"

namespace halftoned {

// `paper`: for pages that do not state their size.
Result<void> PostScriptToPdf(const std::string& from, const std::string& to,
                             const SheetPaper& paper, const std::string& folder,
                             Renderers& renderers);

// The path of texttopdf; empty if it is not installed.
std::string FindTextToPdf();

// Puts UTF-8 text on paper of that size.
Result<void> TextToPdf(const std::string& from, const std::string& to,
                       const SheetPaper& paper, const std::string& folder,
                       Renderers& renderers);

}  // namespace halftoned

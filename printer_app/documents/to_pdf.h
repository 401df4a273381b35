// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts PostScript and text to PDF documents, with Ghostscript, and with the
// filter texttopdf of cups-filters. Both run under the same limits
// (GuardedChild). A conversion that keeps other jobs waiting for long is an
// error. `folder` is the job's own.

#pragma once

#include <string>

#include "base/result.h"
#include "printer_app/documents/job_renderers.h"
#include "printer_app/documents/job_room.h"
#include "printer_app/documents/sheet_place.h"

namespace halftoned {

struct Conversion {
  std::string from, to;
  SheetPaper paper;  // for pages that do not state their size
  std::string folder;
  Renderers& renderers;
  RoomPatience& patience;  // no page is printed meanwhile
};

Result<void> PostScriptToPdf(const Conversion& job);

// The path of texttopdf; empty if it is not installed.
std::string FindTextToPdf();

// Puts UTF-8 text on the paper.
Result<void> TextToPdf(const Conversion& job);

}  // namespace halftoned

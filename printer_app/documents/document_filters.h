// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The document formats that printers accept.

#pragma once

#include <pappl/pappl.h>

#include "printer_app/application.h"

namespace halftoned {

// Before the system runs; `application` outlives it. PDF and PostScript are
// taken where Ghostscript is installed, text where texttopdf is too.
void AddDocumentFilters(pappl_system_t* system, Application& application);

// The format that PAPPL is told for files of a printer without a language of
// its own, so that our filters, not PAPPL's, make its pictures.
inline constexpr char kNoFormat[] = "application/octet-stream";

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The document formats that printers accept.

#pragma once

#include <pappl/pappl.h>

#include "printer_app/application.h"

namespace halftoned {

// Call it before the system runs; `application` outlives it. PDF and PostScript
// are accepted if Ghostscript is installed, and text if texttopdf is installed
// too.
void AddDocumentFilters(pappl_system_t* system, Application& application);

// The format that we tell PAPPL for files of a printer that has no language, so
// that our filters, and not PAPPL's, print pictures on it.
inline constexpr char kNoFormat[] = "application/octet-stream";

}  // namespace halftoned

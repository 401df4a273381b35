// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The document formats that printers accept.

#pragma once

#include <pappl/pappl.h>

#include "printer_app/application.h"

namespace halftoned {

// Call it before the system runs. `application` outlives the system. PDF and
// PostScript are accepted if Ghostscript is installed, and text if texttopdf is
// installed too.
void AddDocumentFilters(pappl_system_t* system, Application& application);

// The file format that we report to PAPPL for a printer that has no language.
// It makes PAPPL print pictures with our filters instead of its own.
inline constexpr char kNoFormat[] = "application/octet-stream";

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks a document of the spool as whole before its client is answered. This
// function stands before PAPPL's own, in its own calls too. What it misses,
// JobKeeper marks a moment later.

#include <pappl/pappl.h>

#include <cstring>
#include <string>

#include "printer_app/interposed/of_library.h"
#include "printer_app/jobs/spool.h"

extern "C" void _papplJobSubmitFile(pappl_job_t* job, const char* path) {
  const char* slash = std::strrchr(path, '/');
  const std::string name = halftoned::SpoolName(
      papplPrinterGetID(papplJobGetPrinter(job)), papplJobGetID(job));
  if (slash && !std::strncmp(slash + 1, name.c_str(), name.size())) {
    halftoned::MarkWhole(path);
  }
  auto* submit =
      halftoned::OfLibrary(_papplJobSubmitFile, "_papplJobSubmitFile");
  if (submit) submit(job, path);
}

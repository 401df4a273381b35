// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks a document of the spool as whole before its client is answered. This
// function stands before PAPPL's own, in its own calls too; where PAPPL no
// longer calls one of its name, JobKeeper marks documents a moment later.

#include <dlfcn.h>
#include <pappl/pappl.h>

#include <cstring>
#include <string>

#include "printer_app/spool.h"

extern "C" void _papplJobSubmitFile(pappl_job_t* job, const char* path) {
  const char* slash = std::strrchr(path, '/');
  const std::string name = halftoned::SpoolName(
      papplPrinterGetID(papplJobGetPrinter(job)), papplJobGetID(job));
  if (slash && !std::strncmp(slash + 1, name.c_str(), name.size())) {
    halftoned::MarkWhole(path);
  }
  const auto submit = reinterpret_cast<decltype(&_papplJobSubmitFile)>(
      dlsym(RTLD_NEXT, "_papplJobSubmitFile"));
  if (submit) submit(job, path);
}

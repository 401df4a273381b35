// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/interposed/library_check.h"

#include <dlfcn.h>

#include <string>

namespace halftoned {
namespace {

// All that this folder stands before.
constexpr const char* kNeeded[] = {"_papplClientCreate",
                                   "_papplClientFlushDocumentData",
                                   "_papplClientProcessHTTP",
                                   "_papplClientProcessIPP",
                                   "_papplJobCopyAttributesNoLock",
                                   "_papplJobCopyDocumentData",
                                   "_papplJobProcess",
                                   "_papplJobProcessRaster",
                                   "_papplJobSubmitFile",
                                   "_papplPrinterIsAuthorized",
                                   "_papplPrinterProcessIPP",
                                   "_papplPrinterWebHome",
                                   "_papplSystemFindResourceForPath",
                                   "papplClientGetForm",
                                   "papplClientHTMLAuthorize",
                                   "papplClientIsAuthorized",
                                   "papplClientRespondIPP",
                                   "papplJobGetName",
                                   "papplJobGetUsername",
                                   "papplPrinterCreate",
                                   "papplPrinterDelete",
                                   "papplPrinterFindJob",
                                   "papplSystemFindPrinter"};

// Which 1.4 has added.
constexpr const char* kOfLater = "papplSystemCreatePrinters";

bool Has(const char* name) { return dlsym(RTLD_NEXT, name) != nullptr; }

}  // namespace

Result<void> CheckLibrary() {
  if (Has(kOfLater)) {
    return Unavailable(
        "libpappl is of version 1.4 or later; this program serves with 1.3 "
        "alone");
  }
  for (const char* name : kNeeded) {
    if (Has(name)) continue;
    return Unavailable("libpappl has no " + std::string(name) +
                       ", which the server's protection needs");
  }
  return {};
}

}  // namespace halftoned

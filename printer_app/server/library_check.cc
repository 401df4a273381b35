// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/library_check.h"

#include <dlfcn.h>

namespace halftoned {
namespace {

// Added in 1.4.
constexpr const char* kOfLater = "papplSystemCreatePrinters";

}  // namespace

Result<void> CheckLibrary() {
  if (dlsym(RTLD_DEFAULT, kOfLater)) {
    return Unavailable(
        "libpappl is version 1.4 or later; this program works only with 1.3");
  }
  return {};
}

}  // namespace halftoned

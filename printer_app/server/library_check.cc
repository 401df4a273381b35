// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/library_check.h"

#include <dlfcn.h>

namespace halftoned {
namespace {

// Which 1.4 has added.
constexpr const char* kOfLater = "papplSystemCreatePrinters";

}  // namespace

Result<void> CheckLibrary() {
  if (dlsym(RTLD_DEFAULT, kOfLater)) {
    return Unavailable(
        "libpappl is of version 1.4 or later; this program serves with 1.3 "
        "alone");
  }
  return {};
}

}  // namespace halftoned

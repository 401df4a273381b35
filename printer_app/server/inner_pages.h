// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages below /halftone-inner, by which the front end asks PAPPL's side for
// things that IPP does not have. No client reaches them.

#pragma once

#include <pappl/pappl.h>

#include <string>

#include "printer_app/application.h"

namespace halftoned {

// Call it before the system runs. `application` has a keeper and a spool, and
// exists until the process ends.
void AddInnerPages(pappl_system_t* system, Application& application);

// Notes why a printer gets no driver, for the client that asked for one. PAPPL
// tells the client only that the driver "cannot be used with this printer".
void RefuseDriver(std::string why);

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of a job that PAPPL does not know: those of its driver.

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_OPTIONS_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_OPTIONS_H_

#include <pappl/pappl.h>

namespace halftoned {

// Values that the printer does not have are taken out of a request for a job,
// and the answer says so. False if the client wants them or nothing, or if they
// are to become the printer's defaults; it has its answer.
bool CheckOptions(pappl_client_t* client);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_OPTIONS_H_

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a printer gets no driver, for the client that asked for one. PAPPL 1.3
// tells it nothing but that the driver "cannot be used with this printer".

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_REFUSAL_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_REFUSAL_H_

#include <string>

namespace halftoned {

// PAPPL's next answer of this thread that refuses a driver says `why`.
void RefuseDriver(std::string why);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_REFUSAL_H_

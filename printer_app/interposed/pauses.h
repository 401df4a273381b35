// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which printers somebody has paused. Of PAPPL 1.3 one that cannot be reached
// is stopped, too, and it does not tell the one from the other.

#ifndef HALFTONED_PRINTER_APP_INTERPOSED_PAUSES_H_
#define HALFTONED_PRINTER_APP_INTERPOSED_PAUSES_H_

#include <set>

namespace halftoned {

// Their numbers.
std::set<int> PausedPrinters();

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_INTERPOSED_PAUSES_H_

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIGTERM and SIGINT as a number in an eventfd.

#ifndef HALFTONED_PRINTER_APP_STOP_SIGNAL_H_
#define HALFTONED_PRINTER_APP_STOP_SIGNAL_H_

#include <cstdint>

namespace halftoned {

// From now on each of these signals adds `number` to `eventfd`, which stays
// open. Once per process.
void AddOnStopSignals(int eventfd, uint64_t number);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_STOP_SIGNAL_H_

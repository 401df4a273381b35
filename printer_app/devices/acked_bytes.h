// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_PRINTER_APP_DEVICES_ACKED_BYTES_H_
#define HALFTONED_PRINTER_APP_DEVICES_ACKED_BYTES_H_

#include <cstdint>

namespace halftoned {

// How many bytes the other end of a TCP connection of ours has acknowledged,
// also of one that is reset. 0 if it is no such connection.
uint64_t AckedBytes(int connection);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_DEVICES_ACKED_BYTES_H_

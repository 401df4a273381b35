// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own: <linux/tcp.h> has the field and cannot be included beside
// the C library's <netinet/tcp.h>, which lacks it.

#include "printer_app/devices/acked_bytes.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace halftoned {

uint64_t AckedBytes(int connection) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  if (getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return 0;
  }
  // The kernel counts the beginning of the connection, too.
  return info.tcpi_bytes_acked - (info.tcpi_bytes_acked > 0 ? 1 : 0);
}

}  // namespace halftoned

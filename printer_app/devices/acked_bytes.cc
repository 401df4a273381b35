// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own: <linux/tcp.h> has the field and cannot be included beside
// the C library's <netinet/tcp.h>, which lacks it.

#include "printer_app/devices/acked_bytes.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace halftoned {

namespace {

// All 0 if it is no TCP connection.
tcp_info InfoOf(int connection) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  if (getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return {};
  }
  return info;
}

}  // namespace

uint64_t AckedBytes(int connection) {
  const uint64_t acked = InfoOf(connection).tcpi_bytes_acked;
  // The kernel counts the beginning of the connection, too.
  return acked - (acked > 0 ? 1 : 0);
}

std::chrono::microseconds RoundTrip(int connection) {
  return std::chrono::microseconds(InfoOf(connection).tcpi_rtt);
}

}  // namespace halftoned

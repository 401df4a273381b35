// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own: <linux/tcp.h> has the fields and cannot be included beside
// the C library's <netinet/tcp.h>, which lacks it.

#include "printer_app/devices/tcp_state.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>

namespace halftoned {
namespace {

std::optional<tcp_info> InfoOf(int connection) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  if (getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return std::nullopt;
  }
  return info;
}

}  // namespace

uint64_t AckedBytes(int connection) {
  const auto info = InfoOf(connection);
  const uint64_t acked = info ? uint64_t{info->tcpi_bytes_acked} : 0;
  // The kernel counts the beginning of the connection, too.
  return acked - (acked > 0 ? 1 : 0);
}

std::chrono::microseconds RoundTrip(int connection) {
  constexpr std::chrono::microseconds kUnknown = std::chrono::milliseconds(500);
  const auto info = InfoOf(connection);
  const std::chrono::microseconds time(info ? info->tcpi_rtt : 0);
  return info && time.count() == 0 ? kUnknown : time;
}

}  // namespace halftoned

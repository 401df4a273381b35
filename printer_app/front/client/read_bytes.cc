// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own, like tcp_state.cc.

#include "printer_app/front/client/read_bytes.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace halftoned {

std::optional<int64_t> ReadBytes(int connection) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  int unread = 0;
  if (getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      ioctl(connection, SIOCINQ, &unread) != 0) {
    return std::nullopt;
  }
  return static_cast<int64_t>(info.tcpi_bytes_received) - unread;
}

}  // namespace halftoned

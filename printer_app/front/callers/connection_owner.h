// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The owner of the process at the other end of a connection, as the kernel
// knows it.

#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <optional>

namespace halftoned {

struct ConnectionOwner {
  bool is_local;             // a process of this machine
  std::optional<uid_t> uid;  // nothing if the kernel knows no owner any more
};

// socket: connected, Unix or TCP. The other end's socket has no owner once its
// process has closed it.
ConnectionOwner OwnerOfOtherEnd(int connection);

// Whether the address is one of this machine's. True if that cannot be found
// out.
bool IsOfThisMachine(const sockaddr_storage& address);

}  // namespace halftoned

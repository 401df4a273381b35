// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closes clients' sockets. A client may have passed descriptors that were never
// received; closing the socket then closes these, which can block for as long
// as their sender chooses, for example if they belong to a lingering connection
// or to the sender's own file system. Such a socket is given to a child process
// that exits immediately, because the kernel does not linger when a process
// exits.

#pragma once

#include <vector>

#include "base/descriptor.h"

namespace halftoned::daemon {

class SocketCloser {
 public:
  ~SocketCloser() { CloseRest(); }

  // Closes `socket`, or keeps it for CloseRest.
  void Close(Descriptor socket);

  // Call it in each turn. Starts at most one process.
  void CloseRest();

 private:
  std::vector<Descriptor> rest_;
};

}  // namespace halftoned::daemon

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closes clients' sockets. A client may have passed descriptors that were never
// received; closing the socket then closes these, which may wait for as long as
// their sender has chosen: for a lingering connection, or for a file system in
// a process of its own. Such a socket is given to a child process, which ends:
// as a process ends, the kernel does not linger.

#pragma once

#include <vector>

#include "base/descriptor.h"

namespace halftoned::daemon {

class SocketCloser {
 public:
  ~SocketCloser() { CloseRest(); }

  // Closes it, or keeps it for CloseRest.
  void Close(Descriptor socket);

  // Call it in each turn. Starts at most one process.
  void CloseRest();

 private:
  std::vector<Descriptor> rest_;
};

}  // namespace halftoned::daemon

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that connects to a printer hands the connection to the server, over
// a Unix socket.

#pragma once

#include "base/descriptor.h"

namespace halftoned {

// Sends the only TCP connection of this process. False if it has none or
// several, or if nobody receives it.
bool HandOverConnection(int unix_socket);

// Receives it, once the socket is readable. The result is not open if the other
// end has sent none.
Descriptor TakeConnection(int unix_socket);

}  // namespace halftoned

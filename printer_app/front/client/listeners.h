// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sockets that clients connect to.

#pragma once

#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// path: of a Unix socket, in the place of one that nobody listens at any more.
// Everybody may connect who reaches it.
Result<Descriptor> ListenAtPath(const std::string& path);

// All addresses of the host; "*": of this machine. port: 0 takes the first free
// one for this user, and is set to it.
Result<std::vector<Descriptor>> ListenAtHost(const std::string& host,
                                             int& port);

// Takes the sockets that systemd passes, if any. port: 0, or that of each
// socket; is set to it.
Result<std::vector<Descriptor>> ListenersOfSystemd(int& port);

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unix sockets that never block: bytes with descriptors beside them, and what
// the kernel says of who is at the other end. It knows no protocol.

#ifndef HALFTONED_BASE_UNIX_SOCKET_H_
#define HALFTONED_BASE_UNIX_SOCKET_H_

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// As many descriptors as one message may carry; more are closed on arrival.
inline constexpr size_t kMaxPassedDescriptors = 4;

struct PeerCredentials {
  pid_t pid = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};

// A connected pair, close-on-exec and non-blocking. type: SOCK_STREAM, …
Result<std::pair<Descriptor, Descriptor>> MakeSocketPair(int type);

// Connects to the stream socket at `path`, non-blocking from then on.
// kUnavailable where nobody listens.
Result<Descriptor> ConnectTo(const std::string& path);

// Listens at `path`, in the place of a socket at which nobody listens any more;
// kUnavailable if somebody does. Only its owner may connect.
Result<Descriptor> ListenAt(const std::string& path);

// Of whoever connected, or of whoever listens.
Result<PeerCredentials> PeerOf(int fd);

// Whether the other end is closed. What it sent before may be there to be read.
bool HasHungUp(int fd);

// Sends what the socket takes now of `bytes`, with `fds` beside the first; how
// much that was, 0 if it takes nothing now.
Result<size_t> SendSome(int fd, std::span<const std::byte> bytes,
                        std::span<const int> fds = {});

struct Received {
  size_t bytes = 0;
  bool ended = false;  // the other end is closed, and all has been read
};

// Receives what there is now, or nothing. Descriptors that come along are
// appended to `fds`, close-on-exec.
Result<Received> ReceiveSome(int fd, std::span<std::byte> room,
                             std::vector<Descriptor>& fds);

}  // namespace halftoned

#endif  // HALFTONED_BASE_UNIX_SOCKET_H_

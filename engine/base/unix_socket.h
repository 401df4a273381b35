// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-blocking Unix sockets: bytes, passed descriptors, and the kernel's
// credentials of the peer. It knows no protocol.

#pragma once

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace halftoned {

// The most descriptors that one message may carry.
inline constexpr size_t kMaxPassedDescriptors = 4;

struct PeerCredentials {
  pid_t pid = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};

// The address of a socket, for as long as this lives.
class SocketAddress {
 public:
  SocketAddress(const sockaddr_un& address, Descriptor folder)
      : address_(address), folder_(std::move(folder)) {}

  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&address_);
  }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }
  const char* path() const { return address_.sun_path; }

 private:
  sockaddr_un address_;
  Descriptor folder_;  // through which a long path leads
};

// An address has room for 107 bytes. If the path is longer, the address leads
// through a descriptor of the path's directory, in /proc.
Result<SocketAddress> AddressOf(const std::string& path);

// A connected pair, close-on-exec and non-blocking. type: SOCK_STREAM, …
Result<std::pair<Descriptor, Descriptor>> MakeSocketPair(int type);

// Connects to the stream socket at `path`; the result is non-blocking.
// kUnavailable if no process listens there.
Result<Descriptor> ConnectTo(const std::string& path);

// Listens at `path` and replaces a stale socket there; kUnavailable if another
// process listens. Only the owner may connect.
Result<Descriptor> ListenAt(const std::string& path);

// The credentials of the process that connected, or that listens.
Result<PeerCredentials> PeerOf(int fd);

// Whether the other end is closed. Unread data may remain.
bool HasHungUp(int fd);

// Sends as many of `bytes` as the socket takes now, and `fds` with the first
// byte. Returns the number of bytes sent, 0 if it takes none now.
Result<size_t> SendSome(int fd, std::span<const std::byte> bytes,
                        std::span<const int> fds = {});

struct Received {
  size_t bytes = 0;
  bool ended = false;  // the other end is closed and everything has been read
  bool has_descriptors = false;  // only from ReceiveBytes
};

// Receives the bytes that are available now, if any. Passed descriptors are
// appended to `fds`, close-on-exec; a passed socket no longer lingers on close.
Result<Received> ReceiveSome(int fd, std::span<std::byte> room,
                             std::vector<Descriptor>& fds);

// The same for senders that must not pass descriptors. If a descriptor is among
// the bytes, the bytes are not received: a received descriptor must be closed,
// and its file can make that take any time.
Result<Received> ReceiveBytes(int fd, std::span<std::byte> room);

// Stops reception, and receives the bytes that have arrived, up to the first
// descriptor. True if there is a descriptor: closing `fd` would close it too.
bool HoldsDescriptors(int fd);

// Closes descriptors from ReceiveSome. If one is neither memory nor a socket,
// its file can block this, so a separate thread closes it.
void CloseFiles(std::vector<Descriptor> files);

}  // namespace halftoned

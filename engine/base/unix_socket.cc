// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/unix_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

namespace halftoned {
namespace {

// The kernel's limit. Descriptors without room are closed on arrival, lingering
// or not.
constexpr size_t kMostDescriptors = 253;
constexpr size_t kControlBytes = CMSG_SPACE(sizeof(int) * kMostDescriptors);

// If the passed descriptor is the last of a connection with unsent data,
// closing it waits as long as the sender has chosen.
void ForbidToLinger(int fd) {
  const linger none{.l_onoff = 1, .l_linger = 0};
  (void)::setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
}

void TakeDescriptors(const msghdr& message, std::vector<Descriptor>& fds) {
  for (const cmsghdr* part = CMSG_FIRSTHDR(&message); part;
       part = CMSG_NXTHDR(const_cast<msghdr*>(&message),
                          const_cast<cmsghdr*>(part))) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(fd), sizeof(fd));
      ForbidToLinger(fd);
      fds.emplace_back(fd);
    }
  }
}

Result<Descriptor> MakeSocket() {
  Descriptor socket(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.open()) return socket;
  return ErrnoError(ErrorCode::kUnavailable, "cannot make a socket");
}

}  // namespace

Result<SocketAddress> AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  Descriptor folder;
  std::string short_path = path;
  const size_t name = path.rfind('/') + 1;
  if (path.size() >= sizeof(address.sun_path) && name > 0) {
    HALFTONED_TRY_ASSIGN(
        folder, Descriptor::Open(path.substr(0, name), O_PATH | O_DIRECTORY));
    short_path = "/proc/self/fd/" + std::to_string(folder.get()) + '/' +
                 path.substr(name);
  }
  if (path.empty() || short_path.size() >= sizeof(address.sun_path)) {
    return BadInput(path + ": is empty or too long for a socket's path");
  }
  short_path.copy(address.sun_path, short_path.size());
  return SocketAddress(address, std::move(folder));
}

Result<std::pair<Descriptor, Descriptor>> MakeSocketPair(int type) {
  int fds[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot make a pair of sockets");
  }
  return std::pair(Descriptor(fds[0]), Descriptor(fds[1]));
}

Result<Descriptor> ConnectTo(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const SocketAddress address, AddressOf(path));
  HALFTONED_TRY_ASSIGN(Descriptor socket, MakeSocket());
  // EAGAIN means a full backlog: this listener cannot serve now either.
  if (::connect(socket.get(), address.get(), address.size()) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, path);
  }
  return socket;
}

Result<Descriptor> ListenAt(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const SocketAddress address, AddressOf(path));
  struct stat status;
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode)) return BadInput(path + " is not a socket");
    HALFTONED_TRY_ASSIGN(const Descriptor probe, MakeSocket());
    if (::connect(probe.get(), address.get(), address.size()) == 0 ||
        errno != ECONNREFUSED) {
      return Unavailable("another process listens at " + path);
    }
    ::unlink(path.c_str());
  }
  HALFTONED_TRY_ASSIGN(Descriptor socket, MakeSocket());
  const mode_t before = ::umask(0177);
  const bool is_bound =
      ::bind(socket.get(), address.get(), address.size()) == 0;
  ::umask(before);
  if (!is_bound || ::listen(socket.get(), SOMAXCONN) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot listen at " + path);
  }
  return socket;
}

Result<PeerCredentials> PeerOf(int fd) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot identify the peer");
  }
  return PeerCredentials{peer.pid, peer.uid, peer.gid};
}

bool HasHungUp(int fd) {
  pollfd wait{fd, 0, 0};  // POLLHUP is always reported
  return ::poll(&wait, 1, 0) > 0;
}

Result<size_t> SendSome(int fd, std::span<const std::byte> bytes,
                        std::span<const int> fds) {
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, kControlBytes> control{};
  if (!fds.empty()) {
    if (fds.size() > kMaxPassedDescriptors) {
      return Bug("too many descriptors for one message");
    }
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
  }
  for (;;) {
    const ssize_t sent = ::sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return static_cast<size_t>(sent);
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return size_t{0};
    return ErrnoError(ErrorCode::kUnavailable, "cannot send");
  }
}

Result<Received> ReceiveSome(int fd, std::span<std::byte> room,
                             std::vector<Descriptor>& fds) {
  iovec part{room.data(), room.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, kControlBytes> control;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  for (;;) {
    const ssize_t got =
        ::recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got >= 0) {
      TakeDescriptors(message, fds);
      return Received{static_cast<size_t>(got), got == 0 && !room.empty()};
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Received{};
    return ErrnoError(ErrorCode::kUnavailable, "cannot receive");
  }
}

Result<Received> ReceiveBytes(int fd, std::span<std::byte> room) {
  iovec part{room.data(), room.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  // Without room for descriptors, peeking installs none of them here.
  for (const int peek : {int{MSG_PEEK}, 0}) {
    ssize_t got;
    do {
      got = ::recvmsg(fd, &message, MSG_DONTWAIT | peek);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Received{};
    if (got < 0) return ErrnoError(ErrorCode::kUnavailable, "cannot receive");
    const bool has_descriptors = (message.msg_flags & MSG_CTRUNC) != 0;
    const auto bytes = static_cast<size_t>(got);
    if (has_descriptors) return Received{.has_descriptors = true};
    if (!peek || bytes == 0) return Received{bytes, bytes == 0, false};
    part.iov_len = bytes;  // only what has been peeked at
  }
  return Received{};
}

bool HoldsDescriptors(int fd) {
  ::shutdown(fd, SHUT_RD);
  std::array<std::byte, size_t{64} << 10> nowhere;
  for (;;) {
    const Result<Received> received = ReceiveBytes(fd, nowhere);
    if (!received.ok()) return false;
    if (received->has_descriptors) return true;
    if (received->bytes == 0) return false;
  }
}

void CloseFiles(std::vector<Descriptor> files) {
  std::vector<int> fds;
  for (Descriptor& file : files) {
    // Neither call reaches a file system, which might not answer either.
    int type;
    socklen_t size = sizeof(type);
    const bool is_memory = ::fcntl(file.get(), F_GET_SEALS) >= 0;
    const bool is_socket =
        ::getsockopt(file.get(), SOL_SOCKET, SO_TYPE, &type, &size) == 0;
    if (!is_memory && !is_socket) fds.push_back(file.Release());
  }
  if (fds.empty()) return;
  try {
    std::thread([fds] {
      for (const int fd : fds) ::close(fd);
    }).detach();
  } catch (const std::system_error&) {
    // They stay open, which is better than waiting.
  }
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/remote_connection.h"

#include <poll.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/unix_socket.h"

namespace halftoned::wire {
namespace {

bool IsTrusted(uid_t uid, const RemoteOptions& options) {
  if (uid == 0 || uid == ::geteuid()) return true;
  if (options.owner.empty()) return false;
  // Looked up last, because it may be slow.
  std::array<char, 1024> room;
  passwd entry;
  passwd* found = nullptr;
  ::getpwnam_r(options.owner.c_str(), &entry, room.data(), room.size(), &found);
  return found && found->pw_uid == uid;
}

// Accepts the socket only if no untrusted user could have put it there. Errors
// begin with the path.
Result<void> CheckSocket(const RemoteOptions& options) {
  const std::string& path = options.socket;
  struct stat socket;
  struct stat folder;
  const std::string parent = path.substr(0, path.rfind('/') + 1);
  if (::lstat(path.c_str(), &socket) != 0 ||
      ::stat(parent.empty() ? "." : parent.c_str(), &folder) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, path);
  }
  if (!S_ISSOCK(socket.st_mode)) return Unavailable(path + ": not a socket");
  if (!IsTrusted(socket.st_uid, options)) {
    return Unavailable(path + ": belongs to user " +
                       std::to_string(socket.st_uid) + ", not a trusted owner");
  }
  const bool is_open = (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
                       (folder.st_mode & S_ISVTX) == 0;
  if (is_open || !(IsTrusted(folder.st_uid, options))) {
    return Unavailable(path + ": other users can put sockets there");
  }
  return {};
}

// Errors begin with the socket's path.
Result<Descriptor> ConnectToTrusted(const RemoteOptions& options) {
  HALFTONED_TRY(CheckSocket(options));
  HALFTONED_TRY_ASSIGN(Descriptor socket, ConnectTo(options.socket));
  HALFTONED_TRY_ASSIGN(const PeerCredentials peer, PeerOf(socket.get()));
  if (!IsTrusted(peer.uid, options)) {
    return Unavailable(options.socket + ": user " + std::to_string(peer.uid) +
                       " listens there, not a trusted owner");
  }
  return socket;
}

Result<Descriptor> ConnectToDaemon(const RemoteOptions& options) {
  Result<Descriptor> socket = ConnectToTrusted(options);
  if (socket.ok()) return socket;
  return Error{socket.error().code,
               "cannot reach halftoned at " + socket.error().message};
}

// Bad input from the daemon makes the daemon unavailable; the job stays valid.
Error Distrusted(const Error& error) {
  if (error.code != ErrorCode::kBadInput) return error;
  return Unavailable("the daemon broke the protocol: " + error.message);
}

}  // namespace

Error ErrorOf(const Link::Frame& frame) {
  const auto failed = DecodeFailed(frame.payload);
  if (!failed.ok()) return Distrusted(failed.error());
  return Unavailable("the daemon refused: " + failed->message);
}

Result<std::unique_ptr<RemoteConnection>> RemoteConnection::Make(
    const RemoteOptions& options) {
  HALFTONED_TRY_ASSIGN(Descriptor socket, options.connect
                                              ? options.connect()
                                              : ConnectToDaemon(options));
  auto connection = std::unique_ptr<RemoteConnection>(
      new RemoteConnection(options, std::move(socket)));
  HALFTONED_TRY(connection->Greet());
  return connection;
}

Result<void> RemoteConnection::Greet() {
  if (!options_.connect) link_.SendRaw(EncodeHello(options_.hello));
  for (;;) {
    const Result<void> sent = link_.Flush();
    // A daemon that refuses the hello may have sent the reason.
    const auto frame = link_.Receive();
    if (!frame.ok()) return Distrusted(frame.error());
    if (!*frame) {
      HALFTONED_TRY(sent);
      HALFTONED_TRY(Wait());
      continue;
    }
    if ((*frame)->header.type == FrameType::kFailed) return ErrorOf(**frame);
    if ((*frame)->header.type != FrameType::kWelcome ||
        (*frame)->header.tail > 0) {
      return Unavailable("the daemon did not answer with a welcome");
    }
    const auto welcome = DecodeWelcome((*frame)->payload);
    if (!welcome.ok()) return Distrusted(welcome.error());
    if (!options_.engine.empty() && welcome->engine != options_.engine) {
      return Unavailable("got engine " + welcome->engine + " instead of " +
                         options_.engine);
    }
    welcome_ = *welcome;
    patience_ = options_.patience;
    return {};
  }
}

Result<void> RemoteConnection::ProvideRing(const Ring& sizes) {
  if (!options_.use_ring) return {};
  if (ring_.gray.size() >= sizes.gray_bytes &&
      ring_.bits.size() >= sizes.bits_bytes) {
    return {};
  }
  if (std::max(sizes.gray_bytes, sizes.bits_bytes) > kMaxRingBytes) {
    return Unavailable("the bands are too large for the daemon");
  }
  ring_ = {};
  HALFTONED_TRY_ASSIGN(MadeRing made, MakeRing(sizes));
  ring_ = std::move(made.memory);
  std::vector<Descriptor> files;
  files.push_back(std::move(made.gray));
  files.push_back(std::move(made.bits));
  link_.Send(FrameType::kRing, 0, Encode(sizes), {}, std::move(files));
  return {};
}

Result<void> RemoteConnection::Wait() {
  pollfd fds[] = {
      {link_.fd(),
       static_cast<short>(POLLIN | (link_.has_unsent() ? POLLOUT : 0)), 0},
      {options_.stop_fd, POLLIN, 0}};
  if (waited_for_ != link_.received()) waited_ = {};
  waited_for_ = link_.received();
  // Waits in parts, and counts each with at most its own length: if this
  // process was stopped meanwhile, that time must not use up the deadline.
  const auto part = patience_ / 8 + std::chrono::milliseconds(1);
  while (waited_ < patience_) {
    const auto begin = Link::Clock::now();
    const int changed = ::poll(fds, 2, static_cast<int>(part.count()));
    if (changed < 0 && errno != EINTR) {
      return ErrnoError(ErrorCode::kUnavailable, "cannot wait for the daemon");
    }
    waited_ +=
        std::min<Link::Clock::duration>(Link::Clock::now() - begin, part);
    if (changed > 0 && fds[1].revents != 0) return IoError("canceled");
    if (changed > 0) return {};
  }
  return Unavailable("the daemon did not answer within " +
                     std::to_string(patience_.count()) + " ms");
}

bool RemoteConnection::is_alive() {
  if (link_.has_unsent()) return false;
  const auto frame = link_.Receive();
  return frame.ok() && !*frame;  // nothing received, not even the end
}

}  // namespace halftoned::wire

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/client_listener.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "wire/codec.h"

namespace halftoned::daemon {
namespace {

constexpr Duration kPauseWithoutDescriptors = std::chrono::milliseconds(100);

}  // namespace

void ClientListener::Prepare(PollSet& set, Instant now) const {
  if (listener_.open()) {
    if (accept_again_ <= now) {
      set.Watch(listener_.get());
    } else {
      set.WakeAt(accept_again_);
    }
  }
  for (const Visitor& visitor : visitors_) {
    if (!visitor.is_greeted) set.Watch(visitor.guest.socket.get());
    const Instant news = visitor.guest.since + kNewsDelay;
    set.WakeAt(visitor.is_greeted && news > now ? news : visitor.deadline);
  }
}

void ClientListener::Serve(const PollSet& set, Instant now,
                           const Receive& receive) {
  for (Visitor& visitor : visitors_) {
    if (!visitor.is_greeted && set.IsReady(visitor.guest.socket.get())) {
      ReadHello(visitor);
    }
  }
  // First, to free seats for new clients.
  EraseGone();
  if (listener_.open() && set.IsReady(listener_.get())) Accept(now);
  for (Visitor& visitor : visitors_) {
    // The client may have given up while it waited.
    visitor.is_gone = HasHungUp(visitor.guest.socket.get());
    if (visitor.is_gone) continue;
    Reception reception;
    if (visitor.is_greeted) reception = receive(visitor.guest);
    const bool is_late = now >= visitor.deadline;
    if (!reception.is_taken && !reception.refusal && is_late) {
      reception.refusal =
          visitor.is_greeted ? Refusal::kNoWorker : Refusal::kSilent;
    }
    if (reception.refusal) Refuse(visitor.guest, *reception.refusal);
    visitor.is_gone = reception.is_taken || reception.refusal;
  }
  EraseGone();
}

void ClientListener::EraseGone() {
  for (Visitor& visitor : visitors_) {
    // A guest that has been taken has no socket any more.
    if (visitor.is_gone) closer_.Close(std::move(visitor.guest.socket));
  }
  std::erase_if(visitors_,
                [](const Visitor& visitor) { return visitor.is_gone; });
}

void ClientListener::Accept(Instant now) {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    Descriptor socket(::accept4(listener_.get(), nullptr, nullptr,
                                SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.open()) {
      Admit(std::move(socket), now);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
               errno == ENOMEM) {
      accept_again_ = now + kPauseWithoutDescriptors;
      log_.Error(
          ErrnoError(ErrorCode::kIo, "cannot accept connections").message);
      return;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return;
    }
  }
}

void ClientListener::Admit(Descriptor socket, Instant now) {
  const Result<PeerCredentials> peer = PeerOf(socket.get());
  if (!peer.ok()) return closer_.Close(std::move(socket));
  Visitor visitor;
  visitor.guest.socket = std::move(socket);
  visitor.guest.peer = *peer;
  visitor.guest.is_own = peer->pid == ::getpid();
  visitor.guest.since = now;
  visitor.deadline = now + kPatience;
  if (!visitor.guest.is_own) {
    ++accepted_;
    auto seat = admission_.Arrive(peer->uid);
    const Refusal* refusal = std::get_if<Refusal>(&seat);
    if (refusal && make_room_(*refusal, peer->uid, now)) {
      seat = admission_.Arrive(peer->uid);
      refusal = std::get_if<Refusal>(&seat);
    }
    if (refusal) {
      Refuse(visitor.guest, *refusal);
      return closer_.Close(std::move(visitor.guest.socket));
    }
    visitor.guest.seat = std::move(std::get<Admission::Seat>(seat));
  }
  ReadHello(visitor);
  if (visitor.is_gone) return closer_.Close(std::move(visitor.guest.socket));
  visitors_.push_back(std::move(visitor));
}

void ClientListener::ReadHello(Visitor& visitor) {
  const auto room = std::span(visitor.hello).subspan(visitor.hello_bytes);
  const Result<Received> received =
      ReceiveBytes(visitor.guest.socket.get(), room);
  if (!received.ok() || received->ended) {
    visitor.is_gone = true;
    return;
  }
  if (received->has_descriptors) {
    Refuse(visitor.guest, Refusal::kMalformed);
    visitor.is_gone = true;
    return;
  }
  visitor.hello_bytes += received->bytes;
  if (visitor.hello_bytes == wire::kHelloBytes) Greet(visitor);
}

void ClientListener::Greet(Visitor& visitor) {
  Result<wire::Hello> hello = wire::DecodeHello(visitor.hello);
  if (!hello.ok() || hello->version != wire::kVersion) {
    Refuse(visitor.guest, hello.ok() ? Refusal::kVersion : Refusal::kMalformed);
    visitor.is_gone = true;
    return;
  }
  visitor.guest.hello = std::move(*hello);
  visitor.guest.seat.Greet();
  visitor.is_greeted = true;
}

void ClientListener::Refuse(const Guest& guest, Refusal refusal) {
  ++refused_[static_cast<size_t>(refusal)];
  const RefusalWords& words = WordsOf(refusal);
  const auto code = refusal == Refusal::kMalformed
                        ? wire::FailureCode::kProtocol
                        : wire::FailureCode::kUnavailable;
  // A new socket has room for this; a client that has left does not need it.
  (void)SendSome(guest.socket.get(),
                 wire::EncodeFrame(wire::FrameType::kFailed, 0, 0,
                                   wire::Encode(wire::Failed{
                                       code, std::string(words.message)})));
  const std::string line = "refused: " + std::string(words.message);
  if (words.after_hello) {
    log_.Info(line, guest.subject());
  } else {
    log_.Debug(line, guest.subject());
  }
}

void ClientListener::Close() {
  listener_.Close();
  for (Visitor& visitor : visitors_) {
    Refuse(visitor.guest, Refusal::kStopping);
    visitor.is_gone = true;
  }
  EraseGone();
}

}  // namespace halftoned::daemon

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accepts clients. Checks peer credentials before reading, then waits briefly
// for the hello, and hands the connection on. Reads nothing after the hello.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/log.h"
#include "base/unix_socket.h"
#include "daemon/clock.h"
#include "daemon/supervisor/clients/connection_limits.h"
#include "daemon/supervisor/clients/socket_closer.h"
#include "daemon/supervisor/poll_set.h"
#include "wire/protocol.h"

namespace halftoned::daemon {

// A client whose hello has been read.
struct Guest {
  Descriptor socket;
  PeerCredentials peer;
  Admission::Seat seat;
  bool is_own = false;  // this process itself: a health check
  Instant since;        // the accept
  wire::Hello hello;

  // Valid as long as this object.
  LogSubject subject() const { return {hello.job, hello.printer, peer.uid}; }
};

// The reply to a guest. A guest that is neither taken nor refused waits.
struct Reception {
  bool is_taken = false;  // and moved from
  std::optional<Refusal> refusal;
};

class ClientListener {
 public:
  // From the accept until the hello has come and a worker has the connection.
  static constexpr Duration kPatience = std::chrono::seconds(2);
  // From the accept on, in case a client learns of a worker's death before the
  // supervisor: the worker's connections may close before its channel does.
  static constexpr Duration kNewsDelay = std::chrono::milliseconds(250);

  using Receive = std::function<Reception(Guest&)>;
  // Called when there is no seat for a user's connection; true if there is a
  // seat now.
  using MakeRoom = std::function<bool(Refusal, uid_t, Instant)>;

  // The arguments outlive it.
  ClientListener(Descriptor listener, Admission& admission, MakeRoom make_room,
                 SocketCloser& closer, Log& log)
      : listener_(std::move(listener)),
        admission_(admission),
        make_room_(std::move(make_room)),
        closer_(closer),
        log_(log) {}

  void Prepare(PollSet& set, Instant now) const;
  void Serve(const PollSet& set, Instant now, const Receive& receive);
  // Accepts no more clients.
  void Close();

  size_t waiting() const { return visitors_.size(); }
  uint64_t accepted() const { return accepted_; }
  uint64_t refused(Refusal refusal) const {
    return refused_[static_cast<size_t>(refusal)];
  }

 private:
  struct Visitor {
    Guest guest;
    Instant deadline;
    std::array<std::byte, wire::kHelloBytes> hello{};
    size_t hello_bytes = 0;  // received
    bool is_greeted = false;
    bool is_gone = false;
  };

  void Accept(Instant now);
  void Admit(Descriptor socket, Instant now);
  void ReadHello(Visitor& visitor);
  void Greet(Visitor& visitor);
  void EraseGone();
  void Refuse(const Guest& guest, Refusal refusal);

  Descriptor listener_;
  Admission& admission_;
  const MakeRoom make_room_;
  SocketCloser& closer_;
  Log& log_;
  std::vector<Visitor> visitors_;
  Instant accept_again_ = Instant::min();
  uint64_t accepted_ = 0;
  std::array<uint64_t, kRefusals.size()> refused_{};
};

}  // namespace halftoned::daemon

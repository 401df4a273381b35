// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where clients come in. Whoever connects is looked at before a byte of his is
// read, then has a moment to say who he is, and is given to whoever takes him.
// What comes after the hello is not read here.

#ifndef HALFTONED_DAEMON_SUPERVISOR_DOOR_H_
#define HALFTONED_DAEMON_SUPERVISOR_DOOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/unix_socket.h"
#include "daemon/clock.h"
#include "daemon/supervisor/admission.h"
#include "daemon/supervisor/ledger.h"
#include "daemon/supervisor/poll_set.h"
#include "wire/protocol.h"

namespace halftoned::daemon {

// Has come in, and has said who he is.
struct Guest {
  Descriptor socket;
  PeerCredentials peer;
  Admission::Seat seat;
  bool is_own = false;  // this process itself: the check of its health
  Instant since;        // the accept
  wire::Hello hello;

  // Valid as long as this is.
  LogSubject subject() const { return {hello.job, hello.printer, peer.uid}; }
};

// What becomes of a guest; neither of both: he waits.
struct Reception {
  bool is_taken = false;  // and moved from
  std::optional<Refusal> refusal;
};

class Door {
 public:
  // From the accept on, for the hello and for somebody to take the guest.
  static constexpr Duration kPatience = std::chrono::seconds(2);
  // From the accept on, for news that a client had before us: when a worker
  // dies, its connections may close before its channel does.
  static constexpr Duration kNewsDelay = std::chrono::milliseconds(250);

  using Receive = std::function<Reception(Guest&)>;

  // What it is given outlives it.
  Door(Descriptor listener, Admission& admission, const Ledger& ledger,
       Log& log)
      : listener_(std::move(listener)),
        admission_(admission),
        ledger_(ledger),
        log_(log) {}

  void Prepare(PollSet& set, Instant now) const;
  void Serve(const PollSet& set, Instant now, const Receive& receive);
  // Nobody comes in any more.
  void Close();

  uint64_t accepted() const { return accepted_; }
  uint64_t refused(Refusal refusal) const {
    return refused_[static_cast<size_t>(refusal)];
  }

 private:
  struct Visitor {
    Guest guest;
    Instant deadline;
    std::array<std::byte, wire::kHelloBytes> hello{};
    size_t hello_bytes = 0;  // that have come
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
  const Ledger& ledger_;
  Log& log_;
  std::vector<Visitor> visitors_;
  Instant accept_again_ = Instant::min();
  uint64_t accepted_ = 0;
  std::array<uint64_t, kRefusals.size()> refused_{};
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_DOOR_H_

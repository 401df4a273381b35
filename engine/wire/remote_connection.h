// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's connection to halftoned: connecting, the hello, and waiting for
// answers. Time waiting here counts against a deadline; time that the caller
// waits elsewhere does not.
//
// Errors: kUnavailable if the daemon is missing, refuses, is late or breaks the
// protocol, so that another engine takes over. kIo if a stop was requested.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/link.h"
#include "wire/protocol.h"
#include "wire/ring.h"

namespace halftoned::wire {

struct RemoteOptions {
  std::string socket;  // a path
  // The user that the daemon runs as. Only this user, root and our own user may
  // own the socket and listen at it.
  std::string owner;
  Hello hello;
  // Optional, instead of `socket` and `owner`: makes a connection that already
  // leads to a worker.
  std::function<Result<Descriptor>()> connect = nullptr;
  std::string engine;    // the engine that the worker must prefer; empty: any
  bool use_ring = true;  // false: send bands through the socket
  // The longest total wait for a frame that the daemon owes. A few bytes now
  // and then do not prolong it.
  std::chrono::milliseconds patience{10'000};
  // The same for the welcome, if shorter.
  std::chrono::milliseconds welcome_patience = std::chrono::milliseconds::max();
  // Becomes readable when waiting must end; -1: never.
  int stop_fd = -1;
};

class RemoteConnection {
 public:
  // Connects, and waits until a worker has taken over the connection.
  static Result<std::unique_ptr<RemoteConnection>> Make(
      const RemoteOptions& options);

  const Welcome& welcome() const { return welcome_; }
  Link& link() { return link_; }
  uint32_t NextPage() { return ++page_; }

  // Makes a ring of at least these sizes, if rings are used. Precondition: no
  // page is open.
  Result<void> ProvideRing(const Ring& sizes);
  bool uses_ring() const { return options_.use_ring; }
  const RingMemory& ring() const { return ring_; }
  // For a session that keeps rooms in the ring; the next page gets another
  // ring.
  RingMemory TakeRing() { return std::exchange(ring_, {}); }

  // Waits until there is something to read, or until unsent bytes can be
  // written.
  Result<void> Wait();

  // Closes the connection; the ring's memory stays.
  void Close() { link_.Close(); }

  // Whether the connection can probably serve another page.
  bool is_alive();

 private:
  RemoteConnection(const RemoteOptions& options, Descriptor socket)
      : options_(options),
        patience_(std::min(options.patience, options.welcome_patience)),
        link_(std::move(socket)) {}
  Result<void> Greet();

  const RemoteOptions options_;
  std::chrono::milliseconds patience_;  // the one in force
  Link link_;
  Welcome welcome_;
  RingMemory ring_;
  uint32_t page_ = 0;
  Link::Clock::duration waited_{};  // for frame `waited_for_`
  uint32_t waited_for_ = 0;
};

// The error that a Failed reports.
Error ErrorOf(const Link::Frame& failed);

}  // namespace halftoned::wire

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client's connection to halftoned: made, greeted, and waited for. What it
// waits for has a deadline; what its caller waits for elsewhere has none.
//
// Errors: kUnavailable whenever the daemon is not there, refuses, is late or
// talks nonsense: somebody else can do the work. kIo if a stop was requested.

#ifndef HALFTONED_WIRE_REMOTE_CONNECTION_H_
#define HALFTONED_WIRE_REMOTE_CONNECTION_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/link.h"
#include "wire/protocol.h"
#include "wire/ring.h"

namespace halftoned::wire {

struct RemoteOptions {
  std::string socket = "/run/halftoned/halftoned.sock";
  // The name of who may own that socket beside root and ourselves: whom the
  // daemon works as. Bits from anybody else are not taken.
  std::string owner;
  Hello hello;
  // Instead of all that: a connection that a worker has already.
  std::function<Result<Descriptor>()> connect = nullptr;
  std::string engine;    // that the worker must prefer; empty: any
  bool use_ring = true;  // or bands are sent through the socket
  // For all waiting until the next frame, where the daemon owes one: a few
  // bytes now and then do not prolong it.
  std::chrono::milliseconds patience{10'000};
  // For the welcome, where that is less.
  std::chrono::milliseconds welcome_patience = std::chrono::milliseconds::max();
  // Becomes readable when waiting must end; -1: never.
  int stop_fd = -1;
};

class RemoteConnection {
 public:
  // Connects, and waits until a worker has taken the connection over.
  static Result<std::unique_ptr<RemoteConnection>> Make(
      const RemoteOptions& options);

  const Welcome& welcome() const { return welcome_; }
  Link& link() { return link_; }
  uint32_t NextPage() { return ++page_; }

  // Sees to a ring of at least these sizes, if there is to be one.
  // Precondition: no page is open.
  Result<void> ProvideRing(const Ring& sizes);
  bool uses_ring() const { return options_.use_ring; }
  const RingMemory& ring() const { return ring_; }

  // Waits until there is something to read, or to write where that is unsent.
  Result<void> Wait();

  // Ends it; the ring's memory stays.
  void Close() { link_.Close(); }

  // Whether it can serve another page, as far as can be told.
  bool is_alive();

 private:
  RemoteConnection(const RemoteOptions& options, Descriptor socket)
      : options_(options),
        patience_(std::min(options.patience, options.welcome_patience)),
        link_(std::move(socket)) {}
  Result<void> Greet();

  const RemoteOptions options_;
  std::chrono::milliseconds patience_;  // now
  Link link_;
  Welcome welcome_;
  RingMemory ring_;
  uint32_t page_ = 0;
  Link::Clock::duration waited_{};  // for this frame:
  uint32_t waited_for_ = 0;
};

// What a Failed says, as an error.
Error ErrorOf(const Link::Frame& failed);

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_REMOTE_CONNECTION_H_

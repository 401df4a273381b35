// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ring of a connection, and an engine's hold on it. Since pinning and
// releasing memory takes long, the errands' thread does both. Used by one
// thread.

#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "daemon/worker/clients/accounts.h"
#include "daemon/worker/clients/errands.h"
#include "halftone/run/engine.h"
#include "wire/ring.h"

namespace halftoned::daemon {

class ClientRing {
 public:
  // kUnavailable if the job is not allowed that much memory. The errands and
  // all engines outlive it.
  static Result<std::unique_ptr<ClientRing>> Make(wire::RingMemory memory,
                                                  const Accounts::Owner& owner,
                                                  Errands& errands);
  ~ClientRing() { LetGo(); }
  ClientRing(const ClientRing&) = delete;
  ClientRing& operator=(const ClientRing&) = delete;

  const wire::RingMemory& memory() const;

  // Has the engine hold the memory. True if there is nothing to wait for;
  // otherwise `on_held` is called once, from another thread, unless LetGo comes
  // first.
  bool Hold(const Engine& engine, std::function<void()> on_held);
  // Whether on_held is still to be called.
  bool is_waiting() const;
  // The result of the last hold: kUnavailable if the job is not allowed that
  // much pinned memory, or the engine's error.
  Result<void> outcome() const;
  bool is_held() const { return held_ != nullptr; }

  // Ends the hold. Precondition: no page uses the memory.
  void LetGo();

 private:
  class Memory;
  class Held;

  ClientRing(std::shared_ptr<Memory> memory, Accounts::Owner owner,
             Errands& errands);

  const std::shared_ptr<Memory> memory_;
  const Accounts::Owner owner_;
  Errands& errands_;
  std::shared_ptr<Held> held_;
};

}  // namespace halftoned::daemon

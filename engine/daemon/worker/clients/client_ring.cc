// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/client_ring.h"

#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace halftoned::daemon {

class ClientRing::Memory {
 public:
  Memory(wire::RingMemory memory, const Accounts::Owner& owner)
      : ring(std::move(memory)), charge(owner) {}

  size_t bytes() const { return ring.gray.size() + ring.bits.size(); }

  const wire::RingMemory ring;
  Accounts::Charge charge;  // for its page tables
};

// Shared with the errands' thread, which keeps it longest.
class ClientRing::Held {
 public:
  Held(std::shared_ptr<Memory> memory, const Accounts::Owner& owner,
       const Engine& engine, std::function<void()> on_held)
      : memory_(std::move(memory)),
        charge_(owner),
        engine_(engine),
        on_held_(std::move(on_held)) {}

  const Engine& engine() const { return engine_; }

  // On the errands' thread.
  void Begin() {
    if (!is_wanted()) return;
    const Result<void> outcome = TryHold();
    const std::lock_guard lock(mutex_);
    outcome_ = outcome;
    if (on_held_) on_held_();
  }
  // From now on, on_held is not called.
  void Forget() {
    const std::lock_guard lock(mutex_);
    on_held_ = nullptr;
  }

  std::optional<Result<void>> outcome() const {
    const std::lock_guard lock(mutex_);
    return outcome_;
  }

 private:
  bool is_wanted() const {
    const std::lock_guard lock(mutex_);
    return on_held_ != nullptr;
  }

  Result<void> TryHold() {
    if (!charge_.Set({.memory = memory_->bytes()})) return Accounts::Refusal();
    const auto hold = [this](const Mapping& part, bool is_written) {
      return engine_.Hold({part.data(), part.size()}, is_written);
    };
    try {
      HALFTONED_TRY_ASSIGN(gray_, hold(memory_->ring.gray, false));
      HALFTONED_TRY_ASSIGN(bits_, hold(memory_->ring.bits, true));
    } catch (const std::bad_alloc&) {
      return Unavailable("out of memory for a shared-memory buffer");
    }
    return {};
  }

  // Destroyed in reverse order: the hold, the charge, the mapping.
  const std::shared_ptr<Memory> memory_;
  Accounts::Charge charge_;
  const Engine& engine_;
  std::shared_ptr<void> gray_, bits_;

  mutable std::mutex mutex_;
  std::function<void()> on_held_;
  std::optional<Result<void>> outcome_;  // none yet
};

ClientRing::ClientRing(std::shared_ptr<Memory> memory, Accounts::Owner owner,
                       Errands& errands)
    : memory_(std::move(memory)), owner_(std::move(owner)), errands_(errands) {}

Result<std::unique_ptr<ClientRing>> ClientRing::Make(
    wire::RingMemory memory, const Accounts::Owner& owner, Errands& errands) {
  // A page table has eight bytes for each page that it maps.
  constexpr size_t kPerTableByte = 4096 / 8;
  auto shared = std::make_shared<Memory>(std::move(memory), owner);
  if (!shared->charge.Set({.memory = shared->bytes() / kPerTableByte})) {
    return Accounts::Refusal();
  }
  return std::unique_ptr<ClientRing>(
      new ClientRing(std::move(shared), owner, errands));
}

const wire::RingMemory& ClientRing::memory() const { return memory_->ring; }

bool ClientRing::Hold(const Engine& engine, std::function<void()> on_held) {
  if (!engine.needs_hold()) return true;
  if (held_ && &held_->engine() == &engine) return true;
  LetGo();
  held_ = std::make_shared<Held>(memory_, owner_, engine, std::move(on_held));
  errands_.Do(owner_->key().number(), [held = held_] { held->Begin(); });
  return false;
}

bool ClientRing::is_waiting() const { return held_ && !held_->outcome(); }

Result<void> ClientRing::outcome() const {
  return held_ ? held_->outcome().value_or(
                     Bug("a shared-memory buffer is not held yet"))
               : Result<void>();
}

void ClientRing::LetGo() {
  if (!held_) return;
  held_->Forget();
  try {
    errands_.Do(owner_->key().number(), [held = std::move(held_)] {});
  } catch (const std::bad_alloc&) {
    // Then the hold ends here.
  }
  held_ = nullptr;
}

}  // namespace halftoned::daemon

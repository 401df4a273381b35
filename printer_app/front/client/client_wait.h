// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a client may keep the server waiting, and whether its connection can
// be dropped to make room for others. The server does nothing more for a
// request whose connection was dropped, so the client can repeat it.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "printer_app/front/callers/work_slots.h"

namespace halftoned {

class ClientWait {
 public:
  using Clock = std::chrono::steady_clock;

  // timeout: seconds of silence.
  ClientWait(int connection, int timeout, WorkSlots& slots,
             WorkSlots& handshakes);

  // For other threads, at any time.
  bool IsOverdue(Clock::time_point now) const;
  // A request that comes at the same moment is served, or has no effect.
  void DropIfOverdue(Clock::time_point now);
  // Since when the server waits for the client (for a request, for the rest of
  // one, or until the client reads an answer), or a request for its slot.
  // Nothing if the server works for the client or the client reads, or if the
  // connection was dropped.
  std::optional<Clock::time_point> WaitsSince(Clock::time_point now) const;
  // False: the server no longer waits for the client.
  bool DropIfItWaits(Clock::time_point now);
  // The server no longer needs the rest of the request, and answers. If it
  // already has the whole request, this changes nothing. A second call drops a
  // client that the server still waits for.
  void Interrupt() {
    if (is_interrupted_.exchange(true)) DropIfItWaits(Clock::now());
  }

  // For the connection's thread: these set when the client becomes overdue.
  void WaitFor(int seconds);
  void WaitForEver() { deadline_ = INT64_MAX; }
  void WaitForSilence() { WaitFor(timeout_); }

  // For the connection's thread: once it has read more bytes from now on, the
  // client is overdue. False: nobody counts them, because it is no TCP
  // connection.
  bool ReadAtMost(int64_t bytes);
  void ReadWithoutLimit() { most_read_ = INT64_MAX; }

  // For the connection's thread: the network whose slots its requests and its
  // handshake need; empty: none.
  void UseSlotsOf(std::string network) { network_ = std::move(network); }

  // For the connection's thread, around a handshake of TLS, which takes CPU
  // time. Waits for a slot first. False: the connection was dropped.
  bool StartHandshake() {
    return network_.empty() || handshake_.Take(network_);
  }
  void EndHandshake() { handshake_.Leave(); }

  // For the connection's thread: the server waits for a request. False: the
  // connection was dropped.
  bool BeginRequest();
  // The server works for the request: it is complete, or a part of it can be
  // printed. Waits for a slot first. False: the connection was dropped.
  bool StartWork();
  // The same while its password is checked, which takes long: gives the slot
  // back.
  bool StartCheck();
  // Whether the client has closed the connection, or at least its direction.
  bool HasClosed() const;
  // The server waits for the rest of the request, or for the client to close
  // the connection.
  void WaitForMore();
  // A part of the request has come.
  void TakeMore();
  // The server answers, and waits only if the client does not read. If the
  // server still waits for the rest of the request, this changes nothing.
  void StartAnswer();
  // The client has taken a part of the answer.
  void GiveMore();
  bool is_interrupted() const { return is_interrupted_; }

 protected:
  void Drop();
  int timeout() const { return timeout_; }

 private:
  static constexpr int64_t kWorks = INT64_MAX;
  static constexpr int64_t kAnswers = INT64_MAX - 1;
  static constexpr int64_t kDropped = INT64_MIN;

  bool Works();
  bool Reads() const;
  std::optional<int64_t> WaitsSince(int64_t since, int64_t now) const;

  const Descriptor connection_;  // a duplicate, which outlives the original
  const int timeout_;
  std::string network_;
  WorkSlots::Slot slot_;  // while the server works
  WorkSlots::Slot handshake_;
  std::atomic<bool> is_interrupted_ = false;
  std::atomic<int64_t> deadline_ = INT64_MAX;
  std::atomic<int64_t> most_read_ = INT64_MAX;
  // A time of Clock, or what the server does.
  std::atomic<int64_t> since_ = kWorks;
  std::atomic<int64_t> answers_since_ = 0;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/client_wait.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include "printer_app/front/client/read_bytes.h"

namespace halftoned {
namespace {

int64_t Count(ClientWait::Clock::time_point time) {
  return time.time_since_epoch().count();
}

}  // namespace

ClientWait::ClientWait(int connection, int timeout, WorkSlots& slots,
                       WorkSlots& handshakes)
    : connection_(fcntl(connection, F_DUPFD_CLOEXEC, 0)),
      timeout_(timeout),
      slot_(slots),
      handshake_(handshakes) {}

bool ClientWait::IsOverdue(Clock::time_point now) const {
  if (Count(now) > deadline_) return true;
  const int64_t most = most_read_;
  return most != INT64_MAX && ReadBytes(connection_.get()).value_or(0) > most;
}

bool ClientWait::ReadAtMost(int64_t bytes) {
  const auto read = ReadBytes(connection_.get());
  if (read) most_read_ = *read + bytes;
  return read.has_value();
}

void ClientWait::Drop() {
  shutdown(connection_.get(), SHUT_RDWR);
  slot_.GiveUp();
  handshake_.GiveUp();
}

void ClientWait::DropIfOverdue(Clock::time_point now) {
  int64_t since = since_;
  do {
    if (!IsOverdue(now)) return;
  } while (!since_.compare_exchange_weak(since, kDropped));
  Drop();
}

std::optional<ClientWait::Clock::time_point> ClientWait::WaitsSince(
    Clock::time_point now) const {
  const auto since = WaitsSince(since_, Count(now));
  if (!since) return std::nullopt;
  return Clock::time_point(Clock::duration(*since));
}

std::optional<int64_t> ClientWait::WaitsSince(int64_t since,
                                              int64_t now) const {
  if (since == kAnswers && !Reads()) since = answers_since_;
  if (since == kDropped || since > now) return std::nullopt;
  return since;
}

// False: the answer waits in a full socket.
bool ClientWait::Reads() const {
  pollfd room = {connection_.get(), POLLOUT, 0};
  return poll(&room, 1, 0) != 0;
}

bool ClientWait::DropIfItWaits(Clock::time_point now) {
  int64_t since = since_;
  do {
    if (!WaitsSince(since, Count(now))) return false;
  } while (!since_.compare_exchange_weak(since, kDropped));
  Drop();
  return true;
}

void ClientWait::WaitFor(int seconds) {
  deadline_ = Count(Clock::now() + std::chrono::seconds(seconds));
}

bool ClientWait::BeginRequest() {
  is_interrupted_ = false;
  const int64_t now = Count(Clock::now());
  int64_t since = since_;
  do {
    if (since == kDropped) return false;
  } while (!since_.compare_exchange_weak(since, now));
  return true;
}

bool ClientWait::StartWork() {
  if (!network_.empty() && !slot_.Take(network_)) return false;
  const bool is_there = Works();
  if (!is_there) slot_.Leave();
  return is_there;
}

bool ClientWait::StartCheck() {
  slot_.Leave();
  return Works();
}

bool ClientWait::Works() {
  int64_t since = since_;
  do {
    if (since == kDropped) return false;
  } while (!since_.compare_exchange_weak(since, kWorks));
  return true;
}

bool ClientWait::HasClosed() const {
  pollfd look = {connection_.get(), POLLRDHUP, 0};
  return poll(&look, 1, 0) > 0;
}

// These three change no state after a drop.

void ClientWait::WaitForMore() {
  slot_.Leave();
  int64_t since = since_;
  if (since != kWorks && since != kAnswers) return;
  since_.compare_exchange_strong(since, Count(Clock::now()));
}

void ClientWait::TakeMore() {
  int64_t since = since_;
  if (since == kWorks || since == kAnswers || since == kDropped) return;
  since_.compare_exchange_strong(since, Count(Clock::now()));
}

void ClientWait::StartAnswer() {
  slot_.Leave();
  answers_since_ = Count(Clock::now());
  int64_t works = kWorks;
  since_.compare_exchange_strong(works, kAnswers);
}

void ClientWait::GiveMore() { answers_since_ = Count(Clock::now()); }

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/client_wait.h"

#include <fcntl.h>
#include <sys/socket.h>

namespace halftoned {
namespace {

// A client that reads has received even a long answer by then.
constexpr std::chrono::seconds kTimeToRead{10};

int64_t Count(ClientWait::Clock::time_point time) {
  return time.time_since_epoch().count();
}

}  // namespace

ClientWait::ClientWait(int connection, int timeout)
    : connection_(fcntl(connection, F_DUPFD_CLOEXEC, 0)), timeout_(timeout) {}

bool ClientWait::IsOverdue(Clock::time_point now) const {
  return Count(now) > deadline_;
}

void ClientWait::Drop() const { shutdown(connection_.get(), SHUT_RDWR); }

std::optional<ClientWait::Clock::time_point> ClientWait::WaitsSince(
    Clock::time_point now) const {
  const int64_t since = since_;
  if (since == kDropped || since > Count(now)) return std::nullopt;
  return Clock::time_point(Clock::duration(since));
}

bool ClientWait::DropIfItWaits(Clock::time_point now) {
  int64_t since = since_;
  do {
    if (since == kDropped || since > Count(now)) return false;
  } while (!since_.compare_exchange_weak(since, kDropped));
  Drop();
  return true;
}

void ClientWait::WaitFor(int seconds) {
  deadline_ = Count(Clock::now() + std::chrono::seconds(seconds));
}

bool ClientWait::BeginRequest() {
  is_interrupted_ = false;
  request_since_ = Count(Clock::now());
  int64_t since = since_;
  do {
    if (since == kDropped) return false;
  } while (!since_.compare_exchange_weak(since, request_since_));
  return true;
}

bool ClientWait::StartWork() {
  int64_t since = since_;
  do {
    if (since == kDropped) return false;
  } while (!since_.compare_exchange_weak(since, kWorks));
  return true;
}

void ClientWait::StartAnswer() { EndWork(Count(Clock::now() + kTimeToRead)); }

// Changes nothing unless the server works for the client, which prevents a
// drop.
void ClientWait::EndWork(int64_t since) {
  int64_t works = kWorks;
  since_.compare_exchange_strong(works, since);
}

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/worker.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace halftoned::daemon {
namespace {

// While anybody may be late, there is a turn at least this often.
constexpr std::chrono::seconds kLongestTurn{1};

}  // namespace

Result<void> Worker::Run() {
  HALFTONED_TRY(control_.Send(FromWorker(self_)));
  while (!shop_.draining || !clients_.empty()) {
    if (end_by_ && *end_by_ <= Clock::now()) {
      return Unavailable("pages were still open when the worker had to end");
    }
    HALFTONED_TRY(Wait());
  }
  return {};
}

Result<void> Worker::Wait() {
  // The supervisor that is gone has nothing more to say.
  const auto control_events =
      static_cast<short>(POLLIN | (control_.has_backlog() ? POLLOUT : 0));
  std::vector<pollfd> fds = {{end_by_ ? -1 : control_.fd(), control_events, 0},
                             {ready_.fd(), POLLIN, 0}};
  std::vector<uint64_t> numbers;
  for (const auto& [number, client] : clients_) {
    fds.push_back({client->fd(), client->events(), 0});
    numbers.push_back(number);
  }
  const int wait = again_.empty() ? MillisecondsToWait() : 0;
  if (::poll(fds.data(), fds.size(), wait) < 0 && errno != EINTR) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot wait for clients");
  }
  BeginTurn();
  for (const uint64_t number : std::exchange(again_, {})) Serve(number);
  if (fds[1].revents != 0) {
    for (const uint64_t number : ready_.Take()) Serve(number);
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (fds[i + 2].revents != 0) Serve(numbers[i]);
  }
  MindTime();
  if (fds[0].revents != 0) HALFTONED_TRY(HandleControl());
  return {};
}

int Worker::MillisecondsToWait() const {
  std::optional<Clock::time_point> first = end_by_;
  for (const auto& [number, client] : clients_) {
    const auto deadline = client->deadline();
    if (deadline && (!first || *deadline < *first)) first = deadline;
  }
  if (!first) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*first - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(
      left.count(), 0, std::chrono::milliseconds(kLongestTurn).count()));
}

void Worker::BeginTurn() {
  const auto last = std::exchange(turn_, Clock::now());
  if (turn_ - last < 2 * kLongestTurn) return;
  for (const auto& [number, client] : clients_) client->Forgive(turn_ - last);
}

Result<void> Worker::HandleControl() {
  for (;;) {
    Descriptor passed;
    const auto message = control_.ReceiveAsWorker(passed);
    if (!message.ok() || !control_.Flush().ok()) {
      end_by_ = Clock::now() + kOrphanPatience;
      Drain();
      return {};
    }
    if (!*message) return {};
    if (const auto* adopt = std::get_if<daemon::Adopt>(&**message)) {
      Adopt(*adopt, std::move(passed));
    } else if (std::holds_alternative<daemon::Drain>(**message)) {
      Drain();
    } else {
      HALFTONED_TRY(SendReport());
    }
  }
}

void Worker::Adopt(const daemon::Adopt& adopt, Descriptor socket) {
  const uint64_t number = adopt.connection;
  if (!socket.open()) {
    (void)control_.Send(FromWorker(
        Closed{number, {}, "the worker may have no more open files"}));
    return;
  }
  (void)control_.Send(FromWorker(Adopted{number}));
  clients_.emplace(
      number, std::make_unique<Client>(shop_, number, std::move(socket),
                                       [this, number] { ready_.Add(number); }));
  Serve(number);
}

void Worker::Drain() {
  shop_.draining = true;
  MindTime();
}

void Worker::Serve(uint64_t number) {
  const auto client = clients_.find(number);
  if (client == clients_.end()) return;
  const Result<bool> more = client->second->Serve();
  if (!more.ok()) {
    End(number, more.error());
  } else if (*more) {
    again_.push_back(number);
  } else if (shop_.draining && client->second->may_leave()) {
    End(number, Unavailable("the worker was drained"));
  }
}

void Worker::End(uint64_t number, const Error& error) {
  const auto client = clients_.find(number);
  // Before it is counted: a page that is open is counted as it goes.
  const Counters counters = client->second->Finish();
  ended_ += counters;
  clients_.erase(client);
  Closed closed{number, counters, ""};
  if (error.message != wire::kEnded) closed.reason = error.message;
  // A supervisor that takes no messages finds out by other ways.
  (void)control_.Send(FromWorker(std::move(closed)));
}

void Worker::MindTime() {
  const auto now = Clock::now();
  std::vector<std::pair<uint64_t, Error>> over;
  for (const auto& [number, client] : clients_) {
    const Result<void> minded = client->MindTime(now);
    if (!minded.ok()) {
      over.emplace_back(number, minded.error());
    } else if (shop_.draining && client->may_leave()) {
      over.emplace_back(number, Unavailable("the worker was drained"));
    }
  }
  for (const auto& [number, error] : over) End(number, error);
}

Result<void> Worker::SendReport() {
  const auto now = Clock::now();
  Report report;
  report.counters = ended_;
  report.page_bytes = shop_.memory_used;
  if (shop_.device_bytes) report.device_bytes = shop_.device_bytes();
  for (const auto& [number, client] : clients_) {
    report.connections.push_back(client->Describe(now));
    report.counters += client->counters();
  }
  return control_.Send(FromWorker(std::move(report)));
}

}  // namespace halftoned::daemon

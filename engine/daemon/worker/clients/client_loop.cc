// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/client_loop.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

namespace halftoned::daemon {
namespace {

// While a client might miss a deadline, there is a turn at least this often.
constexpr std::chrono::seconds kLongestTurn{1};
// After this time the loop looks for news while clients wait.
constexpr std::chrono::milliseconds kTimeWithoutNews{10};

}  // namespace

ClientLoop::ClientLoop(Shop& shop, Descriptor event,
                       std::function<void()> on_news)
    : shop_(shop),
      ready_(std::move(event)),
      on_news_(std::move(on_news)),
      thread_([this] { Run(); }) {}

ClientLoop::~ClientLoop() {
  is_ending_ = true;
  Wake();
  thread_.join();
}

void ClientLoop::Adopt(const daemon::Adopt& adopt, Descriptor socket,
                       bool is_check) {
  const uint64_t number = adopt.connection;
  const JobKey job{adopt.credentials.uid, adopt.hello.job};
  auto client = std::make_unique<Client>(
      shop_, number, std::move(socket), [this, number] { ready_.Add(number); },
      is_check ? nullptr : &tally_, job, adopt.place);
  ++count_;
  {
    const std::lock_guard lock(post_mutex_);
    inbox_.adopted.emplace(number,
                           Served{std::move(client), job.number(), is_check});
  }
  ready_.Add(number);
}

void ClientLoop::Dismiss(uint64_t number) {
  {
    const std::lock_guard lock(post_mutex_);
    inbox_.dismissed.push_back(number);
  }
  ready_.Add(number);
}

ClientLoop::News ClientLoop::TakeNews() {
  const std::lock_guard lock(post_mutex_);
  return std::exchange(news_, {});
}

void ClientLoop::AddTo(Report& report) {
  const auto now = Clock::now();
  ++askers_;
  const std::lock_guard lock(mutex_);
  --askers_;
  has_answered_.notify_one();
  EmptyInbox();
  report.counters += ended_;
  report.last_minute += tally_.last_minute.Sum(now);
  report.work += tally_.work;
  for (const auto& [number, served] : clients_) {
    report.connections.push_back(served.client->Describe(now));
    report.counters += served.client->counters();
    if (!served.is_check) {
      report.bands_in_flight += served.client->bands_in_flight();
    }
  }
}

void ClientLoop::Run() {
  Result<void> result;
  try {
    result = RunTurns();
  } catch (const std::exception& exception) {
    result = Unavailable(exception.what());
  }
  if (result.ok()) return;
  {
    const std::lock_guard lock(post_mutex_);
    news_.failure = result.error();
  }
  on_news_();
}

Result<void> ClientLoop::RunTurns() {
  while (!is_ending_) HALFTONED_TRY(Wait());
  return {};
}

Result<void> ClientLoop::Wait() {
  std::vector<pollfd> fds = {{ready_.fd(), POLLIN, 0}};
  std::vector<uint64_t> numbers;
  std::unique_lock lock(mutex_);
  for (const auto& [number, served] : clients_) {
    fds.push_back({served.client->fd(), served.client->events(), 0});
    numbers.push_back(number);
  }
  const int wait = waiting_.empty() ? MillisecondsToWait() : 0;
  lock.unlock();
  if (::poll(fds.data(), fds.size(), wait) < 0 && errno != EINTR) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot wait for clients");
  }
  lock.lock();
  has_answered_.wait(lock, [this] { return askers_ == 0; });
  BeginTurn(wait < 0);
  if (fds[0].revents != 0) {
    const std::vector<uint64_t> ready = ready_.Take();
    EmptyInbox();
    for (const uint64_t number : ready) Want(number);
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (fds[i + 1].revents != 0) Want(numbers[i]);
  }
  TakeTurns();
  MindTime();
  return {};
}

int ClientLoop::MillisecondsToWait() const {
  std::optional<Clock::time_point> first;
  for (const auto& [number, served] : clients_) {
    const auto deadline = served.client->deadline();
    if (deadline && (!first || *deadline < *first)) first = deadline;
  }
  if (!first) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*first - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(
      left.count(), 0, std::chrono::milliseconds(kLongestTurn).count()));
}

void ClientLoop::BeginTurn(bool is_expected_late) {
  const auto last = std::exchange(turn_, Clock::now());
  if (is_expected_late || turn_ - last < 2 * kLongestTurn) return;
  for (const auto& [number, served] : clients_) {
    served.client->Forgive(turn_ - last, turn_);
  }
}

void ClientLoop::EmptyInbox() {
  Inbox inbox;
  {
    const std::lock_guard lock(post_mutex_);
    inbox = std::exchange(inbox_, {});
  }
  clients_.merge(inbox.adopted);
  for (const uint64_t number : inbox.dismissed) {
    const auto found = clients_.find(number);
    if (found != clients_.end()) found->second.client->Dismiss(turn_);
  }
}

void ClientLoop::Want(uint64_t number) {
  const auto found = clients_.find(number);
  if (found == clients_.end() || found->second.is_waiting) return;
  Served& served = found->second;
  if (served.is_check) return Serve(number, served);
  waiting_.Add(served.job, number);
  served.is_waiting = true;
}

void ClientLoop::TakeTurns() {
  const auto end = Clock::now() + kTimeWithoutNews;
  while (!waiting_.empty()) {
    const uint64_t number = waiting_.Next();
    waiting_.Drop();
    Served& served = clients_.at(number);
    served.is_waiting = false;
    Serve(number, served);
    if (Clock::now() >= end) return;
  }
}

void ClientLoop::Serve(uint64_t number, Served& served) {
  Client& client = *served.client;
  if (client.leaves()) return End(number, client.Depart());
  const Result<bool> more = client.Serve();
  if (!more.ok()) {
    End(number, more.error());
  } else if (client.leaves()) {
    End(number, client.Depart());
  } else if (*more) {
    waiting_.Add(served.job, number);
    served.is_waiting = true;
  } else if (shop_.draining && client.may_leave()) {
    End(number, Unavailable("the worker was drained"));
  }
}

void ClientLoop::End(uint64_t number, const Error& error) {
  Client& client = *clients_.at(number).client;
  // Before counting: this ends and counts an open page.
  const Counters counters = client.Finish();
  ended_ += counters;
  Closed closed{number, counters, ""};
  if (!client.has_hung_up()) closed.reason = error.message;
  waiting_.Remove(number);
  clients_.erase(number);
  {
    const std::lock_guard lock(post_mutex_);
    news_.closed.push_back(std::move(closed));
  }
  --count_;
  on_news_();
}

void ClientLoop::MindTime() {
  const auto now = Clock::now();
  std::vector<std::pair<uint64_t, Error>> over;
  for (const auto& [number, served] : clients_) {
    const Result<void> minded = served.client->MindTime(now);
    if (!minded.ok()) {
      over.emplace_back(number, minded.error());
    } else if (shop_.draining && served.client->may_leave()) {
      over.emplace_back(number, Unavailable("the worker was drained"));
    }
  }
  for (const auto& [number, error] : over) End(number, error);
}

}  // namespace halftoned::daemon

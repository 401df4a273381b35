// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/remote_engine.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "wire/remote_session.h"

namespace halftoned::wire {

using Clock = std::chrono::steady_clock;

// Connections without a page, and the history of failures.
class RemoteEngine::Lobby : public ConnectionOwner {
 public:
  explicit Lobby(RemoteOptions options) : options_(std::move(options)) {}

  // A connection without a page.
  Result<std::unique_ptr<RemoteConnection>> Take();
  void Keep(std::unique_ptr<RemoteConnection> connection) override;
  void GiveBack(std::unique_ptr<RemoteConnection> connection) override;
  void Died(uint32_t worker, const Error& error) override;

 private:
  static constexpr std::chrono::milliseconds kFirstPause{250};
  static constexpr std::chrono::milliseconds kLongestPause{30'000};
  // After a failure: a page that has lost its worker must continue soon, and
  // later pages must not wait long for a daemon that did not answer the first.
  static constexpr std::chrono::milliseconds kWelcomeAfterFailure{150};

  // Precondition: the mutex is held.
  void Pause(const Error& error);

  const RemoteOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RemoteConnection>> idle_;
  uint32_t avoided_worker_ = 0;
  int deaths_ = 0;  // of pages in a row
  std::chrono::milliseconds pause_ = kFirstPause;
  Clock::time_point not_before_;
  std::string last_failure_;
};

Result<std::unique_ptr<RemoteConnection>> RemoteEngine::Lobby::Take() {
  RemoteOptions options = options_;
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (connection->welcome().worker != avoided_worker_ &&
          connection->is_alive()) {
        return connection;
      }
    }
    if (Clock::now() < not_before_) {
      return Unavailable("not tried again yet after: " + last_failure_);
    }
    options.hello.avoided_worker = avoided_worker_;
    if (deaths_ > 0 || pause_ > kFirstPause) {
      options.welcome_patience = kWelcomeAfterFailure;
    }
  }
  auto connection = RemoteConnection::Make(options);
  const std::lock_guard lock(mutex_);
  if (!connection.ok()) {
    Pause(connection.error());
    // By the time the daemon is asked again, the dead worker is gone; and a new
    // daemon numbers its workers from 1.
    avoided_worker_ = 0;
  }
  return connection;
}

void RemoteEngine::Lobby::Pause(const Error& error) {
  not_before_ = Clock::now() + pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
  last_failure_ = error.message;
}

void RemoteEngine::Lobby::Keep(std::unique_ptr<RemoteConnection> connection) {
  const std::lock_guard lock(mutex_);
  try {
    idle_.push_back(std::move(connection));
  } catch (const std::bad_alloc&) {
    // A session that ends must throw nothing: the connection is closed.
  }
}

void RemoteEngine::Lobby::GiveBack(
    std::unique_ptr<RemoteConnection> connection) {
  {
    const std::lock_guard lock(mutex_);
    deaths_ = 0;
    pause_ = kFirstPause;
    if (connection->welcome().worker == avoided_worker_) avoided_worker_ = 0;
  }
  Keep(std::move(connection));
}

void RemoteEngine::Lobby::Died(uint32_t worker, const Error& error) {
  const std::lock_guard lock(mutex_);
  avoided_worker_ = worker;
  // After the first death, another worker is asked immediately.
  if (++deaths_ > 1) Pause(error);
}

RemoteEngine::RemoteEngine(RemoteOptions options)
    : needs_("halftoned at " + options.socket),
      lobby_(std::make_shared<Lobby>(std::move(options))) {}

Result<void> RemoteEngine::Probe() const {
  HALFTONED_TRY_ASSIGN(auto connection, lobby_->Take());
  lobby_->Keep(std::move(connection));
  return {};
}

Result<std::unique_ptr<Session>> RemoteEngine::Open(
    const PageOrder& order) const {
  HALFTONED_TRY_ASSIGN(auto connection, lobby_->Take());
  return OpenRemoteSession(order, std::move(connection), lobby_);
}

}  // namespace halftoned::wire

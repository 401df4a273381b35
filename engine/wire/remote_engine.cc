// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/remote_engine.h"

#include <utility>

#include "wire/remote_session.h"

namespace halftoned::wire {

RemoteEngine::RemoteEngine(RemoteOptions options)
    : options_(std::move(options)), needs_("halftoned at " + options_.socket) {}

Result<void> RemoteEngine::Probe() const {
  HALFTONED_TRY_ASSIGN(auto connection, Connection());
  const std::lock_guard lock(idle_->mutex);
  idle_->connections.push_back(std::move(connection));
  return {};
}

Result<std::unique_ptr<RemoteConnection>> RemoteEngine::Connection() const {
  {
    const std::lock_guard lock(idle_->mutex);
    while (!idle_->connections.empty()) {
      auto connection = std::move(idle_->connections.back());
      idle_->connections.pop_back();
      if (connection->is_alive()) return connection;
    }
  }
  return RemoteConnection::Make(options_);
}

Result<std::unique_ptr<Session>> RemoteEngine::Open(
    const PageOrder& order) const {
  HALFTONED_TRY_ASSIGN(auto connection, Connection());
  return OpenRemoteSession(
      order, std::move(connection),
      [idle = idle_](std::unique_ptr<RemoteConnection> unused) {
        const std::lock_guard lock(idle->mutex);
        idle->connections.push_back(std::move(unused));
      });
}

}  // namespace halftoned::wire

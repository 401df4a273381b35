// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/roster.h"

#include <algorithm>
#include <utility>

namespace halftoned::daemon {

void Roster::Add(Connection connection) {
  connections_.emplace(next_number_++, std::move(connection));
}

void Roster::Update(uint32_t worker, const Report& report) {
  for (const Report::Connection& state : report.connections) {
    const auto found = connections_.find(state.connection);
    if (found == connections_.end() || found->second.worker != worker) continue;
    found->second.last = state;
  }
}

std::optional<Connection> Roster::Close(uint32_t worker, const Closed& closed) {
  const auto found = connections_.find(closed.connection);
  if (found == connections_.end() || found->second.worker != worker) {
    return std::nullopt;
  }
  Connection connection = std::move(found->second);
  connections_.erase(found);
  connection.last.counters = closed.counters;
  if (!connection.is_own) closed_[connection.engine] += closed.counters;
  return connection;
}

std::set<JobKey> Roster::CloseAllOf(uint32_t worker) {
  std::set<JobKey> jobs;
  for (auto next = connections_.begin(); next != connections_.end();) {
    const Connection& connection = next->second;
    if (connection.worker != worker) {
      ++next;
      continue;
    }
    if (!connection.is_own) {
      jobs.insert({connection.peer.uid, connection.hello.job});
      closed_[connection.engine] += connection.last.counters;
    }
    next = connections_.erase(next);
  }
  return jobs;
}

size_t Roster::CountOf(uint32_t worker) const {
  return static_cast<size_t>(
      std::ranges::count_if(connections_, [worker](const auto& entry) {
        return entry.second.worker == worker && !entry.second.is_own;
      }));
}

std::map<std::string, Counters> Roster::Totals() const {
  std::map<std::string, Counters> totals = closed_;
  for (const auto& [number, connection] : connections_) {
    if (!connection.is_own) {
      totals[connection.engine] += connection.last.counters;
    }
  }
  return totals;
}

}  // namespace halftoned::daemon

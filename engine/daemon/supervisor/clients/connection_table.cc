// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/connection_table.h"

#include <algorithm>
#include <utility>

namespace halftoned::daemon {

void ConnectionTable::Add(Connection connection) {
  connection.place = next_place();
  if (free_places_.empty()) {
    ++places_;
  } else {
    free_places_.pop_back();
  }
  connections_.emplace(next_number_++, std::move(connection));
}

void ConnectionTable::Erase(
    std::map<uint64_t, Connection>::iterator connection) {
  free_places_.push_back(connection->second.place);
  connections_.erase(connection);
}

Connection* ConnectionTable::Find(uint32_t worker, uint64_t number) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return nullptr;
  return found->second.worker == worker ? &found->second : nullptr;
}

const Connection* ConnectionTable::MarkAdopted(uint32_t worker,
                                               const Adopted& adopted) {
  Connection* const connection = Find(worker, adopted.connection);
  if (connection) connection->is_adopted = true;
  return connection;
}

void ConnectionTable::Update(uint32_t worker, const Report& report) {
  for (const Report::Connection& state : report.connections) {
    if (Connection* connection = Find(worker, state.connection)) {
      connection->last = state;
    }
  }
}

std::optional<Connection> ConnectionTable::Close(uint32_t worker,
                                                 const Closed& closed) {
  Connection* const found = Find(worker, closed.connection);
  if (!found) return std::nullopt;
  Connection connection = std::move(*found);
  Erase(connections_.find(closed.connection));
  connection.last.counters = closed.counters;
  if (!connection.is_own) closed_[connection.engine] += closed.counters;
  return connection;
}

std::set<JobKey> ConnectionTable::CloseAllOf(uint32_t worker,
                                             const Board* board) {
  std::set<JobKey> jobs;
  for (auto next = connections_.begin(); next != connections_.end();) {
    const auto entry = next++;
    const Connection& connection = entry->second;
    if (connection.worker != worker) continue;
    if (!connection.is_own) {
      if (connection.is_adopted &&
          (!board || board->StateOf({entry->first, connection.place})
                         .value_or(Board::State())
                         .is_at_work)) {
        jobs.insert(connection.job());
      }
      closed_[connection.engine] += connection.last.counters;
    }
    Erase(entry);
  }
  return jobs;
}

ConnectionTable::Crowd ConnectionTable::Count() const {
  Crowd crowd;
  for (const auto& [number, connection] : connections_) {
    if (connection.is_dismissed) {
      ++crowd.dismissed;
      ++crowd.dismissed_of[connection.peer.uid];
    } else if (connection.hello.job != 0) {
      ++crowd.of_job[connection.job()];
    }
  }
  return crowd;
}

std::optional<Instant> ConnectionTable::IdleSince(uint64_t number,
                                                  const Connection& connection,
                                                  const Board* board) {
  if (connection.is_own || connection.is_dismissed || !connection.is_adopted ||
      !board) {
    return std::nullopt;
  }
  const auto state = board->StateOf({number, connection.place});
  if (!state) return connection.since;
  if (state->keeps_place) return std::nullopt;
  return std::max(state->worked, connection.since);
}

uint64_t ConnectionTable::FindIdlest(
    std::optional<uid_t> of_user, Instant limit,
    const std::function<const Board*(uint32_t)>& board) const {
  Crowd crowd = Count();
  if (crowd.dismissed >= Limits::kDismissed) return 0;
  uint64_t idlest = 0;
  int most = 0;
  Instant longest = kNever;
  for (const auto& [number, connection] : connections_) {
    const uid_t uid = connection.peer.uid;
    if (of_user && uid != *of_user) continue;
    const auto since = IdleSince(number, connection, board(connection.worker));
    if (!since || *since > limit ||
        crowd.dismissed_of[uid] >= Limits::kDismissedOfUser) {
      continue;
    }
    const int of_job =
        connection.hello.job == 0 ? 1 : crowd.of_job[connection.job()];
    if (of_job < most || (of_job == most && *since >= longest)) continue;
    idlest = number;
    most = of_job;
    longest = *since;
  }
  return idlest;
}

void ConnectionTable::Dismiss(uint64_t number) {
  Connection& connection = connections_.at(number);
  connection.is_dismissed = true;
  connection.seat = Admission::Seat();
}

size_t ConnectionTable::CountOf(uint32_t worker) const {
  return static_cast<size_t>(
      std::ranges::count_if(connections_, [worker](const auto& entry) {
        return entry.second.worker == worker && !entry.second.is_own;
      }));
}

std::map<std::string, Counters> ConnectionTable::Totals() const {
  std::map<std::string, Counters> totals = closed_;
  for (const auto& [number, connection] : connections_) {
    if (!connection.is_own) {
      totals[connection.engine] += connection.last.counters;
    }
  }
  return totals;
}

}  // namespace halftoned::daemon

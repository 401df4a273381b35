// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/open_connections.h"

#include <algorithm>
#include <tuple>

namespace halftoned {

OpenConnections::Entry* OpenConnections::Enter(ClientWait& client,
                                               const Origin& origin,
                                               Rank rank) {
  const int most = rank == Rank::kTrusted ? limits_.all - limits_.of_network
                                          : limits_.of_network;
  const Counts has = CountsOf(origin);
  if (has.back() >= most) return nullptr;
  const Newcomer newcomer = {origin, rank, has, has[Origin::kNetwork] >= most};
  const int most_of_all =
      rank == Rank::kUser ? limits_.all - limits_.kept : limits_.all;
  const bool is_full = newcomer.is_network_full || all_ >= most_of_all;
  if (is_full && !MakeRoom(newcomer)) return nullptr;
  ++all_;
  Entry& entry = entries_.emplace_back();
  entry.client_ = &client;
  entry.rank_ = rank;
  for (size_t level = 0; level < Origin::kLevels; ++level) {
    entry.counts_[level] =
        &*counts_[level].try_emplace(origin.levels[level]).first;
    ++entry.counts_[level]->second;
  }
  return &entry;
}

void OpenConnections::Leave(const Entry* entry) {
  const auto found = std::ranges::find(entries_, entry,
                                       [](const Entry& each) { return &each; });
  if (entry->is_dropped_) {
    --ending_;
  } else {
    Uncount(*entry);
  }
  entries_.erase(found);
}

void OpenConnections::Uncount(const Entry& entry) {
  --all_;
  for (size_t level = 0; level < Origin::kLevels; ++level) {
    Entry::Count* count = entry.counts_[level];
    if (--count->second == 0) counts_[level].erase(count->first);
  }
}

bool OpenConnections::MakeRoom(const Newcomer& newcomer) {
  if (ending_ >= limits_.ending) return false;
  const auto now = ClientWait::Clock::now();
  while (Entry* last = FindLast(newcomer, now)) {
    // The server may have started to work for it meanwhile.
    if (!last->client_->DropIfItWaits(now)) continue;
    Uncount(*last);
    last->is_dropped_ = true;
    ++ending_;
    return true;
  }
  return false;
}

OpenConnections::Entry* OpenConnections::FindLast(
    const Newcomer& newcomer, ClientWait::Clock::time_point now) {
  Entry* last = nullptr;
  std::tuple<Counts, ClientWait::Clock::duration> last_key;
  for (Entry& entry : entries_) {
    if (entry.is_dropped_ || !Yields(entry, newcomer)) continue;
    const auto since = entry.client_->WaitsSince(now);
    if (!since) continue;
    Counts counts;
    std::ranges::transform(entry.counts_, counts.begin(),
                           &Entry::Count::second);
    const std::tuple key{counts, now - *since};
    if (last && key <= last_key) continue;
    last = &entry;
    last_key = key;
  }
  return last;
}

OpenConnections::Counts OpenConnections::CountsOf(const Origin& origin) const {
  Counts counts = {};
  for (size_t level = 0; level < Origin::kLevels; ++level) {
    const auto found = counts_[level].find(origin.levels[level]);
    if (found != counts_[level].end()) counts[level] = found->second;
  }
  return counts;
}

bool OpenConnections::Yields(const Entry& entry, const Newcomer& newcomer) {
  const auto is_of_same = [&](size_t level) {
    return entry.counts_[level]->first == newcomer.origin.levels[level];
  };
  if (newcomer.is_network_full && !is_of_same(Origin::kNetwork)) return false;
  if (entry.rank_ != newcomer.rank) return entry.rank_ < newcomer.rank;
  for (size_t level = 0; level < Origin::kLevels; ++level) {
    if (is_of_same(level)) continue;
    // A drop must make the counts more equal, not just swap them.
    const int has = newcomer.has[level];
    return entry.counts_[level]->second >= (has > 0 ? has + 2 : 1);
  }
  return false;
}

}  // namespace halftoned

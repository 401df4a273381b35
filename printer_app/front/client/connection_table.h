// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connections, and whose they are. Each has a thread, so there are limits.
// If all connections are taken, another one that waits for its client makes
// room: of the largest network, there of the user or address with most
// connections, and there the one that waits longest. So a network that takes
// all of them only ends its own.

#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <string>

#include "printer_app/front/callers/network.h"
#include "printer_app/front/client/client_wait.h"

namespace halftoned {

class ConnectionTable {
 public:
  enum class Rank : uint8_t {
    kUser,
    kAdmin,    // may take the connections that are kept for it
    kTrusted,  // the same, and all but `of_place`: many users' connections
  };
  struct Limits {
    int all;
    int of_place;  // a user or an address
    int kept;      // of `all`, for those who repair what the others do
    int ending;    // that were dropped and have not ended, in addition to `all`
  };

  class Entry {
   public:
    ClientWait& client() const { return *client_; }

   private:
    friend class ConnectionTable;
    using Count = std::map<std::string, int>::value_type;

    ClientWait* client_;
    Rank rank_;
    std::array<Count*, Origin::kLevels> counts_;
    bool is_dropped_ = false;
  };

  explicit ConnectionTable(Limits limits) : limits_(limits) {}

  // Null if there are too many. Each that enters leaves; until then the client
  // exists.
  Entry* Enter(ClientWait& client, const Origin& origin, Rank rank);
  void Leave(const Entry* entry);

  const std::list<Entry>& entries() const { return entries_; }

 private:
  using Counts = std::array<int, Origin::kLevels>;

  bool MakeRoom(const Origin& origin, Rank rank);
  // The one to make room; null if none may be dropped.
  Entry* FindLast(const Origin& origin, Rank rank,
                  ClientWait::Clock::time_point now);
  Counts CountsOf(const Origin& origin) const;
  // Whether `entry` can make room for one of the origin.
  static bool Yields(const Entry& entry, const Origin& origin,
                     const Counts& has, Rank rank);
  void Uncount(const Entry& entry);

  const Limits limits_;
  int all_ = 0;  // without those that are ending
  int ending_ = 0;
  std::list<Entry> entries_;
  // Connections of each network, at the last level of each user or address.
  std::array<std::map<std::string, int>, Origin::kLevels> counts_;
};

}  // namespace halftoned

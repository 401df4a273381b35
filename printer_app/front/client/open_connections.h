// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The open connections and their origins. Each connection has a thread, so
// their number is limited. If no connection is left, one that waits for its
// client is dropped: in the network with the most connections, the user or
// address with the most connections loses the one that has waited longest. So a
// network that takes all connections loses only its own. A network also has a
// limit of its own, within which its addresses make room for one another.

#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <string>

#include "printer_app/front/callers/network.h"
#include "printer_app/front/client/client_wait.h"

namespace halftoned {

class OpenConnections {
 public:
  enum class Rank : uint8_t {
    kUser,
    kAdmin,    // may use the connections that `kept` reserves
    kTrusted,  // also may use all but `of_network`: connects for many users
  };
  struct Limits {
    int all;
    int of_network;  // per user or Origin::network
    int kept;        // of `all`, reserved for ranks above kUser
    int ending;      // dropped, but not closed yet; in addition to `all`
  };

  class Entry {
   public:
    ClientWait& client() const { return *client_; }

   private:
    friend class OpenConnections;
    using Count = std::map<std::string, int>::value_type;

    ClientWait* client_;
    Rank rank_;
    std::array<Count*, Origin::kLevels> counts_;
    bool is_dropped_ = false;
  };

  explicit OpenConnections(Limits limits) : limits_(limits) {}

  // Null if there are too many connections. Call Leave for every entry; the
  // client must exist until then.
  Entry* Enter(ClientWait& client, const Origin& origin, Rank rank);
  void Leave(const Entry* entry);

  const std::list<Entry>& entries() const { return entries_; }

 private:
  using Counts = std::array<int, Origin::kLevels>;

  // A new connection.
  struct Newcomer {
    const Origin& origin;
    Rank rank;
    Counts has;  // its origin, without it
    bool is_network_full;
  };

  bool MakeRoom(const Newcomer& newcomer);
  // The connection to drop; null if none may be dropped.
  Entry* FindLast(const Newcomer& newcomer, ClientWait::Clock::time_point now);
  Counts CountsOf(const Origin& origin) const;
  // Whether the entry may be dropped for the newcomer.
  static bool Yields(const Entry& entry, const Newcomer& newcomer);
  void Uncount(const Entry& entry);

  const Limits limits_;
  int all_ = 0;  // except those that are ending
  int ending_ = 0;
  std::list<Entry> entries_;
  // Number of connections per network; at the last level, per user or address.
  std::array<std::map<std::string, int>, Origin::kLevels> counts_;
};

}  // namespace halftoned

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the log lines of one kind that clients can cause per minute, and
// counts the lines that exceed the limits. Users of this machine and other
// clients have totals of their own, so no number of addresses can crowd out
// lines about users. Not thread-safe; knows no log.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace halftoned {

class LogLimit {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kWindow{1};
  static constexpr size_t kMostNamed = 5;  // clients in a report

  // Lines per minute.
  struct Most {
    int of_client;
    int of_all;  // of all users of this machine, and of all other clients
  };
  struct Client {
    std::string name;       // empty: the server itself, which has no total
    bool is_local = false;  // a user of this machine
  };

  explicit LogLimit(Most most) : most_(most) {}

  // False: the line must be omitted, and is counted. Before a new minute
  // begins, take the report of the last one.
  bool Take(const Client& client, Clock::time_point now);

  // If the minute has ended, begins a new one, and returns a line about the
  // omitted lines; empty if there are none.
  std::string TakeReport(Clock::time_point now);

 private:
  struct Count {
    int written = 0;
    uint64_t omitted = 0;
  };
  // The server, the users of this machine, or the other clients.
  struct Group {
    int written = 0;
    uint64_t others_omitted = 0;           // lines of clients not in `clients`
    std::map<std::string, Count> clients;  // each has written a line
  };
  enum { kServer, kUsers, kOthers, kGroups };

  const Most most_;
  std::optional<Clock::time_point> end_;  // of the current minute
  std::array<Group, kGroups> groups_;
};

}  // namespace halftoned

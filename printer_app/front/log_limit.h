// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the log lines of one kind that clients can cause per minute, and
// counts the lines that exceed the limits. Not thread-safe; knows no log.

#pragma once

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
    int of_all;  // not counting the server's own
  };

  explicit LogLimit(Most most) : most_(most) {}

  // False: the line must be omitted, and is counted. client: empty for a line
  // of the server itself, which other lines cannot crowd out. Before a new
  // minute begins, take the report of the last one.
  bool Take(const std::string& client, Clock::time_point now);

  // When the next report is due; nothing if no line was omitted.
  std::optional<Clock::time_point> ReportTime() const;
  // If the minute has ended, begins a new one, and returns a line about the
  // omitted lines; empty if there are none.
  std::string TakeReport(Clock::time_point now);

 private:
  struct Count {
    int written = 0;
    uint64_t omitted = 0;
  };

  const Most most_;
  std::optional<Clock::time_point> end_;  // of the current minute
  int written_ = 0;                       // lines of all clients
  uint64_t others_omitted_ = 0;           // lines of clients not in clients_
  std::map<std::string, Count> clients_;  // each has written a line
  bool has_omitted_ = false;
};

}  // namespace halftoned

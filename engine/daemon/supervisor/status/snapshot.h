// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the daemon is doing at one moment, in three formats. No I/O.

#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "control/control.h"
#include "daemon/supervisor/clients/refusal.h"

namespace halftoned::daemon {

struct WorkerStatus {
  uint32_t number = 0;
  std::string kind;
  pid_t pid = 0;
  std::string_view state;
  bool answers = true;  // it has answered this request
  std::string engine;   // empty until it is ready
  int threads = 0;
  uint64_t deaths = 0;  // of its kind, since the daemon started
  double uptime_seconds = 0;
  size_t connections = 0;
  double pages_per_second = 0;  // in the last minute, without health checks
  double gray_bytes_per_second = 0;
  uint64_t page_bytes = 0;    // memory that clients hold
  std::string device;         // empty: none
  uint64_t device_bytes = 0;  // device memory that the worker uses
  uint64_t device_memory = 0;
  bool is_slow = false;  // other workers are preferred
  size_t open_pages = 0;
  uint32_t places = 0;  // pages that it can work on at the same time
  uint64_t bands_in_flight = 0;
  Work work = {};

  bool is_serving() const { return state == "ready" && answers; }
};

struct SessionStatus {
  uint64_t connection = 0;
  uint32_t worker = 0;
  uid_t uid = 0;
  uint32_t job = 0;  // 0: none
  std::string printer;
  std::string title;  // only for this user and for root
  uint32_t page = 0;  // the open page; 0: none
  int64_t row = 0;    // its next row
  Counters done;
  double age_seconds = 0;
  double idle_seconds = 0;

  double rows_per_second() const {
    return age_seconds > 0 ? static_cast<double>(done.rows) / age_seconds : 0;
  }
};

struct Snapshot {
  std::string version;
  bool is_stopping = false;
  double uptime_seconds = 0;
  std::vector<WorkerStatus> workers;
  std::vector<SessionStatus> sessions;
  size_t jobs = 0;                          // that have sessions
  size_t waiting = 0;                       // connections without a worker
  Latencies waits;                          // for a worker
  std::map<std::string, Counters> engines;  // what was done, by engine
  uint64_t connections = 0;                 // so far
  std::array<uint64_t, kRefusals.size()> refusals{};
  std::map<std::string, uint64_t> deaths;  // of workers, by kind
  uint64_t fail_overs = 0;  // connections of clients that left a worker
  uint64_t dismissed = 0;   // idle connections that were ended for others
  // Why the device of a kind is kept out, or missing.
  std::map<std::string, std::string> kept_out, absent;
  uint64_t health_checks = 0;
  uint64_t health_failures = 0;
};

// The names of Counters, in the order of the status.
struct CounterName {
  std::string_view name;
  uint64_t Counters::*counter;
};
inline constexpr CounterName kCounterNames[] = {
    {"pages", &Counters::pages},
    {"rows", &Counters::rows},
    {"bands", &Counters::bands},
    {"pixels", &Counters::pixels},
    {"failed_pages", &Counters::failed_pages},
    {"cancelled_pages", &Counters::cancelled_pages},
    {"evicted_pages", &Counters::evicted_pages},
    {"protocol_errors", &Counters::protocol_errors},
};

// For people, programs and Prometheus. viewer: the user who asks.
std::string StatusText(const Snapshot& snapshot, uid_t viewer);
std::string StatusJson(const Snapshot& snapshot, uid_t viewer);
// In the text format of OpenMetrics 1.0.
std::string StatusMetrics(const Snapshot& snapshot);

// Open pages of all ready workers, divided by the pages that they can process
// at the same time; infinite if no worker is ready.
double Load(const Snapshot& snapshot);

inline bool MaySeeTitle(const SessionStatus& session, uid_t viewer) {
  return viewer == 0 || viewer == session.uid;
}

}  // namespace halftoned::daemon

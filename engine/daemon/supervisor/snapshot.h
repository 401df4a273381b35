// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the daemon is doing at one moment, and how that is told. No I/O.

#ifndef HALFTONED_DAEMON_SUPERVISOR_SNAPSHOT_H_
#define HALFTONED_DAEMON_SUPERVISOR_SNAPSHOT_H_

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/control.h"
#include "daemon/supervisor/refusal.h"

namespace halftoned::daemon {

struct WorkerStatus {
  uint32_t number = 0;
  std::string kind;
  pid_t pid = 0;
  std::string_view state;
  bool answers = true;  // when it was asked just now
  std::string engine;   // empty until it is ready
  int threads = 0;
  uint64_t deaths = 0;  // of its kind, since the daemon started
  double uptime_seconds = 0;
  size_t connections = 0;
  double pages_per_second = 0;  // in the last minute, checks left out
  double gray_bytes_per_second = 0;
  uint64_t page_bytes = 0;    // memory of the pages that are open
  std::string device;         // empty: it has none
  uint64_t device_bytes = 0;  // of its memory, used by the worker
  uint64_t device_memory = 0;
  bool is_slow = false;  // so that others are asked first
};

struct SessionStatus {
  uint64_t connection = 0;
  uint32_t worker = 0;
  uid_t uid = 0;
  uint32_t job = 0;  // 0: none
  std::string printer;
  std::string title;  // for the user himself and for root
  uint32_t page = 0;  // that is open; 0: none
  int64_t row = 0;    // of that page, the next
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
  std::map<std::string, Counters> engines;  // what was done, by engine
  uint64_t connections = 0;                 // that there ever were
  std::array<uint64_t, kRefusals.size()> refusals{};
  std::map<std::string, uint64_t> deaths;  // of workers, by kind
  uint64_t fail_overs = 0;  // connections of clients that left a worker
  // Kinds whose device is kept out, or is not there: and why.
  std::map<std::string, std::string> kept_out, absent;
  uint64_t health_checks = 0;
  uint64_t health_failures = 0;
};

// As Counters are told, in this order.
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

// For a person, a program and Prometheus. `viewer` is who asks.
std::string StatusText(const Snapshot& snapshot, uid_t viewer);
std::string StatusJson(const Snapshot& snapshot, uid_t viewer);
std::string StatusMetrics(const Snapshot& snapshot);

inline bool MaySeeTitle(const SessionStatus& session, uid_t viewer) {
  return viewer == 0 || viewer == session.uid;
}

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_SNAPSHOT_H_

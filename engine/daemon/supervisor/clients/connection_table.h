// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connections that workers serve, and the totals of all connections so far.
// Knows no sockets: those belong to the workers.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/unix_socket.h"
#include "control/board.h"
#include "control/control.h"
#include "control/job_key.h"
#include "daemon/clock.h"
#include "daemon/supervisor/clients/connection_limits.h"
#include "daemon/supervisor/clients/ledger.h"
#include "wire/protocol.h"

namespace halftoned::daemon {

struct Connection {
  uint32_t worker = 0;
  std::string engine;  // of that worker
  PeerCredentials peer;
  wire::Hello hello;
  Admission::Seat seat;
  Instant since;
  uint32_t place = 0;         // on the board; set by the table
  bool is_own = false;        // a health check
  bool is_adopted = false;    // the worker has confirmed receipt
  bool is_dismissed = false;  // its seat was given away
  Report::Connection last;    // from the worker's last report

  JobKey job() const { return {peer.uid, hello.job}; }
  // Valid as long as this object.
  LogSubject subject() const { return {hello.job, hello.printer, peer.uid}; }
};

class ConnectionTable {
 public:
  // The number that the next connection gets.
  uint64_t next_number() const { return next_number_; }
  // The next connection's place on its worker's board; no other one has it.
  uint32_t next_place() const {
    return free_places_.empty() ? places_ : free_places_.back();
  }
  void Add(Connection connection);

  // The connection, if it is one of this worker's; null otherwise.
  const Connection* MarkAdopted(uint32_t worker, const Adopted& adopted);
  void Update(uint32_t worker, const Report& report);
  // The connection, if it was one of this worker's.
  std::optional<Connection> Close(uint32_t worker, const Closed& closed);
  // Removes all connections of a worker that has ended; returns the jobs that
  // it was working for, or, if there is no board, of the connections that it
  // had adopted. Other jobs cannot have caused its end.
  std::set<JobKey> CloseAllOf(uint32_t worker, const Board* board);

  // The number of the connection that has been idle for longest, at least since
  // `limit`, among those of the job with the most connections; 0 if there is
  // none, or if too many dismissed connections have not ended. of_user: only
  // this user's connections. board: of a worker, or null.
  uint64_t FindIdlest(std::optional<uid_t> of_user, Instant limit,
                      const std::function<const Board*(uint32_t)>& board) const;
  // Gives up the connection's seat.
  void Dismiss(uint64_t number);

  // Clients only, without health checks.
  size_t CountOf(uint32_t worker) const;
  const std::map<uint64_t, Connection>& connections() const {
    return connections_;
  }
  // Work done for clients so far, by engine, as reported; never decreases.
  std::map<std::string, Counters> Totals() const;

 private:
  // Numbers of dismissed connections and of all others.
  struct Crowd {
    int dismissed = 0;
    std::map<uid_t, int> dismissed_of;
    std::map<JobKey, int> of_job;
  };
  Crowd Count() const;
  // Nothing if the connection keeps its place.
  static std::optional<Instant> IdleSince(uint64_t number,
                                          const Connection& connection,
                                          const Board* board);
  void Erase(std::map<uint64_t, Connection>::iterator connection);
  // Null if it is not one of this worker's.
  Connection* Find(uint32_t worker, uint64_t number);

  std::map<uint64_t, Connection> connections_;  // by number
  std::map<std::string, Counters> closed_;      // by engine
  uint64_t next_number_ = 1;
  uint32_t places_ = 0;  // used so far
  std::vector<uint32_t> free_places_;
};

}  // namespace halftoned::daemon

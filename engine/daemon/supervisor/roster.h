// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connections that workers serve, and what was done for all there ever
// were. Knows no sockets: those are the workers'.

#ifndef HALFTONED_DAEMON_SUPERVISOR_ROSTER_H_
#define HALFTONED_DAEMON_SUPERVISOR_ROSTER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/log.h"
#include "base/unix_socket.h"
#include "daemon/clock.h"
#include "daemon/control.h"
#include "daemon/supervisor/admission.h"
#include "daemon/supervisor/ledger.h"
#include "wire/protocol.h"

namespace halftoned::daemon {

struct Connection {
  uint32_t worker = 0;
  std::string engine;  // of that worker
  PeerCredentials peer;
  wire::Hello hello;
  Admission::Seat seat;
  Instant since;
  bool is_own = false;      // a check of the worker's health
  bool is_adopted = false;  // by its worker, which may not have heard of it yet
  Report::Connection last;  // what the worker last said of it

  // Valid as long as this is.
  LogSubject subject() const { return {hello.job, hello.printer, peer.uid}; }
};

class Roster {
 public:
  // Whoever comes next has this number.
  uint64_t next_number() const { return next_number_; }
  void Add(Connection connection);

  void MarkAdopted(uint32_t worker, const Adopted& adopted);
  void Update(uint32_t worker, const Report& report);
  // The connection, if it was one of this worker's.
  std::optional<Connection> Close(uint32_t worker, const Closed& closed);
  // Forgets all connections of a worker that has ended; the jobs of those that
  // it had adopted. Others waited behind it, and had no part in its end.
  std::set<JobKey> CloseAllOf(uint32_t worker);

  // Of clients alone.
  size_t CountOf(uint32_t worker) const;
  const std::map<uint64_t, Connection>& connections() const {
    return connections_;
  }
  // What was done for clients, by engine, as far as it is known; never less
  // than it was.
  std::map<std::string, Counters> Totals() const;

 private:
  // If it is one of this worker's.
  Connection* Find(uint32_t worker, uint64_t number);

  std::map<uint64_t, Connection> connections_;  // by number
  std::map<std::string, Counters> closed_;      // by engine
  uint64_t next_number_ = 1;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_ROSTER_H_

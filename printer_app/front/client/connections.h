// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connected clients, each with a thread.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>
#include <mutex>

#include "printer_app/front/callers/connection_owner.h"
#include "printer_app/front/client/client.h"
#include "printer_app/front/client/open_connections.h"
#include "printer_app/front/client/reused_threads.h"
#include "printer_app/front/front.h"

namespace halftoned {

class Connections {
 public:
  explicit Connections(Front& front);

  // Accepts a waiting connection. If there are too many, drops another one or
  // refuses this one.
  void Accept(int listener);
  // Drops connections that have been silent for too long.
  void DropOverdue();
  // False as soon as a connection is accepted.
  bool empty() const { return count_ == 0; }

 private:
  OpenConnections::Entry* Enter(ClientWait& client,
                                const ConnectionOwner& owner,
                                const Origin& origin);
  bool IsAdmin(uid_t user);
  void Serve(FrontClient& client, const ConnectionOwner& owner,
             const Origin& origin);
  void Leave(const OpenConnections::Entry* entry);

  Front& front_;
  std::atomic<int> count_ = 0;
  std::mutex mutex_;
  OpenConnections table_;
  // Cached answers of the user databases, which can be on another machine.
  std::map<uid_t, bool> admins_;
  ClientWait::Clock::time_point forget_admins_;
  ReusedThreads threads_;  // they use all of the above
};

}  // namespace halftoned

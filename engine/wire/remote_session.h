// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session in which halftoned does the work.

#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "halftone/run/session.h"
#include "wire/remote_connection.h"

namespace halftoned::wire {

// The owner of the connections, which learns how a session ends. Thread-safe.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // Takes back a connection on which no page is open.
  virtual void Keep(std::unique_ptr<RemoteConnection> connection) = 0;
  // The same, after a page has been finished on it.
  virtual void GiveBack(std::unique_ptr<RemoteConnection> connection) = 0;
  // Called when the page at this worker died.
  virtual void Died(uint32_t worker, const Error& error) = 0;
};

// Opens a page on `connection`, which has none open. The daemon's first answer
// shows whether it serves the page. The session returns kAskAgain once the
// daemon has evicted the page.
Result<std::unique_ptr<Session>> OpenRemoteSession(
    const PageOrder& order, std::unique_ptr<RemoteConnection> connection,
    std::shared_ptr<ConnectionOwner> owner);

}  // namespace halftoned::wire

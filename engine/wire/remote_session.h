// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session whose work halftoned does.

#ifndef HALFTONED_WIRE_REMOTE_SESSION_H_
#define HALFTONED_WIRE_REMOTE_SESSION_H_

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
  // No page is open on it; it can serve one.
  virtual void Keep(std::unique_ptr<RemoteConnection> connection) = 0;
  // The same, once a page has come to its end on it.
  virtual void GiveBack(std::unique_ptr<RemoteConnection> connection) = 0;
  // Called when the page at this worker died.
  virtual void Died(uint32_t worker, const Error& error) = 0;
};

// No page is open on `connection`. Whether the daemon serves the page, the
// first answer tells. The session gives kAskAgain once the daemon has evicted
// the page.
Result<std::unique_ptr<Session>> OpenRemoteSession(
    const PageOrder& order, std::unique_ptr<RemoteConnection> connection,
    std::shared_ptr<ConnectionOwner> owner);

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_REMOTE_SESSION_H_

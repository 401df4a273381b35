// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session that lets halftoned do the work.

#ifndef HALFTONED_WIRE_REMOTE_SESSION_H_
#define HALFTONED_WIRE_REMOTE_SESSION_H_

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "halftone/session.h"
#include "wire/remote_connection.h"

namespace halftoned::wire {

// Whose connections they are: hears how a session ends. Used by many threads.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // Another, without a page.
  virtual Result<std::unique_ptr<RemoteConnection>> Take() = 0;
  // A page has come to its end; it can serve another.
  virtual void GiveBack(std::unique_ptr<RemoteConnection> connection) = 0;
  // The page under way at this worker has died of something.
  virtual void Died(uint32_t worker, const Error& error) = 0;
};

// No page is open on `connection`. Whether the daemon serves the page, the
// first answer tells.
Result<std::unique_ptr<Session>> OpenRemoteSession(
    const PageOrder& order, std::unique_ptr<RemoteConnection> connection,
    std::shared_ptr<ConnectionOwner> owner);

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_REMOTE_SESSION_H_
